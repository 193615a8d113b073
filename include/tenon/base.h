/// tenon/base.h: the plain types that every other header uses: numbers, handles, results, hooks.
///
/// Units are SI (m, kg, s, N, N·m, rad, Hz); a right-handed world; quaternions x, y, z, w, body to
/// world. Every handle is 32 bits: a 22-bit index and a 10-bit generation; 0 is null. All functions
/// check their handles and numbers in every build: a bad call is reported through the world's
/// report hook, does nothing and returns zero, null or false; what sets or applies something
/// returns the result that it reports (INVALID_ARGUMENT without a world), else OK. Thread rule,
/// unless a function says otherwise: one thread at a time per world; functions on a `const tn_world
/// *` may be called from several threads between steps.
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
/// These headers' version as one number that grows: 1.2.3 is 1002003.
#define TN_VERSION_NUMBER (TN_VERSION_MAJOR * 1000000 + TN_VERSION_MINOR * 1000 + TN_VERSION_PATCH)

TN_EXTERN_C_BEGIN

/// A point, a direction or a velocity: in the world or in a body's frame, as stated. In double, so
/// that a scene may lie far from the origin and what is read and set back loses nothing.
typedef struct tn_vec3 {
    double x, y, z;
} tn_vec3;

/// A rotation as a unit quaternion, in the memory order of cglm, glTF and three.js.
typedef struct tn_quat {
    double x, y, z, w;
} tn_quat;

/// The pose of a frame in the world or in a body's frame. A body's frame is where the user put the
/// body, not its centre of mass. Given with a rotation of another length than 1, it is normalised.
typedef struct tn_pose {
    tn_vec3 position; ///< m
    tn_quat rotation;
} tn_pose;

/// An axis-aligned box in the world. m.
typedef struct tn_bounds {
    tn_vec3 lower, upper;
} tn_bounds;

/// A symmetric 3x3 matrix: inertia about a stated point, in body axes. kg·m².
typedef struct tn_mat3_symmetric {
    double xx, yy, zz, xy, xz, yz;
} tn_mat3_symmetric;

/// Handles. Null is {0}. A handle stays stale after its object is gone, for about a million
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
/// A convex hull built once and shared by many shapes of one world.
typedef struct tn_hull_id {
    uint32_t value;
} tn_hull_id;

/// A simulated world. Opaque; made by tn_world_create, which is its owner's to destroy.
typedef struct tn_world tn_world;

/// How the rigid rows of joints are solved.
typedef enum tn_solver {
    TN_SOLVER_AUTO = 0, ///< of a joint: as its world says. Of a world: chosen per mechanism
    TN_SOLVER_PGS,      ///< projected Gauss-Seidel, one joint at a time
    TN_SOLVER_DIRECT,   ///< all joints of a mechanism together and exactly
    TN_SOLVER_CG,       ///< all joints of a mechanism together, by conjugate gradients
} tn_solver;

/// How a mechanism of rigid joints alone moves through a substep. MIDPOINT is what the direct
/// solver is made of; the others are the methods of the textbooks, there to be compared
/// (docs/methods.md).
typedef enum tn_integrator {
    TN_INTEGRATOR_AUTO = 0, ///< as the solver sees fit (default): of DIRECT it is MIDPOINT
    TN_INTEGRATOR_EULER,    ///< velocities that the joints allow, then poses: first order
    TN_INTEGRATOR_MIDPOINT, ///< implicit midpoint, closed at its end: second order
    TN_INTEGRATOR_RATTLE, ///< joints closed at the end, force directions of the start: second order
    TN_INTEGRATOR_RK4,    ///< joint forces from accelerations, in Runge-Kutta: fourth order
    TN_INTEGRATOR_EXPLICIT_EULER,   ///< the same forces, old velocities move the poses
    TN_INTEGRATOR_SYMPLECTIC_EULER, ///< the same forces, new velocities move the poses
    TN_INTEGRATOR_PENALTY,          ///< every rigid row a stiff spring and damper
} tn_integrator;

/// What a call came to. tn_result_text gives the sentence.
typedef enum tn_result {
    TN_RESULT_OK = 0,
    TN_RESULT_INVALID_ID, ///< the handle is null where it may not be, stale, or of another world
    TN_RESULT_WRONG_TYPE, ///< the handle names an object of another kind than the call is for
    TN_RESULT_INVALID_ARGUMENT,  ///< a number out of its range, or a null pointer where one is
                                 ///< needed
    TN_RESULT_NOT_FINITE,        ///< a NaN or an infinity
    TN_RESULT_INVALID_MASS,      ///< a negative mass, or a dynamic body that would have none
    TN_RESULT_INVALID_INERTIA,   ///< not positive definite, or breaks the triangle inequality A + B
                                 ///< >= C
    TN_RESULT_ZERO_AXIS,         ///< an axis or a quaternion of (nearly) zero length
    TN_RESULT_SAME_BODY,         ///< a joint of a body with itself
    TN_RESULT_NO_DYNAMIC_BODY,   ///< a joint between two bodies of which neither is dynamic
    TN_RESULT_INVALID_TIME_STEP, ///< dt <= 0 or not finite, or substeps outside 1 to 64
    TN_RESULT_WORLD_LOCKED,      ///< a call that changes the world from inside a callback or a step
    TN_RESULT_OUT_OF_MEMORY,     ///< the allocator returned null; the state is unchanged
    TN_RESULT_DEGENERATE_HULL,   ///< fewer than four points, or all in one plane, line or point
    TN_RESULT_TOO_LARGE, ///< more objects, points or faces than the format of a handle or hull
                         ///< holds
    TN_RESULT_BODY_NOT_FINITE, ///< a step made a body's state non-finite: it was put back and
                               ///< disabled
    TN_RESULT_WRONG_HEADER,    ///< the program was built with the headers of another version
    TN_RESULT_COUNT
} tn_result;

/// The version of the library that runs, in three numbers.
typedef struct tn_version {
    uint32_t major, minor, patch;
} tn_version;

/// Thread: any. TN_VERSION_MAJOR and the like are those of the headers that a program was built
/// with.
TN_API tn_version tn_get_version(void);

/// The name of a result, as `TN_RESULT_OK`, and a sentence for a person. Static strings; never
/// null. Thread: any.
TN_API const char *tn_result_name(tn_result result);
TN_API const char *tn_result_text(tn_result result);

/// Memory. `alignment` is a power of two up to 64; return null when there is none.
typedef void *(*tn_alloc_fn)(size_t size, size_t alignment, void *user_data);
typedef void (*tn_free_fn)(void *memory, size_t size, void *user_data);

/// One report of something refused or gone wrong. Valid during the callback only.
typedef struct tn_report {
    tn_result result;
    const char *function; ///< the public function that was called, e.g. "tn_body_set_mass"
    const char *message;  ///< one sentence: what is wrong and what was expected
    uint32_t id;          ///< the handle's value where one is concerned, else 0
} tn_report;
typedef void (*tn_report_fn)(const tn_report *report, void *user_data);

/// Tasks. The world calls `enqueue` with a task and how many pieces it has; the application runs
/// task(first, last, worker, context) over [0, count) in pieces of at least `min_range`, from any
/// threads, worker < worker_count and never shared by two running pieces; `finish` waits for all of
/// them. `enqueue` returns a pointer handed to `finish`; null means it ran already.
/// The result does not depend on how the pieces are cut.
typedef void (*tn_task_fn)(uint32_t first, uint32_t last, uint32_t worker, void *context);
typedef void *(*tn_task_enqueue_fn)(tn_task_fn task, uint32_t count, uint32_t min_range,
                                    void *context, void *user_data);
typedef void (*tn_task_finish_fn)(void *task, void *user_data);

TN_EXTERN_C_END

#endif
