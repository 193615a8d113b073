// tools/tenon/case_contact.c: which shapes of a case touch, and with what coefficients.
//
// A case gives coefficients of pairs, tenon those of shapes, which it combines: friction as sqrt(f1
// f2), restitution and rolling resistance as the larger. With f for contacts between bodies, a
// body's friction is f and that of a static shape s is f_s^2 / f, so that pairs come out right.
// Where that cannot be (f is 0, or a static shape is to bounce less than bodies do), a pre-solve
// callback sets the pair's values.
#include "tools/tenon/case_world.h"

// The entry for contacts between bodies, or null.
static const case_contact *case_find_between(const case_model *model) {
    for (uint32_t i = 0; i < model->contact_count; i++) {
        if (model->contacts[i].kind == CASE_CONTACT_KIND_BODIES) {
            return &model->contacts[i];
        }
    }
    return NULL;
}

tn_material case_contact_body_material(const case_model *model) {
    tn_material material = tn_shape_def_default().material;
    const case_contact *contact = case_find_between(model);
    if (contact == NULL && model->contact_count > 0) {
        contact = &model->contacts[0];
    }
    if (contact != NULL) {
        material.friction = (float)contact->friction;
        material.restitution = (float)contact->restitution;
        material.rolling_resistance = (float)contact->rolling_resistance;
    }
    return material;
}

tn_material case_contact_static_material(const case_model *model, uint32_t index) {
    const case_contact *contact = &model->contacts[index];
    tn_material body = case_contact_body_material(model);
    tn_material material = body;
    double f = (double)body.friction;
    double wanted = contact->friction;
    material.friction = (float)(f > 0.0 ? wanted * wanted / f : wanted);
    material.restitution = (float)contact->restitution;
    material.rolling_resistance = (float)contact->rolling_resistance;
    return material;
}

// The entry that the pair of two shapes falls under, or null when they do not touch.
static const case_contact *case_find_pair(const case_model *model, const case_tag *a,
                                          const case_tag *b) {
    if (a->body == CASE_WORLD || b->body == CASE_WORLD) {
        const case_tag *still = a->body == CASE_WORLD ? a : b;
        const case_tag *moving = a->body == CASE_WORLD ? b : a;
        if (moving->body == CASE_WORLD) {
            return NULL;
        }
        const case_contact *contact = &model->contacts[still->contact];
        return contact->takes_part[moving->body] ? contact : NULL;
    }
    for (uint32_t i = 0; i < model->contact_count; i++) {
        const case_contact *contact = &model->contacts[i];
        bool is_near =
            !contact->neighbours_only || a->body - b->body == 1 || b->body - a->body == 1;
        if (contact->kind == CASE_CONTACT_KIND_BODIES && is_near && contact->takes_part[a->body] &&
            contact->takes_part[b->body]) {
            return contact;
        }
    }
    return NULL;
}

static bool case_filter(const tn_world *world, tn_shape_id shape_a, tn_shape_id shape_b,
                        void *user_data) {
    const case_world *run = user_data;
    const case_tag *a = tn_shape_get_user_data(world, shape_a);
    const case_tag *b = tn_shape_get_user_data(world, shape_b);
    return a != NULL && b != NULL && case_find_pair(run->model, a, b) != NULL;
}

static bool case_pre_solve(const tn_world *world, const tn_contact *contact,
                           tn_contact_settings *settings, void *user_data) {
    const case_world *run = user_data;
    const case_tag *a = tn_shape_get_user_data(world, contact->shape_a);
    const case_tag *b = tn_shape_get_user_data(world, contact->shape_b);
    const case_contact *pair = a != NULL && b != NULL ? case_find_pair(run->model, a, b) : NULL;
    if (pair == NULL) {
        return false;
    }
    settings->friction = (float)pair->friction;
    settings->restitution = (float)pair->restitution;
    settings->rolling_resistance = (float)pair->rolling_resistance;
    return true;
}

// Do the materials give the pair's values without help?
static bool case_materials_suffice(const case_model *model) {
    tn_material body = case_contact_body_material(model);
    uint32_t between = 0;
    for (uint32_t i = 0; i < model->contact_count; i++) {
        const case_contact *contact = &model->contacts[i];
        between += contact->kind == CASE_CONTACT_KIND_BODIES;
        bool friction = body.friction > 0.0f || contact->friction == 0.0;
        bool restitution = (float)contact->restitution >= body.restitution;
        bool rolling = (float)contact->rolling_resistance >= body.rolling_resistance;
        if (contact->kind != CASE_CONTACT_KIND_BODIES && !(friction && restitution && rolling)) {
            return false;
        }
    }
    return between <= 1;
}

void case_contact_install(case_world *run) {
    if (!run->model->has_contacts) {
        return;
    }
    tn_world_set_contact_filter(run->world, case_filter, run);
    if (!case_materials_suffice(run->model)) {
        tn_world_set_pre_solve(run->world, case_pre_solve, run);
    }
}
