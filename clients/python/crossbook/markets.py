"""How a market is named: by its token at venue A, by its ticker at venue B."""

from __future__ import annotations

from typing import Literal, NamedTuple

from . import models

_ADDRESS_CHARACTERS_MAX = 128


class Market(NamedTuple):
    """One market's book: of an outcome token of venue A, or of the YES side of a ticker of venue B."""

    venue: Literal["venue_a", "venue_b"]
    #: Token id or ticker.
    address: str

    def to_wire(self) -> models.Market:
        if self.venue == "venue_a":
            return {"venue": "venue_a", "tokenId": self.address}
        return {"venue": "venue_b", "ticker": self.address}

    @staticmethod
    def from_wire(market: models.Market) -> Market:
        if market["venue"] == "venue_a":
            return Market("venue_a", market["tokenId"])
        return Market("venue_b", market["ticker"])


def venue_a(token_id: str) -> Market:
    return _named("venue_a", token_id)


def venue_b(ticker: str) -> Market:
    return _named("venue_b", ticker)


def _named(venue: Literal["venue_a", "venue_b"], address: str) -> Market:
    if not 0 < len(address) <= _ADDRESS_CHARACTERS_MAX:
        raise ValueError(f"{venue}: the market's name must have 1 to {_ADDRESS_CHARACTERS_MAX} characters")
    return Market(venue, address)
