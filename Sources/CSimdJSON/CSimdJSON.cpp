#include "CSimdJSON.h"

#include <simdjson.h>

#include <mutex>
#include <new>

static_assert(CSIMDJSON_PADDING >= simdjson::SIMDJSON_PADDING, "simdjson reads further");

// The tape is read in Swift, which declares these values again.
constexpr bool is(simdjson::internal::tape_type type, char tag) { return char(type) == tag; }
using tape_type = simdjson::internal::tape_type;
static_assert(
    is(tape_type::START_OBJECT, '{') && is(tape_type::END_OBJECT, '}')
        && is(tape_type::START_ARRAY, '[') && is(tape_type::END_ARRAY, ']')
        && is(tape_type::STRING, '"') && is(tape_type::INT64, 'l') && is(tape_type::UINT64, 'u')
        && is(tape_type::DOUBLE, 'd') && is(tape_type::TRUE_VALUE, 't')
        && is(tape_type::FALSE_VALUE, 'f') && is(tape_type::NULL_VALUE, 'n')
        && simdjson::internal::JSON_VALUE_MASK == 0x00FFFFFFFFFFFFFF
        && simdjson::internal::JSON_COUNT_MASK == 0xFFFFFF,
    "simdjson writes its tape in another way");

struct csimdjson_parser {
  simdjson::dom::parser parser;
};

namespace {

// Idle parsers. A parser holds about 15 bytes per byte of the largest text it was allocated for, so
// those of unusual size are not kept.
class Pool {
public:
  csimdjson_parser *take() noexcept {
    {
      std::lock_guard<std::mutex> guard(lock);
      if (count > 0) { return kept[--count]; }
    }
    return new (std::nothrow) csimdjson_parser;
  }

  void put(csimdjson_parser *parser) noexcept {
    if (parser->parser.capacity() <= largest) {
      std::lock_guard<std::mutex> guard(lock);
      if (count < most) {
        kept[count++] = parser;
        return;
      }
    }
    delete parser;
  }

private:
  static constexpr size_t most = 8;
  static constexpr size_t largest = 4 << 20;
  std::mutex lock;
  csimdjson_parser *kept[most];
  size_t count = 0;
};

// Never destroyed: a thread may return a parser while the process ends.
Pool &pool() noexcept {
  static Pool *shared = new Pool;
  return *shared;
}

// Pages of one list differ slightly in size; powers of two avoid reallocations.
size_t rounded(size_t count) noexcept {
  size_t capacity = 1024;
  while (capacity < count) { capacity *= 2; }
  return capacity < simdjson::SIMDJSON_MAXSIZE_BYTES ? capacity : count;
}

csimdjson_status status(simdjson::error_code error) noexcept {
  switch (error) {
  case simdjson::SUCCESS: return csimdjson_ok;
  case simdjson::MEMALLOC: return csimdjson_out_of_memory;
  case simdjson::CAPACITY: return csimdjson_too_large;
  case simdjson::DEPTH_ERROR: return csimdjson_too_deep;
  default: return csimdjson_malformed;
  }
}

simdjson::error_code parse(simdjson::dom::parser &parser, const uint8_t *text, size_t count) noexcept {
  if (count > simdjson::SIMDJSON_MAXSIZE_BYTES) { return simdjson::CAPACITY; }
  if (parser.capacity() < count || parser.doc.capacity() < count) {
    size_t capacity = rounded(count);
    // simdjson rejects the level it is given.
    if (auto error = parser.allocate(capacity, CSIMDJSON_MAXIMUM_DEPTH + 1)) { return error; }
    if (auto error = parser.doc.allocate(capacity)) { return error; }
  }
  return parser.parse(text, count, false).error();
}

} // namespace

csimdjson_result csimdjson_parse(const uint8_t *text, size_t count) {
  csimdjson_result result = {};
  csimdjson_parser *parser = pool().take();
  if (parser == nullptr) {
    result.status = csimdjson_out_of_memory;
    return result;
  }
  result.status = status(parse(parser->parser, text, count));
  if (result.status != csimdjson_ok) {
    pool().put(parser);
    return result;
  }
  result.tape = parser->parser.doc.tape.get();
  // The first word has the length of the tape.
  result.tape_count = result.tape[0] & simdjson::internal::JSON_VALUE_MASK;
  if (result.tape_count < 3 || result.tape_count > parser->parser.doc.capacity() + 3) {
    result.status = csimdjson_malformed;
    pool().put(parser);
    return result;
  }
  result.parser = parser;
  result.strings = parser->parser.doc.string_buf.get();
  result.structurals = parser->parser.implementation->structural_indexes.get();
  result.structural_count = parser->parser.implementation->n_structural_indexes;
  return result;
}

void csimdjson_release(csimdjson_parser *parser) { pool().put(parser); }
