// solver/exact_wide.c: the stages of exact mechanisms once more, for AVX2.
//
// A stage is a long chain of short functions on a few numbers each. Vectors of four have little to
// do there, but instructions that do not overwrite what they read are fewer, and in one unit the
// compiler sees through the chain: together a sixth of the time. So these files are compiled a
// second time, all in one, under names of their own (solver/exact_names.h), and gcc is told to see
// far and to make no vectors of its own (cmake/tenon_wide.cmake). Nothing is fused, so that the
// bits are the same: see core/wide.h. Test: tests/scenes/test_hashes.c
#ifdef TNI_WIDE_AVX2

#include "solver/exact_names.h"

// NOLINTBEGIN(bugprone-suspicious-include)
#include "joints/ball_joint.c"
#include "joints/distance_joint.c"
#include "joints/hinge_joint.c"
#include "joints/joint.c"
#include "joints/joint_exact.c"
#include "joints/parts/along.c"
#include "joints/parts/angle.c"
#include "joints/parts/axis.c"
#include "joints/parts/exact.c"
#include "joints/parts/limit.c"
#include "joints/parts/motor.c"
#include "joints/parts/point.c"
#include "joints/parts/scalar.c"
#include "joints/parts/spring.c"
#include "joints/parts/twist.c"
#include "joints/slider_joint.c"
#include "solver/block_ldl.c"
#include "solver/mechanism.c"
#include "solver/mechanism_actor.c"
#include "solver/mechanism_anchor.c"
#include "solver/mechanism_block.c"
#include "solver/mechanism_bounce.c"
#include "solver/mechanism_carry.c"
#include "solver/mechanism_force.c"
#include "solver/mechanism_project.c"
#include "solver/mechanism_reduce.c"
#include "solver/mechanism_run.c"
#include "solver/mechanism_set.c"
#include "solver/mechanism_spring.c"
#include "solver/mechanism_stage.c"
#include "solver/mechanism_system.c"
#include "solver/mechanism_turns.c"
#include "solver/mechanism_work.c"
#include "solver/midpoint.c"
// NOLINTEND(bugprone-suspicious-include)

#else

typedef int exact_is_compiled_for_any_cpu; // a unit is never empty

#endif
