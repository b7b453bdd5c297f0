// A stand-in for Apple's headers about threads and signals, for type-checking only: written from their documentation,
// with what Quire uses.
#ifndef STAND_IN_PTHREAD_H
#define STAND_IN_PTHREAD_H

#include <stddef.h>
#include <stdint.h>

typedef struct _opaque_pthread_t { long __sig; } *pthread_t;
typedef struct { long __sig; char __opaque[56]; } pthread_attr_t;

#define PTHREAD_CREATE_DETACHED 2

int pthread_attr_init(pthread_attr_t *_Nonnull);
int pthread_attr_destroy(pthread_attr_t *_Nonnull);
int pthread_attr_setstacksize(pthread_attr_t *_Nonnull, size_t);
int pthread_attr_setdetachstate(pthread_attr_t *_Nonnull, int);
int pthread_create(
  pthread_t _Nullable *_Nonnull, const pthread_attr_t *_Nullable, void *_Nullable (*_Nonnull)(void *_Nonnull),
  void *_Nullable);

typedef uint32_t sigset_t;

#define SIGPIPE 13
#define SIG_BLOCK 1

int sigemptyset(sigset_t *_Nonnull);
int sigaddset(sigset_t *_Nonnull, int);
int pthread_sigmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);

#endif
