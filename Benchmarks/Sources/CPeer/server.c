#define _GNU_SOURCE
#include "CPeer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct body {
  char *bytes;
  size_t length;
};

static struct body page, list;
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

static int answer(int socket, const char *request) {
  long long size;
  if (sscanf(request, "GET /stream/%lld ", &size) != 1) {
    struct body *body = strncmp(request, "GET /list ", 10) ? &page : &list;
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

int peer_serve(size_t page_bytes, const uint8_t *list_json, size_t list_bytes) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  char *body = make_answer(&page, page_bytes);
  memset(body, ' ', page_bytes);
  memcpy(body, "[1", 2);
  body[page_bytes - 1] = ']';
  memcpy(make_answer(&list, list_bytes), list_json, list_bytes);

  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) return 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    int socket = accept(listener, NULL, NULL);
    if (socket < 0) continue;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve_connection, (void *)(long)socket) == 0)
      pthread_detach(thread);
  }
}
