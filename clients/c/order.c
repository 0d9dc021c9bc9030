/* Places an order at venue B, reads it and cancels it, over plain HTTP on the same host. README.md says how to run it. */
#define _GNU_SOURCE /* strcasestr */
#include "crossbook.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define ANSWER_MAX 65536

static crossbook_key key;
static unsigned short port;
/* The gateway's clock less ours, in seconds: from SVC-Server-Time of every answer. */
static long offset_s = 0;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* 0: no answer, or a part of one. `is_sent` says whether the gateway may have got the request. */
static size_t exchange(const char *request, char answer[ANSWER_MAX], int *is_sent) {
  struct sockaddr_in gateway = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct timeval patience = {.tv_sec = 10};
  size_t length = strlen(request), sent = 0, got = 0;
  *is_sent = 0;
  gateway.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connection < 0) return 0;
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (connect(connection, (struct sockaddr *)&gateway, sizeof gateway) == 0) {
    *is_sent = 1;
    while (sent < length) {
      ssize_t part = send(connection, request + sent, length - sent, MSG_NOSIGNAL);
      if (part <= 0) break;
      sent += (size_t)part;
    }
    /* Until the body is as long as the head says; the gateway keeps the connection. */
    while (got < ANSWER_MAX - 1) {
      ssize_t part = recv(connection, answer + got, ANSWER_MAX - 1 - got, 0);
      if (part <= 0) break;
      got += (size_t)part;
      answer[got] = '\0';
      const char *body = strstr(answer, "\r\n\r\n"), *stated = strcasestr(answer, "\r\ncontent-length:");
      if (body == NULL || stated == NULL) continue;
      if (got - (size_t)(body + 4 - answer) >= strtoul(stated + 17, NULL, 10)) {
        close(connection);
        return got;
      }
    }
  }
  close(connection);
  return 0;
}

/* One signed request. Its status; 0 if the answer is missing, -1 if nothing was sent. Corrects a wrong clock once. */
static int call(const char *method, const char *target, const char *sent, const char *idempotency_key, char *body) {
  static char answer[ANSWER_MAX];
  char timestamp[24], headers[CROSSBOOK_HEADERS_MAX], request[8192];
  int status = 0, is_sent;
  body[0] = '\0';
  for (int attempt = 0; attempt < 2; attempt++) {
    snprintf(timestamp, sizeof timestamp, "%ld", (long)time(NULL) + offset_s);
    crossbook_request it = {method, target, sent, idempotency_key, "", timestamp};
    if (crossbook_sign(&key, &it, headers) != 0) fail("the headers do not fit");
    int length = snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%sContent-Length: %zu\r\n\r\n%s",
                          method, target, headers, sent[0] ? "Content-Type: application/json\r\n" : "", strlen(sent), sent);
    if (length < 0 || (size_t)length >= sizeof request) fail("the request does not fit");
    if (exchange(request, answer, &is_sent) == 0) return is_sent ? 0 : -1;
    status = atoi(answer + strlen("HTTP/1.1 "));
    const char *clock = strcasestr(answer, "\r\nsvc-server-time:");
    if (clock != NULL) offset_s = (long)(strtoll(clock + 18, NULL, 10) / 1000) - (long)time(NULL);
    if (status != 401 || labs(atol(timestamp) - (long)time(NULL) - offset_s) <= 30) break;
  }
  strcpy(body, strstr(answer, "\r\n\r\n") + 4);
  return status;
}

/* The text of a field in our own answers, which escape nothing in ids and statuses. */
static const char *field(const char *json, const char *name, char text[128]) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":\"", name);
  const char *start = strstr(json, quoted);
  text[0] = '\0';
  if (start != NULL) sscanf(start + strlen(quoted), "%127[^\"]", text);
  return text;
}

int main(int count, char **words) {
  static char body[ANSWER_MAX];
  char sent[512], target[256], order_id[128], text[128], idempotency_key[64];
  if (count != 4) fail("usage: order PORT KEY_FILE TICKER");
  port = (unsigned short)atoi(words[1]);
  if (crossbook_key_read(&key, words[2]) != 0) fail("no key can be read from KEY_FILE");
  snprintf(sent, sizeof sent, "{\"ticker\":\"%s\",\"side\":\"YES\",\"action\":\"BUY\",\"count\":1,\"priceCents\":1}", words[3]);
  snprintf(idempotency_key, sizeof idempotency_key, "c-%ld-%d", (long)time(NULL), (int)getpid());

  /* 502, 504, or no answer to what was sent: the order may exist. The same key asks again, and makes no second one.
     What a repetition is refused for, such as a 503, says nothing of the first. */
  int status = 0, is_in_doubt = 0;
  for (int attempt = 0; attempt < 5; attempt++) {
    status = call("POST", "/v1/venue-b/orders", sent, idempotency_key, body);
    if (status == 0 || status == 502 || status == 504) {
      is_in_doubt = 1;
    } else if (!is_in_doubt || status == 201 || status == 400 || status == 404 || status == 422) {
      is_in_doubt = 0;
      break;
    }
    sleep(1);
  }
  if (is_in_doubt) fail("the order may be at the venue");
  if (status != 201) {
    fprintf(stderr, "no order: %d %s\n", status, body);
    return 1;
  }
  printf("placed %s\n", field(body, "status", text));
  snprintf(target, sizeof target, "/v1/venue-b/orders/%s", field(body, "orderId", order_id));
  status = call("GET", target, "", "", body);
  printf("read %d %s\n", status, field(body, "status", text));
  status = call("DELETE", target, "", "", body);
  printf("cancel %d %s\n", status, field(body, "status", text));
  return status == 200 ? 0 : 1;
}
