#include "parsers.h"

// The header may be there without the library being linked, so the manifest says whether it is.
#if defined(QUIRE_SIMDJSON) && __has_include(<simdjson.h>)

#include <simdjson.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

static_assert(CSIMDJSON_PADDING >= simdjson::SIMDJSON_PADDING, "simdjson reads further");

// The tape is read in Swift and written in C, which declare these values again.
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

namespace {

struct Parser : csimdjson_parser {
  Parser() noexcept : csimdjson_parser{false, 0} {}

  simdjson::dom::parser parser;
};

void release(Parser *parser) noexcept {
  if (!cjson_keep_idle(parser)) { delete parser; }
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

simdjson::error_code parse(Parser *parser, const uint8_t *text, size_t count) noexcept {
  if (count > simdjson::SIMDJSON_MAXSIZE_BYTES) { return simdjson::CAPACITY; }
  if (parser->capacity < count || parser->capacity == 0) {
    size_t capacity = cjson_capacity(count);
    parser->capacity = 0;
    // simdjson rejects the level it is given.
    if (auto error = parser->parser.allocate(capacity, CSIMDJSON_MAXIMUM_DEPTH + 1)) { return error; }
    if (auto error = parser->parser.doc.allocate(capacity)) { return error; }
    parser->capacity = capacity;
  }
  return parser->parser.parse(text, count, false).error();
}

std::atomic<bool> prefers_portable([] {
  const char *name = std::getenv("QUIRE_PARSER");
  return name != nullptr && std::strcmp(name, "portable") == 0;
}());

} // namespace

bool csimdjson_has_simdjson() { return true; }

void csimdjson_prefer_portable(bool portable) { prefers_portable.store(portable, std::memory_order_relaxed); }

csimdjson_result csimdjson_parse(const uint8_t *text, size_t count) {
  return prefers_portable.load(std::memory_order_relaxed) ? cjson_parse(text, count)
                                                          : csimdjson_parse_with_simdjson(text, count);
}

csimdjson_result csimdjson_parse_with_simdjson(const uint8_t *text, size_t count) {
  csimdjson_result result = {};
  result.status = csimdjson_out_of_memory;
  auto *parser = static_cast<Parser *>(cjson_take_idle(false));
  if (parser == nullptr) { parser = new (std::nothrow) Parser; }
  if (parser == nullptr) { return result; }
  result.status = status(parse(parser, text, count));
  if (result.status != csimdjson_ok) {
    release(parser);
    return result;
  }
  result.tape = parser->parser.doc.tape.get();
  // The first word has the length of the tape.
  result.tape_count = result.tape[0] & simdjson::internal::JSON_VALUE_MASK;
  if (result.tape_count < 3 || result.tape_count > parser->parser.doc.capacity() + 3) {
    result.status = csimdjson_malformed;
    release(parser);
    return result;
  }
  result.parser = parser;
  result.strings = parser->parser.doc.string_buf.get();
  result.structurals = parser->parser.implementation->structural_indexes.get();
  result.structural_count = parser->parser.implementation->n_structural_indexes;
  return result;
}

void csimdjson_release(csimdjson_parser *parser) {
  if (parser->is_portable) {
    cjson_release(parser);
  } else {
    release(static_cast<Parser *>(parser));
  }
}

#else

bool csimdjson_has_simdjson() { return false; }

void csimdjson_prefer_portable(bool) {}

csimdjson_result csimdjson_parse(const uint8_t *text, size_t count) { return cjson_parse(text, count); }

csimdjson_result csimdjson_parse_with_simdjson(const uint8_t *text, size_t count) { return cjson_parse(text, count); }

void csimdjson_release(csimdjson_parser *parser) { cjson_release(parser); }

#endif
