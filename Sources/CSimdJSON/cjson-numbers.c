#include "cjson-numbers.h"

// A natural number of any size, the lowest bits first. The longest has 800 digits, or the 66 bits that have to be left
// of it after a division by a power of five.
typedef struct {
  unsigned count;
  uint32_t words[96];
} natural;

// No more digits than these can decide between two doubles, besides whether there are others.
enum { most_digits = 800 };
// The largest power of five in a word.
enum { five_power = 13, five_value = 1220703125 };

// Those of 64 bits.
static const uint64_t powers_of_five[28] = {
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125,
    UINT64_C(6103515625), UINT64_C(30517578125), UINT64_C(152587890625), UINT64_C(762939453125),
    UINT64_C(3814697265625), UINT64_C(19073486328125), UINT64_C(95367431640625), UINT64_C(476837158203125),
    UINT64_C(2384185791015625), UINT64_C(11920928955078125), UINT64_C(59604644775390625),
    UINT64_C(298023223876953125), UINT64_C(1490116119384765625), UINT64_C(7450580596923828125),
};

static void multiply(natural *number, uint32_t factor, uint32_t summand) {
  uint64_t carry = summand;
  for (unsigned place = 0; place < number->count; place++) {
    carry += (uint64_t)number->words[place] * factor;
    number->words[place] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry != 0) { number->words[number->count++] = (uint32_t)carry; }
}

// Returns whether there is a remainder.
static bool divide(natural *number, uint32_t divisor) {
  uint64_t remainder = 0;
  for (unsigned place = number->count; place-- > 0;) {
    remainder = remainder << 32 | number->words[place];
    number->words[place] = (uint32_t)(remainder / divisor);
    remainder %= divisor;
  }
  while (number->count > 0 && number->words[number->count - 1] == 0) { number->count--; }
  return remainder != 0;
}

// Multiplies by 2³² so many times.
static void shift(natural *number, unsigned words) {
  memmove(number->words + words, number->words, number->count * sizeof number->words[0]);
  memset(number->words, 0, words * sizeof number->words[0]);
  number->count += words;
}

// Digits and what they are multiplied with, a power of ten. `rest` is set if there are smaller digits.
typedef struct {
  natural digits;
  int64_t count;
  int64_t exponent;
  bool rest;
} decimal;

static int64_t read_exponent(const uint8_t *at, const uint8_t *end) {
  bool is_negative = *at == '-';
  int64_t exponent = 0;
  for (at += *at == '-' || *at == '+'; at < end; at++) {
    // No text is long enough to bring a larger one back into range.
    if (exponent < INT64_C(1) << 40) { exponent = exponent * 10 + (*at - '0'); }
  }
  return is_negative ? -exponent : exponent;
}

static void read_decimal(decimal *number, const uint8_t *at, const uint8_t *end) {
  bool is_fraction = false;
  uint32_t part = 0, scale = 1;
  for (; at < end && (*at | 0x20) != 'e'; at++) {
    if (*at == '.') {
      is_fraction = true;
      continue;
    }
    uint32_t digit = *at - (uint32_t)'0';
    if (number->count == most_digits) {
      number->rest |= digit != 0;
      number->exponent += !is_fraction;
      continue;
    }
    number->exponent -= is_fraction;
    // Zeros before the first digit.
    if (number->count == 0 && digit == 0) { continue; }
    number->count++;
    part = part * 10 + digit;
    scale *= 10;
    if (scale == 1000000000) {
      multiply(&number->digits, scale, part);
      part = 0;
      scale = 1;
    }
  }
  multiply(&number->digits, scale, part);
  if (at < end) { number->exponent += read_exponent(at + 1, end); }
}

// Replaces the power of ten by one of two. At least 64 bits are left.
static void scale_to_binary(decimal *number) {
  natural *digits = &number->digits;
  int64_t factors = number->exponent;
  for (; factors >= five_power; factors -= five_power) { multiply(digits, five_value, 0); }
  if (factors > 0) { multiply(digits, (uint32_t)powers_of_five[factors], 0); }
  int64_t divisors = number->exponent < 0 ? -number->exponent : 0;
  // A power of five has less than 2.3220 bits for each of its factors.
  int64_t missing = 66 + divisors * 23220 / 10000 - 32 * ((int64_t)digits->count - 1);
  unsigned words = missing > 0 ? (unsigned)(missing + 31) / 32 : 0;
  shift(digits, words);
  number->exponent -= 32 * (int64_t)words;
  for (; divisors >= five_power; divisors -= five_power) { number->rest |= divide(digits, five_value); }
  if (divisors > 0) { number->rest |= divide(digits, (uint32_t)powers_of_five[divisors]); }
}

// Rounds 64 bits to 53, or to less for the smallest numbers. `exponent` is that of the highest bit, which is set, and
// `rest` says whether there are others below.
static uint64_t rounded(uint64_t bits, int64_t exponent, bool rest) {
  if (exponent > 1023) { return INFINITE_DOUBLE; }
  int64_t dropped = exponent >= -1022 ? 11 : 11 - 1022 - exponent;
  if (dropped > 64) { return 0; }
  uint64_t kept = dropped == 64 ? 0 : bits >> dropped;
  uint64_t half = bits >> (dropped - 1) & 1;
  rest |= bits << (65 - dropped) != 0;
  kept += half & (rest | (kept & 1));
  // A carry out of the fraction adds one to the exponent. Without the first bit, the exponent is the lowest.
  return exponent >= -1022 ? ((uint64_t)(exponent + 1022) << 52) + kept : kept;
}

uint64_t cjson_nearest_double(const uint8_t *start, const uint8_t *end) {
  decimal number = {.count = 0};
  read_decimal(&number, start, end);
  if (number.count == 0) { return 0; }
  // The number is less than this power of ten, and at least a tenth of it.
  int64_t size = number.count + number.exponent;
  if (size > 310) { return INFINITE_DOUBLE; }
  if (size < -330) { return 0; }
  scale_to_binary(&number);
  natural *digits = &number.digits;
  unsigned zeros = (unsigned)__builtin_clz(digits->words[digits->count - 1]);
  multiply(digits, UINT32_C(1) << zeros, 0);
  uint64_t bits = (uint64_t)digits->words[digits->count - 1] << 32 | digits->words[digits->count - 2];
  bool rest = number.rest;
  for (unsigned place = 0; place + 2 < digits->count; place++) { rest |= digits->words[place] != 0; }
  return rounded(bits, number.exponent + 32 * (int64_t)digits->count - 1 - zeros, rest);
}

uint64_t cjson_nearest_quotient(uint64_t value, int power) {
  uint64_t divisor = powers_of_five[power];
  int zeros = __builtin_clzll(value), more_zeros = __builtin_clzll(divisor);
  value <<= zeros;
  divisor <<= more_zeros;
  // Divides the value times 2⁶³ by hand, with two digits of 32 bits.
  uint64_t high = divisor >> 32, low = (uint32_t)divisor;
  uint64_t rest = value >> 1, next = (value & 1) << 31, quotient = 0;
  for (int place = 0; place < 2; place++) {
    // The digit by the high half of the divisor is too large by at most two.
    uint64_t digit = rest / high, left = rest % high;
    while (digit > UINT32_MAX || digit * low > (left << 32 | next)) {
      digit--;
      left += high;
      if (left > UINT32_MAX) { break; }
    }
    rest = (rest << 32 | next) - digit * divisor;
    quotient = quotient << 32 | digit;
    next = 0;
  }
  int missing = __builtin_clzll(quotient);
  return rounded(quotient << missing, more_zeros - zeros - missing - power, rest != 0);
}

static const uint8_t *skip_digits(const uint8_t *at, const uint8_t *end) {
  while (at < end && *at - (unsigned)'0' <= 9) { at++; }
  return at;
}

const uint8_t *cjson_read_long_number(const uint8_t *start, const uint8_t *end, uint64_t *words) {
  bool is_negative = *start == '-';
  const uint8_t *digits = start + is_negative;
  const uint8_t *at = skip_digits(digits, end);
  if (at == digits || (*digits == '0' && at - digits > 1)) { return NULL; }
  bool is_integer = true;
  if (at < end && *at == '.') {
    is_integer = false;
    const uint8_t *decimals = ++at;
    at = skip_digits(at, end);
    if (at == decimals) { return NULL; }
  }
  if (at < end && (*at | 0x20) == 'e') {
    is_integer = false;
    at++;
    at += at < end && (*at == '-' || *at == '+');
    const uint8_t *places = at;
    at = skip_digits(at, end);
    if (at == places) { return NULL; }
  }
  if (!is_integer) { return write_double(words, cjson_nearest_double(digits, at), is_negative) ? at : NULL; }
  uint64_t value = 0;
  for (const uint8_t *digit = digits; digit < at; digit++) {
    if (__builtin_mul_overflow(value, 10, &value)) { return NULL; }
    if (__builtin_add_overflow(value, *digit - '0', &value)) { return NULL; }
  }
  return write_integer(words, value, is_negative) ? at : NULL;
}
