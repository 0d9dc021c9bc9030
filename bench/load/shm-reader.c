/* Reads one book of a shared file without a pause, and prints when each position of it was read: SEQ NANOSECONDS, of the monotonic clock. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "../../clients/c/shared_file.h"

enum { SAMPLES_MAX = 1 << 20 };

int main(int count, char **arguments) {
  crossbook_shm shm;
  crossbook_book book;
  uint32_t symbol, stamp;
  if (count != 3 || crossbook_shm_open(&shm, arguments[1]) != 0) return 1;
  if (!crossbook_find(&shm, CROSSBOOK_VENUE_B, arguments[2], &symbol, &stamp)) return 1;
  uint64_t(*samples)[2] = malloc(SAMPLES_MAX * sizeof *samples);
  uint64_t last = 0;
  int taken = 0;
  printf("reading\n");
  fflush(stdout);
  for (unsigned turn = 0; taken < SAMPLES_MAX; turn++) {
    if (turn % 65536 == 0 && !crossbook_shm_is_live(&shm)) break;
    if (crossbook_read(&shm, symbol, stamp, &book) != 1 || book.seq == last) continue;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    last = book.seq;
    samples[taken][0] = book.seq;
    samples[taken++][1] = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  }
  for (int at = 0; at < taken; at++)
    printf("%llu %llu\n", (unsigned long long)samples[at][0], (unsigned long long)samples[at][1]);
  return 0;
}
