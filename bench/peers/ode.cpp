// bench/peers/ode.cpp: a model on ODE, at its defaults: quick step with 20 iterations, or the dense
// direct step; hash space; a contact group made anew every step, as its manual shows.
//
// ODE's body frame is the centre of mass with the axes of our frame. A rope has no equal in ODE:
// while it is taut, a contact without friction along its line stands in, made anew every step like
// the others. A ball joint's cone and twist become the stops of an angular motor in Euler mode. A
// height field is ODE's own, whose squares are cut as tenon's are. A sensor is asked for one
// contact, which is counted and not made a joint.

#include "bench/engine.h"
#include "bench/peers/denormals.h"
#include "bench/space.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <memory>
#include <ode/ode.h>
#include <vector>

namespace {

constexpr int max_contacts = 8;
constexpr dReal field_thickness = 1; // m: what is under a height field by more is not pushed out
constexpr double max_angle_of_middle_axis = 1.4; // rad: an Euler motor's must stay within pi/2

struct OdeBody {
    dBodyID body = nullptr; // null: static
    tn_vec3 center = {0, 0, 0};
    tn_pose fixed_pose; // of a static body
};

struct Rope {
    dBodyID a, b;               // null: the world
    tn_vec3 anchor_a, anchor_b; // relative to the centre of mass; of the world: a point
    double length;
};

// The arrays of a convex geometry, which ODE does not copy.
struct Convex {
    std::vector<dReal> planes, points;
    std::vector<unsigned int> polygons;
};

// The arrays of a mesh or a height field, which ODE does not copy either.
struct Concave {
    std::vector<float> points;
    std::vector<dTriIndex> indices;
    dTriMeshDataID mesh = nullptr;
    dHeightfieldDataID field = nullptr;

    ~Concave() {
        if (mesh != nullptr) {
            dGeomTriMeshDataDestroy(mesh);
        }
        if (field != nullptr) {
            dGeomHeightfieldDataDestroy(field);
        }
    }
};

struct OdeWorld {
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(nullptr);
    dJointGroupID contacts = dJointGroupCreate(0);
    std::vector<OdeBody> bodies;
    std::vector<Rope> ropes;
    std::vector<std::unique_ptr<Convex>> convexes;
    std::vector<std::unique_ptr<Concave>> concaves;
    const bench_model *model = nullptr;
    double dt = 0;
    uint32_t noticed = 0; // pairs of a sensor and what is in it

    ~OdeWorld() {
        dJointGroupDestroy(contacts);
        dSpaceDestroy(space);
        dWorldDestroy(world);
    }
};

// ODE's quaternions are w, x, y, z.
void write_rotation(tn_quat rotation, dQuaternion out) {
    out[0] = dReal(rotation.w);
    out[1] = dReal(rotation.x);
    out[2] = dReal(rotation.y);
    out[3] = dReal(rotation.z);
}

// ---- bodies and shapes ------------------------------------------------------------------------

dGeomID create_plane(OdeWorld &world, const model_body &body, const model_shape &shape) {
    tn_pose pose = space_compose(&body.pose, &shape.local_pose);
    tn_vec3 normal = space_rotate(pose.rotation, {0, 1, 0});
    double distance = space_dot(normal, pose.position);
    return dCreatePlane(world.space, dReal(normal.x), dReal(normal.y), dReal(normal.z),
                        dReal(distance));
}

tn_vec3 get_corner(const model_shape &shape, uint32_t corner) {
    const tn_vec3 &v = shape.vertices[shape.triangles[corner]];
    return {double(v.x), double(v.y), double(v.z)};
}

// A point inside: ODE wants the origin of a convex there.
tn_vec3 get_convex_middle(const model_shape &shape) {
    tn_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < shape.vertex_count; ++i) {
        const tn_vec3 &v = shape.vertices[i];
        sum = space_add(sum, {double(v.x), double(v.y), double(v.z)});
    }
    return space_scale(sum, 1.0 / std::max(shape.vertex_count, 1u));
}

// Every triangle of the surface is a face of the convex.
dGeomID create_convex(OdeWorld &world, const model_shape &shape) {
    if (shape.index_count == 0) {
        return nullptr;
    }
    auto convex = std::make_unique<Convex>();
    tn_vec3 middle = get_convex_middle(shape);
    for (uint32_t i = 0; i < shape.vertex_count; ++i) {
        const tn_vec3 &v = shape.vertices[i];
        convex->points.insert(convex->points.end(), {dReal(v.x - middle.x), dReal(v.y - middle.y),
                                                     dReal(v.z - middle.z)});
    }
    for (uint32_t i = 0; i + 2 < shape.index_count; i += 3) {
        tn_vec3 a = get_corner(shape, i);
        tn_vec3 normal = space_cross(space_subtract(get_corner(shape, i + 1), a),
                                     space_subtract(get_corner(shape, i + 2), a));
        normal = space_scale(normal, 1.0 / std::max(space_length(normal), 1e-30));
        a = space_subtract(a, middle);
        convex->planes.insert(convex->planes.end(), {dReal(normal.x), dReal(normal.y),
                                                     dReal(normal.z), dReal(space_dot(normal, a))});
        convex->polygons.insert(
            convex->polygons.end(),
            {3u, shape.triangles[i], shape.triangles[i + 1], shape.triangles[i + 2]});
    }
    world.convexes.push_back(std::move(convex));
    Convex &kept = *world.convexes.back();
    return dCreateConvex(world.space, kept.planes.data(), shape.index_count / 3, kept.points.data(),
                         shape.vertex_count, kept.polygons.data());
}

Concave &keep_concave(OdeWorld &world) {
    world.concaves.push_back(std::make_unique<Concave>());
    return *world.concaves.back();
}

dGeomID create_mesh(OdeWorld &world, const model_shape &shape) {
    Concave &own = keep_concave(world);
    for (uint32_t i = 0; i < shape.vertex_count; ++i) {
        const tn_vec3 &v = shape.vertices[i];
        own.points.insert(own.points.end(), {float(v.x), float(v.y), float(v.z)});
    }
    own.indices.assign(shape.triangles, shape.triangles + shape.index_count);
    own.mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(own.mesh, own.points.data(), 3 * sizeof(float),
                                int(shape.vertex_count), own.indices.data(), int(shape.index_count),
                                3 * sizeof(dTriIndex));
    return dCreateTriMesh(world.space, own.mesh, nullptr, nullptr, nullptr);
}

// Null with holes, which ODE has not.
dGeomID create_height_field(OdeWorld &world, const model_shape &shape) {
    if (shape.index_count != 6 * (shape.columns - 1) * (shape.rows - 1)) {
        return nullptr;
    }
    Concave &own = keep_concave(world);
    float lowest = HUGE_VALF, highest = -HUGE_VALF;
    for (uint32_t i = 0; i < shape.vertex_count; ++i) {
        own.points.push_back(float(shape.vertices[i].y));
        lowest = std::min(lowest, own.points.back());
        highest = std::max(highest, own.points.back());
    }
    own.field = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildSingle(own.field, own.points.data(), 0,
                                    dReal(shape.spacing_x * (shape.columns - 1)),
                                    dReal(shape.spacing_z * (shape.rows - 1)), int(shape.columns),
                                    int(shape.rows), 1, 0, field_thickness, 0);
    dGeomHeightfieldDataSetBounds(own.field, lowest, highest);
    return dCreateHeightfield(world.space, own.field, 1);
}

dGeomID create_placeable(OdeWorld &world, const model_shape &shape) {
    switch (shape.type) {
    case TN_SHAPE_TYPE_SPHERE:
        return dCreateSphere(world.space, shape.radius);
    case TN_SHAPE_TYPE_CAPSULE:
        return dCreateCapsule(world.space, shape.radius, 2 * shape.half_length);
    case TN_SHAPE_TYPE_BOX:
        return dCreateBox(world.space, 2 * shape.half_extents.x, 2 * shape.half_extents.y,
                          2 * shape.half_extents.z);
    case TN_SHAPE_TYPE_HULL:
        return create_convex(world, shape);
    case TN_SHAPE_TYPE_HEIGHT_FIELD:
        return create_height_field(world, shape);
    case TN_SHAPE_TYPE_MESH:
        return create_mesh(world, shape);
    case TN_SHAPE_TYPE_COMPOUND:
    case TN_SHAPE_TYPE_HALF_SPACE:
        break;
    }
    return nullptr;
}

// The shape's pose in the geometry's convention: ODE's capsule lies along z, ours along y; a convex
// lies about its middle, and a height field about the middle of its x-z plane.
tn_pose get_geometry_pose(const model_shape &shape) {
    if (shape.type == TN_SHAPE_TYPE_HULL) {
        tn_vec3 middle = get_convex_middle(shape);
        tn_pose offset = {{middle.x, middle.y, middle.z}, {0, 0, 0, 1}};
        return space_compose(&shape.local_pose, &offset);
    }
    if (shape.type == TN_SHAPE_TYPE_HEIGHT_FIELD) {
        tn_pose middle = {{0.5 * shape.spacing_x * (shape.columns - 1), 0,
                           0.5 * shape.spacing_z * (shape.rows - 1)},
                          {0, 0, 0, 1}};
        return space_compose(&shape.local_pose, &middle);
    }
    tn_pose turn = {{0, 0, 0}, {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)}};
    return shape.type == TN_SHAPE_TYPE_CAPSULE ? space_compose(&shape.local_pose, &turn)
                                               : shape.local_pose;
}

void place_on_body(dGeomID geometry, const OdeBody &owner, const model_shape &shape) {
    tn_pose pose = get_geometry_pose(shape);
    dQuaternion q;
    write_rotation(pose.rotation, q);
    dGeomSetBody(geometry, owner.body);
    dGeomSetOffsetPosition(geometry, dReal(pose.position.x - owner.center.x),
                           dReal(pose.position.y - owner.center.y),
                           dReal(pose.position.z - owner.center.z));
    dGeomSetOffsetQuaternion(geometry, q);
}

void place_in_world(dGeomID geometry, const model_body &body, const model_shape &shape) {
    tn_pose local = get_geometry_pose(shape);
    tn_pose pose = space_compose(&body.pose, &local);
    dQuaternion q;
    write_rotation(pose.rotation, q);
    dGeomSetPosition(geometry, dReal(pose.position.x), dReal(pose.position.y),
                     dReal(pose.position.z));
    dGeomSetQuaternion(geometry, q);
}

bool create_shapes(OdeWorld &world, const model_body &body, const OdeBody &owner) {
    for (uint32_t i = 0; i < body.shape_count; ++i) {
        model_shape &shape = world.model->shapes[body.first_shape + i];
        bool is_plane = shape.type == TN_SHAPE_TYPE_HALF_SPACE;
        dGeomID geometry =
            is_plane ? create_plane(world, body, shape) : create_placeable(world, shape);
        if (geometry == nullptr) {
            return false;
        }
        dGeomSetData(geometry, &shape);
        if (owner.body != nullptr) {
            place_on_body(geometry, owner, shape);
        } else if (!is_plane) {
            place_in_world(geometry, body, shape);
        }
    }
    return true;
}

// ODE knows no particles: one is a body of some inertia, which nothing turns.
void set_mass(dBodyID body, const tn_mass &source) {
    dMass mass;
    tn_mat3_symmetric i = source.inertia;
    if (i.xx == 0 && i.yy == 0 && i.zz == 0) {
        i.xx = i.yy = i.zz = source.mass;
    }
    dMassSetParameters(&mass, dReal(source.mass), 0, 0, 0, dReal(i.xx), dReal(i.yy), dReal(i.zz),
                       dReal(i.xy), dReal(i.xz), dReal(i.yz));
    dBodySetMass(body, &mass);
}

void create_moving_body(OdeWorld &world, const model_body &body, OdeBody &owner) {
    owner.body = dBodyCreate(world.world);
    owner.center = body.mass.center;
    tn_vec3 center = space_transform_point(&body.pose, owner.center);
    dQuaternion q;
    write_rotation(body.pose.rotation, q);
    dBodySetPosition(owner.body, dReal(center.x), dReal(center.y), dReal(center.z));
    dBodySetQuaternion(owner.body, q);
    const tn_velocity &v = body.velocity;
    dBodySetLinearVel(owner.body, dReal(v.linear.x), dReal(v.linear.y), dReal(v.linear.z));
    dBodySetAngularVel(owner.body, dReal(v.angular.x), dReal(v.angular.y), dReal(v.angular.z));
    if (body.type == TN_BODY_TYPE_KINEMATIC) {
        dBodySetKinematic(owner.body);
        return;
    }
    set_mass(owner.body, body.mass);
    dBodySetLinearDamping(owner.body, dReal(body.linear_damping * world.dt));
    dBodySetAngularDamping(owner.body, dReal(body.angular_damping * world.dt));
    dBodySetGravityMode(owner.body, body.gravity_scale != 0);
}

bool create_body(OdeWorld &world, const model_body &body) {
    bool is_scaled = body.gravity_scale != 0 && body.gravity_scale != 1;
    if (body.type == TN_BODY_TYPE_DYNAMIC && (body.locks != 0 || is_scaled)) {
        return false;
    }
    OdeBody owner;
    owner.fixed_pose = body.pose;
    if (body.type != TN_BODY_TYPE_STATIC) {
        create_moving_body(world, body, owner);
    }
    world.bodies.push_back(owner);
    return create_shapes(world, body, owner);
}

// ---- joints -----------------------------------------------------------------------------------

// A joint's end: ODE's body (null: the world), and the frame in the world at the start.
struct JointEnd {
    dBodyID body;
    tn_pose frame;
};

JointEnd get_end(const OdeWorld &world, uint32_t body, const tn_pose &frame) {
    if (body == MODEL_NO_BODY) {
        return {nullptr, frame};
    }
    return {world.bodies[body].body, space_compose(&world.model->bodies[body].pose, &frame)};
}

tn_vec3 get_axis(const JointEnd &end, tn_vec3 local) {
    return space_rotate(end.frame.rotation, local);
}

// How far frame b is turned about the common x axis from frame a.
double get_hinge_angle(const JointEnd &a, const JointEnd &b) {
    tn_vec3 y_b = get_axis(b, {0, 1, 0});
    return std::atan2(space_dot(y_b, get_axis(a, {0, 0, 1})),
                      space_dot(y_b, get_axis(a, {0, 1, 0})));
}

// ODE's values are of its first body relative to its second: attached as (b, a), they are ours.
void create_hinge(OdeWorld &world, const model_joint &joint, const JointEnd &a, const JointEnd &b) {
    dJointID id = dJointCreateHinge(world.world, nullptr);
    dJointAttach(id, b.body, a.body);
    tn_vec3 axis = get_axis(a, {1, 0, 0});
    dJointSetHingeAnchor(id, dReal(a.frame.position.x), dReal(a.frame.position.y),
                         dReal(a.frame.position.z));
    dJointSetHingeAxis(id, dReal(axis.x), dReal(axis.y), dReal(axis.z));
    if (joint.limit.is_enabled) {
        double start = get_hinge_angle(a, b);
        dJointSetHingeParam(id, dParamLoStop, dReal(joint.limit.lower - start));
        dJointSetHingeParam(id, dParamHiStop, dReal(joint.limit.upper - start));
    }
    if (joint.motor.mode == TN_MOTOR_MODE_SPEED) {
        dJointSetHingeParam(id, dParamVel, joint.motor.target_speed);
        dJointSetHingeParam(id, dParamFMax, std::min(joint.motor.max_force, 1e18f));
    } else if (joint.friction > 0) {
        dJointSetHingeParam(id, dParamVel, 0);
        dJointSetHingeParam(id, dParamFMax, joint.friction);
    }
}

void create_slider(OdeWorld &world, const model_joint &joint, const JointEnd &a,
                   const JointEnd &b) {
    dJointID id = dJointCreateSlider(world.world, nullptr);
    dJointAttach(id, b.body, a.body);
    tn_vec3 axis = get_axis(a, {1, 0, 0});
    dJointSetSliderAxis(id, dReal(axis.x), dReal(axis.y), dReal(axis.z));
    if (joint.limit.is_enabled) {
        tn_vec3 offset = space_subtract(b.frame.position, a.frame.position);
        double start = space_dot(offset, axis);
        dJointSetSliderParam(id, dParamLoStop, dReal(joint.limit.lower - start));
        dJointSetSliderParam(id, dParamHiStop, dReal(joint.limit.upper - start));
    }
    if (joint.motor.mode == TN_MOTOR_MODE_SPEED || joint.friction > 0) {
        bool is_driven = joint.motor.mode == TN_MOTOR_MODE_SPEED;
        dJointSetSliderParam(id, dParamVel, is_driven ? joint.motor.target_speed : 0);
        dJointSetSliderParam(id, dParamFMax,
                             is_driven ? std::min(joint.motor.max_force, 1e18f) : joint.friction);
    }
}

// Twist about x of a, then the two swing angles about y and z.
void create_ball_limits(OdeWorld &world, const model_joint &joint, const JointEnd &a,
                        const JointEnd &b) {
    dJointID id = dJointCreateAMotor(world.world, nullptr);
    dJointAttach(id, a.body, b.body);
    dJointSetAMotorMode(id, dAMotorEuler);
    tn_vec3 x = get_axis(a, {1, 0, 0});
    tn_vec3 z = get_axis(b, {0, 0, 1});
    dJointSetAMotorAxis(id, 0, 1, dReal(x.x), dReal(x.y), dReal(x.z));
    dJointSetAMotorAxis(id, 2, 2, dReal(z.x), dReal(z.y), dReal(z.z));
    if (joint.limit.is_enabled) {
        dJointSetAMotorParam(id, dParamLoStop1, joint.limit.lower);
        dJointSetAMotorParam(id, dParamHiStop1, joint.limit.upper);
    }
    if (joint.enable_cone) {
        double middle = std::min(double(joint.cone_angle), max_angle_of_middle_axis);
        dJointSetAMotorParam(id, dParamLoStop2, dReal(-middle));
        dJointSetAMotorParam(id, dParamHiStop2, dReal(middle));
        dJointSetAMotorParam(id, dParamLoStop3, -joint.cone_angle);
        dJointSetAMotorParam(id, dParamHiStop3, joint.cone_angle);
    }
    if (joint.friction > 0) {
        dJointSetAMotorParam(id, dParamFMax1, joint.friction);
        dJointSetAMotorParam(id, dParamFMax2, joint.friction);
        dJointSetAMotorParam(id, dParamFMax3, joint.friction);
    }
}

void create_ball(OdeWorld &world, const model_joint &joint, const JointEnd &a, const JointEnd &b) {
    dJointID id = dJointCreateBall(world.world, nullptr);
    dJointAttach(id, a.body, b.body);
    dJointSetBallAnchor(id, dReal(a.frame.position.x), dReal(a.frame.position.y),
                        dReal(a.frame.position.z));
    if (joint.enable_cone || joint.limit.is_enabled || joint.friction > 0) {
        create_ball_limits(world, joint, a, b);
    }
}

tn_vec3 get_rope_anchor(const OdeWorld &world, uint32_t body, const tn_pose &frame) {
    tn_vec3 point = frame.position;
    return body == MODEL_NO_BODY ? point : space_subtract(point, world.bodies[body].center);
}

bool create_distance(OdeWorld &world, const model_joint &joint, const JointEnd &a,
                     const JointEnd &b) {
    if (!joint.is_rigid) {
        bool is_rope = joint.limit.is_enabled && joint.limit.lower <= 0;
        world.ropes.push_back({a.body, b.body, get_rope_anchor(world, joint.body_a, joint.frame_a),
                               get_rope_anchor(world, joint.body_b, joint.frame_b),
                               double(joint.limit.upper)});
        return is_rope;
    }
    dJointID id = dJointCreateDBall(world.world, nullptr);
    dJointAttach(id, a.body, b.body);
    dJointSetDBallAnchor1(id, dReal(a.frame.position.x), dReal(a.frame.position.y),
                          dReal(a.frame.position.z));
    dJointSetDBallAnchor2(id, dReal(b.frame.position.x), dReal(b.frame.position.y),
                          dReal(b.frame.position.z));
    dJointSetDBallDistance(id, joint.length);
    return true;
}

bool create_joint(OdeWorld &world, const model_joint &joint) {
    if (joint.motor.mode == TN_MOTOR_MODE_POSITION || joint.spring.mode != TN_SPRING_MODE_OFF) {
        return false;
    }
    JointEnd a = get_end(world, joint.body_a, joint.frame_a);
    JointEnd b = get_end(world, joint.body_b, joint.frame_b);
    switch (joint.type) {
    case TN_JOINT_TYPE_DISTANCE:
        return create_distance(world, joint, a, b);
    case TN_JOINT_TYPE_BALL:
        create_ball(world, joint, a, b);
        return true;
    case TN_JOINT_TYPE_HINGE:
        create_hinge(world, joint, a, b);
        return true;
    case TN_JOINT_TYPE_SLIDER:
        create_slider(world, joint, a, b);
        return true;
    case TN_JOINT_TYPE_FIXED: {
        dJointID id = dJointCreateFixed(world.world, nullptr);
        dJointAttach(id, a.body, b.body);
        dJointSetFixed(id);
        return true;
    }
    }
    return false;
}

// ---- the step ---------------------------------------------------------------------------------

void near_pair(void *data, dGeomID geometry_a, dGeomID geometry_b) {
    auto *world = static_cast<OdeWorld *>(data);
    dBodyID a = dGeomGetBody(geometry_a);
    dBodyID b = dGeomGetBody(geometry_b);
    if (a == b || (a && b && dAreConnectedExcluding(a, b, dJointTypeContact))) {
        return;
    }
    auto *shape_a = static_cast<const model_shape *>(dGeomGetData(geometry_a));
    auto *shape_b = static_cast<const model_shape *>(dGeomGetData(geometry_b));
    bool is_pushed = world->model->bodies[shape_a->body].type == TN_BODY_TYPE_DYNAMIC ||
                     world->model->bodies[shape_b->body].type == TN_BODY_TYPE_DYNAMIC;
    if (!is_pushed || !model_may_touch(shape_a, shape_b)) {
        return;
    }
    dContact contacts[max_contacts];
    if (shape_a->is_sensor || shape_b->is_sensor) {
        world->noticed +=
            dCollide(geometry_a, geometry_b, 1, &contacts[0].geom, sizeof(dContact)) > 0;
        return;
    }
    int count = dCollide(geometry_a, geometry_b, max_contacts, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
        dSurfaceParameters &surface = contacts[i].surface;
        surface = {};
        surface.mode = dContactApprox1 | dContactBounce;
        surface.mu = std::sqrt(shape_a->material.friction * shape_b->material.friction);
        surface.bounce = std::max(shape_a->material.restitution, shape_b->material.restitution);
        surface.bounce_vel = dReal(1.0);
        dJointAttach(dJointCreateContact(world->world, world->contacts, &contacts[i]), a, b);
    }
}

tn_vec3 get_anchor_point(dBodyID body, tn_vec3 anchor) {
    if (body == nullptr) {
        return anchor;
    }
    dVector3 point;
    dBodyGetRelPointPos(body, dReal(anchor.x), dReal(anchor.y), dReal(anchor.z), point);
    return {double(point[0]), double(point[1]), double(point[2])};
}

// A taut rope pulls its ends together as a contact whose normal points from b to a.
void tighten(OdeWorld &world, const Rope &rope) {
    tn_vec3 a = get_anchor_point(rope.a, rope.anchor_a);
    tn_vec3 b = get_anchor_point(rope.b, rope.anchor_b);
    tn_vec3 line = space_subtract(b, a);
    double length = space_length(line);
    if (length < rope.length || length == 0) {
        return;
    }
    // ODE pushes its first body along the normal: the first is a, pulled toward b.
    dContact contact = {};
    for (int k = 0; k < 3; ++k) {
        contact.geom.pos[k] = dReal(k == 0 ? b.x : k == 1 ? b.y : b.z);
        contact.geom.normal[k] = dReal((k == 0 ? line.x : k == 1 ? line.y : line.z) / length);
    }
    contact.geom.depth = dReal(length - rope.length);
    dJointAttach(dJointCreateContact(world.world, world.contacts, &contact), rope.a, rope.b);
}

void collide(OdeWorld &world) {
    dJointGroupEmpty(world.contacts);
    world.noticed = 0;
    dSpaceCollide(world.space, &world, near_pair);
    for (const Rope &rope : world.ropes) {
        tighten(world, rope);
    }
}

// ---- the engine -------------------------------------------------------------------------------

// The direct step complains about every pivot it gives up on: the figures of quality show it
// better.
void ignore_message(int, const char *, va_list) {
}

bool is_started() {
    static const bool result = dInitODE2(0) != 0;
    dSetMessageHandler(ignore_message);
    return result;
}

void *ode_create(const bench_engine *, const bench_case *item, const bench_model *model) {
    if (!is_started()) {
        return nullptr;
    }
    dRandSetSeed(0); // the quick step shuffles its rows; so every run is the same
    auto world = std::make_unique<OdeWorld>();
    world->model = model;
    world->dt = 1.0 / item->hertz;
    dWorldSetAutoDisableFlag(world->world, item->is_asleep);
    dWorldSetGravity(world->world, model->gravity.x, model->gravity.y, model->gravity.z);
    for (uint32_t i = 0; i < model->body_count; ++i) {
        if (!create_body(*world, model->bodies[i])) {
            return nullptr;
        }
    }
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        if (!create_joint(*world, model->joints[i])) {
            return nullptr;
        }
    }
    return world.release();
}

void ode_quick_step(void *engine_world) {
    auto *world = static_cast<OdeWorld *>(engine_world);
    DenormalsOff scope;
    collide(*world);
    dWorldQuickStep(world->world, dReal(world->dt));
}

void ode_dense_step(void *engine_world) {
    auto *world = static_cast<OdeWorld *>(engine_world);
    DenormalsOff scope;
    collide(*world);
    dWorldStep(world->world, dReal(world->dt));
}

void ode_read(const void *engine_world, model_state *out_states) {
    auto *world = static_cast<const OdeWorld *>(engine_world);
    for (size_t i = 0; i < world->bodies.size(); ++i) {
        const OdeBody &owner = world->bodies[i];
        if (owner.body == nullptr) {
            out_states[i].pose = owner.fixed_pose;
            out_states[i].velocity = {};
            continue;
        }
        const dReal *p = dBodyGetPosition(owner.body);
        const dReal *q = dBodyGetQuaternion(owner.body);
        const dReal *v = dBodyGetLinearVel(owner.body);
        const dReal *w = dBodyGetAngularVel(owner.body);
        tn_pose center = {{p[0], p[1], p[2]}, {q[1], q[2], q[3], q[0]}};
        tn_pose to_frame = {{-owner.center.x, -owner.center.y, -owner.center.z}, {0, 0, 0, 1}};
        out_states[i].pose = space_compose(&center, &to_frame);
        out_states[i].velocity = {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    }
}

uint32_t ode_count_noticed(void *engine_world) {
    return static_cast<const OdeWorld *>(engine_world)->noticed;
}

void ode_destroy(void *engine_world) {
    delete static_cast<OdeWorld *>(engine_world);
}

} // namespace

const bench_engine bench_engine_ode_quick = {
    "ODE quick", false,       ode_create, nullptr, ode_quick_step, nullptr,
    ode_read,    ode_destroy, false,      0,       nullptr,        ode_count_noticed};

const bench_engine bench_engine_ode_step = {"ODE step",     true,    ode_create, nullptr,
                                            ode_dense_step, nullptr, ode_read,   ode_destroy,
                                            false,          0,       nullptr,    ode_count_noticed};
