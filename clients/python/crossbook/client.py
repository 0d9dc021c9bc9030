"""The clients for REST: `Client`, and `AsyncClient` for asyncio. Both have every operation of the contract as a method.

Reads return their answer or raise a `CrossbookError`. What changes something returns an outcome (outcomes.py).
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable
from typing import TypeVar

import httpx

from .calls import Call
from .clock import ServerClock
from .exchange import NoReply, Pause, RateLimit, Reply, Request, Session, exchange
from .operations import AsyncOperations, Operations
from .signing import Signer

T = TypeVar("T")

_CONNECTIONS_MAX = 256
#: The gateway closes a connection that is idle for 8 s.
_LIMITS = httpx.Limits(
    max_connections=_CONNECTIONS_MAX, max_keepalive_connections=_CONNECTIONS_MAX, keepalive_expiry=7.0
)
#: Failures before the request was sent.
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Connection:
    """What both clients know: where the gateway is, and the session."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        signer: Signer | None = None,
        *,
        api_key: str | None = None,
        socket_path: str | None = None,
        ca_file: str | None = None,
        timeout_s: float = 10.0,
        retry_for_s: float = 5.0,
        clock: ServerClock | None = None,
        on_behind: Callable[[str], None] | None = None,
    ) -> None:
        """`url` is the origin of the gateway, without a path. `api_key` is for the older family only.

        `socket_path` is the gateway's Unix domain socket, instead of host and port; `ca_file` the authority of its
        certificate. `timeout_s` bounds the wait for a connection and for each part of an answer. Reads, and
        submissions of unknown outcome, are repeated within `retry_for_s`; 0: never. `on_behind` hears path and query of
        each read of orders, fills or positions whose answer may lack what the venue has reported (`SVC-Current: false`).
        """
        self.url = httpx.URL(url)
        if self.url.raw_path != b"/" or self.url.scheme not in ("http", "https"):
            raise ValueError("url: must be the origin of the gateway, without a path")
        self.socket_path = socket_path
        self._ca_file = ca_file
        #: None without TLS.
        self.tls = self.tls_context() if self.url.scheme == "https" else None
        self.session = Session(signer, api_key, retry_for_s, clock or ServerClock(), needs_tls=self.tls is not None)
        self.session.on_behind = on_behind
        self._timeouts = httpx.Timeout(timeout_s).as_dict()
        self._open()

    @property
    def rate_limits(self) -> dict[str, RateLimit]:
        """What is left of `reads`, `submissions` and `cancels`, as the latest answer of each said."""
        return self.session.rate_limits

    def tls_context(self) -> ssl.SSLContext:
        """For its own gateway, and for one that it is sent to."""
        return ssl.create_default_context(cafile=self._ca_file)

    def _open(self) -> None:
        raise NotImplementedError

    def _http_request(self, request: Request) -> httpx.Request:
        origin = self.url if request.owner is None else httpx.URL(request.owner)
        url = origin.copy_with(raw_path=request.target.encode())
        if url.raw_path.decode() != request.target:
            raise ValueError(f"{request.target}: would be sent as {url.raw_path.decode()}, which is not what is signed")
        extensions = {"timeout": self._timeouts}
        return httpx.Request(
            request.method, url, headers=dict(request.headers), content=request.body, extensions=extensions
        )


class Client(Connection, Operations):
    """`with Client(url, signer) as client: …`. Threads may share it."""

    def _open(self) -> None:
        self._http = httpx.HTTPTransport(
            verify=self.tls or False, uds=self.socket_path, limits=_LIMITS, trust_env=False
        )
        #: To other gateways, once one of them owns the pod.
        self._owners: httpx.HTTPTransport | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()
        if self._owners is not None:
            self._owners.close()

    def _run(self, call: Call[T]) -> T:
        steps = exchange(call, self.session)
        reply: Reply | NoReply | None = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                result: T = end.value
                return result
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                reply = None
            else:
                reply = self._send(step)

    def _send(self, request: Request) -> Reply | NoReply:
        try:
            http = self._http
            if request.owner is not None:
                if self._owners is None:
                    self._owners = httpx.HTTPTransport(verify=self.tls_context(), limits=_LIMITS, trust_env=False)
                http = self._owners
            answer = http.handle_request(self._http_request(request))
            return _reply(answer, answer.read())
        except httpx.TransportError as error:
            return _no_reply(error)


class AsyncClient(Connection, AsyncOperations):
    """`async with AsyncClient(url, signer) as client: …`."""

    def _open(self) -> None:
        self._http = httpx.AsyncHTTPTransport(
            verify=self.tls or False, uds=self.socket_path, limits=_LIMITS, trust_env=False
        )
        #: To other gateways, once one of them owns the pod.
        self._owners: httpx.AsyncHTTPTransport | None = None

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_exception: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connections."""
        await self._http.aclose()
        if self._owners is not None:
            await self._owners.aclose()

    async def _run(self, call: Call[T]) -> T:
        steps = exchange(call, self.session)
        reply: Reply | NoReply | None = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                result: T = end.value
                return result
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
                reply = None
            else:
                reply = await self._send(step)

    async def _send(self, request: Request) -> Reply | NoReply:
        try:
            http = self._http
            if request.owner is not None:
                if self._owners is None:
                    self._owners = httpx.AsyncHTTPTransport(
                        verify=self.tls_context(), limits=_LIMITS, trust_env=False
                    )
                http = self._owners
            answer = await http.handle_async_request(self._http_request(request))
            return _reply(answer, await answer.aread())
        except httpx.TransportError as error:
            return _no_reply(error)


def _reply(answer: httpx.Response, body: bytes) -> Reply:
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in answer.headers.raw}
    return Reply(answer.status_code, headers, body)


def _no_reply(error: httpx.TransportError) -> NoReply:
    return NoReply(str(error) or type(error).__name__, isinstance(error, _UNSENT))
