#include "parsers.h"

#include <stdatomic.h>

// A parser holds about 15 bytes for each byte of the largest text that it was allocated for.
enum { most_idle = 8, largest_idle = 4 << 20 };

static _Atomic(csimdjson_parser *) idle[2][most_idle];

// The last one that was kept is taken first, as it is most likely large enough. So one is taken from the highest place
// that has one, and kept at the lowest that has none.
csimdjson_parser *cjson_take_idle(bool is_portable) {
  for (int place = most_idle; place-- > 0;) {
    _Atomic(csimdjson_parser *) *kept = &idle[is_portable][place];
    if (atomic_load_explicit(kept, memory_order_relaxed) == NULL) { continue; }
    csimdjson_parser *parser = atomic_exchange_explicit(kept, NULL, memory_order_acquire);
    if (parser != NULL) { return parser; }
  }
  return NULL;
}

bool cjson_keep_idle(csimdjson_parser *parser) {
  if (parser->capacity > largest_idle) { return false; }
  for (int place = 0; place < most_idle; place++) {
    csimdjson_parser *none = NULL;
    if (atomic_compare_exchange_strong_explicit(
            &idle[parser->is_portable][place], &none, parser, memory_order_release, memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

// Pages of one list differ slightly in size; powers of two avoid reallocations.
size_t cjson_capacity(size_t count) {
  size_t capacity = 1024;
  while (capacity < count) {
    if (capacity > UINT32_MAX / 2) { return count; }
    capacity *= 2;
  }
  return capacity;
}
