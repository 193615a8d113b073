// core/platform_threads.h: a thread, and a lock with a condition to wait for.
//
// They are here as little as core/tasks.c needs. Include this only where TNI_HAVE_THREADS is 1.
#ifndef TNI_CORE_PLATFORM_THREADS_H
#define TNI_CORE_PLATFORM_THREADS_H

#include "core/platform.h"

#ifndef _WIN32
#include <pthread.h>
#endif

// A thread runs one function. The record must stay where it is until the thread is joined.
typedef void (*tni_thread_fn)(void *argument);
typedef struct tni_thread {
    tni_thread_fn run;
    void *argument;
#ifdef _WIN32
    void *handle;
#else
    pthread_t handle;
#endif
} tni_thread;

// Starts a thread, and waits for its end. Start returns false if the system refuses.
bool tni_thread_start(tni_thread *thread, tni_thread_fn run, void *argument);
void tni_thread_join(tni_thread *thread);
// Lets other threads have the processor.
void tni_thread_yield(void);
// Tells the processor that this thread looks again and again for what another will write.
void tni_thread_pause(void);

// A gate is a lock and a condition that the threads behind it wait for.
typedef struct tni_gate {
#ifdef _WIN32
    void *lock, *condition; // an SRWLOCK and a CONDITION_VARIABLE: windows.h stays out of headers
#else
    pthread_mutex_t lock;
    pthread_cond_t condition;
#endif
} tni_gate;

// Init returns false if the system refuses.
bool tni_gate_init(tni_gate *gate);
void tni_gate_destroy(tni_gate *gate);
void tni_gate_lock(tni_gate *gate);
void tni_gate_unlock(tni_gate *gate);
// Waits for a call of tni_gate_wake_all, and may return without one. The caller has the lock; while
// it waits others may have it.
void tni_gate_wait(tni_gate *gate);
void tni_gate_wake_all(tni_gate *gate);

#endif
