// joints/functions/rope_joint.h: a rope joint's own memory, beside what it shares with function
// joints.
//
// Its record is a joint of two bodies, as a function joint's is
// (joints/functions/function_joint.h), with the same ties to its other bodies. A span has its rows,
// one for each piece. Derivation: joints/functions/rope_joint.c and solver/movers/rope_tension.c.
#ifndef TNI_JOINTS_FUNCTIONS_ROPE_JOINT_H
#define TNI_JOINTS_FUNCTIONS_ROPE_JOINT_H

#include "core/hash.h"
#include "joints/functions/function_joint.h"
#include "tenon/rope_joint.h"

#define TNI_ROPE_MAX_PIECES (TN_ROPE_MAX_POINTS - 1)

// The state of a sheave, under the index of the piece before it, and of the last point, under the
// last piece.
typedef enum tni_rope_hold {
    TNI_ROPE_STUCK, // no rope passes
    TNI_ROPE_BACK,  // rope passes toward the first point: the piece before pulls more
    TNI_ROPE_FORTH, // rope passes toward the last point: the piece after pulls more; never at the
                    // last point
} tni_rope_hold;

typedef struct tni_rope {
    tn_rope_joint_def settings; // its base is the record's
    uint32_t piece_count;
    uint8_t slots[TN_ROPE_MAX_POINTS]; // which of the joint's bodies each point is on
    // m of rope from the first point to the end of each piece; the last one is the rope's length.
    double marks[TNI_ROPE_MAX_PIECES];
    uint8_t holds[TNI_ROPE_MAX_PIECES];       // tni_rope_hold
    double tensions[TNI_ROPE_MAX_PIECES];     // N·s over a substep, for warm starting
    float forces[TNI_ROPE_MAX_PIECES];        // N, mean over the last step
    double error, elastic_energy, motor_work; // m, J, J: after the last step; the work in total
} tni_rope;

// The rope at the present poses.
typedef struct tni_rope_shape {
    tni_dvec3 arms[TN_ROPE_MAX_POINTS]; // from the centres of mass, world axes
    tni_dvec3 points[TN_ROPE_MAX_POINTS];
    tni_dvec3 directions[TNI_ROPE_MAX_PIECES]; // from point to point
    double lengths[TNI_ROPE_MAX_PIECES];
} tni_rope_shape;

// Measures it. `bodies` are those of the joint, by slot.
void tni_rope_measure(const tni_rope *rope, const tni_graph_body *bodies,
                      tni_rope_shape *out_shape);
// Returns where a point is in its body, from the centre of mass; X of an affine body.
tni_dvec3 tni_rope_get_local(const tni_rope *rope, uint32_t point, const tni_graph_body *bodies);
// Returns Jdot v of a piece.
double tni_rope_get_term(const tni_rope *rope, const tni_rope_shape *shape, uint32_t piece,
                         const tni_graph_body *bodies);
// Return the wrap, rad, with whole turns, and exp(mu wrap). `sheave` is the piece before it.
double tni_rope_get_wrap(const tni_rope *rope, const tni_rope_shape *shape, uint32_t sheave);
double tni_rope_get_ratio(const tni_rope *rope, const tni_rope_shape *shape, uint32_t sheave);
double tni_rope_get_extent(const tni_rope *rope, const tni_rope_shape *shape);

// Adds the rope's memory to a hash.
static inline uint64_t tni_rope_add_hash(const tni_rope *rope, uint64_t hash) {
    hash = tni_hash_bytes(hash, rope->marks, rope->piece_count * sizeof *rope->marks);
    return tni_hash_bytes(hash, rope->holds, rope->piece_count);
}

// Returns whether the function, which may be null, is a rope that neither stretches nor goes slack.
static inline bool tni_function_is_rod(const tni_function *function) {
    return function != NULL && function->rope != NULL && function->rope->settings.is_rigid;
}

// Returns the unstretched length of a piece, m.
static inline double tni_rope_get_own_length(const tni_rope *rope, uint32_t piece) {
    return rope->marks[piece] - (piece > 0 ? rope->marks[piece - 1] : 0.0);
}

#endif
