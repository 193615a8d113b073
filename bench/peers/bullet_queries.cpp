// bench/peers/bullet_queries.cpp: Bullet answers queries: rayTest, convexSweepTest, contactTest.
//
// The mesh is a btBvhTriangleMeshShape with its quantized tree, the boxes are bodies in the dynamic
// trees. Bullet has no batches. By default its rays meet a convex shape up to 1 cm early or beside
// it; with GJK they are exact. A cast meets a box with edges rounded by Bullet's margin, 0.04 m,
// and so do overlaps: here the margin is small, so that answers can be compared.

#include "bench/queries.h"

#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
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

constexpr btScalar MARGIN = btScalar(0.001); // m

struct QueryWorld {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    std::unique_ptr<btTriangleIndexVertexArray> arrays;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};

    void add(btCollisionShape *shape, const btTransform &pose, bool is_static) {
        shapes.emplace_back(shape);
        if (is_static) {
            objects.emplace_back(new btCollisionObject);
        } else {
            btVector3 inertia;
            shape->calculateLocalInertia(1, inertia);
            objects.emplace_back(new btRigidBody(1, nullptr, shape, inertia));
        }
        objects.back()->setCollisionShape(shape);
        objects.back()->setWorldTransform(pose);
        int group = is_static ? btBroadphaseProxy::StaticFilter : btBroadphaseProxy::DefaultFilter;
        world.addCollisionObject(objects.back().get(), group, btBroadphaseProxy::AllFilter);
    }

    ~QueryWorld() {
        for (auto &object : objects) {
            world.removeCollisionObject(object.get());
        }
    }
};

void *create(const queries_scene *scene, uint32_t) {
    auto *w = new QueryWorld;
    if (scene->triangle_count > 0) {
        w->arrays.reset(new btTriangleIndexVertexArray(
            int(scene->triangle_count),
            reinterpret_cast<int *>(const_cast<uint32_t *>(scene->indices)), 3 * sizeof(int),
            int(scene->point_count), const_cast<float *>(scene->points), 3 * sizeof(float)));
        w->add(new btBvhTriangleMeshShape(w->arrays.get(), true), btTransform::getIdentity(), true);
    }
    for (uint32_t i = 0; i < scene->box_count; ++i) {
        const queries_box &box = scene->boxes[i];
        auto *shape = new btBoxShape(to_bullet(box.half_extents));
        shape->setMargin(MARGIN);
        w->add(shape, to_bullet(box.pose), false);
    }
    return w;
}

double cast_ray(QueryWorld *w, const queries_ask &ask, unsigned flags) {
    btVector3 from = to_bullet(ask.pose.position), to = from + to_bullet(ask.translation);
    btCollisionWorld::ClosestRayResultCallback closest(from, to);
    closest.m_flags |= flags;
    w->world.rayTest(from, to, closest);
    return closest.hasHit() ? double(closest.m_closestHitFraction) : 2.0;
}

double cast_shape(QueryWorld *w, const queries_ask &ask, const btConvexShape &shape) {
    btTransform from = to_bullet(ask.pose), to = from;
    to.setOrigin(from.getOrigin() + to_bullet(ask.translation));
    btCollisionWorld::ClosestConvexResultCallback closest(from.getOrigin(), to.getOrigin());
    w->world.convexSweepTest(&shape, from, to, closest);
    return closest.hasHit() ? double(closest.m_closestHitFraction) : 2.0;
}

// Points of one object come one after the other.
struct CountObjects : btCollisionWorld::ContactResultCallback {
    const btCollisionObject *last = nullptr;
    double count = 0;

    btScalar addSingleResult(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                             const btCollisionObjectWrapper *b, int, int) override {
        const btCollisionObject *object = a->getCollisionObject()->getUserPointer() == this
                                              ? b->getCollisionObject()
                                              : a->getCollisionObject();
        if (point.getDistance() <= 0 && object != last) {
            last = object;
            count += 1;
        }
        return 0;
    }
};

double count_overlaps(QueryWorld *w, const queries_ask &ask, btConvexShape &shape) {
    btCollisionObject object;
    CountObjects counter;
    object.setCollisionShape(&shape);
    object.setWorldTransform(to_bullet(ask.pose));
    object.setUserPointer(&counter);
    w->world.contactTest(&object, counter);
    return counter.count;
}

void answer(void *engine_world, queries_kind kind, const queries_ask *asks, uint32_t count,
            double *out_answers) {
    auto *w = static_cast<QueryWorld *>(engine_world);
    for (uint32_t i = 0; i < count; ++i) {
        const queries_ask &ask = asks[i];
        if (kind == QUERIES_RAY) {
            out_answers[i] = cast_ray(w, ask, 0);
            continue;
        }
        btSphereShape ball(btScalar(ask.radius));
        btBoxShape box(to_bullet(ask.half_extents));
        box.setMargin(MARGIN);
        btConvexShape &shape =
            ask.radius > 0 ? static_cast<btConvexShape &>(ball) : static_cast<btConvexShape &>(box);
        out_answers[i] =
            kind == QUERIES_CAST ? cast_shape(w, ask, shape) : count_overlaps(w, ask, shape);
    }
}

void answer_rays(void *engine_world, queries_kind, const queries_ask *asks, uint32_t count,
                 double *out_answers) {
    auto *w = static_cast<QueryWorld *>(engine_world);
    for (uint32_t i = 0; i < count; ++i) {
        out_answers[i] =
            cast_ray(w, asks[i], btTriangleRaycastCallback::kF_UseGjkConvexCastRaytest);
    }
}

void destroy(void *engine_world) {
    delete static_cast<QueryWorld *>(engine_world);
}

} // namespace

const queries_engine queries_engine_bullet = {"Bullet", false, create, answer, nullptr, destroy};
const queries_engine queries_engine_bullet_rays = {"Bullet with GJK", true,    create,
                                                   answer_rays,       nullptr, destroy};
