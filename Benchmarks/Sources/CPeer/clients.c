#include "CPeer.h"

#include <curl/curl.h>

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

long long peer_concurrent(const char *url, int count, int width, long buffer) {
  long long received = 0;
  CURLM *multi = curl_multi_init();
  int started = 0, done = 0, running = 0;
  for (; started < width && started < count; started++)
    curl_multi_add_handle(multi, make(url, &received, buffer));
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
