// core/platform.c: what each system does in its own way: blocks of memory, the clock, threads.
//
// Windows has locks of one word (SRWLOCK), which need no call to end them and never fail. macOS has
// posix_memalign on every version, aligned_alloc since 10.15 only; and its CLOCK_MONOTONIC counts
// microseconds, CLOCK_UPTIME_RAW nanoseconds. Other systems are POSIX systems with C11's library,
// Linux and WebAssembly among them.
// Tests: tests/core/test_platform.c, tests/core/memory/test_alloc.c, tests/threads/test_tasks.c
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE // clock_gettime_nsec_np
#elif defined(__linux__)
#define _DEFAULT_SOURCE // madvise, which POSIX does not have, and all of POSIX
#elif !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L // clock_gettime, sched_yield, pthreads
#endif

#include "core/platform.h"

#include <stdlib.h>

#include "core/memory/alloc.h"

#if TNI_HAVE_THREADS
#include "core/platform_threads.h"
#endif

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <malloc.h>
#include <process.h>
#include <windows.h>
#else
#include <time.h>
#if TNI_HAVE_THREADS
#include <sched.h>
#endif
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

// ---- memory -------------------------------------------------------------------------------------

#if defined(_WIN32)
void *tni_platform_alloc(size_t size) {
    return _aligned_malloc(size, TNI_ALLOC_ALIGNMENT);
}

void tni_platform_free(void *memory) {
    _aligned_free(memory);
}
#else
#if defined(__APPLE__)
static void *platform_alloc(size_t size, size_t alignment) {
    void *memory = NULL;
    return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}
#else
static void *platform_alloc(size_t size, size_t alignment) {
    // The rounding must not wrap; and no object is larger than this.
    if (size > PTRDIFF_MAX) {
        return NULL;
    }
    // aligned_alloc wants a multiple of the alignment.
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
#endif

void *tni_platform_alloc(size_t size) {
#if defined(MADV_HUGEPAGE)
    if (size <= TNI_ALLOC_HUGE && size > TNI_ALLOC_HUGE / 4 * 3) {
        void *memory = platform_alloc(size, TNI_ALLOC_HUGE);
        if (memory) {
            (void)madvise(memory, TNI_ALLOC_HUGE, MADV_HUGEPAGE); // a wish: it may fail
        }
        return memory;
    }
#endif
    return platform_alloc(size, TNI_ALLOC_ALIGNMENT);
}

void tni_platform_free(void *memory) {
    free(memory);
}
#endif

// ---- the clock ----------------------------------------------------------------------------------

#if defined(_WIN32)
double tni_platform_get_ms(void) {
    LARGE_INTEGER frequency, ticks;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&ticks);
    return 1000.0 * (double)ticks.QuadPart / (double)frequency.QuadPart;
}
#elif defined(__APPLE__)
double tni_platform_get_ms(void) {
    return 1e-6 * (double)clock_gettime_nsec_np(CLOCK_UPTIME_RAW);
}
#else
double tni_platform_get_ms(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0.0;
    }
    return 1000.0 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}
#endif

// ---- threads ------------------------------------------------------------------------------------

#if TNI_HAVE_THREADS && defined(_WIN32)

_Static_assert(sizeof(SRWLOCK) == sizeof(void *) && sizeof(CONDITION_VARIABLE) == sizeof(void *),
               "a lock and a condition are one pointer each");

static unsigned __stdcall platform_run(void *argument) {
    tni_thread *thread = argument;
    thread->run(thread->argument);
    return 0;
}

bool tni_thread_start(tni_thread *thread, tni_thread_fn run, void *argument) {
    thread->run = run;
    thread->argument = argument;
    // Unlike CreateThread this tells the C library. The stack is as large as the program wants it.
    thread->handle = (void *)_beginthreadex(NULL, 0, platform_run, thread, 0, NULL);
    return thread->handle != NULL;
}

void tni_thread_join(tni_thread *thread) {
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

void tni_thread_yield(void) {
    SwitchToThread();
}

void tni_thread_pause(void) {
    YieldProcessor();
}

bool tni_gate_init(tni_gate *gate) {
    InitializeSRWLock((SRWLOCK *)&gate->lock);
    InitializeConditionVariable((CONDITION_VARIABLE *)&gate->condition);
    return true;
}

void tni_gate_destroy(tni_gate *gate) {
    (void)gate;
}

void tni_gate_lock(tni_gate *gate) {
    AcquireSRWLockExclusive((SRWLOCK *)&gate->lock);
}

void tni_gate_unlock(tni_gate *gate) {
    ReleaseSRWLockExclusive((SRWLOCK *)&gate->lock);
}

void tni_gate_wait(tni_gate *gate) {
    SleepConditionVariableSRW((CONDITION_VARIABLE *)&gate->condition, (SRWLOCK *)&gate->lock,
                              INFINITE, 0);
}

void tni_gate_wake_all(tni_gate *gate) {
    WakeAllConditionVariable((CONDITION_VARIABLE *)&gate->condition);
}

#elif TNI_HAVE_THREADS

// A thread's stack has at least this many bytes. macOS gives half as many to every thread but the
// first, and some C libraries less; callbacks of the application run on these threads too.
#define PLATFORM_LEAST_STACK ((size_t)1 << 20)

static void *platform_run(void *argument) {
    tni_thread *thread = argument;
    thread->run(thread->argument);
    return NULL;
}

static bool platform_enlarge_stack(pthread_attr_t *attributes) {
    size_t size = 0;
    return pthread_attr_getstacksize(attributes, &size) == 0 &&
           (size >= PLATFORM_LEAST_STACK ||
            pthread_attr_setstacksize(attributes, PLATFORM_LEAST_STACK) == 0);
}

bool tni_thread_start(tni_thread *thread, tni_thread_fn run, void *argument) {
    thread->run = run;
    thread->argument = argument;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    bool is_started = platform_enlarge_stack(&attributes) &&
                      pthread_create(&thread->handle, &attributes, platform_run, thread) == 0;
    pthread_attr_destroy(&attributes);
    return is_started;
}

void tni_thread_join(tni_thread *thread) {
    pthread_join(thread->handle, NULL);
}

void tni_thread_yield(void) {
    sched_yield();
}

void tni_thread_pause(void) {
#if (defined(__GNUC__) || defined(__clang__)) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#endif
}

bool tni_gate_init(tni_gate *gate) {
    if (pthread_mutex_init(&gate->lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&gate->condition, NULL) != 0) {
        pthread_mutex_destroy(&gate->lock);
        return false;
    }
    return true;
}

void tni_gate_destroy(tni_gate *gate) {
    pthread_cond_destroy(&gate->condition);
    pthread_mutex_destroy(&gate->lock);
}

void tni_gate_lock(tni_gate *gate) {
    pthread_mutex_lock(&gate->lock);
}

void tni_gate_unlock(tni_gate *gate) {
    pthread_mutex_unlock(&gate->lock);
}

void tni_gate_wait(tni_gate *gate) {
    pthread_cond_wait(&gate->condition, &gate->lock);
}

void tni_gate_wake_all(tni_gate *gate) {
    pthread_cond_broadcast(&gate->condition);
}

#endif
