#define _GNU_SOURCE
#include "CCurl.h"

#ifdef QUIRE_HAS_CURL

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

#define NO_EXIT_HANDLER 0x00080000L  // OPENSSL_INIT_NO_ATEXIT

CURLcode ccurl_global_init(void) {
  int (*prepare)(uint64_t, const void *) =
      (int (*)(uint64_t, const void *))dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
  if (prepare) prepare(NO_EXIT_HANDLER, NULL);
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

curl_socket_t ccurl_open_socket(int family, int type, int protocol) {
  return socket(family, type | SOCK_CLOEXEC, protocol);
}

struct start {
  void (*entry)(void *);
  void *context;
};

// Signals are handled by the threads of the program, not by those that libcurl starts. SIGPIPE must be blocked
// because OpenSSL writes to sockets without suppressing it.
static void block_signals(sigset_t *before) {
  sigset_t blocked;
  sigfillset(&blocked);
  // Faults of the thread itself are not blocked: the process would end without a report.
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);
  pthread_sigmask(SIG_SETMASK, &blocked, before);
}

static void *enter(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  block_signals(NULL);
  pthread_setname_np(pthread_self(), "quire-curl");
  start.entry(start.context);
  return NULL;
}

int ccurl_start_thread(void (*entry)(void *), void *context) {
  struct start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  *start = (struct start){entry, context};
  pthread_t thread;
  int code = pthread_create(&thread, NULL, enter, start);
  if (code) {
    free(start);
  } else {
    pthread_detach(thread);
  }
  return code;
}

static bool pipe_is_pending(void) {
  sigset_t pending;
  return !sigpending(&pending) && sigismember(&pending, SIGPIPE);
}

ccurl_signals ccurl_hold_signals(void) {
  ccurl_signals signals;
  block_signals(&signals.mask);
  signals.was_pending = pipe_is_pending();
  return signals;
}

void ccurl_release_signals(ccurl_signals signals) {
  if (!signals.was_pending && pipe_is_pending()) {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    // It may be one for the whole process that another thread has taken meanwhile.
    struct timespec none = {0, 0};
    sigtimedwait(&pipe, NULL, &none);
  }
  pthread_sigmask(SIG_SETMASK, &signals.mask, NULL);
}
#endif
