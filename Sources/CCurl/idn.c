#include "CCurl.h"

#ifdef QUIRE_HAS_CURL

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

// libidn2 is installed with a libcurl that supports internationalized names, but without its header. So its two
// functions are looked up; both have been stable since libidn2 2.0.

static int (*look_up_name)(const uint8_t *, uint8_t **, int);
static void (*release)(void *);

static void look_up(void) {
  void *idn = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!idn) return;
  release = (void (*)(void *))dlsym(idn, "idn2_free");
  if (release) {
    look_up_name = (int (*)(const uint8_t *, uint8_t **, int))dlsym(idn, "idn2_lookup_u8");
  }
}

ccurl_ace_result ccurl_ace(const char *name, char *ace, size_t room) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, look_up);
  if (!look_up_name) return CCURL_ACE_UNAVAILABLE;
  const int nfc_input = 1, nontransitional = 8;
  uint8_t *found = NULL;
  if (look_up_name((const uint8_t *)name, &found, nfc_input | nontransitional) != 0) {
    return CCURL_ACE_INVALID;
  }
  size_t length = strlen((const char *)found);
  bool fits = length < room;
  if (fits) memcpy(ace, found, length + 1);
  release(found);
  return fits ? CCURL_ACE_FOUND : CCURL_ACE_INVALID;
}
#endif
