#include "CPeer.h"

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  *(long long *)context += (long long)(size * count);
  return size * count;
}

static CURL *make(const char *url, long long *received, long buffer) {
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, received);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, buffer);
  return easy;
}

long long peer_sequential(const char *url, int count, long buffer) {
  long long received = 0;
  CURL *easy = make(url, &received, buffer);
  for (int i = 0; i < count; i++)
    if (curl_easy_perform(easy) != CURLE_OK) return -1;
  curl_easy_cleanup(easy);
  return received;
}

static long long concurrent(const char *url, int count, int width, long buffer, const char *authority) {
  long long received = 0;
  CURLM *multi = curl_multi_init();
  int started = 0, done = 0, running = 0;
  for (; started < width && started < count; started++) {
    CURL *easy = make(url, &received, buffer);
    if (*authority) curl_easy_setopt(easy, CURLOPT_CAINFO, authority);
    curl_multi_add_handle(multi, easy);
  }
  while (done < count) {
    curl_multi_perform(multi, &running);
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left))) {
      CURL *easy = message->easy_handle;
      if (message->data.result != CURLE_OK) return -1;
      curl_multi_remove_handle(multi, easy);
      done++;
      if (started < count) {
        curl_multi_add_handle(multi, easy);
        started++;
      } else {
        curl_easy_cleanup(easy);
      }
    }
    if (done < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  curl_multi_cleanup(multi);
  return received;
}

long long peer_concurrent(const char *url, int count, int width, long buffer) {
  return concurrent(url, count, width, buffer, "");
}

long long peer_cold(const char *url, int width, long buffer, const char *authority) {
  return concurrent(url, width, width, buffer, authority);
}

long long peer_pages(const char *list, int count, long buffer) {
  long long received = 0;
  CURL *easy = make(list, &received, buffer);
  for (int i = 0; i < count; i++) {
    char url[256];
    snprintf(url, sizeof url, "%s?limit=100&offset=%d", list, i * 100);
    curl_easy_setopt(easy, CURLOPT_URL, url);
    if (curl_easy_perform(easy) != CURLE_OK) return -1;
  }
  curl_easy_cleanup(easy);
  return received;
}

// Whose turn it is: 0 for the caller, 1 for the other thread, which ends at 2.
struct turns {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int turn;
};

// Gives the turn away, and waits until it is back.
static int pass(struct turns *turns, int next, int own) {
  pthread_mutex_lock(&turns->lock);
  turns->turn = next;
  pthread_cond_signal(&turns->changed);
  while (turns->turn == next) pthread_cond_wait(&turns->changed, &turns->lock);
  int isOwn = turns->turn == own;
  pthread_mutex_unlock(&turns->lock);
  return isOwn;
}

static void *echo(void *context) {
  while (pass(context, 0, 1)) {}
  return NULL;
}

double peer_wake_up(int count) {
  // Not by a pipe: its reader may run on the processor of the writer, which is then taken to have nothing else to do.
  struct turns turns = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1};
  pthread_t thread;
  if (pthread_create(&thread, NULL, echo, &turns)) return -1;
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < count; i++) pass(&turns, 1, 0);
  clock_gettime(CLOCK_MONOTONIC, &end);
  pthread_mutex_lock(&turns.lock);
  turns.turn = 2;
  pthread_cond_signal(&turns.changed);
  pthread_mutex_unlock(&turns.lock);
  pthread_join(thread, NULL);
  double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
  return seconds / (2.0 * count);
}
