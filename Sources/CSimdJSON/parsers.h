#ifndef QUIRE_PARSERS_H
#define QUIRE_PARSERS_H

// What both parsers have in common: idle ones are kept, with their memory.

#include "CSimdJSON.h"

#ifdef __cplusplus
extern "C" {
#endif

struct csimdjson_parser {
  bool is_portable;
  /// The largest text that the memory is enough for.
  size_t capacity;
};

/// Returns an idle parser of this kind, or null if there is none.
csimdjson_parser *_Nullable cjson_take_idle(bool is_portable);

/// Keeps a parser until it is taken. Returns false if it is of unusual size, or enough are kept; the caller then frees
/// it.
bool cjson_keep_idle(csimdjson_parser *_Nonnull parser);

/// Returns the capacity for a text of this size.
size_t cjson_capacity(size_t count);

void cjson_release(csimdjson_parser *_Nonnull parser);

#ifdef __cplusplus
}
#endif

#endif
