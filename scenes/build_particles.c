// scenes/build_particles.c: ropes and nets of particles: see build_particles.h.
#include "scenes/build_particles.h"

tn_joint_id build_thread(scene_run *run, const build_threads *threads, tn_body_id a, tn_body_id b) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    double apart =
        build_distance(tn_body_get_center(run->world, a), tn_body_get_center(run->world, b));
    float length = (float)(apart * threads->slack);
    def.base.body_a = a;
    def.base.body_b = b;
    def.is_rigid = threads->type == BUILD_THREAD_ROD;
    def.length = length;
    def.limit = (tn_limit){.is_enabled = threads->type == BUILD_THREAD_ROPE, .upper = length};
    if (threads->type == BUILD_THREAD_SPRING) {
        def.spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS,
                                 .stiffness = (float)threads->stiffness,
                                 .damping = (float)threads->damping,
                                 .rest = length};
    }
    tn_joint_id joint = tn_distance_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}

static tn_body_id build_bead(scene_run *run, const build_beads *beads, tn_vec3 place) {
    build_part part = build_part_at(place.x, place.y, place.z);
    part.mass = beads->mass;
    part.filter = beads->filter;
    tn_body_id bead = build_particle(run, &part, beads->radius);
    tn_body_set_damping(run->world, bead, (float)beads->damping, 0.0f);
    return bead;
}

void build_bead_rope(scene_run *run, const build_beads *beads, const tn_vec3 *points,
                     uint32_t count, tn_body_id *out_beads) {
    for (uint32_t i = 0; i < count; i++) {
        out_beads[i] = build_bead(run, beads, points[i]);
        if (i > 0) {
            build_thread(run, &beads->threads, out_beads[i - 1], out_beads[i]);
        }
    }
}

void build_net_of_knots(scene_run *run, const build_net *net, tn_body_id *out_knots) {
    for (uint32_t row = 0; row < net->rows; row++) {
        for (uint32_t column = 0; column < net->columns; column++) {
            tn_vec3 c = net->corner;
            tn_vec3 x = net->across, y = net->down;
            tn_body_id *knot = &out_knots[row * net->columns + column];
            *knot = build_bead(run, &net->knots,
                               build_point(c.x + column * x.x + row * y.x,
                                           c.y + column * x.y + row * y.y,
                                           c.z + column * x.z + row * y.z));
            if (column > 0) {
                build_thread(run, &net->knots.threads, knot[-1], *knot);
            }
            if (row > 0) {
                build_thread(run, &net->knots.threads, *(knot - net->columns), *knot);
            }
        }
    }
}
