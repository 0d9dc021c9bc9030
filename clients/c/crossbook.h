/* Signs requests to crossbook (docs/SIGNING.md). Needs libsodium: cc … crossbook.c -lsodium */
#ifndef CROSSBOOK_H
#define CROSSBOOK_H

#include <stddef.h>

#define CROSSBOOK_HEADERS_MAX 1024

typedef struct {
  char key_id[129];
  unsigned char secret_key[64];
} crossbook_key;

/* `seed_hex`: the 32-byte Ed25519 seed in hex. 0, or -1 for what is no key. */
int crossbook_key_init(crossbook_key *key, const char *key_id, const char *seed_hex);

/* Reads `keyId` and `seedHex` of a key file, such as data/demo/key.json. 0, or -1 if it cannot be read or has no key. */
int crossbook_key_read(crossbook_key *key, const char *path);

/* What is signed, exactly as it is sent. */
typedef struct {
  const char *method;          /* upper case */
  const char *target;          /* path and query */
  const char *body;            /* "" without a body */
  const char *idempotency_key; /* "" without one */
  const char *not_after;       /* Unix milliseconds as decimal text; "" without */
  const char *timestamp;       /* Unix seconds by the gateway's clock, as decimal text */
} crossbook_request;

/* Writes the signing headers, a line each, ended by CR LF. 0, or -1 if they do not fit. */
int crossbook_sign(const crossbook_key *key, const crossbook_request *request, char headers[CROSSBOOK_HEADERS_MAX]);

#endif
