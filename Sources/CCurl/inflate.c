#include "CCurl.h"

#ifdef QUIRE_HAS_CURL

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// zlib is installed with libcurl on every system, but without its header. So its few functions are looked up,
// and its one structure is declared here. Both have been stable since zlib 1.0.

struct z_stream {
  const unsigned char *next_in;
  unsigned avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *(*allocate)(void *, unsigned, unsigned);
  void (*release)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
};

static int (*init)(struct z_stream *, int, const char *, int);
static int (*step)(struct z_stream *, int);
static int (*reset)(struct z_stream *);
static int (*finish)(struct z_stream *);
static const char *(*version)(void);
static bool available;

static void look_up(void) {
  void *zlib = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!zlib) return;
  init = (int (*)(struct z_stream *, int, const char *, int))dlsym(zlib, "inflateInit2_");
  step = (int (*)(struct z_stream *, int))dlsym(zlib, "inflate");
  reset = (int (*)(struct z_stream *))dlsym(zlib, "inflateReset");
  finish = (int (*)(struct z_stream *))dlsym(zlib, "inflateEnd");
  version = (const char *(*)(void))dlsym(zlib, "zlibVersion");
  available = init && step && reset && finish && version;
}

bool ccurl_can_inflate(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look_up);
  return available;
}

struct ccurl_inflater {
  struct z_stream stream;
};

ccurl_inflater *ccurl_inflater_make(bool has_header) {
  if (!ccurl_can_inflate()) return NULL;
  ccurl_inflater *inflater = calloc(1, sizeof *inflater);
  if (!inflater) return NULL;
  // 32 accepts the headers of gzip and zlib; a negative size means a raw stream.
  if (init(&inflater->stream, has_header ? 15 + 32 : -15, version(), sizeof inflater->stream)) {
    free(inflater);
    return NULL;
  }
  return inflater;
}

void ccurl_inflater_free(ccurl_inflater *inflater) {
  if (!inflater) return;
  finish(&inflater->stream);
  free(inflater);
}

ccurl_inflated ccurl_inflate(ccurl_inflater *inflater, const void *input, size_t available_input,
                             void *output, size_t room) {
  struct z_stream *stream = &inflater->stream;
  stream->next_in = input;
  stream->avail_in = (unsigned)available_input;
  stream->next_out = output;
  stream->avail_out = (unsigned)room;
  int code = step(stream, 0);
  ccurl_inflated result = {available_input - stream->avail_in, room - stream->avail_out,
                           CCURL_INFLATE_MORE};
  if (code == 1) {  // Z_STREAM_END; another member may follow
    result.state = CCURL_INFLATE_ENDED;
    reset(stream);
  } else if (code != 0 && code != -5) {  // neither Z_OK nor Z_BUF_ERROR
    result.state = CCURL_INFLATE_BROKEN;
  }
  return result;
}
#endif
