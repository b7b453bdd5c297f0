#include "CYAML.h"

#if defined(__has_include) && __has_include(<yaml.h>) && __has_include(<dlfcn.h>)

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct yaml_reader {
  yaml_parser_t parser;
  yaml_event_t event;
  int has_event;
  void *library;
  __typeof__(yaml_parser_parse) *parse;
  __typeof__(yaml_event_delete) *delete_event;
  __typeof__(yaml_parser_delete) *delete_parser;
};

static void *load(void) {
  static const char *const names[] = {"libyaml-0.so.2", "libyaml.so", "libyaml-0.2.dylib", "libyaml.dylib"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  // The system doesn't look where Homebrew is.
  const char *homebrew = getenv("HOMEBREW_PREFIX");
  char path[1024];
  if (!homebrew || snprintf(path, sizeof path, "%s/lib/libyaml.dylib", homebrew) >= (int)sizeof path) return NULL;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

yaml_reader *yaml_reader_open(const char *bytes, size_t count, const char **problem) {
  *problem = "there is no memory for it";
  yaml_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->library = load();
  if (!reader->library) {
    *problem = "libyaml is missing; install it: libyaml-0-2 of Debian, libyaml of Homebrew";
    free(reader);
    return NULL;
  }
  __typeof__(yaml_parser_initialize) *initialize = dlsym(reader->library, "yaml_parser_initialize");
  __typeof__(yaml_parser_set_input_string) *set_input = dlsym(reader->library, "yaml_parser_set_input_string");
  reader->parse = dlsym(reader->library, "yaml_parser_parse");
  reader->delete_event = dlsym(reader->library, "yaml_event_delete");
  reader->delete_parser = dlsym(reader->library, "yaml_parser_delete");
  int is_known = initialize && set_input && reader->parse && reader->delete_event && reader->delete_parser;
  if (!is_known) *problem = "the libyaml of this system is another one";
  if (!is_known || !initialize(&reader->parser)) {
    dlclose(reader->library);
    free(reader);
    return NULL;
  }
  set_input(&reader->parser, (const unsigned char *)bytes, count);
  return reader;
}

static void describe_problem(yaml_reader *reader, yaml_read_event *event) {
  yaml_parser_t *parser = &reader->parser;
  // A reader knows no lines: the problem is where the parser was.
  int is_reader = parser->error == YAML_READER_ERROR || parser->error == YAML_MEMORY_ERROR;
  yaml_mark_t mark = is_reader ? parser->mark : parser->problem_mark;
  event->kind = YAML_READ_PROBLEM;
  event->text = parser->problem ? parser->problem : "it can't be read";
  event->length = strlen(event->text);
  event->line = mark.line + 1;
  event->column = mark.column + 1;
}

void yaml_reader_next(yaml_reader *reader, yaml_read_event *event) {
  for (;;) {
    memset(event, 0, sizeof *event);
    if (reader->has_event) reader->delete_event(&reader->event);
    reader->has_event = 0;
    if (!reader->parse(&reader->parser, &reader->event)) {
      describe_problem(reader, event);
      return;
    }
    reader->has_event = 1;
    const yaml_event_t *found = &reader->event;
    event->line = found->start_mark.line + 1;
    event->column = found->start_mark.column + 1;
    switch (found->type) {
    case YAML_SCALAR_EVENT:
      event->kind = YAML_READ_SCALAR;
      event->text = (const char *)found->data.scalar.value;
      event->length = found->data.scalar.length;
      event->anchor = (const char *)found->data.scalar.anchor;
      event->is_quoted = found->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
      event->has_tag = found->data.scalar.tag != NULL;
      return;
    case YAML_ALIAS_EVENT:
      event->kind = YAML_READ_ALIAS;
      event->anchor = (const char *)found->data.alias.anchor;
      return;
    case YAML_SEQUENCE_START_EVENT:
      event->kind = YAML_READ_LIST;
      event->anchor = (const char *)found->data.sequence_start.anchor;
      event->has_tag = found->data.sequence_start.tag != NULL;
      return;
    case YAML_MAPPING_START_EVENT:
      event->kind = YAML_READ_MAP;
      event->anchor = (const char *)found->data.mapping_start.anchor;
      event->has_tag = found->data.mapping_start.tag != NULL;
      return;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: event->kind = YAML_READ_CLOSE; return;
    case YAML_DOCUMENT_START_EVENT: event->kind = YAML_READ_DOCUMENT; return;
    case YAML_NO_EVENT:
    case YAML_STREAM_END_EVENT: event->kind = YAML_READ_END; return;
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT: break;
    }
  }
}

void yaml_reader_close(yaml_reader *reader) {
  if (reader->has_event) reader->delete_event(&reader->event);
  reader->delete_parser(&reader->parser);
  dlclose(reader->library);
  free(reader);
}

#else

struct yaml_reader {
  int nothing;
};

yaml_reader *yaml_reader_open(const char *bytes, size_t count, const char **problem) {
  (void)bytes;
  (void)count;
  *problem = "this quire was built without the headers of libyaml; install libyaml-dev and build it again";
  return NULL;
}

void yaml_reader_next(yaml_reader *reader, yaml_read_event *event) {
  (void)reader;
  event->kind = YAML_READ_END;
}

void yaml_reader_close(yaml_reader *reader) { (void)reader; }

#endif
