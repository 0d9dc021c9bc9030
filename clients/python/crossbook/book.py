"""A subscriber's book: a snapshot and every delta after it, each compared with its checksum.

A book that cannot be trusted is empty: no bot should trade on levels that may be wrong.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

from .markets import Market
from .models import BookState, Delta, Snapshot

#: `applied`: the book equals the gateway's, by its checksum. `ignored`: it is newer already, or waits for a snapshot.
#: After `gap` (an update is missing) and `checksum` (the levels differ) it is empty and waits for a snapshot.
Applied: TypeAlias = Literal["applied", "ignored", "gap", "checksum"]

_CHECKED_LEVELS = 10


class Level(NamedTuple):
    #: Dollars.
    price: Decimal
    #: Shares or contracts.
    size: Decimal


class _Side:
    """Levels of one side, by ascending price."""

    def __init__(self, levels: Sequence[Sequence[str]] = ()) -> None:
        self.sizes = {Decimal(price): Decimal(size) for price, size in levels}
        self.prices = sorted(self.sizes)

    def set(self, price: Decimal, size: Decimal) -> None:
        if size:
            if price not in self.sizes:
                self.prices.insert(bisect_left(self.prices, price), price)
            self.sizes[price] = size
        elif self.sizes.pop(price, None) is not None:
            del self.prices[bisect_left(self.prices, price)]

    def level(self, at: int) -> Level | None:
        if not self.prices:
            return None
        price = self.prices[at]
        return Level(price, self.sizes[price])


class NoSide(NamedTuple):
    """The other outcome's book, best first."""

    bids: list[Level]
    asks: list[Level]


class Book:
    """The book of one market, kept by a stream."""

    def __init__(self, market: Market) -> None:
        self.market = market
        #: Whether the levels equal the gateway's. If not, they are empty.
        self.is_synced = False
        #: State at the gateway: trade on LIVE only.
        self.state: BookState = "RESYNCING"
        self.epoch = 0
        self.seq = 0
        #: The venue's time of the last update, ISO-8601; None if it stated none.
        self.venue_time: str | None = None
        self._bids = _Side()
        self._asks = _Side()

    def __repr__(self) -> str:
        return f"<Book {self.market.address} {self.state} bid {self.best_bid} ask {self.best_ask}>"

    @property
    def best_bid(self) -> Level | None:
        return self._bids.level(-1)

    @property
    def best_ask(self) -> Level | None:
        return self._asks.level(0)

    @property
    def bids(self) -> list[Level]:
        """Best first."""
        return [Level(price, self._bids.sizes[price]) for price in reversed(self._bids.prices)]

    @property
    def asks(self) -> list[Level]:
        """Best first."""
        return [Level(price, self._asks.sizes[price]) for price in self._asks.prices]

    def no(self) -> NoSide:
        """NO bid = 1 − YES ask, NO ask = 1 − YES bid, sizes unchanged."""
        return NoSide(_complement(self.asks), _complement(self.bids))

    def apply(self, update: Snapshot | Delta) -> Applied:
        if update["type"] == "snapshot":
            self._bids, self._asks = _Side(update["bids"]), _Side(update["asks"])
            self.epoch, self.state, self.is_synced = update["epoch"], update["state"], True
            return self._verify(update)
        epoch, seq = update["epoch"], update["seq"]
        if not self.is_synced or (epoch, seq) <= (self.epoch, self.seq):
            return "ignored"
        if epoch != self.epoch or update["prevSeq"] != self.seq:
            return self._lose("gap")
        for side, price, size in update["changes"]:
            (self._bids if side == "bid" else self._asks).set(Decimal(price), Decimal(size))
        return self._verify(update)

    def set_state(self, state: BookState) -> None:
        """A book that the gateway rebuilds is empty until its snapshot, which has the next state."""
        if state == "RESYNCING":
            self.reset()
        elif self.is_synced:
            self.state = state

    def is_behind(self, epoch: int, seq: int) -> bool:
        """Whether the gateway has published more than has arrived, by a heartbeat."""
        return self.is_synced and (epoch, seq) > (self.epoch, self.seq)

    def reset(self) -> None:
        """Drops the levels and waits for a snapshot."""
        self.is_synced, self.state = False, "RESYNCING"
        self._bids, self._asks = _Side(), _Side()

    def checksum(self) -> int:
        """CRC-32 of up to ten bids, then up to ten asks, best first."""
        bids, asks = self._bids, self._asks
        parts = [f"{price}:{bids.sizes[price]}" for price in islice(reversed(bids.prices), _CHECKED_LEVELS)]
        parts += [f"{price}:{asks.sizes[price]}" for price in asks.prices[:_CHECKED_LEVELS]]
        return zlib.crc32("|".join(parts).encode())

    def _verify(self, update: Snapshot | Delta) -> Applied:
        self.seq, self.venue_time = update["seq"], update["venueTime"]
        return "applied" if self.checksum() == update["checksum"] else self._lose("checksum")

    def _lose(self, cause: Applied) -> Applied:
        self.reset()
        return cause


def _complement(levels: list[Level]) -> list[Level]:
    return [Level(1 - price, size) for price, size in levels]
