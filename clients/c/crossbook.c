/* Signs requests to crossbook: an Ed25519 signature of six lines (docs/SIGNING.md). */
#include "crossbook.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int crossbook_key_init(crossbook_key *key, const char *key_id, const char *seed_hex) {
  unsigned char seed[crypto_sign_SEEDBYTES], public_key[crypto_sign_PUBLICKEYBYTES];
  size_t bytes = 0;
  const char *end = NULL;
  if (sodium_init() < 0 || strlen(key_id) >= sizeof key->key_id) return -1;
  if (sodium_hex2bin(seed, sizeof seed, seed_hex, strlen(seed_hex), NULL, &bytes, &end) != 0) return -1;
  if (bytes != sizeof seed || *end != '\0') return -1;
  strcpy(key->key_id, key_id);
  crypto_sign_seed_keypair(public_key, key->secret_key, seed);
  sodium_memzero(seed, sizeof seed);
  return 0;
}

int crossbook_key_read(crossbook_key *key, const char *path) {
  char json[4096], key_id[sizeof key->key_id], seed_hex[2 * crypto_sign_SEEDBYTES + 1];
  FILE *file = fopen(path, "r");
  if (file == NULL) return -1;
  size_t length = fread(json, 1, sizeof json - 1, file);
  fclose(file);
  json[length] = '\0';
  const char *id = strstr(json, "\"keyId\""), *seed = strstr(json, "\"seedHex\"");
  int outcome = -1;
  if (id != NULL && seed != NULL && sscanf(id, "\"keyId\" : \"%128[^\"]\"", key_id) == 1 &&
      sscanf(seed, "\"seedHex\" : \"%64[0-9A-Fa-f]\"", seed_hex) == 1)
    outcome = crossbook_key_init(key, key_id, seed_hex);
  sodium_memzero(json, sizeof json);
  sodium_memzero(seed_hex, sizeof seed_hex);
  return outcome;
}

int crossbook_sign(const crossbook_key *key, const crossbook_request *it, char headers[CROSSBOOK_HEADERS_MAX]) {
  unsigned char sha256[crypto_hash_sha256_BYTES], signature[crypto_sign_BYTES];
  char sha256_hex[2 * sizeof sha256 + 1];
  char base64[sodium_base64_ENCODED_LEN(sizeof signature, sodium_base64_VARIANT_ORIGINAL)];
  crypto_hash_sha256(sha256, (const unsigned char *)it->body, strlen(it->body));
  sodium_bin2hex(sha256_hex, sizeof sha256_hex, sha256, sizeof sha256);

  int length = snprintf(NULL, 0, "%s\n%s\n%s\n%s\n%s\n%s", it->method, it->target, it->timestamp, sha256_hex,
                        it->idempotency_key, it->not_after);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text == NULL) return -1;
  snprintf(text, (size_t)length + 1, "%s\n%s\n%s\n%s\n%s\n%s", it->method, it->target, it->timestamp, sha256_hex,
           it->idempotency_key, it->not_after);
  crypto_sign_detached(signature, NULL, (const unsigned char *)text, (size_t)length, key->secret_key);
  free(text);
  sodium_bin2base64(base64, sizeof base64, signature, sizeof signature, sodium_base64_VARIANT_ORIGINAL);

  int has_key = it->idempotency_key[0] != '\0', has_limit = it->not_after[0] != '\0';
  int written = snprintf(headers, CROSSBOOK_HEADERS_MAX,
                         "SVC-Key-Id: %s\r\nSVC-Timestamp: %s\r\nSVC-Content-Sha256: %s\r\nSVC-Signature: %s\r\n"
                         "%s%s%s%s%s%s",
                         key->key_id, it->timestamp, sha256_hex, base64, has_key ? "Idempotency-Key: " : "",
                         it->idempotency_key, has_key ? "\r\n" : "", has_limit ? "SVC-Not-After-Millis: " : "",
                         it->not_after, has_limit ? "\r\n" : "");
  return written < 0 || written >= CROSSBOOK_HEADERS_MAX ? -1 : 0;
}
