"""Opens a WebSocket of the gateway, `/v1/orderbook` or `/v1/trade`, with a signed upgrade; and notices one that is dead."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import httpx
import websockets.client
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatusCode

from .client import AsyncClient, Client
from .errors import Unreachable, api_error
from .exchange import OWNERS_MAX
from .signing import Signer

_PING_S = 10.0
#: To read what has arrived while the loop stood still.
_READ_S = 1.0
_FRAME_BYTES_MAX = 16 * 1024 * 1024


async def open_socket(
    client: AsyncClient | Client, target: str, asks_time: bool, *, pings: bool = True
) -> websockets.client.WebSocketClientProtocol:
    """Raises a CrossbookError: Unauthenticated or NotAllowed for a key that the gateway does not take.

    With `asks_time` it compares the clocks before: then a refusal has its reason, as a failed upgrade has none. It follows to
    the gateway that owns the pod. Without `pings` the caller runs `keep_alive`.
    """
    session = client.session
    if session.signer is None:
        raise ValueError(f"{target} needs a signer")
    if asks_time:
        answer = client.get_time()
        if inspect.isawaitable(answer):
            await answer
    for attempt in range(1, OWNERS_MAX + 1):
        owner = session.owner
        try:
            return await _upgraded(client, session.signer, target, owner, pings)
        except InvalidStatusCode as error:
            headers = {name.lower(): value for name, value in error.headers.raw_items()}
            if attempt < OWNERS_MAX and session.follow(error.status_code, headers):
                continue
            message = f"{target}: the gateway refuses the upgrade with HTTP {error.status_code}"
            raise api_error(message, error.status_code, None, "") from error
        except (InvalidHandshake, OSError, TimeoutError) as error:
            if attempt == OWNERS_MAX or owner is None:
                raise Unreachable(str(error) or type(error).__name__) from error
            session.owner = None
    raise AssertionError("the last attempt returns or raises")


async def _upgraded(
    client: AsyncClient | Client, signer: Signer, target: str, owner: str | None, pings: bool
) -> websockets.client.WebSocketClientProtocol:
    options: dict[str, Any] = {
        "extra_headers": signer.headers("GET", target, timestamp_s=int(client.session.clock.now_ms() // 1000)),
        "subprotocols": ["crossbook.v1.json"],
        "compression": None,
        "max_size": _FRAME_BYTES_MAX,
        "ping_interval": _PING_S if pings else None,
        "ping_timeout": _PING_S,
        "close_timeout": 1.0,
        "user_agent_header": None,
    }
    origin = client.url if owner is None else httpx.URL(owner)
    is_secure = origin.scheme == "https"
    uri = f"{'wss' if is_secure else 'ws'}://{origin.netloc.decode()}{target}"
    if is_secure:
        options["ssl"] = client.tls or client.tls_context()
    if client.socket_path is not None and owner is None:
        return await websockets.client.unix_connect(client.socket_path, uri, **options)
    return await websockets.client.connect(uri, **options)


async def keep_alive(socket: websockets.client.WebSocketClientProtocol) -> None:
    """Pings, and ends the connection if no pong comes; returns once it is closed.

    The loop may stand still, as between the calls of a program without asyncio, for longer than a pong has time. Then the
    pong has long arrived when the time is up, and is read after that.
    """
    while True:
        await asyncio.sleep(_PING_S)
        try:
            pong = asyncio.ensure_future(await socket.ping())
        except ConnectionClosed:
            return
        try:
            for patience_s in (_PING_S, _READ_S, _READ_S):
                await asyncio.wait({pong}, timeout=patience_s)
            if not pong.done():
                socket.fail_connection(1011, "no pong")
                return
        finally:
            # How the connection ends is the reader's to say.
            if not pong.cancel() and not pong.cancelled():
                pong.exception()
