"""The stream `/v1/orderbook`: `AsyncStream` for asyncio, and `Stream` without it.

    stream = Stream(client)
    stream.subscribe("book", [venue_b("KX…")])
    for event in stream:
        match event:
            case BookChanged(book): print(book.best_bid, book.best_ask)

It subscribes again after every reconnection, and asks for a snapshot when a book has a gap. A key that the gateway does
not take raises Unauthenticated or NotAllowed; everything else is an event.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

import websockets.client
from websockets.exceptions import ConnectionClosed

from .book import Book
from .client import AsyncClient, Client
from .errors import CrossbookError, NotAllowed, Unauthenticated
from .events import Connected, Disconnected, Event
from .market_requests import Channel, Options
from .markets import Market
from .stream_session import StreamSession
from .web_socket import keep_alive, open_socket

T = TypeVar("T")

_TARGET = "/v1/orderbook"
_BACKOFF_MIN_S = 0.1
_BACKOFF_MAX_S = 1.0


class AsyncStream:
    """`async with AsyncStream(client) as stream: async for event in stream: …`. It connects at the first event."""

    def __init__(self, client: AsyncClient | Client) -> None:
        self._client = client
        self._session = StreamSession(self._send, self._later, self._follow)
        self._events: deque[Event] = deque()
        self._socket: websockets.client.WebSocketClientProtocol | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._timers: set[asyncio.TimerHandle] = set()
        #: The attempt to connect; it goes on when a wait for an event is given up.
        self._connecting: asyncio.Task[None] | None = None
        self._writes: set[asyncio.Task[None]] = set()
        #: In a row without a connection.
        self._attempts = 0
        #: Without one a wrong clock could keep the stream down, and a refusal would have no reason.
        self._asks_time = not client.session.clock.is_compared
        self._is_closed = False

    def subscribe(
        self,
        channel: Channel,
        markets: Iterable[Market],
        *,
        depth: int | None = None,
        min_interval_ms: int | None = None,
    ) -> None:
        """Subscribes now and after every reconnection; `book`, `trade` or `quote`.

        A `book` with `depth` has only its best levels a side. Quotes come at most once in `min_interval_ms`, always the latest.
        """
        self._session.subscribe(channel, markets, Options(depth, min_interval_ms))

    def unsubscribe(self, channel: Channel, markets: Iterable[Market]) -> None:
        self._session.unsubscribe(channel, markets)

    def subscribe_outcomes(self, market_ids: Iterable[str], *, min_interval_ms: int = 0) -> None:
        """The best ways to buy and to sell the outcomes of markets of the catalog, by id; after every reconnection, too.

        They come when they change, at most once in `min_interval_ms`, and always the latest.
        """
        self._session.subscribe_outcomes(market_ids, min_interval_ms)

    def unsubscribe_outcomes(self, market_ids: Iterable[str]) -> None:
        self._session.unsubscribe_outcomes(market_ids)

    def follow_orders(
        self, after: int | None = None, *, cancel_on_disconnect: bool = False, queue_step: str | None = None
    ) -> None:
        """Events of our own orders, from now on or after a cursor, across reconnections.

        With `cancel_on_disconnect` the gateway cancels this key's open orders once we have been gone for 10 seconds.
        With `queue_step`, a number of shares, `QueueChanged` comes whenever the queue ahead of an order has changed by as many.
        """
        self._session.follow_orders(after, cancel_on_disconnect, queue_step)

    def unfollow_orders(self) -> None:
        """Also disarms `cancel_on_disconnect`."""
        self._session.unfollow_orders()

    def book(self, market: Market) -> Book | None:
        """The book of a subscribed market."""
        return self._session.books.get(market)

    @property
    def order_cursor(self) -> int | None:
        """To continue from with `follow_orders`, also in another process; None until the gateway has stated one."""
        orders = self._session.orders
        return None if orders is None else orders.cursor

    def __aiter__(self) -> AsyncStream:
        return self

    async def __anext__(self) -> Event:
        """May be cancelled, for instance by a timeout, without loss."""
        while not self._events:
            if self._is_closed:
                raise StopAsyncIteration
            if self._socket is None:
                await self._connected()
            else:
                await self._receive(self._socket)
        return self._events.popleft()

    async def __aenter__(self) -> AsyncStream:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        await self.close()

    async def close(self) -> None:
        self._is_closed = True
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.wait({self._connecting})
        socket = self._socket
        self._lose()
        if socket is not None:
            await socket.close()

    async def _connected(self) -> None:
        """Waits for the attempt under way, or begins one. A pause or a handshake may last longer than many waits for an event."""
        if self._connecting is None:
            self._connecting = asyncio.get_running_loop().create_task(self._connect())
        attempt = self._connecting
        await asyncio.wait({attempt})
        self._connecting = None
        attempt.result()

    async def _connect(self) -> None:
        self._loop = asyncio.get_running_loop()
        if self._attempts > 0:
            longest_s = min(_BACKOFF_MIN_S * 2**self._attempts, _BACKOFF_MAX_S)
            await asyncio.sleep(random.uniform(longest_s / 2, longest_s))
        self._attempts += 1
        asks_time, self._asks_time = self._asks_time, True
        try:
            self._socket = await open_socket(self._client, _TARGET, asks_time, pings=False)
        except (Unauthenticated, NotAllowed):
            raise
        except CrossbookError as error:
            self._failed(error)
        else:
            self._keeper = self._loop.create_task(keep_alive(self._socket))
            self._attempts, self._asks_time = 0, False
            self._events.append(Connected())
            self._session.opened()

    async def _receive(self, socket: websockets.client.WebSocketClientProtocol) -> None:
        try:
            text = await socket.recv()
        except ConnectionClosed as error:
            self._lose()
            self._failed(error)
            return
        self._events.extend(self._session.read(text))
        if self._session.broken is not None:
            reason = self._session.broken
            self._lose()
            self._attempts = 1
            self._events.append(Disconnected(reason))
            await socket.close()

    def _failed(self, error: Exception) -> None:
        self._events.append(Disconnected(str(error) or type(error).__name__))

    def _lose(self) -> None:
        self._socket = None
        if self._keeper is not None:
            self._keeper.cancel()
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self._session.lost()

    def _send(self, message: dict[str, Any]) -> None:
        """Messages are written in order: each task runs up to its write in one turn."""
        if self._loop is None or self._socket is None:
            return
        task = self._loop.create_task(_write(self._socket, json.dumps(message)))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)

    def _follow(self, owner: str) -> bool:
        return self._client.session.follow(421, {"svc-pod-owner": owner})

    def _later(self, pause_s: float, task: Callable[[], None]) -> None:
        if self._loop is None:
            return

        def run() -> None:
            self._timers.discard(timer)
            task()

        timer = self._loop.call_later(pause_s, run)
        self._timers.add(timer)


async def _write(socket: websockets.client.WebSocketClientProtocol, text: str) -> None:
    try:
        await socket.send(text)
    except ConnectionClosed:
        pass  # The reader reports it.


class Stream:
    """An `AsyncStream` for programs without asyncio. It works while the program waits for an event.

    Come back for events within a minute: until then the gateway's pings stay unanswered.
    """

    def __init__(self, client: Client) -> None:
        self._loop = asyncio.new_event_loop()
        self._stream = AsyncStream(client)
        self.subscribe = self._stream.subscribe
        self.unsubscribe = self._stream.unsubscribe
        self.subscribe_outcomes = self._stream.subscribe_outcomes
        self.unsubscribe_outcomes = self._stream.unsubscribe_outcomes
        self.follow_orders = self._stream.follow_orders
        self.unfollow_orders = self._stream.unfollow_orders
        self.book = self._stream.book

    @property
    def order_cursor(self) -> int | None:
        return self._stream.order_cursor

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> Event:
        try:
            return self._wait(self._stream.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    def next_event(self, timeout_s: float) -> Event | None:
        """None if nothing happens within `timeout_s` seconds."""
        try:
            return self._wait(asyncio.wait_for(self._stream.__anext__(), timeout_s))
        except asyncio.TimeoutError:
            return None

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        if not self._loop.is_closed():
            self._wait(self._stream.close())
            self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        task = self._loop.create_task(work)
        try:
            return self._loop.run_until_complete(task)
        except KeyboardInterrupt:
            task.cancel()
            self._loop.run_until_complete(asyncio.wait([task]))
            raise
