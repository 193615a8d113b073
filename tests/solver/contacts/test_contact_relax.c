// Tests of solver/contacts/contact_sweep_wide.c: solve B, of contacts that nobody would build.
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/cpu.h"
#include "solver/contacts/contact_kernels.h"

#include "tests/joints/joint_motion.h"

#define GROUPS   6
#define CONTACTS (GROUPS * TNI_CONTACTS)
#define BODIES   (2 * TNI_CONTACTS) // each in one contact of every group
#define ROUNDS   200
#define SWEEPS   5

typedef struct crowd {
    tni_body_state states[BODIES + 1];
    tni_body_delta deltas[BODIES + 1];
    tni_body_mass masses[BODIES + 1];
    tni_contact_push pushes[BODIES + 1];
    tni_sym3 inertias[BODIES + 1];
    bool is_contact_body[BODIES + 1];
    tni_contact_record records[CONTACTS];
    tni_contact_gate gates[CONTACTS];
    tni_contact_group groups[GROUPS];
    uint32_t turn_end, loop_end;
    tni_solver solver;
} crowd;

static float pick(test_random *random, double least, double most) {
    return (float)random_between(random, least, most);
}

static vec3s pick_vector(test_random *random, double size) {
    return dvec3_to_float(random_vector(random, size));
}

static void make_bodies(test_random *random, crowd *all) {
    for (uint32_t i = 1; i <= BODIES; ++i) {
        tni_body_state *state = &all->states[i];
        float inv_mass = pick(random, 0.01, 2.0);
        state->v = pick_vector(random, 2.0);
        state->w = pick_vector(random, 2.0);
        state->inv_mass = maths_vec3(inv_mass, inv_mass, inv_mass);
        state->inv_inertia = (tni_sym3){pick(random, 0.1, 9.0),
                                        pick(random, 0.1, 9.0),
                                        pick(random, 0.1, 9.0),
                                        0.0f,
                                        0.0f,
                                        0.0f};
        all->masses[i].is_dynamic = true;
    }
}

// Up to four points of a face, that touch or overlap; some bear a load.
static void make_contact(test_random *random, crowd *all, uint32_t index, uint32_t a, uint32_t b) {
    tni_contact_record *record = &all->records[index];
    tni_dquat face = random_rotation(random);
    tni_dvec3 middle = random_vector(random, 0.5);
    record->normal = dvec3_to_float(dquat_axis_z(face));
    tni_contact_stand(record);
    record->offset = pick_vector(random, 1.0);
    record->body_a = a;
    record->body_b = b;
    record->point_count = (uint16_t)(1 + index % TNI_LANES);
    for (uint32_t p = 0; p < record->point_count; ++p) {
        tni_dvec3 x = dvec3_scale(dquat_axis_x(face), p % 2 == 0 ? 0.4 : -0.3);
        tni_dvec3 y = dvec3_scale(dquat_axis_y(face), p < 2 ? 0.5 : -0.2);
        tni_dvec3 arm = dvec3_add(middle, dvec3_add(x, y));
        record->arm.x[p] = (float)arm.x;
        record->arm.y[p] = (float)arm.y;
        record->arm.z[p] = (float)arm.z;
        record->separation[p] = pick(random, -0.01, 0.0);
        record->impulse[p] = index % 3 == 0 ? 0.0f : pick(random, 0.0, 5.0);
    }
    tni_contact_gate_make(record, &all->gates[index]);
    all->gates[index].slot = index;
    all->gates[index].is_shut = true;
}

static void make_crowd(test_random *random, crowd *all, bool uses_avx2) {
    uint32_t order[BODIES];
    memset(all, 0, sizeof *all);
    make_bodies(random, all);
    for (uint32_t i = 0; i < BODIES; ++i) {
        order[i] = i + 1;
    }
    for (uint32_t g = 0; g < GROUPS; ++g) {
        for (uint32_t i = BODIES - 1; i > 0; --i) {
            uint32_t other = (uint32_t)random_between(random, 0.0, i + 0.999), held = order[i];
            order[i] = order[other];
            order[other] = held;
        }
        for (uint32_t i = 0; i < TNI_CONTACTS; ++i) {
            make_contact(random, all, g * TNI_CONTACTS + i, order[2 * i], order[2 * i + 1]);
        }
        all->groups[g].first = g * TNI_CONTACTS;
        all->groups[g].count = TNI_CONTACTS;
    }
    all->turn_end = GROUPS;
    all->loop_end = 1;
    all->solver = (tni_solver){.h = 1.0f / 240.0f,
                               .inv_h = 240.0f,
                               .uses_avx2 = uses_avx2,
                               .bodies.count = BODIES + 1,
                               .bodies.states = all->states,
                               .bodies.deltas = all->deltas,
                               .bodies.masses = all->masses,
                               .contacts.count = CONTACTS,
                               .contacts.own_count = CONTACTS,
                               .contacts.gates = all->gates,
                               .contacts.records = all->records,
                               .contacts.group_count = GROUPS,
                               .contacts.groups = all->groups,
                               .contacts.turn_ends = &all->turn_end,
                               .contacts.loop_count = 1,
                               .contacts.loop_ends = &all->loop_end,
                               .contacts.is_pushed = all->is_contact_body,
                               .contacts.pushes = all->pushes,
                               .contacts.inertias = all->inertias,
                               .settings.contact_bias = {.max_speed = 3.0f}};
    tni_contacts_prepare(&all->solver);
}

static double get_energy(const crowd *all) {
    double sum = 0.0;
    for (uint32_t i = 1; i <= BODIES; ++i) {
        const tni_body_state *s = &all->states[i];
        for (uint32_t c = 0; c < 3; ++c) {
            double v = (double)s->numbers[c], w = (double)s->numbers[TNI_STATE_W + c];
            sum += 0.5 * v * v / (double)s->numbers[TNI_STATE_INV_MASS + c];
            sum += 0.5 * w * w / (double)s->numbers[TNI_STATE_INV_INERTIA + c];
        }
    }
    return sum;
}

// Points that are swept among them, where the whole block does not hold; over-relaxed or not.
static void check(bool uses_avx2) {
    static crowd all;
    test_random random = {23};
    for (int round = 0; round < ROUNDS; ++round) {
        make_crowd(&random, &all, uses_avx2);
        double before = get_energy(&all), first = before;
        for (int sweep = 0; sweep < SWEEPS; ++sweep) {
            WIDE_CALL(uses_avx2, tni_contact_sweep, &all.solver, 0, GROUPS, 0);
            double after = get_energy(&all);
            cr_assert(after <= before + 1e-5 * first, "round %d, sweep %d: %g J after %g J", round,
                      sweep, after, before);
            before = after;
        }
        cr_assert(before < 0.99 * first, "nothing was done");
    }
}

Test(contact_relax, a_sweep_never_raises_the_kinetic_energy) {
    check(false);
    if (tni_cpu_has_avx2()) {
        check(true);
    }
}
