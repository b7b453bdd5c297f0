#include "cjson-numbers.h"
#include "parsers.h"

#include <stdlib.h>

// A parser in plain C, for systems without simdjson. One pass over the text writes what simdjson writes: tape, strings
// and structural characters.
//
// Each loop ends at the end of the text. The end of a token or the token after it may be read from the padding, but a
// text that is read past its end is refused.

typedef struct {
  csimdjson_parser base;
  uint64_t *tape;
  uint8_t *strings;
  uint32_t *structurals;
} cjson_parser;

static void free_memory(cjson_parser *parser) {
  free(parser->tape);
  free(parser->strings);
  free(parser->structurals);
}

// Makes room for texts of this size.
static bool reserve(cjson_parser *parser, size_t count) {
  if (parser->base.capacity > 0 && parser->base.capacity >= count) { return true; }
  free_memory(parser);
  size_t capacity = cjson_capacity(count);
  size_t words = capacity + 8;
  bool fits = words <= SIZE_MAX / sizeof(uint64_t);
  // At most one word and one structural character for each byte, as in `[1,1]`, and a few around them.
  parser->tape = fits ? malloc(words * sizeof(uint64_t)) : NULL;
  parser->structurals = fits ? malloc(words * sizeof(uint32_t)) : NULL;
  // Three bytes, as in `"",`, become five. The copy of the last string writes further.
  parser->strings = malloc(capacity / 3 * 5 + 64);
  bool is_whole = parser->tape != NULL && parser->structurals != NULL && parser->strings != NULL;
  parser->base.capacity = is_whole ? capacity : 0;
  return is_whole;
}

// Where the parser is in the text and in what it writes.
typedef struct {
  const uint8_t *text, *at, *end;
  uint64_t *tape, *word;
  uint8_t *strings, *string;
  uint32_t *structural;
  // The innermost open container: its first word, the byte that closes it, and the number of its elements or members.
  // While it is open, its first word has these three of the container around it.
  uint64_t *container;
  uint8_t closer;
  uint32_t count;
  unsigned depth;
} walk;

enum { largest_count = 0xFFFFFF };

static inline uint64_t tape_word(uint8_t tag, uint64_t payload) { return (uint64_t)tag << 56 | payload; }

ALWAYS_INLINE void note_structural(walk *walk) { *walk->structural++ = (uint32_t)(walk->at - walk->text); }

static inline bool is_blank(uint8_t byte) {
  return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

static const uint8_t *skip_many_blanks(const uint8_t *at, const uint8_t *end) {
  while (at < end) {
    if (load64(at) == EACH_BYTE(' ')) {
      at += 8;
    } else if (is_blank(*at)) {
      at++;
    } else {
      break;
    }
  }
  return at;
}

ALWAYS_INLINE void skip_blanks(walk *walk) {
  if (*walk->at > ' ') { return; }
  // One space after a comma or a colon.
  if (*walk->at == ' ' && walk->at[1] > ' ') {
    walk->at++;
  } else {
    walk->at = skip_many_blanks(walk->at, walk->end);
  }
}

ALWAYS_INLINE bool read_string(walk *walk) {
  note_structural(walk);
  *walk->word++ = tape_word('"', (uint64_t)(walk->string - walk->strings));
  uint8_t *bytes = walk->string + 4;
  string_place next = copy_string(walk->at + 1, walk->end, bytes);
  if (next.from == NULL) { return false; }
  walk->at = next.from;
  store32(walk->string, (uint32_t)(next.to - bytes));
  *next.to = 0;
  walk->string = next.to + 1;
  return true;
}

// Reads a value that starts with no other known byte.
ALWAYS_INLINE bool read_number(walk *walk) {
  note_structural(walk);
  // Only a number that is the whole document can end where the text ends.
  walk->at = walk->closer == 0 ? cjson_read_long_number(walk->at, walk->end, walk->word)
                               : read_short_number(walk->at, walk->end, walk->word);
  walk->word += 2;
  return walk->at != NULL;
}

ALWAYS_INLINE bool read_literal(walk *walk, const char *literal, unsigned length) {
  note_structural(walk);
  *walk->word++ = tape_word(*walk->at, 0);
  bool is_equal = memcmp(walk->at, literal, length) == 0;
  walk->at += length;
  return is_equal;
}

// Reads an opening bracket, and the one that closes it if there is nothing in between. Returns whether that is so.
ALWAYS_INLINE bool open_container(walk *walk) {
  note_structural(walk);
  // The closing bracket of each kind is the byte after the next.
  uint8_t opener = *walk->at++, closer = opener + 2;
  skip_blanks(walk);
  uint64_t index = (uint64_t)(walk->word - walk->tape);
  if (*walk->at == closer) {
    note_structural(walk);
    walk->at++;
    *walk->word++ = tape_word(opener, index + 2);
    *walk->word++ = tape_word(closer, index);
    return true;
  }
  uint32_t count = walk->count < largest_count ? walk->count : largest_count;
  *walk->word = tape_word(walk->closer, (uint64_t)count << 32 | (uint64_t)(walk->container - walk->tape));
  walk->container = walk->word++;
  walk->closer = closer;
  walk->count = 1;
  walk->depth++;
  return false;
}

ALWAYS_INLINE void close_container(walk *walk) {
  walk->at++;
  uint64_t outer = *walk->container;
  uint32_t count = walk->count < largest_count ? walk->count : largest_count;
  *walk->word++ = tape_word(walk->closer, (uint64_t)(walk->container - walk->tape));
  *walk->container =
      tape_word(walk->closer - 2, (uint64_t)count << 32 | (uint64_t)(walk->word - walk->tape));
  walk->container = walk->tape + (uint32_t)outer;
  walk->closer = (uint8_t)(outer >> 56);
  walk->count = (uint32_t)(outer >> 32) & largest_count;
  walk->depth--;
}

static csimdjson_status read_document(walk *walk) {
  skip_blanks(walk);
value:
  if (walk->at >= walk->end) { return csimdjson_malformed; }
  switch (*walk->at) {
  case '"':
    if (!read_string(walk)) { return csimdjson_malformed; }
    break;
  case '{':
    if (open_container(walk)) { break; }
    if (walk->depth > CSIMDJSON_MAXIMUM_DEPTH) { return csimdjson_too_deep; }
    goto name;
  case '[':
    if (open_container(walk)) { break; }
    if (walk->depth > CSIMDJSON_MAXIMUM_DEPTH) { return csimdjson_too_deep; }
    goto value;
  case 't':
    if (!read_literal(walk, "true", 4)) { return csimdjson_malformed; }
    break;
  case 'f':
    if (!read_literal(walk, "false", 5)) { return csimdjson_malformed; }
    break;
  case 'n':
    if (!read_literal(walk, "null", 4)) { return csimdjson_malformed; }
    break;
  default:
    if (!read_number(walk)) { return csimdjson_malformed; }
  }
  while (walk->closer != 0) {
    skip_blanks(walk);
    note_structural(walk);
    if (*walk->at == ',') {
      walk->at++;
      walk->count++;
      skip_blanks(walk);
      if (walk->closer == ']') { goto value; }
      goto name;
    }
    if (*walk->at != walk->closer || walk->at >= walk->end) { return csimdjson_malformed; }
    close_container(walk);
  }
  bool is_complete = walk->at <= walk->end && skip_many_blanks(walk->at, walk->end) >= walk->end;
  return is_complete ? csimdjson_ok : csimdjson_malformed;
name:
  if (*walk->at != '"' || !read_string(walk)) { return csimdjson_malformed; }
  skip_blanks(walk);
  if (*walk->at != ':') { return csimdjson_malformed; }
  note_structural(walk);
  walk->at++;
  skip_blanks(walk);
  goto value;
}

static csimdjson_parser *take_parser(void) {
  csimdjson_parser *idle = cjson_take_idle(true);
  if (idle != NULL) { return idle; }
  cjson_parser *parser = calloc(1, sizeof(cjson_parser));
  if (parser == NULL) { return NULL; }
  parser->base.is_portable = true;
  return &parser->base;
}

csimdjson_result cjson_parse(const uint8_t *text, size_t count) {
  csimdjson_result result = {.status = csimdjson_out_of_memory};
  cjson_parser *parser = (cjson_parser *)take_parser();
  if (parser == NULL) { return result; }
  if ((uint64_t)count > UINT32_MAX) {
    result.status = csimdjson_too_large;
  } else if (reserve(parser, count)) {
    walk walk = {
        .text = text, .at = text, .end = text + count, .tape = parser->tape, .word = parser->tape + 1,
        .strings = parser->strings, .string = parser->strings, .structural = parser->structurals,
        .container = parser->tape,
    };
    result.status = read_document(&walk);
    if (result.status == csimdjson_ok) {
      *walk.word++ = tape_word('r', 0);
      result.parser = &parser->base;
      result.tape = parser->tape;
      result.tape_count = (size_t)(walk.word - walk.tape);
      result.tape[0] = tape_word('r', result.tape_count);
      result.strings = parser->strings;
      result.structurals = parser->structurals;
      result.structural_count = (size_t)(walk.structural - parser->structurals);
      return result;
    }
  }
  cjson_release(&parser->base);
  return result;
}

void cjson_release(csimdjson_parser *parser) {
  if (cjson_keep_idle(parser)) { return; }
  free_memory((cjson_parser *)parser);
  free(parser);
}
