#ifndef CPEER_H
#define CPEER_H

#include <stddef.h>

// The yardsticks: libcurl used directly from C, bodies thrown away, and the server that all
// measured clients talk to. The server runs in a process of its own, so that its time is not
// counted as anybody's.

// Listens on 127.0.0.1 and writes the port to standard output; never returns. `GET /page` answers
// `page_bytes` bytes of JSON, `GET /stream/N` N bytes.
int peer_serve(size_t page_bytes);

// `count` requests one after another with one handle. `buffer` is the size of libcurl's receive
// buffer. Returns how many body bytes came, or -1.
long long peer_sequential(const char *url, int count, long buffer);

// `count` requests, `width` at a time. Returns how many body bytes came, or -1.
long long peer_concurrent(const char *url, int count, int width, long buffer);

#endif
