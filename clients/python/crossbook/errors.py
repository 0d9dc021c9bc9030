"""What is raised. An unknown outcome is no exception: see outcomes.py."""

from __future__ import annotations

import re

from .models import OrderErrorCode, SubmittedOrder

_FIELD_AND_RULE = re.compile(r'("[^"]*"|[A-Za-z][\w.\[\]-]*): (.+)', re.DOTALL)


class CrossbookError(Exception):
    """Any failure of a call. Nothing was done."""


class Unreachable(CrossbookError):
    """No answer and no effect: the request was never sent, or only reads."""


class Unreadable(CrossbookError):
    """An answer that is not the gateway's: of a proxy, or of another version."""

    def __init__(self, message: str, status: int, request_id: str) -> None:
        super().__init__(message)
        self.status = status
        self.request_id = request_id


class ApiError(CrossbookError):
    """The gateway refused. After a 503 the cancel of an order may stay wanted, as its message says."""

    def __init__(
        self,
        message: str,
        status: int,
        code: str | None,
        request_id: str,
        retry_after_s: int | None = None,
        replaces: SubmittedOrder | None = None,
        reason: OrderErrorCode | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        #: One of `ErrorCode`; None in the older family, which has no codes.
        self.code = code
        #: Of a submission or a replace: the code of the order, which is REJECTED; None if there is no such order.
        self.reason: OrderErrorCode | None = reason
        #: Names this answer: quote it when something is wrong.
        self.request_id = request_id
        #: Seconds until the same request may be sent again; None if the request has to change.
        self.retry_after_s = retry_after_s
        #: Of a replace: the order that was to be replaced, as it is now.
        self.replaces = replaces
        match = _FIELD_AND_RULE.fullmatch(message) if status in (400, 401, 404, 422) else None
        #: The field, parameter or header that breaks a rule, and the rule; None where the message names no field.
        self.field: str | None = match[1].strip('"') if match else None
        self.rule: str | None = match[2] if match else None


class InvalidRequest(ApiError):
    """400, 405, 413: the request has to change, or the venue refuses the order."""


class InsufficientBalance(InvalidRequest):
    """400: less is there than the order needs."""


class Unauthenticated(ApiError):
    """401: a check of the signature failed; the message says which one."""


class NotAllowed(ApiError):
    """403: scope or address of the key."""


class NotFound(ApiError):
    """404: no such route, order, event or market, or the market has closed."""


class OrderEnded(ApiError):
    """409: the order to be cancelled has ended; read it, it may be filled."""


class IdempotencyConflict(ApiError):
    """422: the idempotency key was used with another body."""


class RateLimited(ApiError):
    """429: wait for `retry_after_s`."""


class GatewayFault(ApiError):
    """500, 501: a fault of the gateway, or of its configuration."""


class VenueFault(ApiError):
    """502, 504 of a read: the venue fails."""


class Unavailable(ApiError):
    """503: nothing was done; wait for `retry_after_s`."""


_BY_STATUS: dict[int, type[ApiError]] = {
    401: Unauthenticated,
    403: NotAllowed,
    404: NotFound,
    409: OrderEnded,
    422: IdempotencyConflict,
    429: RateLimited,
    502: VenueFault,
    503: Unavailable,
    504: VenueFault,
}


def api_error(
    message: str,
    status: int,
    code: str | None,
    request_id: str,
    retry_after_s: int | None = None,
    replaces: SubmittedOrder | None = None,
    reason: OrderErrorCode | None = None,
) -> ApiError:
    """The exception of a refusal, by its code and status."""
    kind = InsufficientBalance if code == "INSUFFICIENT_BALANCE" else _BY_STATUS.get(status)
    if kind is None:
        kind = GatewayFault if status >= 500 else InvalidRequest
    return kind(message, status, code, request_id, retry_after_s, replaces, reason)
