"""The Python client of crossbook: `Client` and `Stream`, and `AsyncClient` and `AsyncStream` for asyncio."""

from .book import Book, Level
from .client import AsyncClient, Client
from .clock import ServerClock
from .errors import (
    ApiError,
    CrossbookError,
    GatewayFault,
    IdempotencyConflict,
    InsufficientBalance,
    InvalidRequest,
    NotAllowed,
    NotFound,
    OrderEnded,
    RateLimited,
    Unauthenticated,
    Unavailable,
    Unreachable,
    Unreadable,
    VenueFault,
)
from .events import (
    BookChanged,
    BookLost,
    Connected,
    Disconnected,
    Event,
    Following,
    Notice,
    OrderChanged,
    OrdersRead,
    Rejected,
    StateChanged,
    TradeSeen,
)
from .exchange import RateLimit
from .markets import Market, venue_a, venue_b
from .outcomes import Cancellation, Cancelled, Change, Done, Placed, Refused, Submission, Unknown
from .signing import Signer
from .stream import AsyncStream, Stream
from .trade import AsyncTrade

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncStream",
    "AsyncTrade",
    "Book",
    "BookChanged",
    "BookLost",
    "Cancellation",
    "Cancelled",
    "Change",
    "Client",
    "Connected",
    "CrossbookError",
    "Disconnected",
    "Done",
    "Event",
    "Following",
    "GatewayFault",
    "IdempotencyConflict",
    "InsufficientBalance",
    "InvalidRequest",
    "Level",
    "Market",
    "NotAllowed",
    "NotFound",
    "Notice",
    "OrderChanged",
    "OrderEnded",
    "OrdersRead",
    "Placed",
    "RateLimit",
    "RateLimited",
    "Refused",
    "Rejected",
    "ServerClock",
    "Signer",
    "StateChanged",
    "Stream",
    "Submission",
    "TradeSeen",
    "Unauthenticated",
    "Unavailable",
    "Unknown",
    "Unreachable",
    "Unreadable",
    "VenueFault",
    "venue_a",
    "venue_b",
]
