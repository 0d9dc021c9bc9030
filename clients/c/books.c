/* Prints a market's best prices each time that they change, and its trades: ./books PATH venue_b TICKER [lines] */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "shared_file.h"

static void print_book(const crossbook_shm *shm, uint32_t symbol, uint32_t stamp) {
  crossbook_book book;
  if (crossbook_read(shm, symbol, stamp, &book) != 1) return;
  if (book.state != CROSSBOOK_LIVE) {
    printf("not live\n");
    return;
  }
  char bid[32] = "none", ask[32] = "none";
  if (book.bids > 0) crossbook_decimal(bid, (uint64_t)book.bid_prices[0], 4);
  if (book.asks > 0) crossbook_decimal(ask, (uint64_t)book.ask_prices[0], 4);
  printf("bid %s ask %s\n", bid, ask);
}

int main(int count, char **arguments) {
  crossbook_shm shm;
  crossbook_record record;
  const struct timespec pause = {.tv_sec = 0, .tv_nsec = 1000000};
  uint32_t symbol, stamp;
  if (count < 4 || crossbook_shm_open(&shm, arguments[1]) != 0) {
    fprintf(stderr, "usage: %s PATH venue_a|venue_b MARKET [LINES], and the gateway's CROSSBOOK_SHM is PATH\n", arguments[0]);
    return 1;
  }
  int venue = strcmp(arguments[2], "venue_a") == 0 ? CROSSBOOK_VENUE_A : CROSSBOOK_VENUE_B;
  if (!crossbook_find(&shm, venue, arguments[3], &symbol, &stamp)) {
    fprintf(stderr, "the gateway has no subscription to %s\n", arguments[3]);
    return 1;
  }
  long lines = count > 4 ? atol(arguments[4]) : -1;
  uint64_t next = crossbook_ring_end(&shm);
  print_book(&shm, symbol, stamp);
  while (--lines != 0 && crossbook_shm_is_live(&shm)) {
    int found;
    /* A bot that has a core of its own spins here, and looks at the heartbeat now and then. */
    while ((found = crossbook_next(&shm, &next, &record)) == 0 && crossbook_shm_is_live(&shm)) nanosleep(&pause, NULL);
    int is_own = found == 1 && record.symbol == symbol && record.stamp == stamp;
    if (is_own && record.kind == CROSSBOOK_TRADE) {
      char price[32];
      crossbook_decimal(price, (uint64_t)record.price, 4);
      printf("trade at %s\n", price);
    } else if (found == -1 || (is_own && (record.kind != CROSSBOOK_CHANGE || record.is_last))) {
      print_book(&shm, symbol, stamp);
    } else {
      lines++;
    }
    fflush(stdout);
  }
  return 0;
}
