#ifndef QUIRE_CCURL_H
#define QUIRE_CCURL_H

// Swift can't call variadic C functions, and libcurl sets and reads everything through four of them. There is
// one inline function here for each type of value, so that the compiler checks the types that the variadic call
// would not.

// The module is empty where libcurl isn't used: on systems other than Linux, without the headers of libcurl, and in a build
// without the trait. All targets of a package are compiled, also those that nothing links.
#if defined(__linux__) && !defined(__ANDROID__) && __has_include(<curl/curl.h>)
#define QUIRE_HAS_CURL

// System types that curl.h includes belong to the module of the system. Without this line, Swift would treat
// them as part of this module, and every file that uses them would have to import it.
#include <features.h>
#if defined(__GLIBC__) && defined(__clang__) && __building_module(CCurl)
#pragma clang module import SwiftGlibc
#endif

#define CURL_DISABLE_TYPECHECK
// For curl_multi_socket_all, which has no successor.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_off(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
// libcurl copies the bytes.
static inline CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}
static inline CURLcode ccurl_unset_blob(CURL *easy, CURLoption option) {
  return curl_easy_setopt(easy, option, NULL);
}
// Write, header, read and data callbacks have the same signature.
static inline CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option, curl_write_callback call) {
  return curl_easy_setopt(easy, option, call);
}
static inline CURLcode ccurl_set_seek_callback(CURL *easy, curl_seek_callback call) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, call);
}
static inline CURLcode ccurl_set_socket_callback(CURL *easy, curl_opensocket_callback call) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, call);
}
static inline CURLcode ccurl_set_prereq_callback(CURL *easy, curl_prereq_callback call) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, call);
}

static inline long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
static inline curl_off_t ccurl_get_off(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
// Returns the socket that the last transfer left open, or -1.
static inline curl_socket_t ccurl_active_socket(CURL *easy) {
  curl_socket_t value = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}
static inline void *ccurl_get_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Returns the next finished transfer and its result, or NULL.
static inline CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}

static inline CURLMcode ccurl_multi_act(CURLM *multi, curl_socket_t socket, int events) {
  int running = 0;
  return curl_multi_socket_action(multi, socket, events, &running);
}

// Lets libcurl look at all of its transfers, and name the sockets that it waits for.
static inline CURLMcode ccurl_multi_sweep(CURLM *multi) {
  int running = 0;
  return curl_multi_socket_all(multi, &running);
}

// Returns the milliseconds until libcurl's next timer is due, 0 if it is; -1 without a timer.
static inline long ccurl_multi_timeout(CURLM *multi) {
  long rest = -1;
  return curl_multi_timeout(multi, &rest) == CURLM_OK ? rest : -1;
}

// Returns the features of libcurl. Swift does not import the macro CURLVERSION_NOW.
static inline const curl_version_info_data *ccurl_version(void) {
  return curl_version_info(CURLVERSION_NOW);
}

// Opens a socket that programs started by this process don't inherit. Returns -1 if that fails.
curl_socket_t ccurl_open_socket(int family, int type, int protocol);

// Starts a detached thread with blocked signals, which takes different calls on each system. Returns an error
// number, or 0.
int ccurl_start_thread(void (*entry)(void *), void *context);

// Initializes libcurl for the process. If libcurl uses OpenSSL, disables OpenSSL's exit handler first: a transfer
// may still run on another thread at exit.
CURLcode ccurl_global_init(void);

// Waits for the sockets of a multi handle, for a moment, and for a wake-up. While one thread waits, the thread that uses
// the multi handle may change the sockets and the moment, and any thread may wake it up.

typedef struct ccurl_watch ccurl_watch;

typedef struct {
  // CURL_SOCKET_BAD if the moment has come, which disarms the watch.
  curl_socket_t socket;
  // CURL_CSELECT_IN and CURL_CSELECT_OUT.
  int events;
} ccurl_event;

// Returns NULL without memory or descriptors.
ccurl_watch *ccurl_watch_make(void);
void ccurl_watch_free(ccurl_watch *watch);
void ccurl_watch_attach(ccurl_watch *watch, CURLM *multi);
// Ends a wait at a moment of the monotonic clock in nanoseconds, or earlier if it is not exact.
void ccurl_watch_arm(ccurl_watch *watch, int64_t moment, bool is_exact);
void ccurl_watch_disarm(ccurl_watch *watch);
// Whether libcurl waits for a socket. There may be events of others: libcurl 7.88 closes some sockets before it says that
// it no longer waits for them, and one that a child process keeps open can't be removed any more.
bool ccurl_watch_follows(ccurl_watch *watch, curl_socket_t socket);
// Forgets all sockets but those that libcurl waits for. If that is not possible, the next wait fails.
void ccurl_watch_renew(ccurl_watch *watch);
void ccurl_watch_wake(ccurl_watch *watch);
// Returns the number of events, or -1.
int ccurl_watch_wait(ccurl_watch *watch, ccurl_event *events, int room, bool waits);

// Keeps signals from a thread of the program while it uses libcurl, and from threads that libcurl starts then. A SIGPIPE
// of that time is dropped.

typedef struct {
  sigset_t mask;
  bool was_pending;
} ccurl_signals;

ccurl_signals ccurl_hold_signals(void);
void ccurl_release_signals(ccurl_signals signals);

// Writes the ASCII form of a host name in another script (IDNA 2008), `xn--…`. libcurl's own conversion depends
// on the locale of the process.

typedef enum {
  CCURL_ACE_FOUND,
  CCURL_ACE_INVALID,
  CCURL_ACE_UNAVAILABLE,
} ccurl_ace_result;

ccurl_ace_result ccurl_ace(const char *name, char *ace, size_t room);

// Decodes gzip and deflate, one piece of input and output at a time. libcurl's own decoding accepts a truncated
// body as complete, and inflates all its input at once.

typedef struct ccurl_inflater ccurl_inflater;

typedef enum {
  CCURL_INFLATE_MORE,
  CCURL_INFLATE_ENDED,
  CCURL_INFLATE_BROKEN,
} ccurl_inflate_state;

typedef struct {
  size_t consumed;
  size_t produced;
  ccurl_inflate_state state;
} ccurl_inflated;

// Whether the system has zlib.
bool ccurl_can_inflate(void);

// Returns NULL without memory or zlib. Without a header, the input is a raw deflate stream.
ccurl_inflater *ccurl_inflater_make(bool has_header);
void ccurl_inflater_free(ccurl_inflater *inflater);
ccurl_inflated ccurl_inflate(ccurl_inflater *inflater, const void *input, size_t available_input,
                             void *output, size_t room);

#elif defined(QUIRE_CURL)
#error "curl/curl.h is missing. Install libcurl4-openssl-dev, or depend on Quire without the trait Curl."
#endif

#endif
