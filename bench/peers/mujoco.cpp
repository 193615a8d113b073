// bench/peers/mujoco.cpp: a model on MuJoCo 2.2.2 at its defaults: Newton's method on soft
// constraints, semi-implicit Euler, one step of the time step.
//
// MuJoCo starts anew from the first state when its state has become bad. Such a run counts as
// burst: from then on its bodies are infinitely far away.

#include "bench/engine.h"
#include "bench/peers/denormals.h"
#include "bench/peers/mujoco_scene.h"
#include "bench/space.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <mujoco/mujoco.h>

namespace {

struct MujocoWorld {
    const bench_model *model = nullptr;
    mjModel *scene = nullptr;
    mjData *data = nullptr;
    std::vector<int> ids; // of the moving bodies; the others: -1

    ~MujocoWorld() {
        mj_deleteData(data);
        mj_deleteModel(scene);
    }
};

void ignore_warning(const char *) {
}

mjModel *compile(const std::string &xml) {
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    char error[256] = "";
    mjModel *scene = nullptr;
    if (mj_makeEmptyFileVFS(files.get(), "scene.xml", int(xml.size())) == 0) {
        int index = mj_findFileVFS(files.get(), "scene.xml");
        std::memcpy(files->filedata[index], xml.data(), xml.size());
        scene = mj_loadXML("scene.xml", files.get(), error, sizeof(error));
    }
    if (scene == nullptr) {
        std::fprintf(stderr, "tenon_peers: MuJoCo: %s\n", error);
    }
    mj_deleteVFS(files.get());
    return scene;
}

// The velocity of a free body: of its origin in the world, and about the axes of its frame.
void set_velocity(MujocoWorld &world, uint32_t index) {
    const model_body &body = world.model->bodies[index];
    const tn_velocity &v = body.velocity;
    tn_vec3 arm = space_rotate(body.pose.rotation, body.mass.center);
    tn_vec3 linear = space_subtract(v.linear, space_cross(v.angular, arm));
    tn_vec3 angular = space_rotate_inverse(body.pose.rotation, v.angular);
    mjtNum *out = world.data->qvel + world.scene->body_dofadr[world.ids[index]];
    const mjtNum values[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    std::copy(values, values + 6, out);
}

void *mujoco_create(const bench_engine *, const bench_case *item, const bench_model *model) {
    MujocoScene source;
    if (!mujoco_write_scene(*model, 1.0 / item->hertz, source)) {
        return nullptr;
    }
    mju_user_warning = ignore_warning;
    auto world = std::make_unique<MujocoWorld>();
    world->model = model;
    world->scene = compile(source.xml);
    world->data = world->scene != nullptr ? mj_makeData(world->scene) : nullptr;
    if (world->data == nullptr) {
        return nullptr;
    }
    for (uint32_t i = 0; i < model->body_count; ++i) {
        bool is_moving = model->bodies[i].type == TN_BODY_TYPE_DYNAMIC;
        std::string name = "b" + std::to_string(i);
        world->ids.push_back(is_moving ? mj_name2id(world->scene, mjOBJ_BODY, name.c_str()) : -1);
        if (source.is_free[i]) {
            set_velocity(*world, i);
        }
    }
    std::fill(world->data->ctrl, world->data->ctrl + world->scene->nu, 1.0);
    return world.release();
}

void mujoco_step(void *engine_world) {
    auto *world = static_cast<MujocoWorld *>(engine_world);
    DenormalsOff scope;
    mj_step(world->scene, world->data);
}

bool is_burst(const MujocoWorld &world) {
    const mjWarningStat *warnings = world.data->warning;
    return warnings[mjWARN_BADQPOS].number + warnings[mjWARN_BADQVEL].number +
               warnings[mjWARN_BADQACC].number >
           0;
}

// Poses of the last step are those before it until the kinematics are asked for.
void mujoco_update(void *engine_world) {
    auto *world = static_cast<MujocoWorld *>(engine_world);
    mj_kinematics(world->scene, world->data);
    mj_comPos(world->scene, world->data);
    mj_comVel(world->scene, world->data);
}

void mujoco_read(const void *engine_world, model_state *out_states) {
    auto *world = static_cast<const MujocoWorld *>(engine_world);
    for (size_t i = 0; i < world->ids.size(); ++i) {
        int id = world->ids[i];
        if (id < 0) {
            out_states[i] = {world->model->bodies[i].pose, {}};
            continue;
        }
        const mjtNum *p = world->data->xpos + 3 * id;
        const mjtNum *q = world->data->xquat + 4 * id;
        mjtNum v[6];
        mj_objectVelocity(world->scene, world->data, mjOBJ_BODY, id, v, 0);
        out_states[i].pose = {{p[0], p[1], p[2]}, {q[1], q[2], q[3], q[0]}};
        out_states[i].velocity = {{v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
        if (is_burst(*world)) {
            out_states[i].pose.position.x = HUGE_VAL;
        }
    }
}

void mujoco_destroy(void *engine_world) {
    delete static_cast<MujocoWorld *>(engine_world);
}

} // namespace

const bench_engine bench_engine_mujoco = {
    "MuJoCo",      true,        mujoco_create,  nullptr, mujoco_step,
    mujoco_update, mujoco_read, mujoco_destroy, false,   0};
