"""What becomes of a request that changes something: one of three types, and a type checker asks for all of them.

    match client.submit_venue_b_order(order):
        case Placed(order_id=order_id): ...
        case Refused(error=error): ...      # no order was made
        case Unknown() as doubt: ...        # it may be at the venue
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from .errors import ApiError, CrossbookError
from .models import OrderErrorCode, OrderStatus, SubmittedOrder

T = TypeVar("T")


@dataclass(frozen=True)
class Placed:
    """An order was made."""

    order_id: str
    status: OrderStatus
    #: Whether this is the answer to an earlier request with the same idempotency key.
    is_replayed: bool
    request_id: str
    #: Of a replace: the order whose place it has taken, as that one is now.
    replaces: SubmittedOrder | None = None
    #: The time that holds, in whole seconds; None unless the order is good till a time.
    expires_at: str | None = None


@dataclass(frozen=True)
class Cancelled:
    """The venue has confirmed the cancel."""

    order_id: str
    status: OrderStatus
    #: Shares or contracts, as decimal text; None if nothing was filled before.
    filled: str | None
    #: False where the gateway's disk took no record: reads show the order as before until it does.
    is_recorded: bool
    request_id: str


@dataclass(frozen=True)
class Done(Generic[T]):
    """Any other change."""

    value: T
    is_replayed: bool
    #: False where the gateway's disk took no record; docs/PROTOCOL.md, *Cancels*.
    is_recorded: bool
    request_id: str


@dataclass(frozen=True)
class Refused:
    """Nothing was done; `raise refused.error` where that must not happen.

    There are two exceptions. After a 503 the cancel request of an order may stay, as the message says. A refused replace may
    have ended the old order, as `error.replaces` says.
    """

    error: CrossbookError

    @property
    def code(self) -> str | None:
        """The gateway's error code; None if it was not reached."""
        return self.error.code if isinstance(self.error, ApiError) else None

    @property
    def reason(self) -> OrderErrorCode | None:
        """The code of the order, which is REJECTED; None if there is no such order."""
        return self.error.reason if isinstance(self.error, ApiError) else None

    @property
    def retry_after_s(self) -> int | None:
        """Seconds until the same request may be sent again; None if it has to change."""
        return self.error.retry_after_s if isinstance(self.error, ApiError) else None

    @property
    def is_final(self) -> bool:
        """Whether it says what became of the request, also of an earlier one with the same idempotency key."""
        return isinstance(self.error, ApiError) and self.error.status in (400, 404, 409, 422)


@dataclass(frozen=True)
class Unknown:
    """It may have taken effect. Never repeat it under another idempotency key.

    Read the order, or send the same body with the same key: that asks what became of it and makes no second order.
    """

    message: str
    #: None if the gateway named no order.
    order_id: str | None
    idempotency_key: str
    #: Of the answer; None without one.
    status: int | None
    request_id: str
    #: Of a replace: the order that was to be replaced, as it was then. None if the gateway did not say.
    replaces: SubmittedOrder | None = None


Submission: TypeAlias = Placed | Refused | Unknown
Cancellation: TypeAlias = Cancelled | Refused | Unknown
Change: TypeAlias = Done[T] | Refused | Unknown
