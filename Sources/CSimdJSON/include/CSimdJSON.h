#ifndef QUIRE_CSIMDJSON_H
#define QUIRE_CSIMDJSON_H

// JSON parsers with one C interface: bytes in, tape out. The tape is read in place, so reading a value needs no call.
// simdjson is used where the package is built with it, else a parser in plain C that gives the same results.

// The system's types belong to the system's module, not to this one. Other C libraries have no such module.
#if __has_include(<features.h>)
#include <features.h>
#endif
#if defined(__GLIBC__) && defined(__clang__) && __building_module(CSimdJSON)
#pragma clang module import SwiftGlibc
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number of readable bytes that must follow the text.
#define CSIMDJSON_PADDING 64
/// Documents nested deeper than this are rejected. An empty array or object is not a level.
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
  /// Owns everything below; null unless the status is ok. Release it with `csimdjson_release`.
  csimdjson_parser *_Nullable parser;
  /// 64-bit words: a type in the top byte, a payload below.
  uint64_t *_Nullable tape;
  /// At least three, for a value of one word.
  size_t tape_count;
  /// For each string a length of four bytes, the bytes, and a NUL.
  const uint8_t *_Nullable strings;
  /// The position in the text of each bracket, colon, comma and scalar, in order.
  const uint32_t *_Nullable structurals;
  size_t structural_count;
} csimdjson_result;

/// Parses `count` bytes, which must be followed by `CSIMDJSON_PADDING` readable bytes. The result
/// doesn't point into the text.
///
/// simdjson parses where it is built in, unless `QUIRE_PARSER=portable` is set in the environment.
csimdjson_result csimdjson_parse(const uint8_t *_Nonnull text, size_t count);

/// Whether simdjson is built in.
bool csimdjson_has_simdjson(void);

/// Makes `csimdjson_parse` use the parser in C from now on, or simdjson.
void csimdjson_prefer_portable(bool portable);

/// Parses as `csimdjson_parse` does, always with simdjson if it is built in.
csimdjson_result csimdjson_parse_with_simdjson(const uint8_t *_Nonnull text, size_t count);

/// Parses as `csimdjson_parse` does, always with the parser in C.
csimdjson_result cjson_parse(const uint8_t *_Nonnull text, size_t count);

/// Releases a result of any of them and keeps its memory for the next parse.
void csimdjson_release(csimdjson_parser *_Nonnull parser);

#ifdef __cplusplus
}
#endif

#endif
