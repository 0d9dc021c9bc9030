"""What a stream knows and wants, without a socket: stream.py hands it each message and sends what it asks for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, cast

from . import models
from .book import Book
from .events import (
    BookChanged,
    BookLost,
    Event,
    Following,
    Notice,
    OrderChanged,
    OrdersRead,
    OutcomeChanged,
    QuoteChanged,
    LossLimitChanged,
    ProtectionChanged,
    QueueChanged,
    Rejected,
    StateChanged,
    TradeSeen,
)
from .market_requests import NO_OPTIONS, Channel, MarketRequests, Options
from .markets import Market
from .order_cursor import OrderCursor
from .outcome_requests import OutcomeRequests

_RETRY_S = 1.0
#: Of refusals that may be over soon.
_PASSING_BOUNDS = ("streamRequestsWaitingMax", "reads of the rate profile")


class StreamSession:
    """`send` takes a message to the gateway; `later` runs a task after some seconds, unless the connection is lost.

    `follow` has the next connection made to the gateway that owns the key's pod, unless this one is.
    """

    def __init__(
        self,
        send: Callable[[dict[str, Any]], None],
        later: Callable[[float, Callable[[], None]], None],
        follow: Callable[[str], bool] = lambda _owner: False,
    ) -> None:
        self.is_up = False
        #: Why the connection has to be made anew; None: it has not.
        self.broken: str | None = None
        self.books: dict[Market, Book] = {}
        self.orders: OrderCursor | None = None
        #: Requests of subscriptions to orders that are over; by id, whether it is their end. Their refusals are no news.
        self._over: dict[str, bool] = {}
        self._send = send
        self._later = later
        self._follow = follow
        self._ids = 0
        self._requests = MarketRequests(send, later, self._new_id, lambda: self.is_up)
        self._outcomes = OutcomeRequests(self._send_if_up, later, self._new_id)

    def opened(self) -> None:
        self.is_up, self.broken = True, None
        # First, because `cancelOnDisconnect` must be renewed within 10 seconds.
        self._ask_orders()
        self._requests.subscribe_all()
        self._outcomes.subscribe_all()

    def lost(self) -> None:
        self.is_up = False
        self._over.clear()
        for book in self.books.values():
            book.reset()

    def subscribe(self, channel: Channel, markets: Iterable[Market], options: Options = NO_OPTIONS) -> None:
        markets = tuple(markets)
        if channel == "book":
            for market in markets:
                self.books.setdefault(market, Book(market))
        self._requests.subscribe(channel, markets, options)

    def unsubscribe(self, channel: Channel, markets: Iterable[Market]) -> None:
        markets = tuple(markets)
        for market in markets:
            self._forget(channel, market)
        self._requests.unsubscribe(channel, markets)

    def subscribe_outcomes(self, market_ids: Iterable[str], min_interval_ms: int = 0) -> None:
        self._outcomes.subscribe(market_ids, min_interval_ms)

    def unsubscribe_outcomes(self, market_ids: Iterable[str]) -> None:
        self._outcomes.unsubscribe(market_ids)

    def follow_orders(self, after: int | None, cancel_on_disconnect: bool, queue_step: str | None) -> None:
        self.unfollow_orders()
        self.orders = OrderCursor(after, cancel_on_disconnect, queue_step)
        self._ask_orders()

    def unfollow_orders(self) -> None:
        if self.orders is None:
            return
        awaited, self.orders = self.orders.awaited, None
        if not self.is_up:
            return
        request_id = self._new_id()
        self._over |= ({} if awaited is None else {awaited: False}) | {request_id: True}
        self._send({"op": "unsubscribe", "id": request_id, "channel": "orders"})

    def read(self, text: str | bytes) -> list[Event]:
        """Applies one message. Unknown kinds of messages are ignored: there may be more of them one day."""
        message = json.loads(text)
        read = getattr(self, f"_read_{message.get('type')}", None)
        return [] if read is None else cast("list[Event]", read(message))

    def _read_snapshot(self, message: models.Snapshot | models.Delta) -> list[Event]:
        book = self.books.get(Market.from_wire(message["market"]))
        if book is None:
            return []
        applied = book.apply(message)
        if applied == "applied":
            return [BookChanged(book, message)]
        if applied == "ignored":
            return []
        if message["type"] == "snapshot":
            # Another snapshot would be wrong again.
            self.broken = f"{book.market.address}: the checksum of a snapshot is wrong"
        else:
            self._requests.snapshot(book.market)
        return [BookLost(book, applied)]

    _read_delta = _read_snapshot

    def _read_state(self, message: models.State) -> list[Event]:
        market = Market.from_wire(message["market"])
        book = self.books.get(market)
        if book is not None:
            book.set_state(message["state"])
        return [StateChanged(market, message["state"], message["reason"])]

    def _read_heartbeat(self, message: models.Heartbeat) -> list[Event]:
        events: list[Event] = []
        for wire_market, epoch, seq in message["books"]:
            book = self.books.get(Market.from_wire(wire_market))
            if book is not None and book.is_behind(epoch, seq):
                book.reset()
                self._requests.snapshot(book.market)
                events.append(BookLost(book, "gap"))
        return events

    def _read_trade(self, message: models.Trade) -> list[Event]:
        return [TradeSeen(Market.from_wire(message["market"]), message)]

    def _read_quote(self, message: models.Quote) -> list[Event]:
        return [QuoteChanged(Market.from_wire(message["market"]), message)]

    def _read_outcome(self, message: models.OutcomeMessage) -> list[Event]:
        return [OutcomeChanged(message)]

    def _read_subscribed(self, message: models.Subscribed) -> list[Event]:
        if message["channel"] == "orders":
            self._over.pop(message.get("id", ""), None)
            is_ours = self.orders is not None and self.orders.begin(message.get("id", ""), message["cursor"])
            return [Following(message["cursor"])] if is_ours else []
        return self._answered(message)

    def _read_unsubscribed(self, message: models.Unsubscribed) -> list[Event]:
        if message["channel"] != "orders":
            return self._answered(message)
        self._over.pop(message.get("id", ""), None)
        return []

    def _answered(self, message: models.Subscribed | models.Unsubscribed) -> list[Event]:
        if message["channel"] == "outcome":
            return list(self._outcomes.answered(message))
        rejections = self._requests.answered(message.get("id", ""), message)
        return self._forgetting(rejections)

    def _read_snapshotsDone(self, message: models.SnapshotsDone) -> list[Event]:
        self._requests.done(message["id"])
        return []

    def _read_order(self, message: models.OrderEvent) -> list[Event]:
        taken = "known" if self.orders is None else self.orders.take(message["cursor"])
        if taken == "gap":
            self.broken = f"order events before {message['cursor']} are missing"
        return [OrderChanged(message)] if taken == "next" else []

    def _read_ordersSnapshot(self, message: models.OrdersSnapshot) -> list[Event]:
        is_ours = self.orders is not None and self.orders.replace(message)
        return [OrdersRead(message)] if is_ours else []

    def _read_protection(self, message: models.ProtectionEvent) -> list[Event]:
        return [ProtectionChanged(message)]

    def _read_lossLimit(self, message: models.LossLimitEvent) -> list[Event]:
        return [LossLimitChanged(message)]

    def _read_queue(self, message: models.QueueEvent) -> list[Event]:
        return [QueueChanged(message)]

    def _read_error(self, message: models.Error) -> list[Event]:
        code, text, request_id = message["code"], message["message"], message.get("id", "")
        is_end = self._over.pop(request_id, None)
        if is_end is False or (is_end is True and code == "NOT_SUBSCRIBED"):
            return []
        if self.orders is None or not self.orders.awaits(request_id):
            if request_id == "":
                return [Notice(code, text)]
            of_outcomes = self._outcomes.refused(message)
            if of_outcomes is not None:
                return list(of_outcomes)
            return self._forgetting(self._requests.refused(message))
        owner = message.get("podOwner")
        if owner is not None and self._follow(owner):
            self.broken = text
            return []
        again_in_s: float | None = None
        if any(bound in text for bound in _PASSING_BOUNDS):
            again_in_s = _RETRY_S
            self._later(again_in_s, partial(self._ask_orders_again, self.orders))
        elif code != "CURSOR_EXPIRED":  # After it a snapshot of the open orders follows.
            self.orders = None
        return [Rejected(code, text, None, again_in_s)]

    def _forgetting(self, rejections: list[Rejected]) -> list[Event]:
        for rejection in rejections:
            if rejection.market is not None and not self._requests.wants("book", rejection.market):
                self._forget("book", rejection.market)
        return list(rejections)

    def _forget(self, channel: Channel, market: Market) -> None:
        book = self.books.pop(market, None) if channel == "book" else None
        if book is not None:
            book.reset()

    def _ask_orders(self) -> None:
        if self.is_up and self.orders is not None:
            self._send(self.orders.request(self._new_id()))

    def _ask_orders_again(self, refused: OrderCursor) -> None:
        """Unless another subscription has taken its place."""
        if self.orders is refused:
            self._ask_orders()

    def _send_if_up(self, message: dict[str, Any]) -> None:
        if self.is_up:
            self._send(message)

    def _new_id(self) -> str:
        self._ids += 1
        return str(self._ids)
