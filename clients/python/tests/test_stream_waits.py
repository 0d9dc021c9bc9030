"""Waits for events that are given up, as by a timeout, and waits that come late. Against a gateway on a real socket."""

from __future__ import annotations

import asyncio
import threading
import time
import unittest
from http import HTTPStatus
from typing import Any, cast
from unittest import mock

import websockets.server
from crossbook import Client, Connected, Disconnected, Signer, Stream, web_socket
from websockets.datastructures import HeadersLike
from websockets.exceptions import ConnectionClosed
from websockets.typing import Data, Subprotocol

SIGNER = Signer("key-1", "00" * 32)
PATIENCE_S = 10.0
JSON = Subprotocol("crossbook.v1.json")

Answer = tuple[HTTPStatus, HeadersLike, bytes]


class Gateway:
    """Refuses the first upgrade, if `refuses_first`. The others wait until `open`."""

    def __init__(self, refuses_first: bool) -> None:
        self.upgrades = 0
        self._refuses_first = refuses_first
        self._loop = asyncio.new_event_loop()
        self._is_open = asyncio.Event()
        #: A ping was heard; its pong waits for `lets_pong`, and is sent.
        self.pinged, self.ponged = threading.Event(), threading.Event()
        self._lets_pong = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        [listening] = self._server.sockets
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"

    def open(self) -> None:
        self._loop.call_soon_threadsafe(self._is_open.set)

    def pong(self) -> None:
        self._loop.call_soon_threadsafe(self._lets_pong.set)

    def __enter__(self) -> Gateway:
        return self

    def __exit__(self, *_: object) -> None:
        self.open()
        self.pong()
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> websockets.server.WebSocketServer:
        gateway = self

        class Protocol(websockets.server.WebSocketServerProtocol):
            async def pong(self, data: Data = b"") -> None:
                gateway.pinged.set()
                await gateway._lets_pong.wait()
                await super().pong(data)
                gateway.ponged.set()

        return await websockets.server.serve(
            _serve, "127.0.0.1", 0, process_request=self._answer, subprotocols=[JSON], create_protocol=cast("Any", Protocol)
        )

    async def _stop(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _answer(self, path: str, _headers: object) -> Answer | None:
        if path != "/v1/orderbook":
            return HTTPStatus.OK, {"SVC-Server-Time": str(int(time.time() * 1000))}, b"{}"
        self.upgrades += 1
        if self._refuses_first and self.upgrades == 1:
            return HTTPStatus.SERVICE_UNAVAILABLE, {}, b""
        await self._is_open.wait()
        return None


async def _serve(socket: websockets.server.WebSocketServerProtocol) -> None:
    try:
        await socket.wait_closed()
    except ConnectionClosed:
        pass


class Waits(unittest.TestCase):
    def test_a_handshake_goes_on_while_the_program_gives_up_waiting(self) -> None:
        with Gateway(refuses_first=False) as gateway, Client(gateway.url, SIGNER) as client, Stream(client) as stream:
            for _ in range(100):
                self.assertIsNone(stream.next_event(0.01))
                if gateway.upgrades > 0:
                    break
            self.assertEqual(gateway.upgrades, 1)
            self.assertIsNone(stream.next_event(0.01))
            gateway.open()
            self.assertIsInstance(stream.next_event(PATIENCE_S), Connected)
            self.assertEqual(gateway.upgrades, 1)

    def test_a_pause_between_attempts_ends_however_short_the_waits_are(self) -> None:
        with Gateway(refuses_first=True) as gateway, Client(gateway.url, SIGNER) as client, Stream(client) as stream:
            gateway.open()
            self.assertIsInstance(stream.next_event(PATIENCE_S), Disconnected)
            event = None
            ends_at = time.monotonic() + PATIENCE_S
            while event is None and time.monotonic() < ends_at:
                event = stream.next_event(0.001)
            self.assertIsInstance(event, Connected)

    def test_a_pong_that_came_while_the_program_was_away_counts(self) -> None:
        ping_s = 0.05
        with (
            mock.patch.object(web_socket, "_PING_S", ping_s),
            Gateway(refuses_first=False) as gateway,
            Client(gateway.url, SIGNER) as client,
            Stream(client) as stream,
        ):
            gateway.open()
            self.assertIsInstance(stream.next_event(PATIENCE_S), Connected)
            while not gateway.pinged.is_set():
                self.assertIsNone(stream.next_event(0.001))
            gateway.pong()
            self.assertTrue(gateway.ponged.wait(PATIENCE_S))
            away_until = time.monotonic() + ping_s
            while time.monotonic() <= away_until:
                pass
            self.assertIsNone(stream.next_event(4 * ping_s))

    def test_a_gateway_that_sends_no_pong_is_lost(self) -> None:
        with (
            mock.patch.multiple(web_socket, _PING_S=0.02, _READ_S=0.01),
            Gateway(refuses_first=False) as gateway,
            Client(gateway.url, SIGNER) as client,
            Stream(client) as stream,
        ):
            gateway.open()
            self.assertIsInstance(stream.next_event(PATIENCE_S), Connected)
            self.assertIsInstance(stream.next_event(PATIENCE_S), Disconnected)

    def test_a_stream_that_still_connects_can_be_closed(self) -> None:
        with Gateway(refuses_first=False) as gateway, Client(gateway.url, SIGNER) as client:
            stream = Stream(client)
            self.assertIsNone(stream.next_event(0.01))
            stream.close()
            self.assertEqual(gateway.upgrades, 1)


if __name__ == "__main__":
    unittest.main()
