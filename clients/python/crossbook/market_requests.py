"""Requests of a stream about markets, and how it retries refused ones: by the market, or the whole message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from . import models
from .events import Rejected
from .markets import Market

Channel: TypeAlias = Literal["book", "trade", "quote"]

_MARKETS_PER_MESSAGE_MAX = 100
_RETRY_S = 1.0
_RETRY_MAX_S = 30.0


@dataclass(frozen=True)
class Options:
    """What a subscription asks of its channel: `book` takes a depth, `quote` an interval."""

    depth: int | None = None
    min_interval_ms: int | None = None

    def to_wire(self) -> dict[str, int]:
        named = {"depth": self.depth, "minIntervalMs": self.min_interval_ms}
        return {name: value for name, value in named.items() if value is not None}


NO_OPTIONS = Options()


@dataclass
class _Subscription:
    options: Options
    #: Id of the latest message that asked for it: only its answer counts.
    asked_as: str | None = None
    #: Refusals in a row.
    refusals: int = 0


@dataclass(frozen=True)
class _Asked:
    """A request without an answer yet."""

    op: Literal["subscribe", "unsubscribe", "snapshot"]
    channel: Channel
    markets: tuple[Market, ...]
    refusals: int = 0


class MarketRequests:
    """`send` takes a message to the gateway; `later` runs a task after some seconds, unless the connection is lost."""

    def __init__(
        self,
        send: Callable[[dict[str, Any]], None],
        later: Callable[[float, Callable[[], None]], None],
        new_id: Callable[[], str],
        is_up: Callable[[], bool],
    ) -> None:
        self._send = send
        self._later = later
        self._new_id = new_id
        self._is_up = is_up
        self._wanted: dict[Channel, dict[Market, _Subscription]] = {"book": {}, "trade": {}, "quote": {}}
        #: By id: an error message does not repeat its request.
        self._asked: dict[str, _Asked] = {}

    def subscribe(self, channel: Channel, markets: Iterable[Market], options: Options) -> None:
        markets = tuple(markets)
        for market in markets:
            self._wanted[channel][market] = _Subscription(options)
        self._subscribe(channel, markets)

    def unsubscribe(self, channel: Channel, markets: Iterable[Market]) -> None:
        markets = tuple(markets)
        for market in markets:
            self._wanted[channel].pop(market, None)
        self._ask("unsubscribe", channel, markets)

    def snapshot(self, market: Market, refusals: int = 0) -> None:
        if not self._is_up():
            return
        request_id = self._new_id()
        self._asked[request_id] = _Asked("snapshot", "book", (market,), refusals)
        self._send({"op": "snapshot", "id": request_id, "market": market.to_wire()})

    def subscribe_all(self) -> None:
        """Of a connection that has opened."""
        self._asked.clear()
        for channel, wanted in self._wanted.items():
            self._subscribe(channel, tuple(wanted))

    def answered(self, request_id: str, message: models.Subscribed | models.Unsubscribed) -> list[Rejected]:
        asked = self._asked.pop(request_id, None)
        if asked is not None and asked.op == "subscribe":
            for market in map(Market.from_wire, message["accepted"]):
                subscription = self._wanted[asked.channel].get(market)
                if subscription is not None and subscription.asked_as == request_id:
                    subscription.refusals = 0
        return self._refuse_markets(request_id, asked, message["rejected"])

    def done(self, request_id: str) -> None:
        """Every snapshot of this request has arrived."""
        self._asked.pop(request_id, None)

    def refused(self, message: models.Error) -> list[Rejected]:
        request_id = message.get("id", "")
        asked = self._asked.pop(request_id, None)
        rejections = message.get("rejected")
        if rejections:
            return self._refuse_markets(request_id, asked, rejections)
        again_in_s = self._repeat(request_id, asked)
        return [Rejected(message["code"], message["message"], None, again_in_s)]

    def wants(self, channel: Channel, market: Market) -> bool:
        return market in self._wanted[channel]

    def _subscribe(self, channel: Channel, markets: Iterable[Market]) -> None:
        """Markets with equal options share messages."""
        groups: dict[Options, list[Market]] = {}
        for market in markets:
            groups.setdefault(self._wanted[channel][market].options, []).append(market)
        for options, alike in groups.items():
            self._ask("subscribe", channel, alike, options)

    def _ask(
        self,
        op: Literal["subscribe", "unsubscribe"],
        channel: Channel,
        markets: Sequence[Market],
        options: Options = NO_OPTIONS,
    ) -> None:
        if not self._is_up():
            return
        for start in range(0, len(markets), _MARKETS_PER_MESSAGE_MAX):
            part = tuple(markets[start : start + _MARKETS_PER_MESSAGE_MAX])
            request_id = self._new_id()
            self._asked[request_id] = _Asked(op, channel, part)
            if op == "subscribe":
                for market in part:
                    self._wanted[channel][market].asked_as = request_id
            named = [market.to_wire() for market in part]
            self._send({"op": op, "id": request_id, "channel": channel, **options.to_wire(), "markets": named})

    def _refuse_markets(
        self, request_id: str, asked: _Asked | None, rejections: Sequence[models.Rejection]
    ) -> list[Rejected]:
        events: list[Rejected] = []
        again: dict[float, list[Market]] = {}
        for rejection in rejections:
            market = Market.from_wire(rejection["market"])
            again_in_s: float | None = None
            if asked is not None and asked.op == "subscribe":
                if not self._is_asked_as(request_id, asked.channel, market):
                    continue  # It was unsubscribed, or subscribed again, since.
                again_in_s = self._refuse(asked.channel, market, rejection["code"])
                if again_in_s is not None:
                    again.setdefault(again_in_s, []).append(market)
            events.append(Rejected(rejection["code"], rejection["message"], market, again_in_s))
        if asked is not None:
            for pause_s, markets in again.items():
                self._subscribe_later(pause_s, request_id, asked.channel, markets)
        return events

    def _refuse(self, channel: Channel, market: Market, code: str) -> float | None:
        """Seconds until the stream asks again; None: the market is not known, and is no longer asked for."""
        if code == "UNKNOWN_MARKET":
            del self._wanted[channel][market]
            return None
        subscription = self._wanted[channel][market]
        subscription.refusals += 1
        return _pause_s(subscription.refusals)

    def _repeat(self, request_id: str, asked: _Asked | None) -> float | None:
        """Sends a request that was refused as a whole again, as far as it still applies."""
        if asked is None:
            return None
        op, channel, markets = asked.op, asked.channel, asked.markets
        if op == "snapshot":
            refusals = asked.refusals + 1
            pause_s = _pause_s(refusals)

            def ask_snapshot() -> None:
                if self.wants("book", markets[0]):
                    self.snapshot(markets[0], refusals)

            self._later(pause_s, ask_snapshot)
            return pause_s
        if op == "unsubscribe":
            self._later(
                _RETRY_S,
                lambda: self._ask("unsubscribe", channel, [it for it in markets if not self.wants(channel, it)]),
            )
            return _RETRY_S
        still = [it for it in markets if self._is_asked_as(request_id, channel, it)]
        pauses = [self._refuse(channel, market, "INVALID_REQUEST") or 0.0 for market in still]
        pause_s = max([_RETRY_S, *pauses])
        self._subscribe_later(pause_s, request_id, channel, still)
        return pause_s

    def _subscribe_later(self, pause_s: float, request_id: str, channel: Channel, markets: Sequence[Market]) -> None:
        def ask() -> None:
            self._subscribe(channel, [it for it in markets if self._is_asked_as(request_id, channel, it)])

        self._later(pause_s, ask)

    def _is_asked_as(self, request_id: str, channel: Channel, market: Market) -> bool:
        subscription = self._wanted[channel].get(market)
        return subscription is not None and subscription.asked_as == request_id


def _pause_s(refusals: int) -> float:
    return min(_RETRY_S * 2.0 ** (refusals - 1), _RETRY_MAX_S)
