// bench/peers/denormals.h: rounds denormal numbers to zero while an object of the class lives.
//
// In a flat machine the small motions off the plane decay into denormals, which cost the processor
// tens of times more; Bullet's slider-crank takes 7 times as long with them. Applications round
// them away, so the peers get that here. tenon runs as a library finds its caller: with denormals
// on.
#ifndef BENCH_PEERS_DENORMALS_H
#define BENCH_PEERS_DENORMALS_H

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>

class DenormalsOff {
  public:
    DenormalsOff() : control_(_mm_getcsr()) {
        constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
        _mm_setcsr(control_ | flush_to_zero | denormals_are_zero);
    }
    ~DenormalsOff() {
        _mm_setcsr(control_);
    }
    DenormalsOff(const DenormalsOff &) = delete;
    DenormalsOff &operator=(const DenormalsOff &) = delete;

  private:
    unsigned control_;
};
#else
class DenormalsOff {
  public:
    DenormalsOff() {
    }
    ~DenormalsOff() {
    }
};
#endif

#endif
