// A stand-in for Apple's headers about time, memory, errors and processes, for type-checking only: written from their
// documentation, with what Quire uses.
#ifndef STAND_IN_SYSTEM_H
#define STAND_IN_SYSTEM_H

#include "files.h"

typedef long time_t;
typedef int32_t pid_t;
typedef uint32_t useconds_t;
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6 } clockid_t;

static const clockid_t CLOCK_REALTIME = _CLOCK_REALTIME;
static const clockid_t CLOCK_MONOTONIC = _CLOCK_MONOTONIC;

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  char *tm_zone;
};

time_t time(time_t *);
int clock_gettime(clockid_t, struct timespec *);
struct tm *localtime_r(const time_t *, struct tm *);
int usleep(useconds_t);

void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
void *memchr(const void *, int, size_t);
void *memset(void *, int, size_t);
char *strerror(int);

// A computed property in Apple's module for Swift.
extern int errno __attribute__((swift_attr("nonisolated(unsafe)")));

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EISDIR 21
#define ENFILE 23
#define EMFILE 24
#define EROFS 30
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENETDOWN 50
#define ENETUNREACH 51
#define ECONNABORTED 53
#define ENOBUFS 55
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define EHOSTUNREACH 65

#define STDERR_FILENO 2
#define EXIT_FAILURE 1

char *getenv(const char *);
pid_t getpid(void);
uid_t geteuid(void);
int pause(void);
_Noreturn void exit(int);

#endif
