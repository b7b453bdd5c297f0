#ifndef QUIRE_CJSON_NUMBERS_H
#define QUIRE_CJSON_NUMBERS_H

// Numbers: digits are read eight at a time. An integer keeps its 64 bits, and any other number becomes the nearest
// `double`.

#include "cjson-strings.h"

#include <float.h>

// Converts the number between two bytes, whose form has been checked, without its sign. Returns the bits of the nearest
// double, the even one of two; infinity if it is too large.
uint64_t cjson_nearest_double(const uint8_t *start, const uint8_t *end);

// Returns the bits of the double nearest to a number, which isn't 0, divided by a power of ten up to the 27th.
uint64_t cjson_nearest_quotient(uint64_t value, int power);

#define INFINITE_DOUBLE UINT64_C(0x7FF0000000000000)

static const uint64_t integer_powers[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

static const double exact_powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Reads digits, and appends them to a value, modulo 2⁶⁴. Stops after 24, where no value fits; the rest has to be read
// elsewhere. Returns how many were read.
ALWAYS_INLINE unsigned read_digits(const uint8_t **from, uint64_t *value) {
  unsigned count = 0;
  while (count < 24) {
    uint64_t word = load64(*from) ^ EACH_BYTE('0');
    // The top bit of each byte above nine. An addition may carry into the byte above, so only the lowest is sure.
    uint64_t others = ((word + EACH_BYTE(0x76)) | word) & EACH_BYTE(0x80);
    unsigned found = others == 0 ? 8 : bytes_before(others);
    if (found == 0) { break; }
    // Zeros before the first digit, which is in the lowest byte.
    word <<= 64 - 8 * found;
    word = (word * (1 + (10 << 8))) >> 8 & UINT64_C(0x00FF00FF00FF00FF);
    word = (word * (1 + (100 << 16))) >> 16 & UINT64_C(0x0000FFFF0000FFFF);
    word = (word * (1 + (UINT64_C(10000) << 32))) >> 32;
    *value = *value * integer_powers[found] + word;
    *from += found;
    count += found;
    if (found < 8) { break; }
  }
  return count;
}

// Writes an integer to the two words of a number on the tape. Returns whether it has at most 64 bits.
ALWAYS_INLINE bool write_integer(uint64_t *words, uint64_t value, bool is_negative) {
  bool is_signed = value <= (uint64_t)INT64_MAX + is_negative;
  words[0] = (uint64_t)(is_signed ? 'l' : 'u') << 56;
  words[1] = is_negative ? -value : value;
  return is_signed || !is_negative;
}

// Writes a number that isn't an integer. Returns whether it is finite.
ALWAYS_INLINE bool write_double(uint64_t *words, uint64_t bits, bool is_negative) {
  words[0] = (uint64_t)'d' << 56;
  words[1] = bits | (uint64_t)is_negative << 63;
  return bits < INFINITE_DOUBLE;
}

// Reads a number of any length and writes its two words. Returns the byte after it, or null if it is malformed or out
// of range.
const uint8_t *cjson_read_long_number(const uint8_t *start, const uint8_t *end, uint64_t *words);

// The same, if something else follows the number before `end`.
ALWAYS_INLINE const uint8_t *read_short_number(const uint8_t *start, const uint8_t *end, uint64_t *words) {
  bool is_negative = *start == '-';
  const uint8_t *at = start + is_negative;
  const uint8_t *digits = at;
  uint64_t value = 0;
  unsigned count = read_digits(&at, &value);
  if (count == 0 || (*digits == '0' && count > 1)) { return NULL; }
  // With more digits, the value may not fit.
  if (count > 19) { return cjson_read_long_number(start, end, words); }
  if (*at != '.' && (*at | 0x20) != 'e') { return write_integer(words, value, is_negative) ? at : NULL; }
  int exponent = 0;
  if (*at == '.') {
    at++;
    unsigned decimals = read_digits(&at, &value);
    if (decimals == 0) { return NULL; }
    if (count + decimals > 19) { return cjson_read_long_number(start, end, words); }
    exponent = -(int)decimals;
  }
  if ((*at | 0x20) == 'e') {
    at++;
    bool is_below = *at == '-';
    at += *at == '-' || *at == '+';
    uint64_t power = 0;
    unsigned places = read_digits(&at, &power);
    if (places == 0) { return NULL; }
    if (places > 4) { return cjson_read_long_number(start, end, words); }
    exponent += is_below ? -(int)power : (int)power;
  }
  uint64_t bits;
  if (FLT_EVAL_METHOD == 0 && value <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22) {
    // Both factors are exact, so one rounding gives the nearest double.
    double exact = (double)value;
    exact = exponent < 0 ? exact / exact_powers[-exponent] : exact * exact_powers[exponent];
    memcpy(&bits, &exact, sizeof bits);
  } else if (value != 0 && exponent < 0 && exponent >= -27) {
    bits = cjson_nearest_quotient(value, -exponent);
  } else {
    bits = cjson_nearest_double(digits, at);
  }
  return write_double(words, bits, is_negative) ? at : NULL;
}

#endif
