/// tenon/base.h: defines the plain types that every other header uses: numbers, handles, results,
/// hooks.
///
/// The headers are C99 and C++11. Units are SI (m, kg, s, N, N·m, rad, Hz). The world is
/// right-handed. A quaternion is x, y, z, w and turns body axes into world axes. A handle has 32
/// bits: a 22-bit index and a 10-bit generation; 0 is null. Every function checks its handles and
/// numbers in every build. A bad call does nothing, is reported through the world's report hook,
/// and returns zero, null or false. A function that returns a tn_result returns the one that it
/// reports (INVALID_ARGUMENT without a world), else OK. Thread rule, unless a function says
/// otherwise: one thread at a time uses a world; several threads may call functions on a `const
/// tn_world *` between steps.
#ifndef TENON_BASE_H
#define TENON_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define TN_EXTERN_C_BEGIN extern "C" {
#define TN_EXTERN_C_END   }
#else
#define TN_EXTERN_C_BEGIN
#define TN_EXTERN_C_END
#endif

#if defined(TN_SHARED) && defined(_WIN32) && defined(TN_BUILD)
#define TN_API __declspec(dllexport)
#elif defined(TN_SHARED) && defined(_WIN32)
#define TN_API __declspec(dllimport)
#elif defined(__GNUC__)
#define TN_API __attribute__((visibility("default")))
#else
#define TN_API
#endif

#define TN_VERSION_MAJOR 0
#define TN_VERSION_MINOR 1
#define TN_VERSION_PATCH 0
/// The version of these headers as one number that grows: 1.2.3 is 1002003.
#define TN_VERSION_NUMBER (TN_VERSION_MAJOR * 1000000 + TN_VERSION_MINOR * 1000 + TN_VERSION_PATCH)

TN_EXTERN_C_BEGIN

/// A point, a direction or a velocity, in the world or in a body's frame as each use states. It is
/// in double, so that a scene may lie far from the origin and a value that is read and set back is
/// unchanged.
typedef struct tn_vec3 {
    double x, y, z;
} tn_vec3;

/// A rotation as a unit quaternion, in the memory order of cglm, glTF and three.js.
typedef struct tn_quat {
    double x, y, z, w;
} tn_quat;

/// The pose of a frame in the world or in a body's frame. A body's frame is where the user put the
/// body, not its centre of mass. A rotation that is given with another length than 1 is normalised.
typedef struct tn_pose {
    tn_vec3 position; ///< m
    tn_quat rotation;
} tn_pose;

/// An axis-aligned box in the world, m.
typedef struct tn_bounds {
    tn_vec3 lower, upper;
} tn_bounds;

/// A symmetric 3x3 matrix: inertia about a stated point, in body axes, kg·m².
typedef struct tn_mat3_symmetric {
    double xx, yy, zz, xy, xz, yz;
} tn_mat3_symmetric;

/// Handles. {0} is null. The handle of a destroyed object stays stale for about a million
/// creations.
typedef struct tn_body_id {
    uint32_t value;
} tn_body_id;
typedef struct tn_shape_id {
    uint32_t value;
} tn_shape_id;
typedef struct tn_joint_id {
    uint32_t value;
} tn_joint_id;
typedef struct tn_contact_id {
    uint32_t value;
} tn_contact_id;

/// A simulated world. It is opaque: tn_world_create makes it, and whoever made it destroys it.
typedef struct tn_world tn_world;

/// Chooses how the rigid rows of joints are solved.
typedef enum tn_solver {
    TN_SOLVER_AUTO = 0, ///< in a joint: the world's solver; in a world: chosen for each mechanism
    TN_SOLVER_PGS,      ///< projected Gauss-Seidel, one joint at a time
    TN_SOLVER_DIRECT,   ///< all joints of a mechanism together and exactly
    TN_SOLVER_CG,       ///< all joints of a mechanism together, by conjugate gradients
} tn_solver;

/// Chooses how a mechanism that has rigid joints alone moves through a substep. The direct solver
/// uses MIDPOINT; the others are textbook methods, provided for comparison (docs/methods.md).
typedef enum tn_integrator {
    TN_INTEGRATOR_AUTO = 0, ///< the solver chooses (default): DIRECT takes MIDPOINT
    TN_INTEGRATOR_EULER,    ///< velocities that the joints allow move the poses: first order
    TN_INTEGRATOR_MIDPOINT, ///< implicit midpoint, joints closed at its end: second order
    TN_INTEGRATOR_RATTLE, ///< joints closed at the end by forces along the directions of the start:
                          ///< second order
    TN_INTEGRATOR_RK4,    ///< joint forces from accelerations, in Runge-Kutta: fourth order
    TN_INTEGRATOR_EXPLICIT_EULER,   ///< the same forces; the old velocities move the poses
    TN_INTEGRATOR_SYMPLECTIC_EULER, ///< the same forces; the new velocities move the poses
    TN_INTEGRATOR_PENALTY,          ///< every rigid row is a stiff spring and damper
} tn_integrator;

/// The outcome of a call. tn_result_text gives it as a sentence.
typedef enum tn_result {
    TN_RESULT_OK = 0,
    TN_RESULT_INVALID_ID, ///< the handle is stale, of another world, or null where it may not be
    TN_RESULT_WRONG_TYPE, ///< the handle names an object of another kind than the call needs
    TN_RESULT_INVALID_ARGUMENT,  ///< a number is out of its range, or a pointer that is needed is
                                 ///< null
    TN_RESULT_NOT_FINITE,        ///< a number is NaN or infinite
    TN_RESULT_INVALID_MASS,      ///< a mass is negative, or a dynamic body would have none
    TN_RESULT_INVALID_INERTIA,   ///< an inertia is not positive definite, or breaks the triangle
                                 ///< inequality A + B >= C
    TN_RESULT_ZERO_AXIS,         ///< an axis or a quaternion has (nearly) zero length
    TN_RESULT_SAME_BODY,         ///< a joint would tie a body to itself
    TN_RESULT_NO_DYNAMIC_BODY,   ///< neither body of a joint is dynamic
    TN_RESULT_INVALID_TIME_STEP, ///< dt is <= 0 or not finite, or substeps are outside 1 to 64
    TN_RESULT_WORLD_LOCKED,      ///< a callback or a step tried to change the world
    TN_RESULT_OUT_OF_MEMORY,     ///< the allocator returned null; the state is unchanged
    TN_RESULT_DEGENERATE_HULL,   ///< the points are fewer than four, or all in one plane, line or
                                 ///< point
    TN_RESULT_TOO_LARGE, ///< there are more objects, points or faces than a handle or hull can hold
    TN_RESULT_BODY_NOT_FINITE, ///< a step made a body's state non-finite: the body was put back and
                               ///< disabled
    TN_RESULT_WRONG_HEADER,    ///< the program was built with the headers of another version
    TN_RESULT_DEGENERATE_MESH, ///< no triangle of a mesh has an area
    TN_RESULT_CANCELLED,       ///< a callback ended the call, or a recording
    TN_RESULT_FOREIGN_DATA,    ///< the bytes to load are not of an object of this kind
    TN_RESULT_NEWER_DATA,      ///< a later version of the library saved the bytes to load
    TN_RESULT_DAMAGED_DATA,    ///< the bytes to load are not all that was saved, or were changed
    TN_RESULT_UNKNOWN_OBJECT,  ///< the bytes to load have an object that cannot be made from them,
                               ///< and that the world does not have
    TN_RESULT_DIVERGED,        ///< a replay is no longer as its recording
    TN_RESULT_COUNT
} tn_result;

/// The version of the library that runs, in three numbers.
typedef struct tn_version {
    uint32_t major, minor, patch;
} tn_version;

/// Returns the version of the library; TN_VERSION_MAJOR and the like are those of the headers that
/// the program was built with. Thread: any.
TN_API tn_version tn_get_version(void);

/// Returns a result's name, such as "TN_RESULT_OK", and a sentence about it. The strings are static
/// and never null. Thread: any.
TN_API const char *tn_result_name(tn_result result);
TN_API const char *tn_result_text(tn_result result);

/// Memory hooks. `alignment` is a power of two up to 64. `alloc` returns null when there is no
/// memory.
typedef void *(*tn_alloc_fn)(size_t size, size_t alignment, void *user_data);
typedef void (*tn_free_fn)(void *memory, size_t size, void *user_data);

/// Reports one call that was refused, or one fault. It is valid during the callback only.
typedef struct tn_report {
    tn_result result;
    const char *function; ///< the public function that was called, e.g. "tn_body_set_mass"
    const char *message;  ///< one sentence: what is wrong and what was expected
    uint32_t id;          ///< the value of the handle concerned, or 0
} tn_report;
typedef void (*tn_report_fn)(const tn_report *report, void *user_data);

/// Task hooks. The world calls `enqueue` with a task and its count of pieces. The application calls
/// task(first, last, worker, context) for ranges of at least `min_range` that cover [0, count),
/// from any threads; worker < worker_count, and no two running ranges share one. `enqueue` returns
/// a pointer for `finish`, which waits for all of them; null means that the task has run already.
/// The result does not depend on how the ranges are cut.
typedef void (*tn_task_fn)(uint32_t first, uint32_t last, uint32_t worker, void *context);
typedef void *(*tn_task_enqueue_fn)(tn_task_fn task, uint32_t count, uint32_t min_range,
                                    void *context, void *user_data);
typedef void (*tn_task_finish_fn)(void *task, void *user_data);

TN_EXTERN_C_END

#endif
