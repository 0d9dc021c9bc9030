"""What a stream yields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from . import models
from .book import Book
from .markets import Market


@dataclass(frozen=True)
class Connected:
    """Subscribed again; snapshots of the books follow."""


@dataclass(frozen=True)
class Disconnected:
    """All books are empty until it is connected again."""

    reason: str


@dataclass(frozen=True)
class BookChanged:
    """The book equals the gateway's, by its checksum. The next event may change it."""

    book: Book
    update: models.Snapshot | models.Delta


@dataclass(frozen=True)
class BookLost:
    """The book lost its sequence. It is empty until the requested snapshot arrives."""

    book: Book
    cause: Literal["gap", "checksum"]


@dataclass(frozen=True)
class StateChanged:
    """Whether the book can be trusted now, and why."""

    market: Market
    state: models.BookState
    reason: str


@dataclass(frozen=True)
class TradeSeen:
    """A trade of the venue. After the venue's connection was lost it may be repeated: tell it by id, price and size."""

    market: Market
    trade: models.Trade


@dataclass(frozen=True)
class QuoteChanged:
    """The best bid and ask, or the state of the book, are other ones."""

    market: Market
    quote: models.Quote


@dataclass(frozen=True)
class OutcomeChanged:
    """The best ways to buy and to sell an outcome of a market of the catalog, over all routes, net of the taker's fee."""

    message: models.OutcomeMessage


@dataclass(frozen=True)
class Following:
    """Our orders are followed: the events after this cursor come now."""

    cursor: int


@dataclass(frozen=True)
class OrderChanged:
    """An event of one of our orders: each once, in the order of cursors, across reconnections."""

    message: models.OrderEvent


@dataclass(frozen=True)
class OrdersRead:
    """Our open orders, or with `hasMore` a part of them: the events after the cursor are gone."""

    message: models.OrdersSnapshot


@dataclass(frozen=True)
class ProtectionChanged:
    """A protection of our actor has changed, or was triggered before: after each connection, too."""

    message: models.ProtectionEvent


@dataclass(frozen=True)
class LossLimitChanged:
    """A loss limit of our actor or pod has changed, or was reached before: after each connection, too."""

    message: models.LossLimitEvent


@dataclass(frozen=True)
class QueueChanged:
    """The queue ahead of a working order: first of each, then of those that changed by `queue_step`."""

    message: models.QueueEvent


@dataclass(frozen=True)
class Rejected:
    """A request that the gateway refused."""

    code: str
    message: str
    #: None where the refusal is of the request as a whole.
    market: Market | None
    #: Seconds until the stream asks again by itself; None: it does not.
    again_in_s: float | None


@dataclass(frozen=True)
class Notice:
    """`LAGGED`: read too slowly, snapshots follow. `TRADES_MISSED`: trades before it may be missing."""

    code: str
    message: str


Event: TypeAlias = (
    Connected
    | Disconnected
    | BookChanged
    | BookLost
    | StateChanged
    | TradeSeen
    | QuoteChanged
    | OutcomeChanged
    | Following
    | OrderChanged
    | OrdersRead
    | ProtectionChanged
    | LossLimitChanged
    | QueueChanged
    | Rejected
    | Notice
)
