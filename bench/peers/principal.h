// bench/peers/principal.h: the principal axes of a mass, for engines that know only diagonal
// inertia.
#ifndef BENCH_PEERS_PRINCIPAL_H
#define BENCH_PEERS_PRINCIPAL_H

#include <tenon/machines.h>

// The frame at the centre of mass with axes along the principal ones, in the body's frame, and the
// moments of inertia about them. A diagonal inertia keeps the body's axes.
tn_pose principal_get_frame(const tn_mass *mass, tn_vec3 *out_moments);
tn_pose principal_identity();
tn_pose principal_invert(const tn_pose *pose);

#endif
