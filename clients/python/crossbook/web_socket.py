"""Opens a WebSocket of the gateway: `/v1/orderbook` or `/v1/trade`, with a signed upgrade."""

from __future__ import annotations

import inspect
from typing import Any

import websockets.client
from websockets.exceptions import InvalidHandshake, InvalidStatusCode

from .client import AsyncClient, Client
from .errors import Unreachable, api_error

_PING_S = 10.0
_FRAME_BYTES_MAX = 16 * 1024 * 1024


async def open_socket(
    client: AsyncClient | Client, target: str, asks_time: bool
) -> websockets.client.WebSocketClientProtocol:
    """Raises a CrossbookError: Unauthenticated or NotAllowed for a key that the gateway does not take.

    With `asks_time` it compares the clocks before: then a refusal has its reason, as a failed upgrade has none.
    """
    session = client.session
    if session.signer is None:
        raise ValueError(f"{target} needs a signer")
    if asks_time:
        answer = client.get_time()
        if inspect.isawaitable(answer):
            await answer
    options: dict[str, Any] = {
        "extra_headers": session.signer.headers("GET", target, timestamp_s=int(session.clock.now_ms() // 1000)),
        "subprotocols": ["crossbook.v1.json"],
        "compression": None,
        "max_size": _FRAME_BYTES_MAX,
        "ping_interval": _PING_S,
        "ping_timeout": _PING_S,
        "close_timeout": 1.0,
        "user_agent_header": None,
    }
    scheme = "ws" if client.tls is None else "wss"
    uri = f"{scheme}://{client.url.netloc.decode()}{target}"
    if client.tls is not None:
        options["ssl"] = client.tls
    try:
        if client.socket_path is not None:
            return await websockets.client.unix_connect(client.socket_path, uri, **options)
        return await websockets.client.connect(uri, **options)
    except InvalidStatusCode as error:
        message = f"{target}: the gateway refuses the upgrade with HTTP {error.status_code}"
        raise api_error(message, error.status_code, None, "") from error
    except (InvalidHandshake, OSError, TimeoutError) as error:
        raise Unreachable(str(error) or type(error).__name__) from error
