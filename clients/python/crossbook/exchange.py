"""Performs one call without a socket: signs, judges the answer, corrects the clock, repeats. client.py drives it."""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias, TypeVar, get_args

from .calls import Answer, Call, Outcome
from .clock import ServerClock
from .errors import Unreachable, Unreadable, api_error
from .models import ErrorCode, OrderErrorCode
from .outcomes import Refused, Unknown
from .signing import Signer

T = TypeVar("T")

_SIGNATURE_AGE_S = 30
_FIRST_PAUSE_S = 0.1
_LONGEST_PAUSE_S = 1.0
_SHOWN_CHARACTERS_MAX = 200
_RATE_LIMIT = re.compile(r'"([\w-]+)";r=(\d+);t=(\d+)')
_CODES = frozenset(get_args(ErrorCode))
_REASONS = frozenset(get_args(OrderErrorCode))
_ORIGIN = re.compile(r"https?://([\w.-]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?")
#: How often one request is sent on: ownership may move meanwhile, and an owner may be gone.
OWNERS_MAX = 4


@dataclass(frozen=True)
class Request:
    """Send this, once."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    #: Origin of the gateway that owns the pod; None: the client's own gateway.
    owner: str | None = None


@dataclass(frozen=True)
class Pause:
    """Wait before the next request."""

    seconds: float


@dataclass(frozen=True)
class Reply:
    status: int
    #: By lower-case name.
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class NoReply:
    """No answer, or an incomplete one."""

    message: str
    #: Whether the gateway certainly did not get the request.
    is_unsent: bool


@dataclass(frozen=True)
class RateLimit:
    """What is left of a limit."""

    #: Requests that may be sent now.
    left: int
    #: Seconds until all of them are back.
    full_in_s: int


@dataclass
class Session:
    """What all calls of a client share."""

    signer: Signer | None
    api_key: str | None
    #: Reads, and submissions of unknown outcome, are repeated within this time.
    retry_for_s: float
    clock: ServerClock
    #: By name (`reads`, `submissions`, `cancels`), as the latest answer of each said.
    rate_limits: dict[str, RateLimit] = field(default_factory=dict)
    monotonic_s: Callable[[], float] = time.monotonic
    #: Origin of the gateway that owns the key's pod, as another one has said; None: the client's own.
    owner: str | None = None
    #: Hears the target of each read whose answer may lack what the venue has reported (SVC-Current).
    on_behind: Callable[[str], None] | None = None
    #: With TLS the key follows to no gateway without.
    needs_tls: bool = False

    def follow(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether a refusal names another gateway as the owner of the pod: nothing was done, and that one may be asked."""
        owner = headers.get("svc-pod-owner", "")
        if status not in (421, 503) or _ORIGIN.fullmatch(owner) is None or owner == self.owner:
            return False
        if self.needs_tls and not owner.startswith("https:"):
            return False
        self.owner = owner
        return True

    def new_key(self) -> str:
        """An idempotency key: a UUIDv7 of the gateway's time."""
        at_ms = int(self.clock.now_ms()) & (2**48 - 1)
        number = at_ms << 80 | 0x7 << 76 | secrets.randbits(12) << 64 | 0b10 << 62 | secrets.randbits(62)
        text = f"{number:032x}"
        return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


Exchange: TypeAlias = Generator[Request | Pause, Reply | NoReply | None, T]


def exchange(call: Call[T], session: Session) -> Exchange[T]:
    """Yields what to send and when to wait, is sent what came back, and returns the result."""
    key = (call.idempotency_key or session.new_key()) if call.takes_key else ""
    ends_at_s = session.monotonic_s() + session.retry_for_s
    pause_s = _FIRST_PAUSE_S
    doubt: Unknown | None = None
    while True:
        outcome = judge(call, key, (yield from _attempt(call, key, session)))
        if isinstance(outcome, Unknown):
            doubt = outcome
        elif doubt is not None and isinstance(outcome, Refused) and not outcome.is_final:
            # This repetition was refused, which says nothing of the first request.
            outcome = doubt
        wait_s = max(pause_s, (outcome.retry_after_s or 0) if isinstance(outcome, Refused) else 0)
        if not call.repeats_after(outcome) or session.monotonic_s() + wait_s > ends_at_s:
            return call.finish(outcome)
        yield Pause(wait_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


def _attempt(call: Call[Any], key: str, session: Session) -> Exchange[Reply | NoReply]:
    """Sends the request to the gateway that owns the pod. One that does not own it does nothing, and says which one does."""
    for _ in range(OWNERS_MAX):
        owner = session.owner
        reply = yield from _ask(call, key, session)
        if isinstance(reply, Reply):
            if not session.follow(reply.status, reply.headers):
                return reply
        elif owner is not None and reply.is_unsent:
            # It is gone: the client's own gateway knows the next owner.
            session.owner = None
        else:
            return reply
    return reply


def _ask(call: Call[Any], key: str, session: Session) -> Exchange[Reply | NoReply]:
    """Sends the request once; again if it was refused because the clock was outside the window."""
    clock = session.clock
    for may_correct in (True, False):
        timestamp_s = int(clock.now_ms() // 1000)
        headers = _headers(call, key, session, timestamp_s)
        request = Request(call.method, call.target, headers, call.body, session.owner)
        sent_ms = clock.own_ms()
        reply = yield request
        assert reply is not None
        if isinstance(reply, NoReply):
            return reply
        _note_rate_limit(session, reply)
        if session.on_behind is not None and reply.headers.get("svc-current") == "false":
            session.on_behind(call.target)
        server_time = reply.headers.get("svc-server-time", "")
        if not server_time.isdecimal():
            return reply
        clock.observe(sent_ms, clock.own_ms(), int(server_time))
        is_outside = abs(int(server_time) - timestamp_s * 1000) > _SIGNATURE_AGE_S * 1000
        if not (may_correct and is_outside and reply.status == 401 and call.auth == "signed"):
            return reply
    raise AssertionError("the second attempt is the last")


def _headers(call: Call[Any], key: str, session: Session, timestamp_s: int) -> dict[str, str]:
    headers = {"Content-Type": "application/json"} if call.body else {}
    if call.auth == "apiKey":
        if session.api_key is None:
            raise ValueError(f"{call.target} needs an api_key")
        headers["x-api-key"] = session.api_key
    elif call.auth == "signed":
        if session.signer is None:
            raise ValueError(f"{call.target} needs a signer")
        headers |= session.signer.headers(
            call.method,
            call.target,
            call.body,
            timestamp_s=timestamp_s,
            idempotency_key=key,
            not_after_millis=call.not_after_millis,
        )
    return headers


def judge(call: Call[Any], key: str, reply: Reply | NoReply) -> Outcome:
    """Reads an answer. The difference that matters: may the request have taken effect?"""
    if isinstance(reply, NoReply):
        if reply.is_unsent or not call.is_mutation:
            return Refused(Unreachable(reply.message))
        return Unknown(reply.message, None, key, None, "")
    status, request_id = reply.status, reply.headers.get("svc-request-id", "")
    body = _object_of(reply.body)
    if body is not None and 200 <= status < 300:
        return Answer(body, reply.headers)
    error = body.get("error", body) if body is not None else None
    message = error.get("message") if isinstance(error, dict) else None
    if body is None or not isinstance(error, dict) or not isinstance(message, str) or message == "":
        return _not_ours(call, key, reply, request_id)
    code = error.get("code") if error.get("code") in _CODES else None
    # A proxy may speak JSON too, but without our codes.
    is_in_doubt = status in (502, 504) or (status >= 500 and code is None)
    if call.is_mutation and (is_in_doubt or code == "ORDER_RECONCILIATION_REQUIRED"):
        return Unknown(message, error.get("orderId"), key, status, request_id, body.get("replaces"))
    retry_after = reply.headers.get("retry-after", "")
    retry_after_s = int(retry_after) if retry_after.isdecimal() else None
    reason = error.get("reason") if error.get("reason") in _REASONS else None
    return Refused(api_error(message, status, code, request_id, retry_after_s, body.get("replaces"), reason))


def _not_ours(call: Call[Any], key: str, reply: Reply, request_id: str) -> Refused | Unknown:
    """A proxy's 4xx means nothing was done; after anything else the gateway may have acted."""
    shown = reply.body[:_SHOWN_CHARACTERS_MAX].decode(errors="replace")
    message = f"HTTP {reply.status}, and the body is not an answer of the gateway: {shown!r}"
    if not call.is_mutation or 400 <= reply.status < 500:
        return Refused(Unreadable(message, reply.status, request_id))
    return Unknown(message, None, key, reply.status, request_id)


def _object_of(body: bytes) -> dict[str, Any] | None:
    """JSON with exact numbers: those with a point become `Decimal`."""
    try:
        value = json.loads(body, parse_float=Decimal)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _note_rate_limit(session: Session, reply: Reply) -> None:
    match = _RATE_LIMIT.fullmatch(reply.headers.get("ratelimit", ""))
    if match is not None:
        session.rate_limits[match[1]] = RateLimit(int(match[2]), int(match[3]))
