// Piles of mechanisms under the direct solver: sweeps and exact joints in turns.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

#define FIGURES 24
#define LIMBS   4

static test_reports reports;
static float damping; // 1/s, of all bodies

static tn_world *create(tn_solver solver, bool is_sleep_allowed) {
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    def.is_sleep_allowed = is_sleep_allowed;
    tn_world *world = test_def_world_create(def, &reports);
    test_floor_create(world);
    return world;
}

static void destroy(tn_world *world) {
    cr_assert(reports.count == 0, "%s: %s", reports.function, reports.message);
    tn_world_destroy(world);
}

// Along x: its own y.
static tn_body_id add_limb(tn_world *world, tn_vec3 at, double length, float radius, double mass,
                           int32_t group) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, at.x, at.y, at.z);
    tn_shape_def def = tn_shape_def_default();
    def.filter.group = group;
    def.material.friction = 0.6f;
    const double half = sqrt(0.5);
    tn_body_set_pose(world, body, (tn_pose){.position = at, .rotation = {0.0, 0.0, half, half}});
    float half_length = (float)(0.5 * length);
    cr_assert(tn_capsule_shape_create(world, body, &def, half_length, radius).value != 0);
    tn_mass given = {.mass = mass};
    double square = (double)radius * (double)radius;
    given.inertia.yy = 0.5 * mass * square;
    given.inertia.xx = given.inertia.zz = mass * (length * length / 12.0 + square);
    tn_body_set_mass(world, body, given);
    tn_body_set_damping(world, body, damping, damping);
    return body;
}

static void tie(tn_world *world, tn_body_id a, tn_body_id b, double x, double y, double z,
                bool is_hinge) {
    tn_limit limit = {.is_enabled = true, .lower = -0.6f, .upper = 0.6f};
    if (is_hinge) {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        def.limit = limit;
        cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, z},
                                          (tn_vec3){0.0, 0.0, 1.0}));
        cr_assert(tn_hinge_joint_create(world, &def).value != 0);
        return;
    }
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.twist_limit = limit;
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, z},
                                      (tn_vec3){1.0, 0.0, 0.0}));
    cr_assert(tn_ball_joint_create(world, &def).value != 0);
}

// A trunk of 10 kg with four limbs and two more at the first two of them. Every third figure is of
// ball joints without limits.
static void add_figure(tn_world *world, double x, double y, double z, int index) {
    bool is_plain = index % 3 == 0;
    int32_t group = -(index + 1);
    tn_body_id trunk = add_limb(world, (tn_vec3){x, y, z}, 0.4, 0.1f, 10.0, group);
    for (int i = 0; i < LIMBS; ++i) {
        double side = i % 2 == 0 ? 1.0 : -1.0, off = i < 2 ? 0.06 : -0.06;
        tn_vec3 at = {x + side * 0.45, y, z + off};
        tn_body_id limb = add_limb(world, at, 0.3, 0.05f, 2.0, group);
        double joint = x + side * 0.27;
        if (is_plain) {
            tn_ball_joint_def def = tn_ball_joint_def_default();
            cr_assert(tn_joint_def_set_frames(world, &def.base, trunk, limb,
                                              (tn_vec3){joint, y, z + off},
                                              (tn_vec3){1.0, 0.0, 0.0}));
            cr_assert(tn_ball_joint_create(world, &def).value != 0);
        } else {
            tie(world, trunk, limb, joint, y, z + off, false);
        }
        if (i < 2) {
            at.x = x + side * 0.8;
            tn_body_id end = add_limb(world, at, 0.25, 0.04f, 1.0, group);
            tie(world, limb, end, x + side * 0.64, y, z + off, !is_plain);
        }
    }
}

// Dropped on top of each other, from a little higher.
static void add_pile_above(tn_world *world, double above) {
    for (int i = 0; i < FIGURES; ++i) {
        double y = 0.4 + above + 0.35 * (i / 2);
        add_figure(world, 0.15 * (i % 4 - 1.5), y, 0.3 * (i % 2 - 0.5), i);
    }
}

typedef struct pile_state {
    uint32_t alternating, others;
    uint32_t failures;
    double gap;
} pile_state;

static pile_state get_state(const tn_world *world) {
    tn_mechanism_info infos[FIGURES + 4];
    uint32_t count = tn_world_get_mechanisms(world, infos, FIGURES + 4);
    cr_assert(count <= FIGURES + 4);
    pile_state state = {0};
    for (uint32_t i = 0; i < count; ++i) {
        bool alternates = infos[i].method == TN_MECHANISM_METHOD_ALTERNATING;
        state.alternating += alternates;
        state.others += !alternates;
        state.failures += infos[i].failures;
        state.gap = fmax(state.gap, infos[i].worst_joint_linear);
        if (alternates) {
            cr_assert(infos[i].reason == TN_MECHANISM_REASON_ASKED && infos[i].stages == 0);
            cr_assert(infos[i].integrator == TN_INTEGRATOR_AUTO && infos[i].fill > 0);
            cr_assert(infos[i].rows >= 3 * infos[i].joints && infos[i].bodies == LIMBS + 3);
        }
    }
    return state;
}

// What falls of 7 s come to, together.
typedef struct pile_fall {
    double energy;  // J: at the start
    double gained;  // J: summed over the steps in which it rose
    double kinetic; // J: at the end
    // m: of the deepest contact, in the first two seconds and in the last five
    double falling_depth, lying_depth;
} pile_fall;

// A pile is chaotic: so many falls from a tenth of a millimetre higher each.
#define FALLS 4

static void add_fall(tn_solver solver, double above, pile_fall *fall) {
    tn_world *world = create(solver, false);
    add_pile_above(world, above);
    tn_energy energy = tn_world_get_energy(world);
    fall->energy += energy.kinetic + energy.potential;
    double before = (double)INFINITY;
    for (int i = 0; i < 420; ++i) {
        test_step(world, 1);
        energy = tn_world_get_energy(world);
        double now = energy.kinetic + energy.potential;
        fall->gained += fmax(now - before, 0.0);
        before = now;
        double depth = tn_world_get_telemetry(world).deepest_penetration;
        fall->falling_depth += i < 120 ? depth / (120.0 * FALLS) : 0.0;
        fall->lying_depth += i < 120 ? 0.0 : depth / (300.0 * FALLS);
    }
    fall->kinetic += energy.kinetic / FALLS;
    destroy(world);
}

static pile_fall let_fall(tn_solver solver) {
    pile_fall fall = {0};
    for (int i = 0; i < FALLS; ++i) {
        add_fall(solver, 1e-4 * i, &fall);
    }
    return fall;
}

// The fall is chaotic: of 40 starts a tenth of a millimetre apart some have substeps that do not
// close.
LONG_TEST(mechanism_piles, alternate_with_their_joints_closed, .timeout = 60) {
    tn_world *world = create(TN_SOLVER_DIRECT, false);
    add_pile_above(world, 4e-4);
    uint32_t most = 0;
    for (int i = 0; i < 240; ++i) {
        test_step(world, 1);
        pile_state state = get_state(world);
        cr_assert(state.alternating + state.others == FIGURES);
        cr_assert(state.gap < 1e-5 && state.failures == 0, "step %d: %g m", i, state.gap);
        most = state.alternating > most ? state.alternating : most;
    }
    cr_assert(most > FIGURES / 2, "%u", most);
    destroy(world);
}

// Bodies that are pushed apart rise, which takes energy. A little air stops what rolls on.
LONG_TEST(mechanism_piles, do_no_worse_than_under_gauss_seidel, .timeout = 180) {
    damping = 0.5f;
    pile_fall swept = let_fall(TN_SOLVER_PGS), direct = let_fall(TN_SOLVER_DIRECT);
    cr_assert(direct.falling_depth < swept.falling_depth, "%g and %g m", direct.falling_depth,
              swept.falling_depth);
    cr_assert(direct.lying_depth < 1.25 * swept.lying_depth, "%g and %g m", direct.lying_depth,
              swept.lying_depth);
    cr_assert(direct.gained < 0.005 * direct.energy, "%g J of %g", direct.gained, direct.energy);
    cr_assert(direct.kinetic < 0.05, "%g J", direct.kinetic);
}

// As chaotic: of 80 starts 64 sleep after 600 steps, and 75 after 1200. Two of three do.
LONG_TEST(mechanism_piles, come_to_rest_and_sleep, .timeout = 120) {
    damping = 2.0f;
    int asleep = 0;
    for (int k = 0; k < 3; ++k) {
        tn_world *world = create(TN_SOLVER_DIRECT, true);
        add_pile_above(world, 1e-4 * (k + 1));
        test_step(world, 120);
        cr_assert(get_state(world).alternating > FIGURES / 2);
        for (int i = 0; i < 1080 && tn_world_get_telemetry(world).awake_bodies > 0; ++i) {
            test_step(world, 1);
        }
        asleep += tn_world_get_telemetry(world).awake_bodies == 0 ? 1 : 0;
        destroy(world);
    }
    cr_assert(asleep >= 2, "%d", asleep);
}

// Once the pile lies nobody changes sides, and nothing is allocated. Of 16 starts 15 lie by then;
// of these, two of three.
LONG_TEST(mechanism_piles, stay_as_they_are_while_they_lie, .timeout = 60) {
    damping = 0.5f;
    int lying = 0;
    for (int k = 0; k < 3; ++k) {
        tn_world *world = create(TN_SOLVER_DIRECT, false);
        add_pile_above(world, 1e-4 * (k + 1) + 3e-5);
        test_step(world, 240);
        uint32_t alternating = get_state(world).alternating;
        bool lies = true;
        for (int i = 0; i < 120 && lies; ++i) {
            test_step(world, 1);
            lies = get_state(world).alternating == alternating &&
                   tn_world_get_telemetry(world).allocations == 0;
        }
        lying += lies ? 1 : 0;
        destroy(world);
    }
    cr_assert(lying >= 2, "%d", lying);
}
