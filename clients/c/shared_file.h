/* Reads the market data that crossbook shares with other processes of its host (CROSSBOOK_SHM, docs/SHARED-MEMORY.md). This header is all of
 * it, for C11 and C++11 by gcc or clang, on Linux. Any number of processes may read; none of them slows the gateway. Prices are in ticks of
 * $0.0001, sizes in millionths of a share, times in Unix milliseconds. */
#ifndef CROSSBOOK_SHARED_FILE_H
#define CROSSBOOK_SHARED_FILE_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CROSSBOOK_LEVELS = 10, CROSSBOOK_LAYOUT_VERSION = 1, CROSSBOOK_STALE_MS = 1000 };
enum { CROSSBOOK_VENUE_A, CROSSBOOK_VENUE_B };
enum { CROSSBOOK_RESYNCING, CROSSBOOK_LIVE, CROSSBOOK_STALE, CROSSBOOK_HALTED, CROSSBOOK_CLOSED };

/* Kinds of records. */
enum {
  CROSSBOOK_CHANGE = 1,    /* a level: side (0 bid, 1 ask), price, its new size; the last of its batch has epoch, seq and checksum */
  CROSSBOOK_RESET,         /* a new epoch: read the book */
  CROSSBOOK_STATE,         /* state and reason of the book */
  CROSSBOOK_TRADE,         /* price, size, taker (0 unknown, 1 buy, 2 sell), trade_id */
  CROSSBOOK_TRADES_MISSED, /* trades before it may be missing */
  CROSSBOOK_LISTED,        /* the market is in the symbol table from now on */
  CROSSBOOK_UNLISTED       /* it is no longer */
};

typedef struct {
  uint32_t version, stamp; /* stamp 0: no market is here */
  uint8_t venue, reserved0[3];
  uint32_t address_length;
  char address[128]; /* token id or ticker; not terminated */
  char reserved1[48];
} crossbook_symbol;

typedef struct {
  uint32_t version, stamp;
  uint8_t state, reason, bids, asks; /* bids, asks: how many levels follow, best first */
  uint32_t checksum;                 /* of these levels, as the stream has it */
  uint64_t epoch, seq, venue_time, received_at;
  int32_t last_trade; /* 0: none */
  uint32_t reserved0[3];
  uint64_t bid_sizes[CROSSBOOK_LEVELS], ask_sizes[CROSSBOOK_LEVELS];
  int32_t bid_prices[CROSSBOOK_LEVELS], ask_prices[CROSSBOOK_LEVELS];
  uint32_t reserved1[4];
} crossbook_book;

typedef struct {
  uint64_t sequence;
  uint32_t symbol, stamp;
  uint8_t kind;
  uint8_t code; /* side of a change, taker of a trade, state */
  uint8_t reason, is_last;
  int32_t price;
  uint64_t size, venue_time, received_at, epoch, seq;
  union {
    uint32_t checksum;
    char trade_id[64]; /* zero-padded */
  };
} crossbook_record;

#ifdef __cplusplus
#define CROSSBOOK_ASSERT(rule) static_assert(rule, "layout")
#else
#define CROSSBOOK_ASSERT(rule) _Static_assert(rule, "layout")
#endif
CROSSBOOK_ASSERT(sizeof(crossbook_symbol) == 192 && offsetof(crossbook_symbol, address) == 16);
CROSSBOOK_ASSERT(sizeof(crossbook_book) == 320 && offsetof(crossbook_book, bid_prices) == 224);
CROSSBOOK_ASSERT(sizeof(crossbook_record) == 128 && offsetof(crossbook_record, checksum) == 64);

typedef struct {
  const unsigned char *base;
  size_t bytes;
  uint64_t symbols_offset, books_offset, ring_offset;
  uint32_t ring_slots;
} crossbook_shm;

static inline uint32_t crossbook_u32(const crossbook_shm *shm, size_t at) {
  return __atomic_load_n((const uint32_t *)(shm->base + at), __ATOMIC_ACQUIRE);
}

static inline uint64_t crossbook_u64(const crossbook_shm *shm, size_t at) {
  return __atomic_load_n((const uint64_t *)(shm->base + at), __ATOMIC_ACQUIRE);
}

/* Maps the file. 0; -1 with errno; -2: it has another layout. */
static inline int crossbook_shm_open(crossbook_shm *shm, const char *path) {
  struct stat facts;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  void *base = fstat(file, &facts) < 0 || facts.st_size < 4096
                   ? MAP_FAILED
                   : mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (base == MAP_FAILED) return -1;
  shm->base = (const unsigned char *)base;
  shm->bytes = (size_t)facts.st_size;
  if (memcmp(base, "XBOOKSHM", 8) != 0 || crossbook_u32(shm, 8) != CROSSBOOK_LAYOUT_VERSION) {
    munmap(base, shm->bytes);
    return -2;
  }
  shm->symbols_offset = crossbook_u64(shm, 32);
  shm->books_offset = crossbook_u64(shm, 48);
  shm->ring_offset = crossbook_u64(shm, 64);
  shm->ring_slots = crossbook_u32(shm, 76);
  return 0;
}

static inline void crossbook_shm_close(crossbook_shm *shm) { munmap((void *)shm->base, shm->bytes); }

/* Whether a gateway writes it now. If not, no book in it is live: open the path again, for a new gateway makes a new file. */
static inline int crossbook_shm_is_live(const crossbook_shm *shm) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t age = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - (int64_t)crossbook_u64(shm, 192);
  return crossbook_u32(shm, 128) == 1 && age <= CROSSBOOK_STALE_MS && age >= -CROSSBOOK_STALE_MS;
}

/* Copies what a version guards. 1; 0: every attempt met a write. */
static inline int crossbook_copy(const crossbook_shm *shm, size_t at, void *copy, size_t bytes) {
  for (int attempt = 0; attempt < 1000; attempt++) {
    uint32_t before = crossbook_u32(shm, at);
    if (before & 1) continue;
    memcpy(copy, shm->base + at, bytes);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (crossbook_u32(shm, at) == before) return 1;
  }
  return 0;
}

static inline uint32_t crossbook_symbols(const crossbook_shm *shm) { return crossbook_u32(shm, 320); }

/* Entry `symbol` of the table, 0 to crossbook_symbols() - 1. 1; 0: no market is there. */
static inline int crossbook_symbol_at(const crossbook_shm *shm, uint32_t symbol, crossbook_symbol *entry) {
  return crossbook_copy(shm, shm->symbols_offset + symbol * sizeof *entry, entry, sizeof *entry) && entry->stamp != 0;
}

/* Finds a market. Its index and its stamp; 0: the gateway has no subscription to it. */
static inline int crossbook_find(const crossbook_shm *shm, int venue, const char *address, uint32_t *symbol, uint32_t *stamp) {
  crossbook_symbol entry;
  uint32_t count = crossbook_symbols(shm);
  size_t length = strlen(address);
  for (uint32_t at = 0; at < count; at++) {
    if (!crossbook_symbol_at(shm, at, &entry) || entry.venue != venue || entry.address_length != length) continue;
    if (memcmp(entry.address, address, length) != 0) continue;
    *symbol = at;
    *stamp = entry.stamp;
    return 1;
  }
  return 0;
}

/* The book of a market that was found. 1; 0: being written, try again; -1: the market left its place, find it again. */
static inline int crossbook_read(const crossbook_shm *shm, uint32_t symbol, uint32_t stamp, crossbook_book *book) {
  if (!crossbook_copy(shm, shm->books_offset + symbol * sizeof *book, book, sizeof *book)) return 0;
  return book->stamp == stamp ? 1 : -1;
}

/* The sequence of the next record that will be written. */
static inline uint64_t crossbook_ring_end(const crossbook_shm *shm) { return crossbook_u64(shm, 256) + 1; }

/* The record with the sequence *next, and raises *next. 1; 0: it is not written yet; -1: it is overwritten, and records are lost. Then *next
 * is the newest one's successor, and the books have what was missed. */
static inline int crossbook_next(const crossbook_shm *shm, uint64_t *next, crossbook_record *record) {
  size_t at = shm->ring_offset + ((*next - 1) & (shm->ring_slots - 1)) * sizeof *record;
  uint64_t sequence = crossbook_u64(shm, at);
  if (sequence != *next) {
    /* The end first: if it is beyond *next, the slot had that record, and an older sequence now means that it is being overwritten. */
    uint64_t end = crossbook_ring_end(shm);
    sequence = crossbook_u64(shm, at);
    if (sequence < *next && end <= *next) return 0;
  }
  if (sequence == *next) {
    memcpy(record, shm->base + at, sizeof *record);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (crossbook_u64(shm, at) == sequence) {
      *next += 1;
      return 1;
    }
  }
  *next = crossbook_ring_end(shm);
  return -1;
}

static inline uint32_t crossbook_crc32(const char *text, size_t length) {
  uint32_t crc = 0xffffffff;
  for (size_t at = 0; at < length; at++) {
    crc ^= (unsigned char)text[at];
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

/* Writes `value / 10^places` as a canonical decimal. Returns its length. */
static inline int crossbook_decimal(char *text, uint64_t value, int places) {
  uint64_t unit = 1;
  for (int place = 0; place < places; place++) unit *= 10;
  int length = sprintf(text, "%llu.%0*llu", (unsigned long long)(value / unit), places, (unsigned long long)(value % unit));
  while (text[length - 1] == '0') length--;
  if (text[length - 1] == '.') length--;
  text[length] = '\0';
  return length;
}

/* The checksum of a book's levels, which must be book->checksum: for tests, since crossbook_read() returns no torn book. */
static inline uint32_t crossbook_checksum(const crossbook_book *book) {
  char text[2 * CROSSBOOK_LEVELS * 48];
  int length = 0;
  for (int side = 0; side < 2; side++) {
    int count = side == 0 ? book->bids : book->asks;
    for (int level = 0; level < count; level++) {
      if (length > 0) text[length++] = '|';
      length += crossbook_decimal(text + length, (uint64_t)(side == 0 ? book->bid_prices : book->ask_prices)[level], 4);
      text[length++] = ':';
      length += crossbook_decimal(text + length, (side == 0 ? book->bid_sizes : book->ask_sizes)[level], 6);
    }
  }
  return length == 0 ? 0 : crossbook_crc32(text, (size_t)length);
}

#endif
