#define _GNU_SOURCE
#include "CCounting.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__) && __has_attribute(swiftcall)

#define SWIFT __attribute__((swiftcall))

// The runtime's own seams, declared in its ConcurrencyHooks.h.
struct executor {
  void *identity;
  uintptr_t implementation;
};
typedef SWIFT void (*original)(void *job);
extern SWIFT void (*swift_task_enqueueGlobal_hook)(void *job, original);
extern SWIFT void swift_job_run(void *job, struct executor);
// What a run loop calls on the main thread when the main queue has work; it does all that is there.
extern void _dispatch_main_queue_callback_4CF(void *unused);

struct ready {
  struct ready *next;
  void *job;
};

static struct ready *first, **end = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static SWIFT void add(void *job, original unused) {
  (void)unused;
  struct ready *ready = malloc(sizeof *ready);
  *ready = (struct ready){NULL, job};
  pthread_mutex_lock(&lock);
  *end = ready;
  end = &ready->next;
  pthread_mutex_unlock(&lock);
}

static struct ready *take(void) {
  pthread_mutex_lock(&lock);
  struct ready *ready = first;
  if (ready) first = ready->next;
  if (!first) end = &first;
  pthread_mutex_unlock(&lock);
  return ready;
}

bool counting_begin(void) {
  swift_task_enqueueGlobal_hook = add;
  return true;
}

void counting_run(const bool *done) {
  while (!*(const volatile bool *)done) {
    struct ready *ready = take();
    if (ready) {
      void *job = ready->job;
      free(ready);
      swift_job_run(job, (struct executor){NULL, 0});
    } else {
      _dispatch_main_queue_callback_4CF(NULL);
    }
  }
}

#else

bool counting_begin(void) { return false; }
void counting_run(const bool *done) { (void)done; }

#endif

__attribute__((noinline)) void counted_run(const bool *done) {
  counting_run(done);
  // Not a tail call: what comes after it has to return here.
  __asm__ volatile("" ::: "memory");
}

static long long counter(const char *name) {
  long long (*read)(void) = (long long (*)(void))dlsym(RTLD_DEFAULT, name);
  return read ? read() : 0;
}

long long counted_blocks(void) { return counter("malloc_counter_blocks"); }
long long counted_bytes(void) { return counter("malloc_counter_bytes"); }
