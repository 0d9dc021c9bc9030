"""Requests of a stream about markets of the catalog: after every reconnection, and again where the gateway refuses one for now."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import models
from .events import Rejected

_IDS_PER_MESSAGE_MAX = 100
_RETRY_S = 1.0
_RETRY_MAX_S = 30.0


class OutcomeRequests:
    """`send` takes a message to the gateway, if it is connected; `later` runs a task after some seconds, unless the connection is lost."""

    def __init__(
        self,
        send: Callable[[dict[str, Any]], None],
        later: Callable[[float, Callable[[], None]], None],
        new_id: Callable[[], str],
    ) -> None:
        self._send = send
        self._later = later
        self._new_id = new_id
        #: Interval in milliseconds by market of the catalog.
        self._wanted: dict[str, int] = {}
        #: Subscriptions without an answer yet, by id: their markets, and how often in a row they were refused as a whole.
        self._asked: dict[str, tuple[list[str], int]] = {}

    def subscribe(self, market_ids: Iterable[str], min_interval_ms: int) -> None:
        market_ids = tuple(market_ids)
        for market_id in market_ids:
            self._wanted[market_id] = min_interval_ms
        self._ask(market_ids)

    def unsubscribe(self, market_ids: Iterable[str]) -> None:
        market_ids = tuple(market_ids)
        for market_id in market_ids:
            self._wanted.pop(market_id, None)
        self._request("unsubscribe", market_ids)

    def subscribe_all(self) -> None:
        """Of a connection that has opened."""
        self._asked.clear()
        self._ask(tuple(self._wanted))

    def answered(self, message: models.Subscribed | models.Unsubscribed) -> list[Rejected]:
        return [] if message["type"] == "unsubscribed" else self._rejected(message)

    def _rejected(self, message: models.Subscribed | models.Error) -> list[Rejected]:
        self._asked.pop(message.get("id", ""), None)
        events: list[Rejected] = []
        again: list[str] = []
        for rejection in message.get("rejectedCatalogMarkets", []):
            market_id, code = rejection["catalogMarket"], rejection["code"]
            is_over = code == "UNKNOWN_MARKET"
            if is_over:
                self._wanted.pop(market_id, None)
            else:
                again.append(market_id)
            events.append(Rejected(code, f"{market_id}: {rejection['message']}", None, None if is_over else _RETRY_S))
        if again:
            self._later(_RETRY_S, lambda: self._ask([it for it in again if it in self._wanted]))
        return events

    def refused(self, message: models.Error) -> list[Rejected] | None:
        """A whole subscription is refused, as by the rate of reads, or each of its markets. None: it is about something else."""
        if "rejectedCatalogMarkets" in message:
            return self._rejected(message) if message.get("id", "") in self._asked else []
        asked = self._asked.pop(message.get("id", ""), None)
        if asked is None:
            return None
        market_ids, refusals = asked[0], asked[1] + 1
        pause_s = min(_RETRY_S * 2.0 ** (refusals - 1), _RETRY_MAX_S)
        self._later(pause_s, lambda: self._ask([it for it in market_ids if it in self._wanted], refusals))
        return [Rejected(message["code"], message["message"], None, pause_s)]

    def _ask(self, market_ids: Iterable[str], refusals: int = 0) -> None:
        """Markets with one interval share messages."""
        alike: dict[int, list[str]] = {}
        for market_id in market_ids:
            alike.setdefault(self._wanted[market_id], []).append(market_id)
        for min_interval_ms, ids in alike.items():
            for request_id, part in self._request("subscribe", ids, minIntervalMs=min_interval_ms):
                self._asked[request_id] = part, refusals

    def _request(self, op: str, market_ids: Iterable[str], **options: int) -> list[tuple[str, list[str]]]:
        """The ids of the messages, with their markets."""
        ids = list(market_ids)
        parts = [ids[start : start + _IDS_PER_MESSAGE_MAX] for start in range(0, len(ids), _IDS_PER_MESSAGE_MAX)]
        requests = [(self._new_id(), part) for part in parts]
        for request_id, part in requests:
            self._send({"op": op, "id": request_id, "channel": "outcome", **options, "catalogMarkets": part})
        return requests
