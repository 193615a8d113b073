// A stub: see tests/platforms/check_syntax.sh.
#include <stddef.h>

typedef struct stub_pthread *pthread_t;
typedef struct pthread_attr_t {
    long words[8];
} pthread_attr_t;
typedef struct pthread_mutex_t {
    long words[8];
} pthread_mutex_t;
typedef struct pthread_cond_t {
    long words[6];
} pthread_cond_t;

int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *out_size);
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_init(pthread_cond_t *condition, const void *attributes);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_create(pthread_t *out_thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument);
int pthread_join(pthread_t thread, void **out_result);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
