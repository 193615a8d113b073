// world/records/world_def.h: the checks of a world's settings.
#ifndef TNI_WORLD_RECORDS_WORLD_DEF_H
#define TNI_WORLD_RECORDS_WORLD_DEF_H

#include "tenon/world.h"
#include "world/records/check.h"

tni_check tni_world_def_check(const tn_world_def *def);
tni_check tni_bias_check(const tn_bias *bias);
tni_check tni_stabilization_check(const tn_stabilization *s);
tni_check tni_cg_check(const tn_cg *cg);
tni_check tni_dynamics_check(tn_dynamics dynamics, double mobility);
bool tni_integrator_is_valid(tn_integrator integrator);

#endif
