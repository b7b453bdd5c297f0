#include "CPeer.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

// OpenSSL is found when the server starts, so that its headers are not needed.
enum { pem = 1 };
static const void *(*TLS_server_method)(void);
static void *(*SSL_CTX_new)(const void *method);
static int (*SSL_CTX_use_certificate_chain_file)(void *context, const char *path);
static int (*SSL_CTX_use_PrivateKey_file)(void *context, const char *path, int type);
static void *(*SSL_new)(void *context);
static int (*SSL_set_fd)(void *session, int socket);
static int (*SSL_accept)(void *session);
static int (*SSL_read)(void *session, void *bytes, int count);
static int (*SSL_write)(void *session, const void *bytes, int count);
static int (*SSL_pending)(const void *session);
static void (*SSL_free)(void *session);

static int find_functions(void) {
  void *library = dlopen("libssl.so.3", RTLD_NOW);
  if (!library) return 1;
#define FIND(name) if (!(*(void **)&name = dlsym(library, #name))) return 1
  FIND(TLS_server_method);
  FIND(SSL_CTX_new);
  FIND(SSL_CTX_use_certificate_chain_file);
  FIND(SSL_CTX_use_PrivateKey_file);
  FIND(SSL_new);
  FIND(SSL_set_fd);
  FIND(SSL_accept);
  FIND(SSL_read);
  FIND(SSL_write);
  FIND(SSL_pending);
  FIND(SSL_free);
#undef FIND
  return 0;
}

static void *context;
static int plain_port;

static int connect_to_plain(void) {
  int plain = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)plain_port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(plain, (struct sockaddr *)&address, sizeof address)) return -1;
  setsockopt(plain, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return plain;
}

// Passes bytes on in both directions until one side ends.
static void *serve_connection(void *argument) {
  int socket = (int)(long)argument, plain = -1;
  char bytes[1 << 15];
  void *session = SSL_new(context);
  SSL_set_fd(session, socket);
  if (SSL_accept(session) == 1) plain = connect_to_plain();
  struct pollfd waits[2] = {{socket, POLLIN, 0}, {plain, POLLIN, 0}};
  while (plain >= 0) {
    if (!SSL_pending(session) && poll(waits, 2, -1) < 0) break;
    if (SSL_pending(session) || waits[0].revents) {
      int count = SSL_read(session, bytes, sizeof bytes);
      if (count <= 0 || send(plain, bytes, (size_t)count, MSG_NOSIGNAL) != count) break;
    }
    if (waits[1].revents) {
      ssize_t count = recv(plain, bytes, sizeof bytes, 0);
      if (count <= 0 || SSL_write(session, bytes, (int)count) != count) break;
    }
  }
  SSL_free(session);
  if (plain >= 0) close(plain);
  close(socket);
  return NULL;
}

static void *watch_input(void *unused) {
  (void)unused;
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) {}
  _exit(0);
}

int peer_serve_tls(int port, const char *certificate, const char *key) {
  plain_port = port;
  signal(SIGPIPE, SIG_IGN);
  if (find_functions() || !(context = SSL_CTX_new(TLS_server_method()))) return 1;
  if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1) return 1;
  if (SSL_CTX_use_PrivateKey_file(context, key, pem) != 1) return 1;
  int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024)) return 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch_input, NULL)) return 1;
  for (;;) {
    int socket = accept(listener, NULL, NULL);
    if (socket < 0) continue;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (pthread_create(&thread, NULL, serve_connection, (void *)(long)socket) == 0)
      pthread_detach(thread);
  }
}
