/* Prints the signing headers of a request, for scripts and for the published vectors. */
#include "crossbook.h"

#include <stdio.h>

int main(int count, char **words) {
  crossbook_key key;
  char headers[CROSSBOOK_HEADERS_MAX];
  if (count != 9) {
    fprintf(stderr, "usage: sign KEY_ID SEED_HEX METHOD TARGET BODY IDEMPOTENCY_KEY NOT_AFTER TIMESTAMP\n");
    return 2;
  }
  crossbook_request request = {words[3], words[4], words[5], words[6], words[7], words[8]};
  if (crossbook_key_init(&key, words[1], words[2]) != 0 || crossbook_sign(&key, &request, headers) != 0) return 1;
  fputs(headers, stdout);
  return 0;
}
