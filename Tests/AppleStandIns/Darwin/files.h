// A stand-in for Apple's headers about files, for type-checking only: written from their documentation, with what Quire
// uses. Functions that are variadic in C have the form that Apple's module for Swift gives them.
#ifndef STAND_IN_FILES_H
#define STAND_IN_FILES_H

#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef int64_t off_t;
typedef uint16_t mode_t;
typedef uint32_t uid_t;
typedef uint64_t ino_t;

struct stat {
  int st_dev;
  mode_t st_mode;
  ino_t st_ino;
  uid_t st_uid;
  off_t st_size;
};

static const mode_t S_IFMT = 0170000;
static const mode_t S_IFREG = 0100000;
static const mode_t S_IFDIR = 0040000;
static const mode_t S_IFLNK = 0120000;

int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);

#define O_RDONLY 0x0000
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_EXCL 0x0800
#define O_CLOEXEC 0x1000000
#define F_SETFD 2
#define FD_CLOEXEC 1

int open2(const char *, int) __attribute__((swift_name("open(_:_:)")));
int open3(const char *, int, mode_t) __attribute__((swift_name("open(_:_:_:)")));
int fcntl3(int, int, int) __attribute__((swift_name("fcntl(_:_:_:)")));

ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int close(int);
int unlink(const char *);
int mkdir(const char *, mode_t);
int rmdir(const char *);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int mkstemp(char *);
int flock(int, int);
int rename(const char *, const char *);
char *realpath(const char *, char *);

#define LOCK_EX 2
#define LOCK_NB 4

typedef struct _dirdesc { int __dd_fd; } DIR;

struct dirent {
  ino_t d_ino;
  char d_name[1024];
};

DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);

#endif
