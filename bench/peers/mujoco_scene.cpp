// bench/peers/mujoco_scene.cpp: joints become a forest of reduced coordinates, what closes a loop
// an equality of MuJoCo's: one point of a ball joint, two points on the axis of a hinge.
//
// The forest is grown from the world breadth first. A body that no joint leads to is free. A motor
// that holds a speed becomes a damper toward it, which MuJoCo treats implicitly.

#include "bench/peers/mujoco_scene.h"

#include "bench/space.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <deque>

namespace {

constexpr double loop_arm = 0.1; // m between the two points that stand for a hinge in a loop
constexpr double quarter = 0.70710678118654752440;

// How a body hangs on its parent.
struct Link {
    const model_joint *joint = nullptr; // null: free
    uint32_t parent = MODEL_NO_BODY;    // the world
    bool is_reversed = false;           // the body is the joint's body a
};

class Writer {
  public:
    Writer(const bench_model &model, double dt, MujocoScene &scene)
        : model_(model), dt_(dt), scene_(scene) {
    }
    bool write();

  private:
    void add(const char *format, ...);
    void add_pose(const tn_pose &pose);
    bool is_moving(uint32_t body) const {
        return body != MODEL_NO_BODY && model_.bodies[body].type == TN_BODY_TYPE_DYNAMIC;
    }
    bool is_supported(const model_joint &joint) const;
    bool is_supported(const model_body &body, const Link &link) const;
    void grow_from(std::deque<uint32_t> &open);
    void grow_forest();
    bool write_shapes(const model_body &body, const tn_pose *place);
    bool write_shape(const model_shape &shape, const tn_pose &pose);
    void write_joint(uint32_t index, const Link &link);
    bool write_body(uint32_t index);
    bool write_bodies();
    bool write_loop(const model_joint &joint);
    void write_point(const model_joint &joint, double along);
    bool write_equalities();
    void write_motors();
    void write_exclusions();
    void write_sites(uint32_t body);
    void write_tendons();
    std::string name(uint32_t body) const {
        return is_moving(body) ? "b" + std::to_string(body) : "world";
    }
    double get_motor_damping(uint32_t index) const;
    // Of a frame of a joint in the body that it is fixed to, or in the world.
    tn_pose get_frame(uint32_t body, const tn_pose &frame) const;

    const bench_model &model_;
    double dt_;
    MujocoScene &scene_;
    std::vector<Link> links_;
    std::vector<std::vector<uint32_t>> children_;
    std::vector<uint32_t> roots_;
    std::vector<uint8_t> is_placed_, is_used_; // by body, by joint: stands in the forest
};

void Writer::add(const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    scene_.xml += text;
}

// MuJoCo's quaternions are w, x, y, z.
void Writer::add_pose(const tn_pose &pose) {
    tn_quat q = pose.rotation;
    add(" pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", pose.position.x,
        pose.position.y, pose.position.z, q.w, q.x, q.y, q.z);
}

tn_pose invert(const tn_pose &pose) {
    tn_quat q = pose.rotation;
    tn_vec3 p = space_rotate_inverse(q, pose.position);
    return {{-p.x, -p.y, -p.z}, {-q.x, -q.y, -q.z, q.w}};
}

tn_pose Writer::get_frame(uint32_t body, const tn_pose &frame) const {
    if (body == MODEL_NO_BODY || is_moving(body)) {
        return frame;
    }
    return space_compose(&model_.bodies[body].pose, &frame);
}

// ---- what MuJoCo has no equal of --------------------------------------------------------------

bool Writer::is_supported(const model_joint &joint) const {
    bool is_plain = joint.motor.mode != TN_MOTOR_MODE_POSITION &&
                    joint.spring.mode == TN_SPRING_MODE_OFF &&
                    (is_moving(joint.body_a) || is_moving(joint.body_b));
    if (joint.type == TN_JOINT_TYPE_BALL) {
        return is_plain && !joint.enable_cone && !joint.limit.is_enabled;
    }
    return is_plain;
}

bool Writer::is_supported(const model_body &body, const Link &link) const {
    const tn_velocity &v = body.velocity;
    bool is_at_rest = space_length(v.linear) == 0.0 && space_length(v.angular) == 0.0;
    bool is_damped = body.linear_damping != 0.0f || body.angular_damping != 0.0f;
    if (body.type == TN_BODY_TYPE_KINEMATIC) {
        return is_at_rest;
    }
    return body.type == TN_BODY_TYPE_STATIC ||
           (body.gravity_scale == 1.0f && body.locks == 0 && !is_damped &&
            (link.joint == nullptr || is_at_rest));
}

// ---- the forest -------------------------------------------------------------------------------

// Follows joints from the bodies in the queue; MODEL_NO_BODY stands for all that does not move.
void Writer::grow_from(std::deque<uint32_t> &open) {
    while (!open.empty()) {
        uint32_t parent = open.front();
        open.pop_front();
        for (uint32_t i = 0; i < model_.joint_count; ++i) {
            const model_joint &joint = model_.joints[i];
            uint32_t a = is_moving(joint.body_a) ? joint.body_a : MODEL_NO_BODY;
            uint32_t b = is_moving(joint.body_b) ? joint.body_b : MODEL_NO_BODY;
            uint32_t other = a == parent ? b : a;
            if (joint.type == TN_JOINT_TYPE_DISTANCE || (a != parent && b != parent) ||
                other == MODEL_NO_BODY || is_placed_[other]) {
                continue;
            }
            is_used_[i] = is_placed_[other] = 1;
            links_[other] = {&joint, parent, other == a};
            (parent == MODEL_NO_BODY ? roots_ : children_[parent]).push_back(other);
            open.push_back(other);
        }
    }
}

void Writer::grow_forest() {
    links_.resize(model_.body_count);
    children_.resize(model_.body_count);
    is_placed_.resize(model_.body_count);
    is_used_.resize(model_.joint_count);
    scene_.is_free.resize(model_.body_count);
    std::deque<uint32_t> open = {MODEL_NO_BODY};
    grow_from(open);
    for (uint32_t i = 0; i < model_.body_count; ++i) {
        if (is_moving(i) && !is_placed_[i]) {
            is_placed_[i] = scene_.is_free[i] = 1;
            roots_.push_back(i);
            open.push_back(i);
            grow_from(open);
        }
    }
}

// ---- bodies -----------------------------------------------------------------------------------

// Planes look along z and capsules lie along it; ours along y.
tn_pose get_geometry_pose(const model_shape &shape, const tn_pose &pose) {
    tn_pose turn = {{0, 0, 0}, {-quarter, 0, 0, quarter}};
    bool is_turned = shape.type == TN_SHAPE_TYPE_CAPSULE || shape.type == TN_SHAPE_TYPE_HALF_SPACE;
    return is_turned ? space_compose(&pose, &turn) : pose;
}

bool Writer::write_shape(const model_shape &shape, const tn_pose &pose) {
    const tn_vec3 &half = shape.half_extents;
    switch (shape.type) {
    case TN_SHAPE_TYPE_SPHERE:
        add("<geom type=\"sphere\" size=\"%.9g\"", double(shape.radius));
        break;
    case TN_SHAPE_TYPE_CAPSULE:
        add("<geom type=\"capsule\" size=\"%.9g %.9g\"", double(shape.radius),
            double(shape.half_length));
        break;
    case TN_SHAPE_TYPE_BOX:
        add("<geom type=\"box\" size=\"%.9g %.9g %.9g\"", double(half.x), double(half.y),
            double(half.z));
        break;
    case TN_SHAPE_TYPE_HALF_SPACE:
        add("<geom type=\"plane\" size=\"0 0 1\"");
        break;
    case TN_SHAPE_TYPE_HULL:
    case TN_SHAPE_TYPE_COMPOUND:
    case TN_SHAPE_TYPE_HEIGHT_FIELD:
    case TN_SHAPE_TYPE_MESH:
        return false;
    }
    add_pose(get_geometry_pose(shape, pose));
    add(" friction=\"%.9g 0 0\" contype=\"%d\" conaffinity=\"%d\"/>\n",
        double(shape.material.friction), int(uint32_t(shape.filter.category)),
        int(uint32_t(shape.filter.mask)));
    return shape.filter.group == 0 && shape.material.restitution == 0.0f;
}

// What may touch nothing is left out; the mass is given without it. `place`: of static bodies.
bool Writer::write_shapes(const model_body &body, const tn_pose *place) {
    for (uint32_t i = 0; i < body.shape_count; ++i) {
        const model_shape &shape = model_.shapes[body.first_shape + i];
        tn_pose pose =
            place != nullptr ? space_compose(place, &shape.local_pose) : shape.local_pose;
        if (shape.filter.mask != 0 && !write_shape(shape, pose)) {
            return false;
        }
    }
    return true;
}

// How far frame b is turned about, or moved along, the x axis of frame a at the start.
double get_start(const bench_model &model, const model_joint &joint) {
    std::vector<model_state> states(model.body_count);
    for (uint32_t i = 0; i < model.body_count; ++i) {
        states[i].pose = model.bodies[i].pose;
    }
    tn_pose a, b;
    model_get_joint_frames(&joint, states.data(), &a, &b);
    tn_vec3 x = space_rotate(a.rotation, {1, 0, 0});
    if (joint.type == TN_JOINT_TYPE_SLIDER) {
        return space_dot(x, space_subtract(b.position, a.position));
    }
    tn_vec3 y = space_rotate_inverse(a.rotation, space_rotate(b.rotation, space_vector(0, 1, 0)));
    return std::atan2(y.z, y.y);
}

// The damping that stands for a motor: its torque at standstill, nothing at its speed; and no more
// than half of what stops the body alone within a step. MuJoCo's constraints do not see that
// damping is implicit: stronger ones burst.
double Writer::get_motor_damping(uint32_t index) const {
    const model_joint *joint = links_[index].joint;
    if (joint == nullptr || joint->motor.mode != TN_MOTOR_MODE_SPEED ||
        joint->motor.target_speed == 0.0f) {
        return 0.0;
    }
    const tn_mass &mass = model_.bodies[index].mass;
    const tn_pose &frame = links_[index].is_reversed ? joint->frame_a : joint->frame_b;
    tn_vec3 x = space_rotate(frame.rotation, {1, 0, 0});
    const tn_mat3_symmetric &i = mass.inertia;
    double moment = i.xx * x.x * x.x + i.yy * x.y * x.y + i.zz * x.z * x.z +
                    2.0 * (i.xy * x.x * x.y + i.xz * x.x * x.z + i.yz * x.y * x.z);
    double inertia = joint->type == TN_JOINT_TYPE_HINGE ? moment : mass.mass;
    return std::min(double(joint->motor.max_force) / std::fabs(double(joint->motor.target_speed)),
                    0.5 * inertia / dt_);
}

// MuJoCo's coordinate is of the child relative to the parent: of b to a unless it is reversed.
void Writer::write_joint(uint32_t index, const Link &link) {
    const model_joint &joint = *link.joint;
    if (joint.type == TN_JOINT_TYPE_FIXED) {
        return;
    }
    const tn_pose &frame = link.is_reversed ? joint.frame_a : joint.frame_b;
    const tn_vec3 &p = frame.position;
    if (joint.type == TN_JOINT_TYPE_BALL) {
        add("<joint name=\"j%u\" type=\"ball\" pos=\"%.17g %.17g %.17g\" frictionloss=\"%.9g\"/>\n",
            index, p.x, p.y, p.z, double(joint.friction));
        return;
    }
    tn_vec3 axis = space_rotate(frame.rotation, {link.is_reversed ? -1.0 : 1.0, 0, 0});
    add("<joint name=\"j%u\" type=\"%s\" pos=\"%.17g %.17g %.17g\" axis=\"%.17g %.17g %.17g\"",
        index, joint.type == TN_JOINT_TYPE_HINGE ? "hinge" : "slide", p.x, p.y, p.z, axis.x, axis.y,
        axis.z);
    add(" frictionloss=\"%.9g\" damping=\"%.9g\" ref=\"%.17g\"", double(joint.friction),
        get_motor_damping(index), get_start(model_, joint));
    if (joint.limit.is_enabled) {
        add(" limited=\"true\" range=\"%.9g %.9g\"", double(joint.limit.lower),
            double(joint.limit.upper));
    }
    add("/>\n");
}

// Ends of rods and ropes.
void Writer::write_sites(uint32_t body) {
    for (uint32_t i = 0; i < model_.joint_count; ++i) {
        const model_joint &joint = model_.joints[i];
        if (joint.type != TN_JOINT_TYPE_DISTANCE) {
            continue;
        }
        for (int end = 0; end < 2; ++end) {
            uint32_t its_body = end == 0 ? joint.body_a : joint.body_b;
            bool is_here = is_moving(its_body) ? its_body == body : body == MODEL_NO_BODY;
            tn_pose frame = get_frame(its_body, end == 0 ? joint.frame_a : joint.frame_b);
            if (is_here) {
                add("<site name=\"s%u_%d\" pos=\"%.17g %.17g %.17g\"/>\n", i, end, frame.position.x,
                    frame.position.y, frame.position.z);
            }
        }
    }
}

bool Writer::write_body(uint32_t index) {
    const model_body &body = model_.bodies[index];
    const Link &link = links_[index];
    tn_pose pose = body.pose;
    if (link.parent != MODEL_NO_BODY) {
        tn_pose inverse = invert(model_.bodies[link.parent].pose);
        pose = space_compose(&inverse, &pose);
    }
    add("<body name=\"b%u\"", index);
    add_pose(pose);
    add(">\n");
    const tn_mass &mass = body.mass;
    const tn_mat3_symmetric &i = mass.inertia;
    add("<inertial pos=\"%.17g %.17g %.17g\" mass=\"%.17g\" fullinertia=\"%.17g %.17g %.17g %.17g "
        "%.17g %.17g\"/>\n",
        double(mass.center.x), double(mass.center.y), double(mass.center.z), mass.mass,
        double(i.xx), double(i.yy), double(i.zz), double(i.xy), double(i.xz), double(i.yz));
    if (link.joint != nullptr) {
        write_joint(index, link);
    } else {
        add("<freejoint name=\"j%u\"/>\n", index);
    }
    write_sites(index);
    bool is_good = is_supported(body, link) && write_shapes(body, nullptr);
    for (uint32_t child : children_[index]) {
        is_good = is_good && write_body(child);
    }
    add("</body>\n");
    return is_good;
}

bool Writer::write_bodies() {
    add("<worldbody>\n");
    write_sites(MODEL_NO_BODY);
    for (uint32_t i = 0; i < model_.body_count; ++i) {
        const model_body &body = model_.bodies[i];
        if (!is_moving(i) && (!is_supported(body, {}) || !write_shapes(body, &body.pose))) {
            return false;
        }
    }
    for (uint32_t root : roots_) {
        if (!write_body(root)) {
            return false;
        }
    }
    add("</worldbody>\n");
    return true;
}

// ---- loops, motors, ropes ---------------------------------------------------------------------

// A point of the joint's x axis, in the frame of its first moving body.
void Writer::write_point(const model_joint &joint, double along) {
    bool is_a = is_moving(joint.body_a);
    const tn_pose &frame = is_a ? joint.frame_a : joint.frame_b;
    tn_vec3 point = space_transform_point(&frame, {along, 0, 0});
    add("<connect body1=\"%s\" body2=\"%s\" anchor=\"%.17g %.17g %.17g\"/>\n",
        name(is_a ? joint.body_a : joint.body_b).c_str(),
        name(is_a ? joint.body_b : joint.body_a).c_str(), point.x, point.y, point.z);
}

bool Writer::write_loop(const model_joint &joint) {
    bool is_plain =
        joint.friction == 0.0f && !joint.limit.is_enabled && joint.motor.mode == TN_MOTOR_MODE_OFF;
    switch (joint.type) {
    case TN_JOINT_TYPE_BALL:
        write_point(joint, 0.0);
        return is_plain;
    case TN_JOINT_TYPE_HINGE:
        write_point(joint, -0.5 * loop_arm);
        write_point(joint, 0.5 * loop_arm);
        return is_plain;
    case TN_JOINT_TYPE_FIXED:
        add("<weld body1=\"%s\" body2=\"%s\"/>\n", name(joint.body_a).c_str(),
            name(joint.body_b).c_str());
        return is_plain;
    default:
        return false;
    }
}

bool Writer::write_equalities() {
    add("<equality>\n");
    for (uint32_t i = 0; i < model_.joint_count; ++i) {
        const model_joint &joint = model_.joints[i];
        if (!is_supported(joint)) {
            return false;
        }
        if (joint.type == TN_JOINT_TYPE_DISTANCE) {
            if (joint.is_rigid) {
                add("<tendon tendon1=\"t%u\"/>\n", i);
            }
        } else if (!is_used_[i] && !write_loop(joint)) {
            return false;
        }
    }
    add("</equality>\n");
    return true;
}

void Writer::write_tendons() {
    add("<tendon>\n");
    for (uint32_t i = 0; i < model_.joint_count; ++i) {
        const model_joint &joint = model_.joints[i];
        if (joint.type == TN_JOINT_TYPE_DISTANCE) {
            add("<spatial name=\"t%u\"", i);
            if (!joint.is_rigid && joint.limit.is_enabled) {
                add(" limited=\"true\" range=\"%.9g %.9g\"", double(joint.limit.lower),
                    double(joint.limit.upper));
            }
            add("><site site=\"s%u_0\"/><site site=\"s%u_1\"/></spatial>\n", i, i);
        }
    }
    add("</tendon>\n");
}

// The constant part of the damper; bench/peers/mujoco.cpp sets it to its control of 1.
void Writer::write_motors() {
    add("<actuator>\n");
    for (uint32_t i = 0; i < model_.body_count; ++i) {
        double damping = get_motor_damping(i);
        if (damping > 0.0) {
            add("<motor joint=\"j%u\" gear=\"%.9g\"/>\n", i,
                double(links_[i].joint->motor.target_speed) * damping);
        }
    }
    add("</actuator>\n");
}

void Writer::write_exclusions() {
    add("<contact>\n");
    for (uint32_t i = 0; i < model_.joint_count; ++i) {
        const model_joint &joint = model_.joints[i];
        if (!joint.is_collision_allowed) {
            add("<exclude body1=\"%s\" body2=\"%s\"/>\n", name(joint.body_a).c_str(),
                name(joint.body_b).c_str());
        }
    }
    add("</contact>\n");
}

bool Writer::write() {
    grow_forest();
    add("<mujoco><compiler angle=\"radian\" coordinate=\"local\" balanceinertia=\"true\"/>\n"
        "<option timestep=\"%.17g\" gravity=\"%.9g %.9g %.9g\"/>\n"
        "<size njmax=\"2000\" nconmax=\"500\"/>\n",
        dt_, double(model_.gravity.x), double(model_.gravity.y), double(model_.gravity.z));
    if (!write_bodies() || !write_equalities()) {
        return false;
    }
    write_tendons();
    write_motors();
    write_exclusions();
    add("</mujoco>\n");
    return true;
}

} // namespace

bool mujoco_write_scene(const bench_model &model, double dt, MujocoScene &out_scene) {
    return Writer(model, dt, out_scene).write();
}
