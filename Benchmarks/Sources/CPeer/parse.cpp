#include "CPeer.h"

#include <simdjson.h>

int peer_parse(const uint8_t *text, size_t count, int times) {
  static simdjson::dom::parser parser;
  for (int i = 0; i < times; i++)
    if (parser.parse(text, count, false).error()) return -1;
  return times;
}
