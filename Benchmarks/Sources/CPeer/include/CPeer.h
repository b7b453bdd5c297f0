#ifndef CPEER_H
#define CPEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The yardsticks: libcurl used directly from C, bodies thrown away, simdjson that only parses, and
// the server that all measured clients talk to. The server runs in a process of its own, so that
// its time is not counted as anybody's.

// Listens on 127.0.0.1 and writes the port to standard output. Ends the process when standard input
// ends. `GET /page` answers `page_bytes` bytes of JSON, `GET /list` the JSON `list`, `GET /late…` the
// JSON `late` after 20 milliseconds, `GET /stream/N` N bytes. `GET /rows/N?offset=O` answers a page of
// a list with N pages: the JSON `rows`, which has 100 of them, with other ids.
int peer_serve(size_t page_bytes, const uint8_t *list, size_t list_bytes, const uint8_t *late,
               size_t late_bytes, const uint8_t *rows, size_t rows_bytes);

// Listens on 127.0.0.1 with TLS and writes the port to standard output. Passes everything on to the server above at
// `port`. Ends as that does.
int peer_serve_tls(int port, const char *certificate, const char *key);

// `count` requests one after another with one handle. `buffer` is the size of libcurl's receive
// buffer. Returns how many body bytes came, or -1.
long long peer_sequential(const char *url, int count, long buffer);

// The same for the first `count` pages of a list.
long long peer_pages(const char *list, int count, long buffer);

// Fetches the first `count` pages of a list and writes their rows to standard output, each on a line.
// Returns how many bytes were written, or -1.
long long peer_crawl(const char *list, int count);

// How long one thread takes to wake another, in seconds, by a turn that goes to and fro so many times.
double peer_wake_up(int count);

// `count` requests, `width` at a time. Returns how many body bytes came, or -1.
long long peer_concurrent(const char *url, int count, int width, long buffer);

// One request of each of `width` handles, with no connection before. `authority` is a file, or empty.
long long peer_cold(const char *url, int width, long buffer, const char *authority);

// Parses `count` bytes, after which 64 more can be read, so many times with one parser. Returns
// `times`, or -1. From one thread at a time.
int peer_parse(const uint8_t *text, size_t count, int times);

// Of Quire: makes it use its parser in C from now on, or simdjson.
void csimdjson_prefer_portable(bool portable);

#ifdef __cplusplus
}
#endif

#endif
