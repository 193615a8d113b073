// collision/box.h: the files of the box-box test share these.
#ifndef TNI_COLLISION_BOX_H
#define TNI_COLLISION_BOX_H

#include "collision/narrow.h"
#include "core/lanes.h"

// These are two boxes seen from each other. The last number of each row of four is 0.
typedef struct tni_box_pair {
    _Alignas(16) float r[3][4]; // r[i][j]: a's axis i . b's axis j
    float r_t[3][4];            // the same with rows and columns exchanged
    float abs_r[3][4], abs_r_t[3][4];
    float t_a[4], t_b[4]; // from a's centre to b's, in a's axes and in b's
    float h_a[4], h_b[4];
    vec3s d; // from a's centre to b's, in the axes both boxes are given in
    float margin;
    float tolerance; // between axes; of clipping: see narrow_clip_tolerance
    const tni_oriented_box *a, *b;
} tni_box_pair;

static inline uint32_t box_after(uint32_t axis) {
    return axis < 2 ? axis + 1 : 0;
}

static inline vec3s box_vec(const float *v) {
    return maths_vec3(v[0], v[1], v[2]);
}

static inline float box_smallest(const float *h) {
    return maths_min(h[0], maths_min(h[1], h[2]));
}

// Returns the number of the edge along an axis through a corner (corner bits as in box_hull.c).
static inline uint32_t box_edge_number(uint32_t axis, uint32_t corner) {
    uint32_t k1 = box_after(axis), k2 = box_after(k1);
    return 4 * axis + (corner >> k1 & 1u) + 2 * (corner >> k2 & 1u);
}

// box_clip.c: finds the points where the face of one box that looks along its axis k toward the
// other box meets that box. They are about a's centre, in the axes that both boxes are given in.
void tni_box_clip(const tni_box_pair *pair, bool is_face_of_a, uint32_t k, tni_manifold *manifold);

#endif
