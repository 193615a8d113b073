// solver/exact/mechanism_anchor_choice.c: which bodies are eliminated with their anchors.
//
// A hinge or a slider to something that does not move leaves a body one freedom. So does a hinge to
// an anchored body, its carrier, relative to the motion of this one: the body rides on it. All
// riders of a carrier and the carrier itself are eliminated as one body would be, and tie the
// joints at all their ends to each other: these are as many as of one body at most, and lead to
// other bodies. A body with two such joints keeps both as rows, so that they share their load. See
// solver/exact/mechanism_anchor.c. Test: tests/solver/exact/test_mechanism_anchor.c
#include "solver/exact/mechanism.h"

// Could the joint be an anchor? It has five rows in one of the forms that
// solver/exact/mechanism_anchor.c knows, and one more at most. A joint that may break has to be in
// the matrix: mechanism_loss.c.
static bool choice_is_one(const tni_mechanism_joint *joint) {
    return !joint->may_break && joint->equality_count == TNI_MECHANISM_ANCHOR_ROWS &&
           joint->all_count <= TNI_MECHANISM_ANCHOR_ROWS + 1 && (joint->is_pin || joint->is_slide);
}

// Returns the body at the other end of a joint.
static uint32_t choice_get_other(const tni_mechanism *mechanism, uint32_t end) {
    const tni_mechanism_joint *joint = &mechanism->joints[end >> 1];
    return (end & 1) == 0 ? joint->b : joint->a;
}

static void choice_leave_ends(tni_mechanism_body *body, uint32_t joint) {
    uint32_t kept = 0;
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        if (body->place.ends[e] >> 1 != joint) {
            body->place.ends[kept++] = body->place.ends[e];
        }
    }
    body->place.end_count = body->place.own_count = kept;
}

static void choice_anchor(tni_mechanism *mechanism, tni_mechanism_body *body, uint32_t end) {
    body->place.anchor = end;
    mechanism->joints[end >> 1].is_anchor = true;
    choice_leave_ends(body, end >> 1);
}

uint32_t tni_mechanism_choose_anchor(const tni_mechanism *mechanism,
                                     const tni_mechanism_body *body) {
    uint32_t count = 0, end = TNI_NONE;
    if (body->locks != 0 || body->place.end_count > TNI_MECHANISM_MOST_ENDS + 1) {
        return TNI_NONE;
    }
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        if (choice_get_other(mechanism, body->place.ends[e]) >= mechanism->moving_count) {
            count += 1;
            end = body->place.ends[e];
        }
    }
    return count == 1 && choice_is_one(&mechanism->joints[end >> 1]) ? end : TNI_NONE;
}

// ---- riders ------------------------------------------------------------------------------------

// Counts the joints at the ends of a carrier and of those that ride on it.
static uint32_t choice_count_ends(const tni_mechanism *mechanism, const tni_mechanism_body *body) {
    uint32_t count = body->place.own_count;
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        count += mechanism->bodies[r].place.own_count;
    }
    return count;
}

// May a body ride on the body at this end? It may if its other ends lead to none of the bodies with
// which it would be eliminated.
static bool choice_may_ride(const tni_mechanism *mechanism, const tni_mechanism_body *body,
                            uint32_t end) {
    uint32_t carrier = choice_get_other(mechanism, end);
    const tni_mechanism_joint *joint = &mechanism->joints[end >> 1];
    if (carrier >= mechanism->moving_count || !choice_is_one(joint) || !joint->is_pin) {
        return false;
    }
    const tni_mechanism_body *below = &mechanism->bodies[carrier];
    bool may =
        below->place.anchor != TNI_NONE && below->place.carrier == TNI_NONE &&
        choice_count_ends(mechanism, below) + body->place.end_count <= TNI_MECHANISM_MOST_ENDS + 2;
    for (uint32_t e = 0; e < body->place.end_count && may; ++e) {
        uint32_t other = choice_get_other(mechanism, body->place.ends[e]);
        may = body->place.ends[e] == end ||
              (other != carrier && (other >= mechanism->moving_count ||
                                    mechanism->bodies[other].place.carrier != carrier));
    }
    return may;
}

// Makes a body ride on the one at its end. Riders stand in the order in which they come.
static void choice_ride(tni_mechanism *mechanism, uint32_t index, uint32_t end) {
    tni_mechanism_body *body = &mechanism->bodies[index];
    body->place.carrier = choice_get_other(mechanism, end);
    tni_mechanism_body *carrier = &mechanism->bodies[body->place.carrier];
    choice_anchor(mechanism, body, end);
    choice_leave_ends(carrier, end >> 1);
    uint32_t *last = &carrier->place.first_rider;
    while (*last != TNI_NONE) {
        last = &mechanism->bodies[*last].place.next_rider;
    }
    *last = index;
}

static void choice_find_carrier(tni_mechanism *mechanism, uint32_t index) {
    const tni_mechanism_body *body = &mechanism->bodies[index];
    for (uint32_t e = 0; e < body->place.end_count; ++e) {
        if (choice_may_ride(mechanism, body, body->place.ends[e])) {
            choice_ride(mechanism, index, body->place.ends[e]);
            return;
        }
    }
}

// Lists the ends of a body's riders after its own.
static void choice_gather_ends(tni_mechanism *mechanism, tni_mechanism_body *body) {
    for (uint32_t r = body->place.first_rider; r != TNI_NONE;
         r = mechanism->bodies[r].place.next_rider) {
        tni_mechanism_body *rider = &mechanism->bodies[r];
        rider->place.first_end = body->place.end_count;
        for (uint32_t e = 0; e < rider->place.own_count; ++e) {
            body->place.ends[body->place.end_count++] = rider->place.ends[e];
            mechanism->joints[rider->place.ends[e] >> 1].sharer_count += 1;
        }
    }
}

void tni_mechanism_find_anchors(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        mechanism->joints[i].is_anchor = false;
        mechanism->joints[i].sharer_count = 0;
    }
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->place.anchor = body->place.carrier = body->place.first_rider =
            body->place.next_rider = TNI_NONE;
    }
    // Beside hubs they save little, and cost four lanes more than they save.
    if (mechanism->hub_count > 0) {
        return;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        uint32_t end = tni_mechanism_choose_anchor(mechanism, &mechanism->bodies[i]);
        if (end != TNI_NONE) {
            choice_anchor(mechanism, &mechanism->bodies[i], end);
        }
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        if (mechanism->bodies[i].locks == 0 && mechanism->bodies[i].place.anchor == TNI_NONE) {
            choice_find_carrier(mechanism, i);
        }
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        choice_gather_ends(mechanism, &mechanism->bodies[i]);
    }
}
