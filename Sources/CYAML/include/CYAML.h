#ifndef QUIRE_CYAML_H
#define QUIRE_CYAML_H

// Reads YAML with libyaml, which is loaded when a text is read: a program that reads none doesn't need it.

#include <stddef.h>

enum {
  YAML_READ_END,
  YAML_READ_SCALAR,
  YAML_READ_ALIAS,
  YAML_READ_LIST,
  YAML_READ_MAP,
  /// The end of a list or a map.
  YAML_READ_CLOSE,
  /// The start of a document.
  YAML_READ_DOCUMENT,
  /// The text is no YAML: `text` is the cause.
  YAML_READ_PROBLEM,
};

/// What comes next in a text. The texts are valid until the next call.
typedef struct {
  int kind;
  const char *text;
  size_t length;
  /// The name of its anchor, or of the anchor that an alias stands for.
  const char *anchor;
  /// Both begin at 1.
  size_t line, column;
  int is_quoted;
  int has_tag;
} yaml_read_event;

typedef struct yaml_reader yaml_reader;

/// Begins to read a text, which must stay at its address. Returns NULL if that isn't possible; `problem` is the cause.
yaml_reader *yaml_reader_open(const char *bytes, size_t count, const char **problem);

/// Reads on. Nothing comes after an end or a problem.
void yaml_reader_next(yaml_reader *reader, yaml_read_event *event);

void yaml_reader_close(yaml_reader *reader);

#endif
