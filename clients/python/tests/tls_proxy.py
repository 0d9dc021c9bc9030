"""Ends TLS before a gateway, on a real socket: what a reverse proxy does."""

from __future__ import annotations

import asyncio
import ssl
import threading


class TlsProxy:
    """`url` is https; bytes go to `port` of 127.0.0.1 and back."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.url = f"https://localhost:{self._server.sockets[0].getsockname()[1]}"

    def __enter__(self) -> TlsProxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_gateway, to_gateway = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(_pass(reader, to_gateway), _pass(from_gateway, writer))


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
