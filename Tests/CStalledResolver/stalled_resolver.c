#define _GNU_SOURCE
#include "CStalledResolver.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int begun, releases;

static int is_stalled(const char *node) {
  static const char suffix[] = ".stalled.test";
  size_t length = node ? strlen(node) : 0;
  return length >= sizeof suffix - 1 && !strcmp(node + length - (sizeof suffix - 1), suffix);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
  if (is_stalled(node)) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 30;
    pthread_mutex_lock(&lock);
    int seen = releases;
    begun++;
    pthread_cond_broadcast(&changed);
    while (releases == seen && pthread_cond_timedwait(&changed, &lock, &end) == 0) {
    }
    pthread_mutex_unlock(&lock);
    return EAI_AGAIN;
  }
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
      dlsym(RTLD_NEXT, "getaddrinfo");
  return real(node, service, hints, result);
}

void stalled_resolver_wait_for(int lookups) {
  pthread_mutex_lock(&lock);
  while (begun < lookups) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

int stalled_resolver_count(void) {
  pthread_mutex_lock(&lock);
  int count = begun;
  pthread_mutex_unlock(&lock);
  return count;
}

void stalled_resolver_release(void) {
  pthread_mutex_lock(&lock);
  releases++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
