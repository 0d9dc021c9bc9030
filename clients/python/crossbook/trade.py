"""Orders on a WebSocket, `/v1/trade`: many in flight on one connection, none of them signed.

    async with AsyncClient(url, signer) as client, AsyncTrade(client) as trade:
        outcome = await trade.submit_venue_b_order(order)

    with Client(url, signer) as client, Trade(client) as trade:   # without asyncio; threads may share it
        outcome = trade.submit_venue_b_order(order)

Outcomes are those of REST. It connects at the first call, and again at the next one after a loss. It repeats nothing: what
was sent on a lost connection is Unknown, and `client.submit_…` with the same body and `idempotency_key` has the answer.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypedDict, TypeVar

import websockets.client
from websockets.exceptions import ConnectionClosed

from . import models
from .calls import Call, cancel, change, submit
from .client import AsyncClient, Client
from .errors import CrossbookError, Unreachable
from .exchange import NoReply, Reply, judge
from .outcomes import Cancellation, Change, Refused, Submission
from .web_socket import open_socket

T = TypeVar("T")

_TARGET = "/v1/trade"
_log = logging.getLogger("crossbook")


class Rates(TypedDict):
    rateLimits: list[models.RateBucket]
    venueBudgets: list[models.VenueBudget] | None


class OrderQueue(TypedDict):
    orderId: str
    #: Null for an order that does not rest.
    queueAhead: models.QueueAhead | None


class AsyncTrade:
    """`accepted` hears the id of each order once it is recorded, before its answer.

    `unarmed` hears why the gateway has not confirmed `cancel_on_disconnect` for a new connection: open orders may outlive it.
    """

    def __init__(
        self,
        client: AsyncClient | Client,
        *,
        accepted: Callable[[str], None] | None = None,
        unarmed: Callable[[str], None] | None = None,
    ) -> None:
        self._client = client
        self._accepted = accepted
        self._unarmed = unarmed
        self._socket: websockets.client.WebSocketClientProtocol | None = None
        self._opening = asyncio.Lock()
        self._reader: asyncio.Task[None] | None = None
        #: Sent, and without a result so far; by id.
        self._pending: dict[str, asyncio.Future[Reply | NoReply]] = {}
        self._ids = 0
        self._cancels_on_disconnect = False

    async def submit_venue_a_order(
        self,
        body: models.VenueAOrderRequest,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        return await self._submit("venue_a", submit("/v1/venue-a/orders", body, idempotency_key, not_after_millis))

    async def submit_venue_b_order(
        self,
        body: models.VenueBOrderRequest,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        return await self._submit("venue_b", submit("/v1/venue-b/orders", body, idempotency_key, not_after_millis))

    async def submit_venue_a_batch(
        self, body: models.VenueABatch, *, not_after_millis: int | None = None
    ) -> Change[models.BatchResults]:
        return await self._batch("venue_a", body, not_after_millis)

    async def submit_venue_b_batch(
        self, body: models.VenueBBatch, *, not_after_millis: int | None = None
    ) -> Change[models.BatchResults]:
        return await self._batch("venue_b", body, not_after_millis)

    async def replace_venue_a_order(
        self,
        order_id: str,
        body: models.VenueAReplacement,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        return await self._submit("venue_a", submit(_TARGET, body, idempotency_key, not_after_millis), order_id)

    async def replace_venue_b_order(
        self,
        order_id: str,
        body: models.VenueBReplacement,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        return await self._submit("venue_b", submit(_TARGET, body, idempotency_key, not_after_millis), order_id)

    async def cancel_venue_a_order(self, order_id: str) -> Cancellation:
        message = {"op": "cancel", "venue": "venue_a", "orderId": order_id}
        return await self._run(cancel(_TARGET, "filledShares"), message)

    async def cancel_venue_b_order(self, order_id: str) -> Cancellation:
        message = {"op": "cancel", "venue": "venue_b", "orderId": order_id}
        return await self._run(cancel(_TARGET, "filledCount"), message)

    async def cancel_venue_a_order_by_client_id(self, client_order_id: str) -> Cancellation:
        """By the idempotency key of its submission, which may be under way."""
        message = {"op": "cancel", "venue": "venue_a", "idempotencyKey": client_order_id}
        return await self._run(cancel(_TARGET, "filledShares"), message)

    async def cancel_venue_b_order_by_client_id(self, client_order_id: str) -> Cancellation:
        """By the idempotency key of its submission, which may be under way."""
        message = {"op": "cancel", "venue": "venue_b", "idempotencyKey": client_order_id}
        return await self._run(cancel(_TARGET, "filledCount"), message)

    async def cancel_venue_a_orders(self, *, token_id: str | None = None) -> Change[models.CancelResults]:
        return await self._cancel_all("venue_a", token_id)

    async def cancel_venue_b_orders(self, *, ticker: str | None = None) -> Change[models.CancelResults]:
        return await self._cancel_all("venue_b", ticker)

    async def queue_ahead(self, venue: models.TradingVenue, order_id: str) -> Change[OrderQueue]:
        """The shares ahead of a working order at its price. Needs the scope `read`."""
        message = {"op": "queue", "venue": venue, "orderId": order_id}
        return await self._run(change(OrderQueue, "GET", _TARGET), message)

    async def limits(self) -> Change[Rates]:
        """What is left of each rate of the gateway, and of the venues."""
        return await self._run(change(Rates, "GET", _TARGET), {"op": "limits"})

    async def cancel_on_disconnect(self, enabled: bool) -> Change[dict[str, bool]]:
        """Whether the key's open orders are cancelled when its last such connection is lost."""
        self._cancels_on_disconnect = enabled
        return await self._run(change(dict[str, bool], "POST", _TARGET), _switch(enabled))

    async def close(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()
        if self._reader is not None:
            await self._reader

    async def __aenter__(self) -> AsyncTrade:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        await self.close()

    async def _submit(self, venue: str, call: Call[Submission], replaces: str | None = None) -> Submission:
        key = call.idempotency_key or self._client.session.new_key()
        message: dict[str, Any] = {"op": "submit", "venue": venue, "idempotencyKey": key}
        if replaces is not None:
            message |= {"op": "replace", "orderId": replaces}
        if self._accepted is not None:
            message["ack"] = True
        # Its text is bound to the idempotency key: the same as over REST.
        return await self._run(call, message, f'"order": {call.body.decode()}', key)

    async def _batch(
        self, venue: str, body: models.VenueABatch | models.VenueBBatch, not_after_millis: int | None
    ) -> Change[models.BatchResults]:
        call = change(models.BatchResults, "POST", _TARGET, {}, body, not_after_millis)
        return await self._run(call, {"op": "batch", "venue": venue}, call.body.decode()[1:-1])

    async def _cancel_all(self, venue: str, market: str | None) -> Change[models.CancelResults]:
        message = {"op": "cancel-all", "venue": venue} | ({} if market is None else {"market": market})
        return await self._run(change(models.CancelResults, "DELETE", _TARGET), message)

    async def _run(self, call: Call[T], message: dict[str, Any], members: str = "", key: str = "") -> T:
        """`members`: further ones of the message, as JSON."""
        try:
            socket = await self._connected()
        except CrossbookError as error:
            return call.finish(Refused(error))
        if call.not_after_millis is not None:
            message["notAfter"] = call.not_after_millis
        return call.finish(judge(call, key, await self._ask(socket, message, members)))

    async def _ask(
        self, socket: websockets.client.WebSocketClientProtocol, message: dict[str, Any], members: str = ""
    ) -> Reply | NoReply:
        self._ids += 1
        request_id = str(self._ids)
        text = json.dumps(message | {"id": request_id})
        if members:
            text = f"{text[:-1]}, {members}}}"
        result: asyncio.Future[Reply | NoReply] = asyncio.get_running_loop().create_future()
        self._pending[request_id] = result
        try:
            await socket.send(text)
        except ConnectionClosed as error:
            return NoReply(str(error), is_unsent=False)
        finally:
            result.add_done_callback(lambda _: self._pending.pop(request_id, None))
        return await result

    async def _connected(self) -> websockets.client.WebSocketClientProtocol:
        async with self._opening:
            if self._socket is None or self._socket.closed:
                asks_time = not self._client.session.clock.is_compared
                self._socket = await open_socket(self._client, _TARGET, asks_time)
                self._reader = asyncio.create_task(self._read(self._socket))
                if self._cancels_on_disconnect:
                    await self._arm(self._socket)
            return self._socket

    async def _arm(self, socket: websockets.client.WebSocketClientProtocol) -> None:
        reply = await self._ask(socket, _switch(True))
        if isinstance(reply, NoReply):
            raise Unreachable(reply.message)
        if reply.status == 200:
            return
        why = json.loads(reply.body)["error"]["message"]
        _log.warning("cancel_on_disconnect is not armed: %s", why)
        if self._unarmed is not None:
            self._unarmed(why)

    async def _read(self, socket: websockets.client.WebSocketClientProtocol) -> None:
        try:
            async for text in socket:
                self._take(json.loads(text))
        except ConnectionClosed:
            pass
        for result in list(self._pending.values()):
            if not result.done():
                result.set_result(NoReply("the connection was lost", is_unsent=False))

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "accepted" and self._accepted is not None:
            self._accepted(message["orderId"])
        result = self._pending.get(message.get("id", ""))
        if result is not None and not result.done() and message["type"] in ("result", "error"):
            result.set_result(_reply(message))


def _switch(enabled: bool) -> dict[str, Any]:
    return {"op": "cancel-on-disconnect", "enabled": enabled}


def _reply(message: dict[str, Any]) -> Reply:
    """As REST would have answered. An `error` is about a message that the gateway did not take."""
    if message["type"] == "error":
        error = {"error": {"code": "INVALID_REQUEST", "message": message["message"]}}
        return Reply(429 if message["code"] == "TOO_MANY_IN_FLIGHT" else 400, {}, json.dumps(error).encode())
    headers: dict[str, str] = {}
    if message.get("replayed"):
        headers["idempotency-replayed"] = "true"
    if message.get("recorded") is False:
        headers["svc-recorded"] = "false"
    if "retryAfterS" in message:
        headers["retry-after"] = str(message["retryAfterS"])
    if "order" in message:
        body = message["order"]
    else:
        names = ("results", "enabled", "error", "replaces", "rateLimits", "venueBudgets")
        body = {name: message[name] for name in names if name in message}
    return Reply(message["status"], headers, json.dumps(body).encode())


class Trade:
    """An `AsyncTrade` for programs without asyncio: a thread of its own does its work, and each call waits for its outcome.

    Threads may share it, so that many orders are in flight. `accepted` and `unarmed` are called on its thread.
    """

    def __init__(
        self,
        client: Client,
        *,
        accepted: Callable[[str], None] | None = None,
        unarmed: Callable[[str], None] | None = None,
    ) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="crossbook trade", daemon=True)
        self._thread.start()
        self._trade = AsyncTrade(client, accepted=accepted, unarmed=unarmed)

    def submit_venue_a_order(
        self,
        body: models.VenueAOrderRequest,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        return self._wait(
            self._trade.submit_venue_a_order(
                body, idempotency_key=idempotency_key, not_after_millis=not_after_millis
            )
        )

    def submit_venue_b_order(
        self,
        body: models.VenueBOrderRequest,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        return self._wait(
            self._trade.submit_venue_b_order(
                body, idempotency_key=idempotency_key, not_after_millis=not_after_millis
            )
        )

    def submit_venue_a_batch(
        self, body: models.VenueABatch, *, not_after_millis: int | None = None
    ) -> Change[models.BatchResults]:
        return self._wait(self._trade.submit_venue_a_batch(body, not_after_millis=not_after_millis))

    def submit_venue_b_batch(
        self, body: models.VenueBBatch, *, not_after_millis: int | None = None
    ) -> Change[models.BatchResults]:
        return self._wait(self._trade.submit_venue_b_batch(body, not_after_millis=not_after_millis))

    def replace_venue_a_order(
        self,
        order_id: str,
        body: models.VenueAReplacement,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        return self._wait(
            self._trade.replace_venue_a_order(
                order_id, body, idempotency_key=idempotency_key, not_after_millis=not_after_millis
            )
        )

    def replace_venue_b_order(
        self,
        order_id: str,
        body: models.VenueBReplacement,
        *,
        idempotency_key: str | None = None,
        not_after_millis: int | None = None,
    ) -> Submission:
        return self._wait(
            self._trade.replace_venue_b_order(
                order_id, body, idempotency_key=idempotency_key, not_after_millis=not_after_millis
            )
        )

    def cancel_venue_a_order(self, order_id: str) -> Cancellation:
        return self._wait(self._trade.cancel_venue_a_order(order_id))

    def cancel_venue_b_order(self, order_id: str) -> Cancellation:
        return self._wait(self._trade.cancel_venue_b_order(order_id))

    def cancel_venue_a_order_by_client_id(self, client_order_id: str) -> Cancellation:
        """By the idempotency key of its submission, which may be under way."""
        return self._wait(self._trade.cancel_venue_a_order_by_client_id(client_order_id))

    def cancel_venue_b_order_by_client_id(self, client_order_id: str) -> Cancellation:
        """By the idempotency key of its submission, which may be under way."""
        return self._wait(self._trade.cancel_venue_b_order_by_client_id(client_order_id))

    def cancel_venue_a_orders(self, *, token_id: str | None = None) -> Change[models.CancelResults]:
        return self._wait(self._trade.cancel_venue_a_orders(token_id=token_id))

    def cancel_venue_b_orders(self, *, ticker: str | None = None) -> Change[models.CancelResults]:
        return self._wait(self._trade.cancel_venue_b_orders(ticker=ticker))

    def queue_ahead(self, venue: models.TradingVenue, order_id: str) -> Change[OrderQueue]:
        return self._wait(self._trade.queue_ahead(venue, order_id))

    def limits(self) -> Change[Rates]:
        return self._wait(self._trade.limits())

    def cancel_on_disconnect(self, enabled: bool) -> Change[dict[str, bool]]:
        """Whether the key's open orders are cancelled when its last such connection is lost."""
        return self._wait(self._trade.cancel_on_disconnect(enabled))

    def close(self) -> None:
        if self._loop.is_closed():
            return
        self._wait(self._trade.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Trade:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
