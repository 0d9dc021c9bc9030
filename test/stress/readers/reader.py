"""As reader.c."""

import sys
import zlib

from crossbook.shared_memory import Changed, Gone, Lapped, Listing, SharedFile

torn = lapped = 0
last: dict[Listing, tuple[int, int]] = {}
changes: list[str] | None = []
names: dict[int, str] = {}
with SharedFile(sys.argv[1]) as file:
    records = file.records()
    first = next(records)
    print("reading", file=sys.stderr, flush=True)
    while file.is_live():
        for market, listing in file.markets().items():
            if names.get(listing.stamp) is None:
                names[listing.stamp] = market.address
                print("name", listing.stamp, market.address)
            try:
                book = file.book(listing)
            except (Gone, BlockingIOError):
                continue
            if last.get(listing) != (book.epoch, book.seq):
                last[listing] = (book.epoch, book.seq)
                torn += book.computed_checksum() != book.checksum
                print("book", listing.stamp, book.epoch, book.seq, book.checksum)
        for record in records:
            if record is None:
                break
            if isinstance(record, Lapped):
                lapped += 1
                changes = None
            elif isinstance(record, Changed):
                price, size = int(record.level.price.scaleb(4)), int(record.level.size.scaleb(6))
                if changes is not None:
                    changes.append(f"{0 if record.side == 'bid' else 1}:{price}:{size}|")
                if record.batch is not None:
                    if changes is not None:
                        print("batch", record.listing.stamp, *record.batch, zlib.crc32("".join(changes).encode()))
                    changes = []
print("torn", torn)
print("lapped", lapped)
