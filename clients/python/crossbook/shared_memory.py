"""Reads the market data that the gateway shares with other processes of its host (CROSSBOOK_SHM, docs/SHARED-MEMORY.md).

Nothing is sent, and no reader slows the gateway. Of the gateway's subscriptions all are here: subscribe on a stream, then read.
"""

from __future__ import annotations

import mmap
import struct
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from types import TracebackType
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from .book import Level
from .markets import Market
from .models import BookState

_LAYOUT_VERSION: Final = 1
#: The gateway beats ten times a second.
_STALE_MS: Final = 1_000
_ATTEMPTS: Final = 1_000
_OPEN: Final = 1
_STATES: Final = ("RESYNCING", "LIVE", "STALE", "HALTED", "CLOSED")
_VENUES: Final = ("venue_a", "venue_b")
_SYMBOL: Final = struct.Struct("<IIB3xI128s48x")
_BOOK: Final = struct.Struct("<II4BI4Qi12x20Q20i16x")
_RECORD: Final = struct.Struct("<QII4Bi5Q64s")
_TAKERS: Final = (None, "buy", "sell")


class Listing(NamedTuple):
    """A market's place in the file."""

    symbol: int
    stamp: int


@dataclass(frozen=True)
class SharedBook:
    """A market's ten best levels of each side at one position of its stream."""

    #: Trade on LIVE only.
    state: BookState
    epoch: int
    seq: int
    #: Unix milliseconds.
    venue_time: int
    received_at: int
    checksum: int
    #: Best first.
    bids: list[Level]
    asks: list[Level]
    last_trade: Decimal | None

    def computed_checksum(self) -> int:
        """What `checksum` must be: for tests, since no torn book is returned."""
        levels = [f"{_text(price)}:{_text(size)}" for price, size in (*self.bids, *self.asks)]
        return zlib.crc32("|".join(levels).encode())


@dataclass(frozen=True)
class Changed:
    """A level has this size now; 0: it is gone."""

    listing: Listing
    side: Literal["bid", "ask"]
    level: Level
    #: Epoch, seq and checksum of the book, at the last change of a batch.
    batch: tuple[int, int, int] | None


@dataclass(frozen=True)
class Traded:
    listing: Listing
    price: Decimal
    size: Decimal
    #: None where the venue did not say.
    taker: Literal["buy", "sell"] | None
    trade_id: str
    #: Unix milliseconds.
    venue_time: int


@dataclass(frozen=True)
class Marked:
    """`reset`: a new epoch, read the book. `trades_missed`: trades before it may be missing."""

    listing: Listing
    what: Literal["reset", "state", "trades_missed", "listed", "unlisted"]


@dataclass(frozen=True)
class Lapped:
    """Records were overwritten before they were read. The books have what was missed."""


Record: TypeAlias = Changed | Traded | Marked | Lapped


class Gone(LookupError):
    """The market left its place: find it again."""


class SharedFile:
    """The file of a gateway. Where `is_live()` turns false, open its path again: a new gateway makes a new file."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        memory = memoryview(self._bytes)
        # Single loads: `struct` may read a number byte by byte.
        self._u32, self._u64 = memory.cast("I"), memory.cast("Q")
        if self._bytes[:8] != b"XBOOKSHM" or self._u32[2] != _LAYOUT_VERSION:
            raise ValueError(f"{path}: no shared file of layout {_LAYOUT_VERSION}")
        self._symbols_offset, self._books_offset, self._ring_offset = self._u64[4], self._u64[6], self._u64[8]
        self._ring_slots = self._u32[19]

    def __enter__(self) -> SharedFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._u32.release()
        self._u64.release()
        self._bytes.close()

    def is_live(self) -> bool:
        """Whether a gateway writes the file now. If not, no book in it is live."""
        age_ms = time.time_ns() // 1_000_000 - self._u64[24]
        return self._u32[32] == _OPEN and abs(age_ms) <= _STALE_MS

    def markets(self) -> dict[Market, Listing]:
        """All markets that the gateway has subscribed to."""
        listings: dict[Market, Listing] = {}
        for symbol in range(self._u32[80]):
            entry = self._guarded(self._symbols_offset + symbol * _SYMBOL.size, _SYMBOL.size)
            if entry is None:
                continue
            _, stamp, venue, length, address = _SYMBOL.unpack(entry)
            if stamp:
                name = cast(Literal["venue_a", "venue_b"], _VENUES[venue])
                listings[Market(name, address[:length].decode("ascii"))] = Listing(symbol, stamp)
        return listings

    def book(self, listing: Listing) -> SharedBook:
        """Raises `Gone` where the market left its place, `BlockingIOError` where every attempt met a write."""
        copy = self._guarded(self._books_offset + listing.symbol * _BOOK.size, _BOOK.size)
        if copy is None:
            raise BlockingIOError("the book was being written: try again")
        facts = _BOOK.unpack(copy)
        _, stamp, state, _, bids, asks, checksum, epoch, seq, venue_time, received_at, last_trade = facts[:12]
        if stamp != listing.stamp:
            raise Gone(f"symbol {listing.symbol} is no longer this market's")
        sizes, prices = facts[12:32], facts[32:]
        return SharedBook(
            cast(BookState, _STATES[state]),
            epoch,
            seq,
            venue_time,
            received_at,
            checksum,
            [Level(_price(prices[at]), _size(sizes[at])) for at in range(bids)],
            [Level(_price(prices[10 + at]), _size(sizes[10 + at])) for at in range(asks)],
            _price(last_trade) if last_trade else None,
        )

    def records(self) -> Iterator[Record | None]:
        """Yields the records that are written from the first `next()` on; None while there is none."""
        next_sequence = self._ring_end()
        while True:
            at = self._ring_offset + (next_sequence - 1) % self._ring_slots * _RECORD.size
            sequence = self._u64[at // 8]
            if sequence != next_sequence:
                # The end first: beyond it, an older sequence in the slot means that the record is being overwritten.
                end = self._ring_end()
                sequence = self._u64[at // 8]
                if sequence < next_sequence and end <= next_sequence:
                    yield None
                    continue
            copy = self._bytes[at : at + _RECORD.size]
            if sequence == next_sequence == self._u64[at // 8]:
                next_sequence += 1
                yield _record(copy)
            else:
                next_sequence = self._ring_end()
                yield Lapped()

    def _ring_end(self) -> int:
        return self._u64[32] + 1

    def _guarded(self, at: int, size: int) -> bytes | None:
        """Copies what the version at its start guards."""
        for _ in range(_ATTEMPTS):
            before = self._u32[at // 4]
            copy = self._bytes[at : at + size]
            if not before & 1 and self._u32[at // 4] == before:
                return copy
        return None


def _record(copy: bytes) -> Record:
    _, symbol, stamp, kind, code, _, is_last, price, size, venue_time, _, epoch, seq, rest = _RECORD.unpack(copy)
    listing = Listing(symbol, stamp)
    if kind == 1:
        batch = (epoch, seq, int.from_bytes(rest[:4], "little")) if is_last else None
        return Changed(listing, "ask" if code else "bid", Level(_price(price), _size(size)), batch)
    if kind == 4:
        taker = cast(Literal["buy", "sell"] | None, _TAKERS[code])
        return Traded(listing, _price(price), _size(size), taker, rest.rstrip(b"\0").decode("ascii"), venue_time)
    kinds: dict[int, Literal["state", "trades_missed", "listed", "unlisted"]]
    kinds = {3: "state", 5: "trades_missed", 6: "listed", 7: "unlisted"}
    return Marked(listing, kinds.get(kind, "reset"))


def _price(ticks: int) -> Decimal:
    return Decimal(ticks).scaleb(-4)


def _size(micro_shares: int) -> Decimal:
    return Decimal(micro_shares).scaleb(-6)


def _text(value: Decimal) -> str:
    return f"{value.normalize():f}"
