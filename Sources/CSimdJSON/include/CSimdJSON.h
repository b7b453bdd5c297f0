#ifndef QUIRE_CSIMDJSON_H
#define QUIRE_CSIMDJSON_H

// The document parser of simdjson in C: bytes in, tape out. The tape is walked where it lies, so a
// value costs no call over this border.

// Types of the system belong to the system's module, not to this one.
#if defined(__linux__) && defined(__clang__) && __building_module(CSimdJSON)
#pragma clang module import SwiftGlibc
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// So many readable bytes must follow the text.
#define CSIMDJSON_PADDING 64
/// Documents nested deeper than this are refused. An empty array or object is no level.
#define CSIMDJSON_MAXIMUM_DEPTH 1024

typedef struct csimdjson_parser csimdjson_parser;

typedef enum {
  csimdjson_ok = 0,
  csimdjson_malformed,
  csimdjson_out_of_memory,
  csimdjson_too_large,
  csimdjson_too_deep,
} csimdjson_status;

typedef struct {
  csimdjson_status status;
  /// Owns everything below; null unless the status is ok. Give it back with `csimdjson_release`.
  csimdjson_parser *_Nullable parser;
  /// 64-bit words: a type in the top byte, a payload below.
  uint64_t *_Nullable tape;
  /// At least three: the words around a value of one word.
  size_t tape_count;
  /// Per string a length of four bytes, the bytes, and a NUL.
  const uint8_t *_Nullable strings;
  /// Where in the text each bracket, colon, comma and scalar begins, in order.
  const uint32_t *_Nullable structurals;
  size_t structural_count;
} csimdjson_result;

/// Parses `count` bytes, after which `CSIMDJSON_PADDING` more can be read. Nothing of the result
/// points into the text.
csimdjson_result csimdjson_parse(const uint8_t *_Nonnull text, size_t count);

/// Ends the life of a result and keeps its memory for the next parse.
void csimdjson_release(csimdjson_parser *_Nonnull parser);

#ifdef __cplusplus
}
#endif

#endif
