// scenes/release.h: how a step is cut where something is let go within it.
#ifndef SCENES_RELEASE_H
#define SCENES_RELEASE_H

#define RELEASE_SMALLEST 1e-4 // of a step: what is nearer is now
#define RELEASE_REST     1e-6 // of a step: less is not worth stepping

// Returns how far to go before looking again, s, where the moment is `until` seconds from now as
// far as rates tell, and `left` is what remains of a step of dt. A rate may grow on the way, so a
// cut goes three quarters of it.
double release_get_cut(double until, double left, double dt);

#endif
