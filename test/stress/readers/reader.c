/* Reads every book and the whole ring of a shared file until its gateway ends, and says what it took for good. Lines:
 *   name STAMP ADDRESS          book STAMP EPOCH SEQ CHECKSUM
 *   batch STAMP EPOCH SEQ CHECKSUM CRC   of the changes, each `side:price:size|`
 *   torn COUNT                  lapped COUNT */
#define _POSIX_C_SOURCE 200809L
#include "../../../clients/c/shared_file.h"

enum { SYMBOLS = 16384, TEXT = 1 << 20 };
static uint32_t stamps[SYMBOLS];
static uint64_t epochs[SYMBOLS], seqs[SYMBOLS];
static char changes[TEXT];
static long torn, lapped;

static void read_book(const crossbook_shm *shm, uint32_t at) {
  crossbook_symbol symbol;
  crossbook_book book;
  if (!crossbook_symbol_at(shm, at, &symbol)) return;
  if (stamps[at] != symbol.stamp) printf("name %u %.*s\n", symbol.stamp, (int)symbol.address_length, symbol.address);
  stamps[at] = symbol.stamp;
  if (crossbook_read(shm, at, symbol.stamp, &book) != 1) return;
  if (epochs[at] == book.epoch && seqs[at] == book.seq) return;
  epochs[at] = book.epoch;
  seqs[at] = book.seq;
  if (crossbook_checksum(&book) != book.checksum) torn++;
  printf("book %u %llu %llu %u\n", symbol.stamp, (unsigned long long)book.epoch, (unsigned long long)book.seq, book.checksum);
}

static void read_ring(const crossbook_shm *shm, uint64_t *next) {
  static int length = 0;
  crossbook_record record;
  for (int found; (found = crossbook_next(shm, next, &record)) != 0;) {
    if (found < 0) {
      lapped++;
      length = -1;
    } else if (record.kind == CROSSBOOK_CHANGE) {
      if (length >= 0 && length < TEXT - 64)
        length += sprintf(changes + length, "%d:%d:%llu|", record.code, record.price, (unsigned long long)record.size);
      if (!record.is_last) continue;
      if (length > 0)
        printf("batch %u %llu %llu %u %u\n", record.stamp, (unsigned long long)record.epoch, (unsigned long long)record.seq,
               record.checksum, crossbook_crc32(changes, (size_t)length));
      length = 0;
    }
  }
}

int main(int count, char **arguments) {
  crossbook_shm shm;
  if (count < 2 || crossbook_shm_open(&shm, arguments[1]) != 0) return 1;
  uint64_t next = crossbook_ring_end(&shm);
  fprintf(stderr, "reading\n");
  while (crossbook_shm_is_live(&shm)) {
    for (uint32_t at = 0; at < crossbook_symbols(&shm); at++) {
      read_book(&shm, at);
      read_ring(&shm, &next);
    }
  }
  printf("torn %ld\nlapped %ld\n", torn, lapped);
  return 0;
}
