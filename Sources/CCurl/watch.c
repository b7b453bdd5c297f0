#include "CCurl.h"

#ifdef QUIRE_HAS_CURL

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// `armed` and `wanted` belong to the thread that uses the multi handle. `queue` changes only between two waits, all else
// is set once; the calls of the system may be made by several threads at once.
struct ccurl_watch {
  int queue;
  int timer;
  int alarm;
  int64_t armed;
  // What is wanted of each socket, by its number.
  unsigned char *wanted;
  int room;
};

static int add(struct ccurl_watch *watch, int number) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = number};
  return number < 0 ? -1 : epoll_ctl(watch->queue, EPOLL_CTL_ADD, number, &event);
}

static int open_queue(struct ccurl_watch *watch) {
  watch->queue = epoll_create1(EPOLL_CLOEXEC);
  return watch->queue < 0 || add(watch, watch->timer) || add(watch, watch->alarm) ? -1 : 0;
}

static int open_all(struct ccurl_watch *watch) {
  watch->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  watch->alarm = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  return open_queue(watch);
}

static int set(struct ccurl_watch *watch, int socket, int events) {
  if (events == CURL_POLL_REMOVE) {
    // Fails if libcurl has closed the socket.
    epoll_ctl(watch->queue, EPOLL_CTL_DEL, socket, NULL);
    return 0;
  }
  struct epoll_event event = {.data.fd = socket};
  if (events & CURL_POLL_IN) event.events |= EPOLLIN;
  if (events & CURL_POLL_OUT) event.events |= EPOLLOUT;
  if (!epoll_ctl(watch->queue, EPOLL_CTL_ADD, socket, &event)) return 0;
  return errno == EEXIST ? epoll_ctl(watch->queue, EPOLL_CTL_MOD, socket, &event) : -1;
}

static void set_timer(struct ccurl_watch *watch, int64_t moment) {
  // A moment of 0 would stop the timer.
  if (moment < 1) moment = 1;
  struct itimerspec when = {.it_value = {moment / 1000000000, moment % 1000000000}};
  timerfd_settime(watch->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

void ccurl_watch_wake(ccurl_watch *watch) { eventfd_write(watch->alarm, 1); }

int ccurl_watch_wait(ccurl_watch *watch, ccurl_event *events, int room, bool waits) {
  struct epoll_event found[64];
  int count = epoll_wait(watch->queue, found, room < 64 ? room : 64, waits ? -1 : 0);
  int used = 0;
  for (int i = 0; i < count; i++) {
    uint64_t times;
    if (found[i].data.fd == watch->alarm) {
      (void)!read(watch->alarm, &times, sizeof times);
    } else if (found[i].data.fd == watch->timer) {
      (void)!read(watch->timer, &times, sizeof times);
      events[used++] = (ccurl_event){CURL_SOCKET_BAD, 0};
    } else {
      // An error is found by reading and writing; the socket may be another one by now.
      int bits = 0;
      if (found[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) bits |= CURL_CSELECT_IN;
      if (found[i].events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) bits |= CURL_CSELECT_OUT;
      events[used++] = (ccurl_event){found[i].data.fd, bits};
    }
  }
  return count < 0 && errno != EINTR ? -1 : used;
}

void ccurl_watch_renew(ccurl_watch *watch) {
  close(watch->queue);
  int code = open_queue(watch);
  for (int socket = 0; socket < watch->room && !code; socket++)
    if (watch->wanted[socket]) code = set(watch, socket, watch->wanted[socket]);
  if (code && watch->queue >= 0) {
    close(watch->queue);
    watch->queue = -1;
  }
}

ccurl_watch *ccurl_watch_make(void) {
  ccurl_watch *watch = malloc(sizeof *watch);
  if (!watch) return NULL;
  *watch = (ccurl_watch){-1, -1, -1, INT64_MAX, NULL, 0};
  if (!open_all(watch)) return watch;
  ccurl_watch_free(watch);
  return NULL;
}

void ccurl_watch_free(ccurl_watch *watch) {
  if (!watch) return;
  if (watch->timer >= 0) close(watch->timer);
  if (watch->alarm >= 0) close(watch->alarm);
  if (watch->queue >= 0) close(watch->queue);
  free(watch->wanted);
  free(watch);
}

static int socket_changed(CURL *easy, curl_socket_t socket, int events, void *context, void *unused) {
  (void)easy;
  (void)unused;
  ccurl_watch *watch = context;
  if (socket >= watch->room) {
    int room = socket < 32 ? 64 : socket * 2;
    unsigned char *wanted = realloc(watch->wanted, (size_t)room);
    if (!wanted) return -1;
    memset(wanted + watch->room, 0, (size_t)(room - watch->room));
    watch->wanted = wanted;
    watch->room = room;
  }
  watch->wanted[socket] = events == CURL_POLL_REMOVE ? 0 : (unsigned char)events;
  return set(watch, socket, events);
}

bool ccurl_watch_follows(ccurl_watch *watch, curl_socket_t socket) {
  return socket >= 0 && socket < watch->room && watch->wanted[socket];
}

void ccurl_watch_attach(ccurl_watch *watch, CURLM *multi) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_changed);
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, watch);
}

void ccurl_watch_arm(ccurl_watch *watch, int64_t moment, bool is_exact) {
  if (moment > watch->armed && !is_exact) return;
  if (moment == watch->armed) return;
  watch->armed = moment;
  set_timer(watch, moment);
}

void ccurl_watch_disarm(ccurl_watch *watch) { watch->armed = INT64_MAX; }
#endif
