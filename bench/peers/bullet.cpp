// bench/peers/bullet.cpp: a model on Bullet, at its defaults: discrete dynamics world, dynamic
// bounding-volume tree, sequential impulses with 10 iterations.
//
// Bullet's body frame is the centre of mass with principal axes, so every local pose is
// re-expressed in it. Its materials meet as products: shapes get the square root of their friction,
// so that equal materials give what tenon gives. Distance joints have no equal in Bullet; a row of
// our own through its constraint interface stands in, with Bullet's error reduction. A height field
// is Bullet's own, whose squares are cut as tenon's are, and a mesh has its quantized tree. A
// sensor is a body without contact response, whose touching manifolds are counted.

#include "bench/engine.h"
#include "bench/peers/denormals.h"
#include "bench/peers/principal.h"
#include "bench/space.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <algorithm>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace {

btVector3 to_bullet(tn_vec3 v) {
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

btTransform to_bullet(const tn_pose &pose) {
    tn_quat q = pose.rotation;
    return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)),
                       to_bullet(pose.position));
}

// |p_b - p_a| = length, or between limits: one row along the line between the anchors.
class DistanceConstraint : public btTypedConstraint {
  public:
    DistanceConstraint(btRigidBody &a, btRigidBody &b, const btVector3 &anchor_a,
                       const btVector3 &anchor_b, double lower, double upper)
        : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b), anchor_a_(anchor_a), anchor_b_(anchor_b),
          lower_(btScalar(lower)), upper_(btScalar(upper)) {
    }

    void getInfo1(btConstraintInfo1 *info) override {
        info->m_numConstraintRows = 1;
        info->nub = 0;
    }

    void getInfo2(btConstraintInfo2 *info) override {
        btVector3 r_a = m_rbA.getWorldTransform().getBasis() * anchor_a_;
        btVector3 r_b = m_rbB.getWorldTransform().getBasis() * anchor_b_;
        btVector3 line = m_rbB.getWorldTransform().getOrigin() + r_b -
                         m_rbA.getWorldTransform().getOrigin() - r_a;
        btScalar distance = line.length();
        btVector3 n = distance > SIMD_EPSILON ? line / distance : btVector3(0, 1, 0);
        write(info->m_J1linearAxis, -n);
        write(info->m_J1angularAxis, -r_a.cross(n));
        write(info->m_J2linearAxis, n);
        write(info->m_J2angularAxis, r_b.cross(n));

        // A slack row may close its whole gap in one step, a violated one is reduced by erp.
        bool is_long = distance - lower_ > upper_ - distance;
        btScalar error = is_long ? distance - upper_ : distance - lower_;
        bool is_slack = lower_ < upper_ && distance > lower_ && distance < upper_;
        info->m_constraintError[0] = -error * info->fps * (is_slack ? btScalar(1) : info->erp);
        bool is_rod = lower_ == upper_;
        info->m_lowerLimit[0] = is_rod || is_long ? -SIMD_INFINITY : 0;
        info->m_upperLimit[0] = is_rod || !is_long ? SIMD_INFINITY : 0;
    }

    void setParam(int, btScalar, int) override {
    }
    btScalar getParam(int, int) const override {
        return 0;
    }

  private:
    static void write(btScalar *row, const btVector3 &v) {
        row[0] = v.x();
        row[1] = v.y();
        row[2] = v.z();
    }

    btVector3 anchor_a_, anchor_b_;
    btScalar lower_, upper_;
};

// Filters of tenon, asked once per pair of bodies: a body's first shape speaks for it.
class ModelFilter : public btOverlapFilterCallback {
  public:
    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override {
        auto *object_a = static_cast<btCollisionObject *>(a->m_clientObject);
        auto *object_b = static_cast<btCollisionObject *>(b->m_clientObject);
        if (object_a->isStaticOrKinematicObject() && object_b->isStaticOrKinematicObject()) {
            return false;
        }
        auto *shape_a = static_cast<const model_shape *>(object_a->getUserPointer());
        auto *shape_b = static_cast<const model_shape *>(object_b->getUserPointer());
        return shape_a != nullptr && shape_b != nullptr && model_may_touch(shape_a, shape_b);
    }
};

struct BulletBody {
    std::unique_ptr<btRigidBody> body;
    tn_pose center; // the centre of mass with principal axes, in the body's frame
};

// What a mesh or a height field lies in, which Bullet does not copy.
struct Concave {
    std::vector<float> heights;
    std::vector<btScalar> points;
    std::vector<int> indices;
    std::unique_ptr<btTriangleIndexVertexArray> arrays;
};

struct BulletWorld {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    ModelFilter filter;
    std::vector<std::unique_ptr<Concave>> concaves;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btDefaultMotionState>> motions;
    std::vector<BulletBody> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    const bench_model *model = nullptr;
    btScalar dt = 0;
    bool can_sleep = false;

    ~BulletWorld() {
        for (auto &joint : joints) {
            world.removeConstraint(joint.get());
        }
        for (auto &body : bodies) {
            if (body.body) {
                world.removeRigidBody(body.body.get());
            }
        }
    }
};

// ---- bodies and shapes ------------------------------------------------------------------------

btCollisionShape *create_convex(const model_shape &shape) {
    switch (shape.type) {
    case TN_SHAPE_TYPE_SPHERE:
        return new btSphereShape(shape.radius);
    case TN_SHAPE_TYPE_CAPSULE:
        return new btCapsuleShape(shape.radius, 2 * shape.half_length);
    case TN_SHAPE_TYPE_BOX:
        return new btBoxShape(
            btVector3(shape.half_extents.x, shape.half_extents.y, shape.half_extents.z));
    case TN_SHAPE_TYPE_HULL: {
        auto *hull = new btConvexHullShape();
        for (uint32_t i = 0; i < shape.vertex_count; ++i) {
            const tn_vec3 &v = shape.vertices[i];
            hull->addPoint(btVector3(v.x, v.y, v.z), false);
        }
        hull->recalcLocalAabb();
        return hull;
    }
    case TN_SHAPE_TYPE_COMPOUND:
    case TN_SHAPE_TYPE_HEIGHT_FIELD:
    case TN_SHAPE_TYPE_MESH:
    case TN_SHAPE_TYPE_HALF_SPACE:
        break;
    }
    return nullptr;
}

Concave &keep_concave(BulletWorld &world) {
    world.concaves.push_back(std::make_unique<Concave>());
    return *world.concaves.back();
}

btCollisionShape *create_mesh(BulletWorld &world, const model_shape &shape) {
    Concave &own = keep_concave(world);
    for (uint32_t i = 0; i < shape.vertex_count; ++i) {
        const tn_vec3 &v = shape.vertices[i];
        own.points.insert(own.points.end(), {btScalar(v.x), btScalar(v.y), btScalar(v.z)});
    }
    own.indices.assign(shape.triangles, shape.triangles + shape.index_count);
    own.arrays = std::make_unique<btTriangleIndexVertexArray>(
        int(shape.index_count / 3), own.indices.data(), int(3 * sizeof(int)),
        int(shape.vertex_count), own.points.data(), int(3 * sizeof(btScalar)));
    return new btBvhTriangleMeshShape(own.arrays.get(), true);
}

void get_heights(const model_shape &shape, double &lowest, double &highest) {
    lowest = HUGE_VAL;
    highest = -HUGE_VAL;
    for (uint32_t i = 0; i < shape.vertex_count; ++i) {
        lowest = std::min(lowest, shape.vertices[i].y);
        highest = std::max(highest, shape.vertices[i].y);
    }
}

btCollisionShape *create_height_field(BulletWorld &world, const model_shape &shape) {
    Concave &own = keep_concave(world);
    for (uint32_t i = 0; i < shape.vertex_count; ++i) {
        own.heights.push_back(float(shape.vertices[i].y));
    }
    double lowest, highest;
    get_heights(shape, lowest, highest);
    auto *field =
        new btHeightfieldTerrainShape(int(shape.columns), int(shape.rows), own.heights.data(),
                                      btScalar(lowest), btScalar(highest), 1, false);
    field->setLocalScaling(btVector3(btScalar(shape.spacing_x), 1, btScalar(shape.spacing_z)));
    return field;
}

btCollisionShape *create_shape(BulletWorld &world, const model_shape &shape,
                               const btTransform &local) {
    if (shape.type == TN_SHAPE_TYPE_MESH) {
        return create_mesh(world, shape);
    }
    if (shape.type == TN_SHAPE_TYPE_HEIGHT_FIELD) {
        return create_height_field(world, shape);
    }
    if (shape.type != TN_SHAPE_TYPE_HALF_SPACE) {
        return create_convex(shape);
    }
    btVector3 normal = local.getBasis() * btVector3(0, 1, 0);
    return new btStaticPlaneShape(normal, normal.dot(local.getOrigin()));
}

btCollisionShape *keep(BulletWorld &world, btCollisionShape *shape) {
    world.shapes.emplace_back(shape);
    return shape;
}

// The shape's pose in Bullet's convention: its height field lies about the middle of its bounds.
tn_pose get_geometry_pose(const model_shape &shape) {
    if (shape.type != TN_SHAPE_TYPE_HEIGHT_FIELD) {
        return shape.local_pose;
    }
    double lowest, highest;
    get_heights(shape, lowest, highest);
    tn_pose middle = {{0.5 * shape.spacing_x * (shape.columns - 1), 0.5 * (lowest + highest),
                       0.5 * shape.spacing_z * (shape.rows - 1)},
                      {0, 0, 0, 1}};
    return space_compose(&shape.local_pose, &middle);
}

bool is_concave(const model_shape &shape) {
    return shape.type == TN_SHAPE_TYPE_MESH || shape.type == TN_SHAPE_TYPE_HEIGHT_FIELD;
}

// Where Bullet has the body's origin, in the body's frame.
tn_pose get_center(const BulletWorld &world, const model_body &body, tn_vec3 &moments) {
    if (body.type == TN_BODY_TYPE_DYNAMIC) {
        return principal_get_frame(&body.mass, &moments);
    }
    const model_shape *first = world.model->shapes + body.first_shape;
    bool is_ground = body.shape_count > 0 && is_concave(*first);
    return is_ground ? get_geometry_pose(*first) : principal_identity();
}

// One shape in the middle of the body is used as it is, anything else goes into a compound.
btCollisionShape *create_body_shape(BulletWorld &world, const model_body &body,
                                    const btTransform &center_inverse) {
    const model_shape *shapes = world.model->shapes + body.first_shape;
    if (body.shape_count == 0) {
        return keep(world, new btEmptyShape());
    }
    btTransform first = center_inverse * to_bullet(get_geometry_pose(shapes[0]));
    bool is_plain = first.getOrigin().length() < btScalar(1e-6) &&
                    first.getRotation().getAngleShortestPath() < btScalar(1e-6);
    bool is_plane = shapes[0].type == TN_SHAPE_TYPE_HALF_SPACE;
    if (body.shape_count == 1 && (is_plain || is_plane)) {
        return keep(world, create_shape(world, shapes[0], first));
    }
    auto *compound = new btCompoundShape();
    keep(world, compound);
    for (uint32_t i = 0; i < body.shape_count; ++i) {
        btTransform local = center_inverse * to_bullet(shapes[i].local_pose);
        if (shapes[i].type == TN_SHAPE_TYPE_HALF_SPACE) {
            compound->addChildShape(btTransform::getIdentity(),
                                    keep(world, create_shape(world, shapes[i], local)));
        } else {
            compound->addChildShape(local, keep(world, create_convex(shapes[i])));
        }
    }
    return compound;
}

void set_material(const BulletWorld &world, const model_body &body,
                  btRigidBody::btRigidBodyConstructionInfo &info) {
    if (body.shape_count > 0) {
        const tn_material &material = world.model->shapes[body.first_shape].material;
        info.m_friction = btSqrt(material.friction);
        info.m_restitution = material.restitution;
    }
}

void create_body(BulletWorld &world, const model_body &body) {
    BulletBody result;
    bool is_dynamic = body.type == TN_BODY_TYPE_DYNAMIC;
    tn_vec3 moments = {0, 0, 0};
    result.center = get_center(world, body, moments);
    btTransform center_inverse = to_bullet(result.center).inverse();

    world.motions.push_back(std::make_unique<btDefaultMotionState>(
        to_bullet(space_compose(&body.pose, &result.center))));
    btRigidBody::btRigidBodyConstructionInfo info(
        is_dynamic ? btScalar(body.mass.mass) : 0, world.motions.back().get(),
        create_body_shape(world, body, center_inverse), to_bullet(moments));
    set_material(world, body, info);
    info.m_linearDamping = body.linear_damping;
    info.m_angularDamping = body.angular_damping;
    result.body = std::make_unique<btRigidBody>(info);
    if (body.shape_count > 0) {
        const model_shape *first = world.model->shapes + body.first_shape;
        result.body->setUserPointer(const_cast<model_shape *>(first));
        if (first->is_sensor) {
            result.body->setCollisionFlags(result.body->getCollisionFlags() |
                                           btCollisionObject::CF_NO_CONTACT_RESPONSE);
        }
    }
    world.world.addRigidBody(result.body.get());
    result.body->setLinearVelocity(to_bullet(body.velocity.linear));
    result.body->setAngularVelocity(to_bullet(body.velocity.angular));
    if (!world.can_sleep) {
        result.body->setActivationState(DISABLE_DEACTIVATION);
    }
    if (body.type == TN_BODY_TYPE_KINEMATIC) {
        result.body->setCollisionFlags(result.body->getCollisionFlags() |
                                       btCollisionObject::CF_KINEMATIC_OBJECT);
    }
    if (is_dynamic) {
        result.body->setGravity(world.world.getGravity() * body.gravity_scale);
        auto factor = [&body](uint32_t x, uint32_t y, uint32_t z) {
            return btVector3(!(body.locks & x), !(body.locks & y), !(body.locks & z));
        };
        result.body->setLinearFactor(
            factor(TN_BODY_LOCK_LINEAR_X, TN_BODY_LOCK_LINEAR_Y, TN_BODY_LOCK_LINEAR_Z));
        result.body->setAngularFactor(
            factor(TN_BODY_LOCK_ANGULAR_X, TN_BODY_LOCK_ANGULAR_Y, TN_BODY_LOCK_ANGULAR_Z));
    }
    world.bodies.push_back(std::move(result));
}

// ---- joints -----------------------------------------------------------------------------------

// One end of a joint in Bullet's terms.
struct JointEnd {
    btRigidBody &body;
    btTransform frame; // in the body's centre frame
};

JointEnd get_end(BulletWorld &world, uint32_t body, const tn_pose &frame) {
    if (body == MODEL_NO_BODY) {
        return {btTypedConstraint::getFixedBody(), to_bullet(frame)};
    }
    BulletBody &owner = world.bodies[body];
    return {*owner.body, to_bullet(owner.center).inverse() * to_bullet(frame)};
}

btTypedConstraint *create_ball(const model_joint &joint, JointEnd a, JointEnd b) {
    if (!joint.enable_cone && !joint.limit.is_enabled) {
        return new btPoint2PointConstraint(a.body, b.body, a.frame.getOrigin(),
                                           b.frame.getOrigin());
    }
    // The cone-twist joint's twist range is symmetric about its frames: centre it on ours.
    btScalar middle = joint.limit.is_enabled ? (joint.limit.lower + joint.limit.upper) / 2 : 0;
    btScalar twist = joint.limit.is_enabled ? (joint.limit.upper - joint.limit.lower) / 2 : SIMD_PI;
    btScalar cone = joint.enable_cone ? joint.cone_angle : SIMD_PI;
    a.frame.setBasis(a.frame.getBasis() * btMatrix3x3(btQuaternion(btVector3(1, 0, 0), middle)));
    auto *result = new btConeTwistConstraint(a.body, b.body, a.frame, b.frame);
    result->setLimit(cone, cone, twist);
    return result;
}

btTypedConstraint *create_hinge(const model_joint &joint, JointEnd a, JointEnd b, btScalar dt) {
    // Bullet's hinge turns about z, ours about x.
    btMatrix3x3 x_to_z(btQuaternion(btScalar(0.5), btScalar(0.5), btScalar(0.5), btScalar(0.5)));
    a.frame.setBasis(a.frame.getBasis() * x_to_z);
    b.frame.setBasis(b.frame.getBasis() * x_to_z);
    // With frame a as the reference the angle is of b relative to a.
    auto *result = new btHingeConstraint(a.body, b.body, a.frame, b.frame, true);
    if (joint.limit.is_enabled) {
        result->setLimit(joint.limit.lower, joint.limit.upper);
    }
    if (joint.motor.mode == TN_MOTOR_MODE_SPEED) {
        btScalar torque = std::min(joint.motor.max_force, 1e18f);
        result->enableAngularMotor(true, joint.motor.target_speed, torque * dt);
    } else if (joint.friction > 0) {
        result->enableAngularMotor(true, 0, joint.friction * dt);
    }
    return result;
}

btTypedConstraint *create_slider(const model_joint &joint, JointEnd a, JointEnd b) {
    auto *result = new btSliderConstraint(a.body, b.body, a.frame, b.frame, true);
    if (joint.limit.is_enabled) {
        result->setLowerLinLimit(joint.limit.lower);
        result->setUpperLinLimit(joint.limit.upper);
    }
    if (joint.motor.mode == TN_MOTOR_MODE_SPEED || joint.friction > 0) {
        bool is_driven = joint.motor.mode == TN_MOTOR_MODE_SPEED;
        result->setPoweredLinMotor(true);
        result->setTargetLinMotorVelocity(is_driven ? joint.motor.target_speed : 0);
        result->setMaxLinMotorForce(is_driven ? std::min(joint.motor.max_force, 1e18f)
                                              : joint.friction);
    }
    return result;
}

btTypedConstraint *create_distance(const model_joint &joint, JointEnd a, JointEnd b) {
    if (!joint.is_rigid && !joint.limit.is_enabled) {
        return nullptr;
    }
    double lower = joint.is_rigid ? joint.length : joint.limit.lower;
    double upper = joint.is_rigid ? joint.length : joint.limit.upper;
    return new DistanceConstraint(a.body, b.body, a.frame.getOrigin(), b.frame.getOrigin(), lower,
                                  upper);
}

btTypedConstraint *create_joint(BulletWorld &world, const model_joint &joint) {
    if (joint.motor.mode == TN_MOTOR_MODE_POSITION || joint.spring.mode != TN_SPRING_MODE_OFF) {
        return nullptr;
    }
    JointEnd a = get_end(world, joint.body_a, joint.frame_a);
    JointEnd b = get_end(world, joint.body_b, joint.frame_b);
    switch (joint.type) {
    case TN_JOINT_TYPE_DISTANCE:
        return create_distance(joint, a, b);
    case TN_JOINT_TYPE_BALL:
        return create_ball(joint, a, b);
    case TN_JOINT_TYPE_HINGE:
        return create_hinge(joint, a, b, world.dt);
    case TN_JOINT_TYPE_SLIDER:
        return create_slider(joint, a, b);
    case TN_JOINT_TYPE_FIXED:
        return new btFixedConstraint(a.body, b.body, a.frame, b.frame);
    }
    return nullptr;
}

// ---- the engine -------------------------------------------------------------------------------

// A body's flags are those of its first shape, and concave shapes are static and alone.
bool has_equal(const bench_model &model) {
    for (uint32_t i = 0; i < model.shape_count; ++i) {
        const model_shape &shape = model.shapes[i];
        const model_body &body = model.bodies[shape.body];
        uint32_t cells = shape.columns > 0 ? (shape.columns - 1) * (shape.rows - 1) : 0;
        bool has_hole = shape.index_count != 6 * cells;
        bool is_alone = body.shape_count == 1;
        bool is_static = body.type == TN_BODY_TYPE_STATIC;
        if ((shape.is_sensor && !is_alone) || (is_concave(shape) && !(is_alone && is_static)) ||
            (shape.type == TN_SHAPE_TYPE_HEIGHT_FIELD && has_hole)) {
            return false;
        }
    }
    return true;
}

void *bullet_create(const bench_engine *, const bench_case *item, const bench_model *model) {
    if (!has_equal(*model)) {
        return nullptr;
    }
    auto world = std::make_unique<BulletWorld>();
    world->model = model;
    world->dt = btScalar(1.0 / item->hertz);
    world->can_sleep = item->is_asleep;
    world->world.setGravity(btVector3(model->gravity.x, model->gravity.y, model->gravity.z));
    world->broadphase.getOverlappingPairCache()->setOverlapFilterCallback(&world->filter);
    for (uint32_t i = 0; i < model->body_count; ++i) {
        create_body(*world, model->bodies[i]);
    }
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        btTypedConstraint *joint = create_joint(*world, model->joints[i]);
        if (joint == nullptr) {
            return nullptr;
        }
        world->joints.emplace_back(joint);
        world->world.addConstraint(joint, !model->joints[i].is_collision_allowed);
    }
    return world.release();
}

// Kinematic bodies go where their motion state says: on by their velocity.
void bullet_move_kinematic(void *engine_world) {
    auto *world = static_cast<BulletWorld *>(engine_world);
    for (size_t i = 0; i < world->bodies.size(); ++i) {
        const model_body &source = world->model->bodies[i];
        if (source.type == TN_BODY_TYPE_KINEMATIC) {
            btRigidBody &body = *world->bodies[i].body;
            btTransform next;
            btTransformUtil::integrateTransform(
                body.getWorldTransform(), to_bullet(source.velocity.linear),
                to_bullet(source.velocity.angular), world->dt, next);
            body.getMotionState()->setWorldTransform(next);
        }
    }
}

void bullet_step(void *engine_world) {
    auto *world = static_cast<BulletWorld *>(engine_world);
    DenormalsOff scope;
    world->world.stepSimulation(world->dt, 0);
}

void bullet_read(const void *engine_world, model_state *out_states) {
    auto *world = static_cast<const BulletWorld *>(engine_world);
    for (size_t i = 0; i < world->bodies.size(); ++i) {
        const btRigidBody &body = *world->bodies[i].body;
        const btVector3 &v = body.getLinearVelocity();
        const btVector3 &w = body.getAngularVelocity();
        const btVector3 &p = body.getWorldTransform().getOrigin();
        btQuaternion q = body.getWorldTransform().getRotation();
        tn_pose center = {{p.x(), p.y(), p.z()}, {q.x(), q.y(), q.z(), q.w()}};
        tn_pose to_frame = principal_invert(&world->bodies[i].center);
        out_states[i].pose = space_compose(&center, &to_frame);
        out_states[i].velocity = {{v.x(), v.y(), v.z()}, {w.x(), w.y(), w.z()}};
    }
}

void bullet_cast_rays(void *engine_world, const bench_ray *rays, uint32_t count, double *out_free) {
    auto *world = static_cast<BulletWorld *>(engine_world);
    for (uint32_t i = 0; i < count; ++i) {
        const double *o = rays[i].origin, *t = rays[i].translation;
        btVector3 from{btScalar(o[0]), btScalar(o[1]), btScalar(o[2])};
        btVector3 to = from + btVector3{btScalar(t[0]), btScalar(t[1]), btScalar(t[2])};
        btCollisionWorld::ClosestRayResultCallback closest(from, to);
        world->world.rayTest(from, to, closest);
        out_free[i] = closest.hasHit() ? double(closest.m_closestHitFraction) : 1.0;
    }
}

bool is_touching(const btPersistentManifold &manifold) {
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
        if (manifold.getContactPoint(i).getDistance() <= 0) {
            return true;
        }
    }
    return false;
}

uint32_t bullet_count_noticed(void *engine_world) {
    auto *world = static_cast<BulletWorld *>(engine_world);
    uint32_t count = 0;
    for (int i = 0; i < world->dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold &manifold = *world->dispatcher.getInternalManifoldPointer()[i];
        bool has_sensor = !manifold.getBody0()->hasContactResponse() ||
                          !manifold.getBody1()->hasContactResponse();
        count += has_sensor && is_touching(manifold);
    }
    return count;
}

void bullet_destroy(void *engine_world) {
    delete static_cast<BulletWorld *>(engine_world);
}

} // namespace

const bench_engine bench_engine_bullet = {
    "Bullet",    false,   bullet_create,    bullet_move_kinematic,
    bullet_step, nullptr, bullet_read,      bullet_destroy,
    false,       0,       bullet_cast_rays, bullet_count_noticed};
