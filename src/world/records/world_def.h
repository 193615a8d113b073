// world/records/world_def.h: the checks of a world's settings.
#ifndef TNI_WORLD_RECORDS_WORLD_DEF_H
#define TNI_WORLD_RECORDS_WORLD_DEF_H

#include "tenon/world.h"

// OK, or what is wrong with a sentence about it.
tn_result tni_world_def_check(const tn_world_def *def, const char **out_message);
tn_result tni_bias_check(const tn_bias *bias, const char **out_message);
tn_result tni_stabilization_check(const tn_stabilization *s, const char **out_message);
tn_result tni_cg_check(const tn_cg *cg, const char **out_message);
tn_result tni_dynamics_check(tn_dynamics dynamics, double mobility, const char **out_message);
bool tni_integrator_is_valid(tn_integrator integrator);

#endif
