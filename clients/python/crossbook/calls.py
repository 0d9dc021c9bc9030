"""One call of an operation as a value: its request, when it may be repeated, and how its answer is read.

operations.py makes calls, exchange.py performs them without a socket, client.py over HTTP. Another transport, such as a
WebSocket for orders, performs the same calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import quote

from .errors import ApiError, Unreachable
from .outcomes import Cancellation, Cancelled, Change, Done, Placed, Refused, Submission, Unknown

T = TypeVar("T")
#: The signing headers, `x-api-key`, or nothing.
Auth: TypeAlias = Literal["signed", "apiKey", "open"]
QueryValue: TypeAlias = "str | int | bool | Sequence[str] | None"


@dataclass(frozen=True)
class Answer:
    """A successful answer."""

    value: Any
    #: By lower-case name.
    headers: Mapping[str, str]

    @property
    def request_id(self) -> str:
        return self.headers.get("svc-request-id", "")

    @property
    def is_replayed(self) -> bool:
        return self.headers.get("idempotency-replayed") == "true"

    @property
    def is_recorded(self) -> bool:
        return self.headers.get("svc-recorded") != "false"


Outcome: TypeAlias = Answer | Refused | Unknown


@dataclass(frozen=True)
class Call(Generic[T]):
    method: str
    #: Path and query.
    target: str
    auth: Auth
    finish: Callable[[Outcome], T]
    #: Whether the same request may be sent again after this outcome.
    repeats_after: Callable[[Outcome], bool]
    body: bytes = b""
    idempotency_key: str | None = None
    not_after_millis: int | None = None

    @property
    def is_mutation(self) -> bool:
        return self.method != "GET"

    @property
    def takes_key(self) -> bool:
        """Whether it has an idempotency key: in a batch each order has its own instead."""
        return self.is_mutation and not self.target.endswith("/orders/batch")


def read(
    _model: type[T], path: str, query: Mapping[str, QueryValue] | None = None, auth: Auth = "signed"
) -> Call[T]:
    """A read: repeated after a lost answer, and when the gateway says that it takes it later."""

    def finish(outcome: Outcome) -> T:
        if isinstance(outcome, Answer):
            value: T = outcome.value
            return value
        # A read has no unknown outcome.
        raise outcome.error if isinstance(outcome, Refused) else AssertionError(outcome)

    return Call("GET", target_of(path, query or {}), auth, finish, _is_passing)


def submit(path: str, body: Mapping[str, Any], key: str | None, not_after_millis: int | None) -> Call[Submission]:
    """A submission: repeated under its idempotency key while its outcome is unknown, and in no other case."""

    def finish(outcome: Outcome) -> Submission:
        if not isinstance(outcome, Answer):
            return outcome
        order = outcome.value
        more = order.get("replaces"), order.get("expiresAt")
        return Placed(order["orderId"], order["status"], outcome.is_replayed, outcome.request_id, *more)

    return Call("POST", path, "signed", finish, _is_unknown, json_body(body), key, not_after_millis)


def act(_model: type[T], path: str, body: Mapping[str, Any], key: str | None) -> Call[Change[T]]:
    """A redemption, a split or a merge: repeated under its idempotency key while its outcome is unknown."""
    return Call("POST", path, "signed", _done, _is_unknown, json_body(body), key)


def cancel(path: str, filled: str) -> Call[Cancellation]:
    """The cancel of one order, never repeated. `filled` names the answer's field of what was filled."""

    def finish(outcome: Outcome) -> Cancellation:
        if not isinstance(outcome, Answer):
            return outcome
        order = outcome.value
        return Cancelled(order["orderId"], order["status"], order[filled], outcome.is_recorded, outcome.request_id)

    return Call("DELETE", path, "signed", finish, _never)


def change(
    _model: type[T],
    method: str,
    path: str,
    query: Mapping[str, QueryValue] | None = None,
    body: Mapping[str, Any] | None = None,
    not_after_millis: int | None = None,
) -> Call[Change[T]]:
    """Any other mutation, never repeated: its idempotency key only distinguishes it from an equal one."""

    sent = b"" if body is None else json_body(body)
    target = target_of(path, query or {})
    return Call(method, target, "signed", _done, _never, sent, not_after_millis=not_after_millis)


def _done(outcome: Outcome) -> Any:
    if not isinstance(outcome, Answer):
        return outcome
    return Done(outcome.value, outcome.is_replayed, outcome.is_recorded, outcome.request_id)


def segment(name: str, value: str) -> str:
    """A part of a path. An empty or dotted one would change the path, for instance to that of all orders."""
    if value in ("", ".", ".."):
        raise ValueError(f"{name}: must be an identifier")
    return quote(value, safe="")


def target_of(path: str, query: Mapping[str, QueryValue]) -> str:
    """Path and query as they are sent. Absent values are left out; lists are joined by commas."""
    pairs = [f"{name}={quote(_query_text(value), safe='')}" for name, value in query.items() if value is not None]
    return f"{path}?{'&'.join(pairs)}" if pairs else path


def json_body(body: Mapping[str, Any]) -> bytes:
    """JSON of a request. A `Decimal` becomes decimal text; a float is a TypeError, as it is not exact."""
    return json.dumps(_exact(body, "body"), separators=(",", ":"), ensure_ascii=False).encode()


def _exact(value: Any, path: str) -> Any:
    if isinstance(value, float):
        raise TypeError(f"{path}: must be str or Decimal, not float")
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, Mapping):
        return {name: _exact(part, f"{path}.{name}") for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_exact(part, f"{path}[{index}]") for index, part in enumerate(value)]
    return value


def _query_text(value: str | int | bool | Sequence[str]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int)) else ",".join(value)


def _is_passing(outcome: Outcome) -> bool:
    if not isinstance(outcome, Refused):
        return False
    error = outcome.error
    return isinstance(error, Unreachable) or (isinstance(error, ApiError) and error.retry_after_s is not None)


def _is_unknown(outcome: Outcome) -> bool:
    return isinstance(outcome, Unknown)


def _never(_outcome: Outcome) -> bool:
    return False
