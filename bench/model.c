// bench/model.c: reads a tenon world into a model, by the public getters.

#include "bench/model.h"

#include "bench/model_concave.h"
#include "bench/space.h"

#include <stdlib.h>

typedef struct body_index {
    uint32_t handle;
    uint32_t index;
} body_index;

typedef struct model_reader {
    const tn_world *world;
    bench_model *model;
    tn_body_id *bodies;
    body_index *indices; // sorted by handle
    bool has_memory;
} model_reader;

static int model_compare_handles(const void *a, const void *b) {
    uint32_t left = ((const body_index *)a)->handle;
    uint32_t right = ((const body_index *)b)->handle;
    return (left > right) - (left < right);
}

static uint32_t model_find_body(const model_reader *reader, tn_body_id body) {
    body_index key = {body.value, 0};
    const body_index *found = bsearch(&key, reader->indices, reader->model->body_count,
                                      sizeof(body_index), model_compare_handles);
    return found != NULL ? found->index : MODEL_NO_BODY;
}

static void model_read_hull(model_reader *reader, const tn_hull *hull, model_shape *shape) {
    if (hull == NULL) {
        return;
    }
    uint32_t vertex_count = tn_hull_get_vertices(hull, NULL, 0);
    uint32_t index_count = tn_hull_get_triangles(hull, NULL, 0);
    shape->vertices = calloc((size_t)vertex_count + 1, sizeof(tn_vec3));
    shape->triangles = calloc((size_t)index_count + 1, sizeof(uint32_t));
    if (shape->vertices == NULL || shape->triangles == NULL) {
        reader->has_memory = false;
        return;
    }
    shape->vertex_count = vertex_count;
    shape->index_count = index_count;
    tn_hull_get_vertices(hull, shape->vertices, vertex_count);
    tn_hull_get_triangles(hull, shape->triangles, index_count);
}

static void model_read_geometry(model_reader *reader, tn_shape_id id, model_shape *shape) {
    switch (shape->type) {
    case TN_SHAPE_TYPE_SPHERE:
        shape->radius = tn_sphere_shape_get_radius(reader->world, id);
        break;
    case TN_SHAPE_TYPE_CAPSULE:
        shape->radius = tn_capsule_shape_get_radius(reader->world, id);
        shape->half_length = tn_capsule_shape_get_half_length(reader->world, id);
        break;
    case TN_SHAPE_TYPE_BOX:
        shape->half_extents = tn_box_shape_get_half_extents(reader->world, id);
        break;
    case TN_SHAPE_TYPE_HULL:
        model_read_hull(reader, tn_hull_shape_get_hull(reader->world, id), shape);
        break;
    case TN_SHAPE_TYPE_HEIGHT_FIELD:
        reader->has_memory &= model_read_height_field(
            tn_height_field_shape_get_height_field(reader->world, id), shape);
        break;
    case TN_SHAPE_TYPE_MESH:
        reader->has_memory &= model_read_mesh(tn_mesh_shape_get_mesh(reader->world, id), shape);
        break;
    case TN_SHAPE_TYPE_COMPOUND: // no peer gets one
    case TN_SHAPE_TYPE_HALF_SPACE:
    case TN_SHAPE_TYPE_CYLINDER: // no scene that peers run has one of these
    case TN_SHAPE_TYPE_CONE:
    case TN_SHAPE_TYPE_TAPERED_CYLINDER:
    case TN_SHAPE_TYPE_TAPERED_CAPSULE:
    case TN_SHAPE_TYPE_ELLIPSOID:
        break;
    }
}

// A hull given back cannot be read any more. Where the shape touches nothing anyway, nothing is
// lost.
static bool model_is_ghost(const model_shape *shape) {
    return shape->type == TN_SHAPE_TYPE_HULL && shape->vertex_count == 0 &&
           shape->filter.mask == 0 && shape->filter.group <= 0;
}

static void model_read_shape(model_reader *reader, uint32_t body, tn_shape_id id) {
    model_shape *shape = &reader->model->shapes[reader->model->shape_count];
    shape->type = tn_shape_get_type(reader->world, id);
    shape->body = body;
    shape->local_pose = tn_shape_get_local_pose(reader->world, id);
    shape->material = tn_shape_get_material(reader->world, id);
    shape->filter = tn_shape_get_filter(reader->world, id);
    shape->is_sensor = tn_shape_is_sensor(reader->world, id);
    model_read_geometry(reader, id, shape);
    if (!model_is_ghost(shape)) {
        reader->model->shape_count += 1;
        reader->model->bodies[body].shape_count += 1;
        reader->model->sensor_count += shape->is_sensor;
    }
}

static void model_read_body(model_reader *reader, uint32_t index, tn_body_id id) {
    model_body *body = &reader->model->bodies[index];
    body->type = tn_body_get_type(reader->world, id);
    body->pose = tn_body_get_pose(reader->world, id);
    body->velocity = tn_body_get_velocity(reader->world, id);
    body->mass = tn_body_get_mass(reader->world, id);
    body->linear_damping = tn_body_get_linear_damping(reader->world, id);
    body->angular_damping = tn_body_get_angular_damping(reader->world, id);
    body->gravity_scale = tn_body_get_gravity_scale(reader->world, id);
    body->locks = tn_body_get_locks(reader->world, id);
}

// Shapes of one body after those of the other.
static void model_read_bodies(model_reader *reader) {
    bench_model *model = reader->model;
    uint32_t total = 0;
    for (uint32_t i = 0; i < model->body_count; ++i) {
        model_read_body(reader, i, reader->bodies[i]);
        total += tn_body_get_shapes(reader->world, reader->bodies[i], NULL, 0);
    }
    tn_shape_id *ids = calloc((size_t)total + 1, sizeof(tn_shape_id));
    model->shapes = calloc((size_t)total + 1, sizeof(model_shape));
    if (ids == NULL || model->shapes == NULL) {
        reader->has_memory = false;
        free(ids);
        return;
    }
    for (uint32_t i = 0; i < model->body_count; ++i) {
        uint32_t count = tn_body_get_shapes(reader->world, reader->bodies[i], ids, total);
        model->bodies[i].first_shape = model->shape_count;
        for (uint32_t j = 0; j < count; ++j) {
            model_read_shape(reader, i, ids[j]);
        }
    }
    free(ids);
}

static void model_read_kind(const tn_world *world, tn_joint_id id, model_joint *joint) {
    switch (joint->type) {
    case TN_JOINT_TYPE_DISTANCE: {
        tn_distance_joint_def def = tn_distance_joint_get_def(world, id);
        joint->is_rigid = def.is_rigid;
        joint->length = def.length;
        joint->limit = def.limit;
        joint->spring = def.spring;
        joint->motor = def.motor;
        joint->friction = def.friction;
        break;
    }
    case TN_JOINT_TYPE_BALL: {
        tn_ball_joint_def def = tn_ball_joint_get_def(world, id);
        joint->enable_cone = def.cone_limit.is_enabled;
        joint->cone_angle = def.cone_limit.upper;
        joint->limit = def.twist_limit;
        joint->spring = def.spring;
        joint->friction = def.friction;
        break;
    }
    case TN_JOINT_TYPE_HINGE: {
        tn_hinge_joint_def def = tn_hinge_joint_get_def(world, id);
        joint->limit = def.limit;
        joint->motor = def.motor;
        joint->spring = def.spring;
        joint->friction = def.friction;
        break;
    }
    case TN_JOINT_TYPE_SLIDER: {
        tn_slider_joint_def def = tn_slider_joint_get_def(world, id);
        joint->limit = def.limit;
        joint->motor = def.motor;
        joint->spring = def.spring;
        joint->friction = def.friction;
        break;
    }
    case TN_JOINT_TYPE_UNIVERSAL: // of no scene that is timed
    case TN_JOINT_TYPE_CYLINDRICAL:
    case TN_JOINT_TYPE_PLANAR:
        break;
    case TN_JOINT_TYPE_SWING_TWIST: // no scene of the benchmark has one of these
    case TN_JOINT_TYPE_SIX_AXIS:
    case TN_JOINT_TYPE_WHEEL:
        break;
    case TN_JOINT_TYPE_FIXED:
        joint->spring = tn_fixed_joint_get_def(world, id).linear_spring;
        break;
    case TN_JOINT_TYPE_MOUSE: // in no case
    case TN_JOINT_TYPE_CUSTOM:
    case TN_JOINT_TYPE_FUNCTION:
    case TN_JOINT_TYPE_ROPE:
    case TN_JOINT_TYPE_CURVE:
    case TN_JOINT_TYPE_SURFACE:
    case TN_JOINT_TYPE_MOTION_PATH:
        break;
    case TN_JOINT_TYPE_GEAR: // not compared with others
    case TN_JOINT_TYPE_BELT:
    case TN_JOINT_TYPE_RACK_PINION:
    case TN_JOINT_TYPE_SCREW:
    case TN_JOINT_TYPE_PULLEY:
    case TN_JOINT_TYPE_CAM:
    case TN_JOINT_TYPE_RATCHET:
    case TN_JOINT_TYPE_ESCAPEMENT:
        break;
    }
}

static void model_read_joints(model_reader *reader) {
    bench_model *model = reader->model;
    uint32_t count = tn_world_count_joints(reader->world);
    tn_joint_id *ids = calloc((size_t)count + 1, sizeof(tn_joint_id));
    model->joints = calloc((size_t)count + 1, sizeof(model_joint));
    if (ids == NULL || model->joints == NULL) {
        reader->has_memory = false;
        free(ids);
        return;
    }
    model->joint_count = count;
    tn_world_get_joints(reader->world, ids, count);
    for (uint32_t i = 0; i < count; ++i) {
        model_joint *joint = &model->joints[i];
        tn_joint_def base = tn_joint_get_def(reader->world, ids[i]);
        joint->type = tn_joint_get_type(reader->world, ids[i]);
        joint->body_a = model_find_body(reader, base.body_a);
        joint->body_b = model_find_body(reader, base.body_b);
        joint->frame_a = base.frame_a;
        joint->frame_b = base.frame_b;
        joint->is_collision_allowed = base.is_collision_allowed;
        model_read_kind(reader->world, ids[i], joint);
    }
    free(ids);
}

bench_model *model_create(const tn_world *world) {
    bench_model *result = calloc(1, sizeof(*result));
    if (result == NULL) {
        return NULL;
    }
    uint32_t count = tn_world_count_bodies(world);
    result->gravity = tn_world_get_gravity(world);
    result->body_count = count;
    result->bodies = calloc((size_t)count + 1, sizeof(model_body));
    model_reader reader = {.world = world,
                           .model = result,
                           .bodies = calloc((size_t)count + 1, sizeof(tn_body_id)),
                           .indices = calloc((size_t)count + 1, sizeof(body_index))};
    reader.has_memory = result->bodies != NULL && reader.bodies != NULL && reader.indices != NULL;
    if (reader.has_memory) {
        tn_world_get_bodies(world, reader.bodies, count);
        for (uint32_t i = 0; i < count; ++i) {
            reader.indices[i] = (body_index){reader.bodies[i].value, i};
        }
        qsort(reader.indices, count, sizeof(body_index), model_compare_handles);
        model_read_bodies(&reader);
        model_read_joints(&reader);
    }
    free(reader.bodies);
    free(reader.indices);
    if (!reader.has_memory) {
        model_destroy(result);
        return NULL;
    }
    return result;
}

void model_destroy(bench_model *model) {
    if (model == NULL) {
        return;
    }
    for (uint32_t i = 0; i < model->shape_count; ++i) {
        free(model->shapes[i].vertices);
        free(model->shapes[i].triangles);
    }
    free(model->bodies);
    free(model->shapes);
    free(model->joints);
    free(model);
}

bool model_may_touch(const model_shape *a, const model_shape *b) {
    if (a->filter.group != 0 && a->filter.group == b->filter.group) {
        return a->filter.group > 0;
    }
    return (a->filter.category & b->filter.mask) != 0 && (b->filter.category & a->filter.mask) != 0;
}

void model_get_joint_frames(const model_joint *joint, const model_state *states, tn_pose *out_a,
                            tn_pose *out_b) {
    *out_a = joint->body_a == MODEL_NO_BODY
                 ? joint->frame_a
                 : space_compose(&states[joint->body_a].pose, &joint->frame_a);
    *out_b = joint->body_b == MODEL_NO_BODY
                 ? joint->frame_b
                 : space_compose(&states[joint->body_b].pose, &joint->frame_b);
}
