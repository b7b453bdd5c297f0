#define _GNU_SOURCE
#include "CPeer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct body {
  char *bytes;
  size_t length;
};

static struct body page, list, late, rows;
// Where in `rows` each row and the total stand.
enum { ids_in_page = 100, id_digits = 9, total_digits = 12, id_place = 6 };
static size_t starts[ids_in_page], ends[ids_in_page], total, head_size;
static char filler[1 << 18];

static int send_all(int socket, const char *bytes, size_t count) {
  while (count) {
    ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) return -1;
    bytes += sent;
    count -= (size_t)sent;
  }
  return 0;
}

// Sends the rows behind `offset` of a list that has as many pages, each with at most 100 rows.
static int send_rows(int socket, int pages, int offset, int limit) {
  int all = pages * ids_in_page, count = limit < all - offset ? limit : all - offset;
  count = count < 0 ? 0 : count > ids_in_page ? ids_in_page : count;
  // The rows of a window may be longer than those of a page.
  char *bytes = malloc(2 * rows.length), number[32];
  char *to = mempcpy(bytes, rows.bytes, starts[0]);
  for (int i = 0; i < count; i++) {
    int row = (offset + i) % ids_in_page;
    if (i) *to++ = ',';
    snprintf(number, sizeof number, "%*d", id_digits, 100000000 + offset + i);
    char *start = to;
    to = mempcpy(to, rows.bytes + starts[row], ends[row] - starts[row]);
    memcpy(start + id_place, number, id_digits);
  }
  char *rest = to;
  to = mempcpy(to, rows.bytes + ends[ids_in_page - 1], rows.length - ends[ids_in_page - 1]);
  snprintf(number, sizeof number, "%-*d", total_digits, all);
  memcpy(rest + total - ends[ids_in_page - 1], number, total_digits);
  char *field = strstr(bytes, "Content-Length: ") + 16;
  int digits = (int)strspn(field, "0123456789");
  snprintf(number, sizeof number, "%0*zu", digits, (size_t)(to - bytes) - head_size);
  memcpy(field, number, (size_t)digits);
  int result = send_all(socket, bytes, (size_t)(to - bytes));
  free(bytes);
  return result;
}

static int answer(int socket, const char *request) {
  long long size;
  int pages;
  if (sscanf(request, "GET /rows/%d?", &pages) == 1) {
    const char *offset = strstr(request, "offset="), *limit = strstr(request, "limit=");
    return send_rows(socket, pages, offset ? atoi(offset + 7) : 0,
                     limit ? atoi(limit + 6) : ids_in_page);
  }
  if (sscanf(request, "GET /stream/%lld ", &size) != 1) {
    struct body *body = !strncmp(request, "GET /list ", 10)   ? &list
                        : !strncmp(request, "GET /late", 9) ? &late
                                                            : &page;
    if (body == &late) usleep(20000);
    return send_all(socket, body->bytes, body->length);
  }
  char head[128];
  int length = snprintf(head, sizeof head,
                        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
                        "Content-Length: %lld\r\n\r\n", size);
  if (send_all(socket, head, (size_t)length)) return -1;
  while (size > 0) {
    size_t part = size < (long long)sizeof filler ? (size_t)size : sizeof filler;
    if (send_all(socket, filler, part)) return -1;
    size -= (long long)part;
  }
  return 0;
}

static void *serve_connection(void *context) {
  int socket = (int)(long)context;
  char request[8192];
  size_t have = 0;
  for (;;) {
    ssize_t count = recv(socket, request + have, sizeof request - 1 - have, 0);
    if (count <= 0) break;
    have += (size_t)count;
    request[have] = 0;
    char *end;
    while ((end = strstr(request, "\r\n\r\n"))) {
      if (answer(socket, request)) goto out;
      size_t used = (size_t)(end + 4 - request);
      memmove(request, request + used, have - used + 1);
      have -= used;
    }
  }
out:
  close(socket);
  return NULL;
}

// Makes an answer with room for a body of that length, and tells where the body goes.
static char *make_answer(struct body *answer, size_t length) {
  answer->bytes = malloc(length + 512);
  int head = sprintf(answer->bytes,
                     "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nServer: yardstick\r\n"
                     "Cache-Control: max-age=3600\r\nX-Request-Id: 7c9e6679-7425-40de-944b-e07fc1f90ae7\r\n"
                     "Content-Length: %zu\r\n\r\n", length);
  answer->length = (size_t)head + length;
  return answer->bytes + head;
}

// Ends the process when standard input does: then the one that measures is gone.
static void *watch_input(void *context) {
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) {}
  exit(0);
}

// Finds the places that differ from page to page. The tags are the last member of a row.
static int find_places(void) {
  int count = 0;
  const char *at = rows.bytes;
  while (count < ids_in_page && (at = strstr(at, "{\"id\":100000"))) {
    starts[count] = (size_t)(at - rows.bytes);
    if (!(at = strstr(at, "]}"))) return -1;
    at += 2;
    ends[count++] = (size_t)(at - rows.bytes);
  }
  const char *number = strstr(rows.bytes, "\"total\":"), *body = strstr(rows.bytes, "\r\n\r\n");
  if (count < ids_in_page || !number || !body) return -1;
  total = (size_t)(number + 8 - rows.bytes);
  head_size = (size_t)(body + 4 - rows.bytes);
  return 0;
}

int peer_serve(size_t page_bytes, const uint8_t *list_json, size_t list_bytes,
               const uint8_t *late_json, size_t late_bytes, const uint8_t *rows_json,
               size_t rows_bytes) {
  char *body = make_answer(&page, page_bytes);
  memset(body, ' ', page_bytes);
  memcpy(body, "[1", 2);
  body[page_bytes - 1] = ']';
  memcpy(make_answer(&list, list_bytes), list_json, list_bytes);
  memcpy(make_answer(&late, late_bytes), late_json, late_bytes);
  memcpy(make_answer(&rows, rows_bytes), rows_json, rows_bytes);
  if (find_places()) return 1;

  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) return 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  pthread_t watch;
  if (pthread_create(&watch, NULL, watch_input, NULL)) return 1;
  for (;;) {
    int socket = accept(listener, NULL, NULL);
    if (socket < 0) continue;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve_connection, (void *)(long)socket) == 0)
      pthread_detach(thread);
  }
}
