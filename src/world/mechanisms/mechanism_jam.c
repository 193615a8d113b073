// world/mechanisms/mechanism_jam.c: finds light mechanisms that press loose bodies, for
// TN_SOLVER_AUTO.
//
// A swept contact gives way as a spring of its bodies' own masses (solver/rows/softness.c): a body
// that a force P presses against something sinks in by JAM_SINK P h^2 / m, wherever the load comes
// from. A stack of contacts alone is solved at once where that would be seen (world/step/stacks.c);
// a ram, a vice, a jack or a door that jams has joints. So the direct solver takes a mechanism that
// it would otherwise leave to sweeps, from the step in which one of its bodies pushes a loose body
// that hard, which hands on at least half of the push, until TNI_CHOICE_HOLD steps after the last
// such step. As with joints that sweeps leave open, only a small mechanism in no crowd is worth it.
// Test: tests/world/mechanisms/test_press.c
#include "world/contacts.h"
#include "world/step/step_mechanisms.h"

// The sink of a swept contact as a share of P h^2 / m; and the sink, m, beyond which it is seen, as
// in stacks.
#define JAM_SINK      0.2
#define JAM_MOST_SINK 5e-4
// A loose body that bears less than this multiple of its weight is only carried.
#define JAM_LEAST_LOAD 4.0
// The least share of the push that the loose body hands on.
#define JAM_HANDED_ON 0.5

static bool jam_is_asked(const tni_mechanism_choice *choice) {
    return choice->presses;
}

static bool jam_may_be_held(const tni_mechanism_choice *choice) {
    bool is_light = choice->choice.method == TNI_CHOICE_PGS &&
                    choice->choice.reason == TN_MECHANISM_REASON_LIGHT;
    return (is_light || choice->choice.reason == TN_MECHANISM_REASON_OPENED) && choice->has_ties &&
           choice->rows <= TNI_CHOICE_MOST_HELD_ROWS;
}

// Returns the impulse, N·s, that the body's contacts bear except those with the mover.
static double jam_get_handed_on(const tn_world *world, const tni_body *body,
                                const tni_body *mover) {
    double sum = 0.0;
    for (uint32_t key = body->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        const tni_contact *contact = tni_contact_at(world, key >> 1);
        bool is_other = tni_body_at(world, contact->body_a) != mover &&
                        tni_body_at(world, contact->body_b) != mover;
        sum += is_other ? tni_contact_get_impulse(contact) : 0.0;
    }
    return sum;
}

static void jam_look(tn_world *world, const tni_solver *solver, uint32_t index,
                     const tni_body *mover, const tni_body *loose) {
    tni_mechanism_choice *choice =
        mover->inv_mass > 0.0 ? tni_mechanism_find_choice(world, mover) : NULL;
    bool is_loose = loose->joint_head == TNI_NONE && loose->inv_mass > 0.0;
    if (choice == NULL || !is_loose || choice->presses || !jam_may_be_held(choice)) {
        return;
    }
    double push = tni_contact_get_impulse(tni_contact_at(world, index));
    double change = push * loose->inv_mass * world->inverse_dt;
    tni_dvec3 gravity = tni_world_get_gravity(world);
    choice->presses = change > JAM_LEAST_LOAD * sqrt(dvec3_dot(gravity, gravity)) &&
                      JAM_SINK * change * solver->dh * solver->dh > JAM_MOST_SINK &&
                      jam_get_handed_on(world, loose, mover) > JAM_HANDED_ON * push;
}

void tni_mechanism_hold_jams(tn_world *world, const tni_solver *solver) {
    bool any = false;
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        world->choices[g].presses = false;
        any |= jam_may_be_held(&world->choices[g]);
    }
    for (uint32_t i = 0; i < world->awake_contacts.count && any; ++i) {
        const tni_awake_contact *item = &world->awake_contacts.items[i];
        if (item->has_points) {
            const tni_contact *contact = tni_contact_at(world, item->contact);
            const tni_body *a = tni_body_at(world, contact->body_a);
            const tni_body *b = tni_body_at(world, contact->body_b);
            jam_look(world, solver, item->contact, a, b);
            jam_look(world, solver, item->contact, b, a);
        }
    }
    if (any && world->choice_count <= TNI_CHOICE_CROWD) {
        tni_mechanism_hold_exact(world, solver, jam_is_asked, TNI_CHOICE_HOLD);
    }
}
