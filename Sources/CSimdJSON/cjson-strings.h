#ifndef QUIRE_CJSON_STRINGS_H
#define QUIRE_CJSON_STRINGS_H

// Strings: their bytes are checked, escapes are replaced, and the result is copied, eight bytes at a time.

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Eight bytes are compared as one number, the first of them in its lowest bits."
#endif

// The walk over a text keeps its state in registers only if all of it is one function.
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline uint64_t load64(const uint8_t *from) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

static inline uint32_t load32(const uint8_t *from) {
  uint32_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

static inline void store64(uint8_t *to, uint64_t word) { memcpy(to, &word, sizeof word); }

static inline void store32(uint8_t *to, uint32_t word) { memcpy(to, &word, sizeof word); }

// The number of bytes before the lowest bit that is set.
static inline unsigned bytes_before(uint64_t bits) { return (unsigned)__builtin_ctzll(bits) >> 3; }

// The top bit of each byte that can't just be copied: a quote, a backslash, a control character, or one that isn't
// ASCII. A subtraction may borrow from the byte above, so only the lowest of these bits is sure.
static inline uint64_t special_bytes(uint64_t word) {
  // Flipping this bit puts the quote next to the control characters, and moves nothing else there.
  uint64_t quote_or_control = (word ^ EACH_BYTE(0x02)) - EACH_BYTE(0x21);
  uint64_t backslash = (word ^ EACH_BYTE('\\')) - EACH_BYTE(0x01);
  return (quote_or_control | backslash | word) & EACH_BYTE(0x80);
}

// Reads four hexadecimal digits. Returns more than 0xFFFF if they are none.
static inline uint32_t hexadecimal(const uint8_t *at) {
  uint32_t value = 0;
  for (int place = 0; place < 4; place++) {
    uint32_t digit = at[place] - (uint32_t)'0';
    if (digit > 9) {
      digit = (at[place] | 0x20u) - 'a';
      if (digit > 5) { return UINT32_MAX; }
      digit += 10;
    }
    value = value << 4 | digit;
  }
  return value;
}

// Writes a character in UTF-8 and returns where the next one goes.
static inline uint8_t *write_character(uint8_t *to, uint32_t character) {
  if (character < 0x80) {
    *to++ = (uint8_t)character;
  } else if (character < 0x800) {
    *to++ = (uint8_t)(0xC0 | character >> 6);
    *to++ = (uint8_t)(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    *to++ = (uint8_t)(0xE0 | character >> 12);
    *to++ = (uint8_t)(0x80 | (character >> 6 & 0x3F));
    *to++ = (uint8_t)(0x80 | (character & 0x3F));
  } else {
    *to++ = (uint8_t)(0xF0 | character >> 18);
    *to++ = (uint8_t)(0x80 | (character >> 12 & 0x3F));
    *to++ = (uint8_t)(0x80 | (character >> 6 & 0x3F));
    *to++ = (uint8_t)(0x80 | (character & 0x3F));
  }
  return to;
}

// Where to go on in a text and in the copy of a string. `from` is null if the text is malformed.
typedef struct {
  const uint8_t *from;
  uint8_t *to;
} string_place;

// Reads the escape at a backslash. Half of a character is malformed.
static string_place read_escape(const uint8_t *from, uint8_t *to) {
  string_place malformed = {NULL, to};
  switch (from[1]) {
  case '"': case '\\': case '/': *to++ = from[1]; break;
  case 'b': *to++ = '\b'; break;
  case 'f': *to++ = '\f'; break;
  case 'n': *to++ = '\n'; break;
  case 'r': *to++ = '\r'; break;
  case 't': *to++ = '\t'; break;
  case 'u': {
    uint32_t character = hexadecimal(from + 2);
    from += 6;
    if (character > 0xFFFF || (character & 0xFC00) == 0xDC00) { return malformed; }
    if ((character & 0xFC00) == 0xD800) {
      uint32_t second = from[0] == '\\' && from[1] == 'u' ? hexadecimal(from + 2) : 0;
      if ((second & 0xFFFFFC00) != 0xDC00) { return malformed; }
      from += 6;
      character = 0x10000 + ((character & 0x3FF) << 10 | (second & 0x3FF));
    }
    return (string_place){from, write_character(to, character)};
  }
  default: return malformed;
  }
  return (string_place){from + 2, to};
}

// The length of the character at these bytes, which isn't ASCII; 0 if they are not UTF-8. In a word, the first byte
// is the lowest.
static inline unsigned character_length(uint32_t word) {
  if ((word & 0x00C0C0F0) == 0x008080E0) {
    // Neither one that fits into two bytes nor half of a character.
    uint32_t range = word & 0x0000200F;
    return range != 0 && range != 0x0000200D ? 3 : 0;
  }
  if ((word & 0x0000C0E0) == 0x000080C0) { return (word & 0x1E) != 0 ? 2 : 0; }
  if ((word & 0xC0C0C0F8) == 0x808080F0) {
    // Neither one that fits into three bytes nor one above U+10FFFF.
    uint32_t range = (word & 0x07) << 2 | (word >> 12 & 0x03);
    return range != 0 && range <= 0x10 ? 4 : 0;
  }
  return 0;
}

// Copies a string from the byte after its opening quote, and up to eight bytes behind it. Returns the byte after its
// closing quote, and the end of the copy. A string that doesn't end before `end` is malformed.
ALWAYS_INLINE string_place copy_string(const uint8_t *from, const uint8_t *end, uint8_t *to) {
  string_place malformed = {NULL, to};
  while (from < end) {
    uint64_t word = load64(from);
    store64(to, word);
    uint64_t special = special_bytes(word);
    if (special == 0) {
      from += 8;
      to += 8;
      continue;
    }
    unsigned count = bytes_before(special);
    from += count;
    to += count;
    if (*from == '"') { return (string_place){from + 1, to}; }
    if (*from == '\\') {
      string_place next = read_escape(from, to);
      if (next.from == NULL) { return malformed; }
      from = next.from;
      to = next.to;
      continue;
    }
    if (*from < 0x80) { return malformed; }
    do {
      uint32_t bytes = load32(from);
      unsigned length = character_length(bytes);
      if (length == 0) { return malformed; }
      store32(to, bytes);
      from += length;
      to += length;
    } while (*from >= 0x80 && from < end);
  }
  return malformed;
}

#endif
