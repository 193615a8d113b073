// world/mechanisms/mechanism_press.c: finds nets that something heavy lies in, for TN_SOLVER_AUTO.
//
// A swept thread gives way as a spring of its own particles' mass (solver/rows/softness.c), however
// many sweeps it gets: a ball of 200 times a knot's mass, caught by a net at 60 Hz with 4 substeps,
// stretches its ropes by a fifth and goes twice as deep as it should. Conjugate gradients make
// threads as stiff as their iterations allow, at five to eight times the cost. So they solve a net
// of particles from the step in which a body of more than TNI_CHOICE_MOST_LOAD times a particle's
// mass pushes this one harder than its own weight, until TNI_CHOICE_HOLD steps after the last such
// step. A net that lies on something heavy carries nothing: all pushes together go against gravity.
// Test: tests/world/mechanisms/test_mechanism_press.c
#include <math.h>

#include "world/contacts.h"
#include "world/step/step_mechanisms.h"

static bool press_may_press(const tni_body *light, const tni_body *heavy) {
    return light->is_particle && light->inv_mass > 0.0 && light->joint_head != TNI_NONE &&
           heavy->inv_mass > 0.0 && light->inv_mass > TNI_CHOICE_MOST_LOAD * heavy->inv_mass;
}

static bool press_is_asked(const tni_mechanism_choice *choice) {
    return choice->is_pressed;
}

static tni_mechanism_choice *press_find_net(tn_world *world, const tni_body *particle) {
    tni_mechanism_choice *net = tni_mechanism_find_choice(world, particle);
    return net != NULL && net->is_net ? net : NULL;
}

// Adds a push. `side` is 1 if the contact's normal points towards the particle, else -1.
static void press_add(tn_world *world, const tni_contact *contact, double side,
                      const tni_body *light) {
    tni_mechanism_choice *net = press_find_net(world, light);
    if (net == NULL) {
        return;
    }
    tni_dvec3 gravity = tni_world_get_gravity(world);
    double along = side * dvec3_dot(gravity, dvec3_from_float(contact->manifold.normal));
    double change = tni_contact_get_impulse(contact) * light->inv_mass * world->inverse_dt;
    net->is_pressed |= change > sqrt(dvec3_dot(gravity, gravity));
    net->pressed_down += along * change;
}

static void press_add_contact(tn_world *world, const tni_contact *contact) {
    const tni_body *a = tni_body_at(world, contact->body_a);
    const tni_body *b = tni_body_at(world, contact->body_b);
    if (press_may_press(a, b)) {
        press_add(world, contact, -1.0, a);
    } else if (press_may_press(b, a)) {
        press_add(world, contact, 1.0, b);
    }
}

// Returns whether any net is pressed.
static bool press_measure(tn_world *world) {
    for (uint32_t i = 0; i < world->awake_contacts.count; ++i) {
        const tni_awake_contact *item = &world->awake_contacts.items[i];
        if (item->has_points) {
            press_add_contact(world, tni_contact_at(world, item->contact));
        }
    }
    bool any = false;
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        tni_mechanism_choice *net = &world->choices[g];
        net->is_pressed = net->is_pressed && net->pressed_down >= 0.0;
        any |= net->is_pressed;
    }
    return any;
}

void tni_mechanism_hold_nets(tn_world *world, const tni_solver *solver) {
    bool has_nets = false;
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        world->choices[g].is_pressed = false;
        world->choices[g].pressed_down = 0.0;
        has_nets |= world->choices[g].is_net;
    }
    if (has_nets && press_measure(world)) {
        tni_mechanism_hold_exact(world, solver, press_is_asked, TNI_CHOICE_HOLD);
    }
}
