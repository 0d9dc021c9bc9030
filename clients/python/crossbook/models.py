"""Generated from proto/openapi.yaml and proto/asyncapi.yaml by test/support/make-python-client.ts. Not to be edited.

Requests, answers and messages of the stream as they are on the wire. Prices, sizes and money are decimal text; JSON
numbers with a point are read as `Decimal`.
"""

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

#: Decimal text, or an exact number that becomes it.
DecimalInput: TypeAlias = str | Decimal
Number: TypeAlias = int | Decimal

#: `trade` includes cancels of the actor's own orders. `observe` reads the whole pod; `cancel` cancels any order of
#  it.
Scope: TypeAlias = Literal["read", "trade", "observe", "cancel"]


class VenueAccess(TypedDict):
    venue: Literal["venue_a", "venue_b"]
    #: Whether orders are taken for it now.
    tradable: bool
    #: Whether it is heard: false while it tells none of the books that are subscribed to.
    marketData: bool


class RateAllowance(TypedDict):
    #: Sustained requests per second.
    perSecond: int
    #: The most that may come at once.
    burst: int


class ActorLimits(TypedDict):
    """What the operator lets the actor have at most; null where there is no limit. An order beyond one is REJECTED
    and names it. Beyond a rate nothing is recorded.
    """

    #: Dollars that one order may cost at its limit. To sell at venue B is to buy the other side.
    notionalMax: str | None
    #: Orders at all venues together that are PENDING, SUBMITTED or OPEN.
    openOrdersMax: int | None
    #: Shares or contracts of one token or ticker, either way, with all that rests filled.
    positionMax: str | None
    #: Shares or contracts of one order.
    sizeMax: str | None
    #: Ticks of the market by which the limit of an order may lie beyond the opposite best price of its LIVE book.
    collarTicks: int | None
    #: The same distance in per cent of that price. Where both are set, both hold.
    collarPercent: int | None
    #: What the collar does to an order while the book is not LIVE, or its opposite side is empty.
    collarWithoutBook: Literal["PASS", "REFUSE"]
    #: New orders and replaces in a second, of all keys of the actor.
    orderRateMax: int | None
    #: New orders and replaces at once; null means as many as in a second.
    orderBurstMax: int | None
    #: Cancels of single orders in a second. Cancels of all orders are free.
    cancelRateMax: int | None
    #: Cancels of single orders at once; null means as many as in a second.
    cancelBurstMax: int | None
    #: Dollars that the actor may lose in one event over both venues. The worst outcome counts, with the open orders
    #  that lose by it filled. An order that does not raise this sum passes.
    exposureMax: str | None
    #: The same for all actors of the pod together. It is a limit of the pod.
    podExposureMax: str | None


class WhoamiLimits(TypedDict):
    """Rate limits of this key, and what its actor's orders may come to."""

    reads: RateAllowance
    submissions: RateAllowance
    cancels: RateAllowance
    orders: ActorLimits


class RateBucket(TypedDict):
    """The numbers that `RateLimit` and `RateLimit-Policy` have: r is `left`, t `resetS`, q `limit`, w `windowS`."""

    name: Literal["reads", "submissions", "cancels", "failed-checks", "refused-requests"]
    #: Requests at most at once.
    limit: int
    #: Seconds in which an empty bucket is full again.
    windowS: int
    #: Requests that can be made now.
    left: int
    #: Seconds until it is full.
    resetS: int


TradingVenue: TypeAlias = Literal["venue_a", "venue_b"]


class RequestBudget(TypedDict):
    """Requests of one kind."""

    #: That can be sent now.
    left: int
    #: Most at once.
    burst: int
    #: That come back each second.
    perSecond: Number


class VenueBudget(TypedDict):
    """Orders leave a part of venue B's budget for cancels."""

    venue: TradingVenue
    orders: RequestBudget
    cancels: RequestBudget
    #: Null where the venue states no limit of the account's.
    reads: RequestBudget | None


class Whoami(TypedDict):
    """The signing key that made the request, and what it may do."""

    keyId: str
    #: The trading identity to which orders and positions belong.
    actorId: str
    #: The set of venue accounts to which balances belong.
    podId: str
    scopes: list[Scope]
    #: When the key was registered.
    createdAt: str
    venues: list[VenueAccess]
    #: Rate limits of this key, and what its actor's orders may come to.
    limits: WhoamiLimits
    rateLimits: list[RateBucket]
    venueBudgets: list[VenueBudget] | None


class ServerTime(TypedDict):
    """One reading of the server's clock."""

    #: Whole seconds, as SVC-Timestamp wants them.
    unixSeconds: int
    unixMillis: int
    iso: str


OrderSide: TypeAlias = Literal["BUY", "SELL"]
#: PENDING: accepted, nothing sent. SUBMITTED: sent, and the venue has not acknowledged it or not reported what became
#  of it. OPEN: rests on the venue. FILLED, CANCELLED and REJECTED are terminal.
OrderStatus: TypeAlias = Literal["PENDING", "SUBMITTED", "OPEN", "FILLED", "CANCELLED", "REJECTED"]
#: VENUE_REJECTED: refused by the venue. INVALID_ORDER: breaks a rule of the venue or of the gateway. NOT_FEASIBLE:
#  cannot be made as asked (a FOK that is not filled, a postOnly order that would take, a time that has passed).
#  CREDENTIALS_INVALID: the venue refuses the pod's account. UNKNOWN: was not sent, or has left no trace at the venue.
OrderErrorCode: TypeAlias = Literal["VENUE_REJECTED", "INVALID_ORDER", "NOT_FEASIBLE", "CREDENTIALS_INVALID", "UNKNOWN"]


class OrderError(TypedDict):
    """Why the order failed."""

    code: OrderErrorCode
    #: The venue's own words; null if there are none.
    message: str | None


#: REQUESTED: by a cancel. EXPIRED: good till a time that has come. REPLACED: by another order. DEAD_MAN: by
#  `cancel-after`. DISCONNECT: by `cancelOnDisconnect`. PROTECTION: past a protection's bound. STOP: by the operator.
#  LOSS_LIMIT: by a loss limit. MARKET_CLOSED, SELF_TRADE: by the venue, for that reason. VENUE: by the venue, which
#  gave no other.
CancelReason: TypeAlias = Literal[
    "REQUESTED",
    "EXPIRED",
    "REPLACED",
    "DEAD_MAN",
    "DISCONNECT",
    "PROTECTION",
    "STOP",
    "LOSS_LIMIT",
    "MARKET_CLOSED",
    "SELF_TRADE",
    "VENUE",
]


class VenueError(TypedDict):
    """The venue's own words."""

    #: Null at venue A, which has words only.
    code: str | None
    message: str


#: Trade on LIVE only. STALE keeps its levels, RESYNCING has none.
BookState: TypeAlias = Literal["RESYNCING", "LIVE", "STALE", "HALTED", "CLOSED"]


class QueueAhead(TypedDict):
    """The shares ahead of a working order at its price."""

    #: At least as many, as if all cancels at the price came from ahead.
    low: str
    #: At most as many, as if all cancels came from behind; null while nothing bounds it.
    high: str | None
    #: ARRIVAL: the book was seen to grow by the order. DISPLAYED: it was not, so only what is displayed bounds it.
    basis: Literal["ARRIVAL", "DISPLAYED"]
    #: The state of the book by which it counts; null without a book. While it is STALE or RESYNCING, `low` is 0.
    book: BookState | None


class VenueAOrder(TypedDict):
    """An order on venue A."""

    orderId: str
    tokenId: str
    side: OrderSide
    type: Literal["LIMIT", "MARKET"]
    #: Outcome shares of a limit order; null for a market order.
    size: str | None
    #: Limit price; null for a market order.
    price: str | None
    #: Of a market order, dollars for a buy, outcome shares for a sell; null for a limit order.
    amount: str | None
    #: Null for a market order.
    postOnly: bool | None
    status: OrderStatus
    #: Null until the venue acknowledges.
    venueOrderId: str | None
    createdAt: str
    updatedAt: str
    #: Outcome shares filled so far; null before any fill.
    filledShares: str | None
    #: Average executed price without fees; null before any fill.
    averagePrice: str | None
    #: Fees in dollars, on top of a buy's cost, taken from a sell's proceeds; null before any fill.
    feesUsd: str | None
    #: When it reached a terminal state; null while open.
    closedAt: str | None
    #: Null if it did not fail.
    error: OrderError | None
    #: The idempotency key of its submission; null if it is lost, as for an order that was found at the venue.
    clientOrderId: str | None
    #: When it ends, if it is good till a time.
    expiresAt: str | None
    #: Why it is CANCELLED; null if it is not, and if an order that cannot rest ended by its own terms.
    cancelReason: CancelReason | None
    #: What the venue said of the failure, apart from `error`; null if the refusal is ours.
    venueError: VenueError | None
    #: Only with `queue`. Null for an order that does not rest at a price.
    queueAhead: NotRequired[QueueAhead | None]


class VenueAOrderPage(TypedDict):
    """Newest first."""

    #: `error` and `venueError` are null in a list; read the single order for them.
    orders: list[VenueAOrder]
    #: Null on the last page.
    nextPageToken: str | None


class VenueALimitOrderTimeInForce(TypedDict):
    type: Literal["GTC"]


class GoodTillDate(TypedDict):
    """Until it is filled or cancelled, or that time comes: then it is CANCELLED, with `cancelReason` EXPIRED. The
    time must be far enough ahead, 120 s at venue A and 1 s at venue B; the 400 names the earliest.
    """

    type: Literal["GTD"]
    #: ISO-8601 in UTC, with `Z` or `+00:00`. The venues count whole seconds, so a fraction is cut off.
    expiresAt: str


class VenueALimitOrder(TypedDict):
    """Rests until it is filled or cancelled."""

    tokenId: str
    side: OrderSide
    type: Literal["LIMIT"]
    #: Outcome shares, not below the market's minimum, at most 2 decimals.
    size: DecimalInput
    price: DecimalInput
    #: Refuse rather than take; false if absent.
    postOnly: NotRequired[bool]
    #: GTC if absent.
    timeInForce: NotRequired[VenueALimitOrderTimeInForce | GoodTillDate]


class VenueAMarketOrderTimeInForce(TypedDict):
    """FOK (the default): all or nothing. FAK: what is there, the rest is cancelled."""

    type: Literal["FOK", "FAK"]


class VenueAMarketOrder(TypedDict):
    """Takes what the book has at once."""

    tokenId: str
    side: OrderSide
    type: Literal["MARKET"]
    #: Dollars without fees for a buy, from 1; outcome shares for a sell. At most 2 decimals.
    amount: DecimalInput
    #: FOK (the default): all or nothing. FAK: what is there, the rest is cancelled.
    timeInForce: NotRequired[VenueAMarketOrderTimeInForce]
    #: The worst price to trade at; without it, the level of the book at which `amount` is filled.
    worstPrice: NotRequired[DecimalInput]


VenueAOrderRequest: TypeAlias = VenueALimitOrder | VenueAMarketOrder


class SubmittedOrder(TypedDict):
    """The order that was made. A partly filled order that rests is OPEN."""

    orderId: str
    status: OrderStatus
    #: The time that holds, in whole seconds. Of an order that was made good till a time, only.
    expiresAt: NotRequired[str]


class CancelResultsResultsItem(TypedDict):
    orderId: str
    #: RECONCILE: the venue did not confirm; read the order back.
    outcome: Literal["CANCELLED", "NOT_CANCELLABLE", "RECONCILE"]


class CancelResults(TypedDict):
    """What became of each open order."""

    results: list[CancelResultsResultsItem]


class PreviewAdmission(TypedDict):
    """The answer that a submission would get before anything is sent."""

    #: 201 if the order would be sent; else the status of the refusal.
    status: int
    #: The code of the refusal.
    code: str | None
    #: The code of the order that would be REJECTED; null if none would be recorded.
    reason: str | None
    #: The words of the refusal.
    message: str | None
    #: Seconds after which the request may be repeated.
    retryAfterS: int | None


class PreviewFill(TypedDict):
    """What the displayed book would fill at once. Prices are those of the order's side."""

    size: str
    #: Null if nothing would be filled.
    averagePrice: str | None
    #: The last price that it would take; null if nothing would be filled.
    worstPrice: str | None
    costUsd: str
    #: Taker fees by the market's terms; null if they are not known.
    feesUsd: str | None
    #: Whether all of the order would be filled. A FOK order that is not whole is killed.
    isWhole: bool


class PreviewQueue(TypedDict):
    """Shares or contracts at the order's price and on its side."""

    #: The book displays as many.
    min: str
    #: With own orders that the book does not display, as in live-paper.
    max: str


class PreviewPosition(TypedDict):
    """The actor's position; at venue B in terms of YES, and NO is negative."""

    #: The present size.
    size: str
    #: The size after `fill`.
    afterFill: str


class PreviewLimit(TypedDict):
    """A limit of the actor, and what it would count with the order."""

    name: Literal["notionalMax", "sizeMax", "openOrdersMax", "positionMax", "exposureMax", "podExposureMax"]
    max: str
    #: Below 0: the other way is held.
    after: str


class OrderPreview(TypedDict):
    """What an order would come to now."""

    admission: PreviewAdmission
    #: What the displayed book would fill at once; null while no LIVE book is there.
    fill: PreviewFill | None
    #: What would be ahead of the order if it rested now. Null for an order that cannot rest, and while no LIVE book
    #  is there.
    queueAhead: PreviewQueue | None
    position: PreviewPosition
    #: The limits of the actor that are set, if the market is known.
    limits: list[PreviewLimit]


class VenueABatchLimitOrderTimeInForce(TypedDict):
    type: Literal["GTC"]


class VenueABatchLimitOrder(TypedDict):
    """A VenueALimitOrder with its key."""

    tokenId: str
    side: OrderSide
    type: Literal["LIMIT"]
    #: Outcome shares, not below the market's minimum, at most 2 decimals.
    size: DecimalInput
    price: DecimalInput
    #: Refuse rather than take; false if absent.
    postOnly: NotRequired[bool]
    #: GTC if absent.
    timeInForce: NotRequired[VenueABatchLimitOrderTimeInForce | GoodTillDate]
    #: Names this order for good. A UUIDv7 of now is best.
    idempotencyKey: str


class VenueABatchMarketOrderTimeInForce(TypedDict):
    """FOK (the default): all or nothing. FAK: what is there, the rest is cancelled."""

    type: Literal["FOK", "FAK"]


class VenueABatchMarketOrder(TypedDict):
    """A VenueAMarketOrder with its key."""

    tokenId: str
    side: OrderSide
    type: Literal["MARKET"]
    #: Dollars without fees for a buy, from 1; outcome shares for a sell. At most 2 decimals.
    amount: DecimalInput
    #: FOK (the default): all or nothing. FAK: what is there, the rest is cancelled.
    timeInForce: NotRequired[VenueABatchMarketOrderTimeInForce]
    #: The worst price to trade at; without it, the level of the book at which `amount` is filled.
    worstPrice: NotRequired[DecimalInput]
    #: Names this order for good. A UUIDv7 of now is best.
    idempotencyKey: str


class VenueABatch(TypedDict):
    orders: list[VenueABatchLimitOrder | VenueABatchMarketOrder]


#: The list is closed.
ErrorCode: TypeAlias = Literal[
    "INVALID_REQUEST",
    "NOT_FOUND",
    "INSUFFICIENT_BALANCE",
    "IDEMPOTENCY_CONFLICT",
    "ORDER_NOT_CANCELLABLE",
    "ORDER_RECONCILIATION_REQUIRED",
    "INTERNAL_ERROR",
]


class Refusal(TypedDict):
    code: ErrorCode
    #: The order's own code. It is there exactly when the request has left an order that is REJECTED.
    reason: NotRequired[OrderErrorCode]
    #: Plain text that names the field and the rule, or has the venue's own words.
    message: str
    #: The order in doubt; with ORDER_RECONCILIATION_REQUIRED only.
    orderId: NotRequired[str]


class BatchResult(TypedDict):
    """The answer that the order would have had alone."""

    #: The HTTP status.
    status: int
    order: NotRequired[SubmittedOrder]
    error: NotRequired[Refusal]
    #: True if an earlier request with this key got this answer.
    replayed: NotRequired[bool]
    #: Seconds after which the same order may succeed.
    retryAfterS: NotRequired[int]


class BatchResults(TypedDict):
    """What became of each order of a batch, in the order of the request."""

    results: list[BatchResult]


class CancelBatch(TypedDict):
    #: None twice. One that is malformed, unknown or another actor's has the result 404.
    orderIds: list[str]


class VenueACancelledOrder(TypedDict):
    """The order after the venue confirmed the cancel."""

    orderId: str
    status: OrderStatus
    #: Outcome shares filled before the cancel; null if none.
    filledShares: str | None


class VenueACancelBatchResult(TypedDict):
    """The answer that the cancel would have had alone."""

    #: The HTTP status.
    status: int
    order: NotRequired[VenueACancelledOrder]
    error: NotRequired[Refusal]
    #: False if it is done at the venue and not recorded here (SVC-Recorded).
    recorded: NotRequired[bool]
    #: Seconds after which the same cancel may succeed.
    retryAfterS: NotRequired[int]


class VenueACancelBatchResults(TypedDict):
    """What became of each order of a batch of cancels, in the order of the request."""

    results: list[VenueACancelBatchResult]


class VenueAReplacement(TypedDict):
    """What is absent stays as it is."""

    price: NotRequired[DecimalInput]
    #: Outcome shares over both orders, with what the old one has filled. At most 2 decimals.
    size: NotRequired[DecimalInput]


class ReplacedOrder(TypedDict):
    """The new order, and the one whose place it has taken."""

    orderId: str
    status: OrderStatus
    #: The time that holds, in whole seconds. Of an order that was made good till a time, only.
    expiresAt: NotRequired[str]
    replaces: SubmittedOrder


class Fill(TypedDict):
    """One execution, in the order's own frame of prices."""

    fillId: str
    venueTradeId: str
    price: str
    #: Shares or contracts.
    size: str
    #: Dollars, on top of price × size.
    feesUsd: str
    #: Null if the venue does not say.
    liquidity: Literal["MAKER", "TAKER"] | None
    #: Venue B fills are CONFIRMED. A FAILED fill no longer counts in the order's totals.
    settlement: Literal["MATCHED", "MINED", "CONFIRMED", "RETRYING", "FAILED"]
    executedAt: str


class FillPage(TypedDict):
    """Fills in their order of arrival."""

    fills: list[Fill]
    #: Null on the last page.
    nextPageToken: str | None


#: Side of the market.
OutcomeSide: TypeAlias = Literal["YES", "NO"]


class VenueBTimeInForce(TypedDict):
    """GTC: until filled or cancelled. IOC: what is there, the rest is cancelled. FOK: all or nothing. GTD: as GTC,
    till `expiresAt`.
    """

    type: Literal["GTC", "IOC", "FOK", "GTD"]


class QueueAtVenue(TypedDict):
    """The place of a working order in its queue, by the venue's word. Exactly one field is null."""

    #: The shares ahead of the order. The venue's reads lag behind its book.
    ahead: str | None
    #: Why the place is not known, for a person.
    fault: str | None


class VenueBOrder(TypedDict):
    """An order on venue B. Prices are of the traded side."""

    orderId: str
    ticker: str
    side: OutcomeSide
    action: OrderSide
    #: Null if the size is not in whole contracts.
    count: int | None
    #: Contracts, exact.
    size: str
    #: Null if the price is not in whole cents.
    priceCents: int | None
    #: Limit in dollars, exact.
    price: str
    timeInForce: VenueBTimeInForce
    status: OrderStatus
    #: Null until the venue acknowledges.
    venueOrderId: str | None
    createdAt: str
    updatedAt: str
    #: Contracts filled so far; null before any fill.
    filledCount: str | None
    #: Average executed price in dollars without fees; null before any fill.
    averagePrice: str | None
    #: Fees in dollars, as the venue states them; null before any fill.
    feesUsd: str | None
    #: When it reached a terminal state; null while open.
    closedAt: str | None
    #: Null if it did not fail.
    error: OrderError | None
    #: The idempotency key of its submission; null if it is lost, as for an order that was found at the venue.
    clientOrderId: str | None
    #: When it ends, if it is good till a time.
    expiresAt: str | None
    #: Why it is CANCELLED; null if it is not, and if an order that cannot rest ended by its own terms.
    cancelReason: CancelReason | None
    #: What the venue said of the failure, apart from `error`; null if the refusal is ours.
    venueError: VenueError | None
    #: Refused rather than take.
    postOnly: bool
    #: Never beyond a flat position of the account.
    reduceOnly: bool
    #: Only with `queue`. Null for an order that does not rest at a price.
    queueAhead: NotRequired[QueueAhead | None]
    #: Only with `queue=venue`. Null for an order that does not rest.
    queueAtVenue: NotRequired[QueueAtVenue | None]


class VenueBOrderPage(TypedDict):
    """Newest first."""

    #: `error` and `venueError` are null in a list; read the single order for them.
    orders: list[VenueBOrder]
    #: Null on the last page.
    nextPageToken: str | None


class VenueBOrderRequestTimeInForce(TypedDict):
    type: Literal["GTC", "IOC", "FOK"]


class VenueBOrderRequest(TypedDict):
    ticker: str
    side: OutcomeSide
    action: OrderSide
    #: Whole contracts. Exactly one of `count` and `size` is given.
    count: NotRequired[int]
    #: Contracts, at most 2 decimals, as the venue trades hundredths in every market.
    size: NotRequired[DecimalInput]
    #: Limit in whole cents of the traded side. Exactly one of `priceCents` and `price` is given.
    priceCents: NotRequired[int]
    #: Limit in dollars of the traded side, on the market's own price ranges, which may be finer than a cent.
    price: NotRequired[DecimalInput]
    #: GTC if absent.
    timeInForce: NotRequired[VenueBOrderRequestTimeInForce | GoodTillDate]
    #: Refuse rather than take; false if absent. Not with IOC or FOK.
    postOnly: NotRequired[bool]
    #: Never trade beyond a flat position of the pod's account, by the venue's count; false if absent. With IOC or FOK
    #  only, as the venue takes it.
    reduceOnly: NotRequired[bool]
    #: Which order the venue cancels if this one would trade with another of the pod's account; CANCEL_TAKER if
    #  absent.
    selfTrade: NotRequired[Literal["CANCEL_TAKER", "CANCEL_MAKER"]]


class VenueBBatchOrderTimeInForce(TypedDict):
    type: Literal["GTC", "IOC", "FOK"]


class VenueBBatchOrder(TypedDict):
    """A VenueBOrderRequest with its key."""

    ticker: str
    side: OutcomeSide
    action: OrderSide
    #: Whole contracts. Exactly one of `count` and `size` is given.
    count: NotRequired[int]
    #: Contracts, at most 2 decimals, as the venue trades hundredths in every market.
    size: NotRequired[DecimalInput]
    #: Limit in whole cents of the traded side. Exactly one of `priceCents` and `price` is given.
    priceCents: NotRequired[int]
    #: Limit in dollars of the traded side, on the market's own price ranges, which may be finer than a cent.
    price: NotRequired[DecimalInput]
    #: GTC if absent.
    timeInForce: NotRequired[VenueBBatchOrderTimeInForce | GoodTillDate]
    #: Refuse rather than take; false if absent. Not with IOC or FOK.
    postOnly: NotRequired[bool]
    #: Never trade beyond a flat position of the pod's account, by the venue's count; false if absent. With IOC or FOK
    #  only, as the venue takes it.
    reduceOnly: NotRequired[bool]
    #: Which order the venue cancels if this one would trade with another of the pod's account; CANCEL_TAKER if
    #  absent.
    selfTrade: NotRequired[Literal["CANCEL_TAKER", "CANCEL_MAKER"]]
    #: Names this order for good. A UUIDv7 of now is best.
    idempotencyKey: str


class VenueBBatch(TypedDict):
    orders: list[VenueBBatchOrder]


class VenueBCancelledOrder(TypedDict):
    """The order after the venue confirmed the cancel."""

    orderId: str
    status: OrderStatus
    #: Contracts filled before the cancel; null if none.
    filledCount: str | None


class VenueBCancelBatchResult(TypedDict):
    """The answer that the cancel would have had alone."""

    #: The HTTP status.
    status: int
    order: NotRequired[VenueBCancelledOrder]
    error: NotRequired[Refusal]
    #: False if it is done at the venue and not recorded here (SVC-Recorded).
    recorded: NotRequired[bool]
    #: Seconds after which the same cancel may succeed.
    retryAfterS: NotRequired[int]


class VenueBCancelBatchResults(TypedDict):
    """What became of each order of a batch of cancels, in the order of the request."""

    results: list[VenueBCancelBatchResult]


class VenueBReplacement(TypedDict):
    """What is absent stays as it is."""

    price: NotRequired[DecimalInput]
    #: Limit in whole cents of the traded side.
    priceCents: NotRequired[int]
    #: Whole contracts over both orders, with what the old one has filled.
    count: NotRequired[int]
    #: As `count`, with at most 2 decimals.
    size: NotRequired[DecimalInput]


class CancelAfterRequest(TypedDict):
    #: Milliseconds from now until every open order of this signing key is cancelled; 0 disarms.
    timeoutMs: Literal[0] | int


class CancelAfterAnswer(TypedDict):
    #: When the orders are cancelled unless the call is repeated; null when disarmed.
    deadline: str | None


class Protection(TypedDict):
    """A protection of the actor."""

    venue: TradingVenue
    #: Token id or ticker; null: all markets of the venue.
    address: str | None
    #: Most fills of a window; null: shares count.
    fillsMax: int | None
    #: Most shares or contracts of a window; null: fills count.
    sharesMax: str | None
    windowMs: int
    #: TRIGGERED: submissions are refused until it is reset.
    state: Literal["ARMED", "TRIGGERED"]
    setAt: str
    #: Null while it is armed.
    triggeredAt: str | None
    #: Fills of the window that ends now, or of the one that triggered it.
    fills: int
    #: Shares or contracts of that window.
    shares: str


class Protections(TypedDict):
    protections: list[Protection]


class ProtectionRequest(TypedDict):
    """Exactly one of `fillsMax` and `sharesMax`."""

    venue: TradingVenue
    #: Token id or ticker; absent for all markets of the venue.
    address: NotRequired[str]
    #: Most fills of a window; 0 allows none.
    fillsMax: NotRequired[int]
    #: Most shares or contracts of a window, with up to 6 decimals, at most 1000000000; 0 allows none.
    sharesMax: NotRequired[str]
    windowMs: int


class ProtectionPlace(TypedDict):
    venue: TradingVenue
    #: Token id or ticker; absent for the protection of the whole venue.
    address: NotRequired[str]


class VenueAPosition(TypedDict):
    """What the actor holds of one outcome token."""

    tokenId: str
    #: Outcome shares. Below 0 it is what the actor owes: it has sold more than its own purchases brought. A trade
    #  among them has failed, or its fill is not reported yet. The shares were another actor's of the pod, or
    #  nobody's.
    size: str
    #: Weighted average entry, fees excluded; of what is owed what it was sold for.
    averagePrice: str
    #: Indicative: the middle of the token's book while it is LIVE and has both sides, else its last trade, else the
    #  average price. Of a redeemable token what it pays.
    mark: str
    #: size × mark.
    valueUsd: str
    #: size × (mark − averagePrice), fees excluded.
    unrealizedPnlUsd: str
    #: The market has resolved for this token and awaits redemption.
    redeemable: bool


class VenueAPositions(TypedDict):
    """Ordered by tokenId."""

    positions: list[VenueAPosition]


class RedeemRequest(TypedDict):
    #: At protocol V2 only. All of the actor's own shares without it.
    shares: NotRequired[str]


#: PENDING: recorded, nothing sent. SUBMITTED: it may be at the venue's relayer. CONFIRMED: the chain has done it, and
#  the balance proves it. FAILED: it has no effect, and never will. One action of a wallet is SUBMITTED at a time.
WalletActionStatus: TypeAlias = Literal["PENDING", "SUBMITTED", "CONFIRMED", "FAILED"]


class WalletAction(TypedDict):
    """A redemption, a split or a merge, made by a transaction of the pod's wallet."""

    actionId: str
    kind: Literal["REDEEM", "SPLIT", "MERGE"]
    tokenId: str
    #: Shares that are redeemed; of each outcome for SPLIT and MERGE.
    shares: str
    #: What is paid out; for SPLIT what is paid in.
    amountUsd: str
    status: WalletActionStatus
    #: `0x` and 64 hex digits; null until the venue's relayer has sent the transaction to the chain.
    transactionHash: str | None
    createdAt: str
    updatedAt: str
    #: Null unless FAILED.
    error: OrderError | None


class SplitRequest(TypedDict):
    amountUsd: str


class MergeRequest(TypedDict):
    shares: str


class WalletActionPage(TypedDict):
    actions: list[WalletAction]
    #: Null on the last page.
    nextPageToken: str | None


class VenueBPosition(TypedDict):
    """What the actor holds of one market; YES and NO net, so there is at most one row per ticker."""

    ticker: str
    side: OutcomeSide
    #: Whole part of the contracts held.
    contracts: int
    #: Average entry, rounded half to even.
    averagePriceCents: int
    #: Indicative, of this side, rounded half to even. It is the middle of the market's book while that is LIVE and
    #  has both sides. Else it is the market's last trade, else the average price.
    markCents: int
    #: Average entry in dollars, up to 6 decimals.
    averagePrice: str
    #: Indicative, as `markCents`, in dollars.
    mark: str
    #: Contracts held, with their fractions.
    size: str
    #: Exact size × exact mark.
    valueUsd: str
    #: Exact size × (mark − average price), fees excluded.
    unrealizedPnlUsd: str


class VenueBPositions(TypedDict):
    """Ordered by ticker, then side."""

    positions: list[VenueBPosition]


class VenueABalance(TypedDict):
    """Cash of the pod on venue A. `total` includes what resting buy orders commit."""

    #: Spendable, net of resting buy orders.
    available: Number
    #: USDC.e of the wallet, which must be converted first; 0 unless the operator has named a node of the chain.
    unconverted: Number
    #: Resolved tokens awaiting redemption, at settlement price.
    claimable: Number
    total: Number


class VenueBShardBalance(TypedDict):
    """Cash of the pod on one shard of venue B."""

    #: `exchange_index` of the venue.
    index: int
    #: Spendable in the markets of the shard, net of resting buy orders.
    available: Number


class VenueBBalance(TypedDict):
    """Cash of the pod on venue B."""

    #: Spendable, net of resting buy orders; the sum of all shards.
    available: Number
    #: `available` by the shards of the venue, in its order. An order can use the cash of the shard of its market
    #  only. Empty where the venue does not state all of them.
    shards: list[VenueBShardBalance]


class LimitUse(TypedDict):
    """A limit of `whoami` as it is used. A limit of one order, and a rate, have null."""

    #: A name of `limits.orders` of `/v1/whoami`.
    name: str
    max: str
    #: Open orders, the largest position of one market some seconds ago without what rests, or the largest loss of one
    #  event.
    used: str | None
    left: str | None


class LossLimit(TypedDict):
    """The most that an actor or a pod may lose in a day, realized and unrealized, with fees."""

    lossMaxUsd: str
    #: The loss since `since`; negative after a gain.
    lossUsd: str
    leftUsd: str
    #: Whether working orders that raise risk are cancelled at the limit.
    cancels: bool
    since: str
    until: str
    #: From then until `until` orders that raise risk are 503.
    reachedAt: str | None
    #: Markets that are held.
    positions: int
    #: Markets that count at the last known price, since their books are not LIVE.
    positionsWithOldPrices: int


class EventExposure(TypedDict):
    """The most that may be lost in an event, with the open orders that lose by its worst outcome."""

    #: Id of an event of the catalog, or of a market that stands alone.
    eventId: str
    lossUsd: str
    #: The outcome of each question of the event that brings the loss.
    worstOutcomes: list[str]


class ActorRisk(TypedDict):
    actorId: str
    limits: list[LimitUse]
    loss: LossLimit | None
    events: list[EventExposure] | None


class PodRisk(TypedDict):
    podId: str
    limits: list[LimitUse]
    loss: LossLimit | None
    events: list[EventExposure] | None


class Risk(TypedDict):
    """Limits that are set."""

    actors: list[ActorRisk]
    #: Null without the scope `observe`.
    pod: PodRisk | None


class PodFeedBooks(TypedDict):
    """Books in use, by their state."""

    RESYNCING: int
    LIVE: int
    STALE: int
    HALTED: int
    CLOSED: int


class PodFeed(TypedDict):
    """A venue's feed and its books in use."""

    venue: Literal["venue_a", "venue_b"]
    #: The operator’s name for it; null without one.
    name: str | None
    #: Whether orders are taken for it now.
    tradable: bool
    #: As in `/v1/whoami`.
    marketData: bool
    #: Milliseconds since its last message, to a quarter of a second.
    frameAgeMs: int
    #: Books in use, by their state.
    books: PodFeedBooks


class PodActor(TypedDict):
    """What an actor uses of its limits."""

    actorId: str
    openOrders: int
    #: Markets in which it holds something, as of some seconds ago.
    positions: int
    #: Shares or contracts in the market where it holds most, as of some seconds ago, without resting orders.
    largestPosition: str
    limits: ActorLimits


class PodStatusFaults(TypedDict):
    """What is not well, in numbers that are 0 while all is."""

    accountsUnread: int
    privateStreamsDown: int
    #: Fills that a venue lists and that cannot be read.
    rowsHeld: int
    engineStalled: Literal[0, 1]
    #: Protections that wait for their reset.
    protectionsTriggered: int
    #: Whether a fault has ended the recording of books.
    recordingFailed: Literal[0, 1]
    #: What venues have said, since the start, that contradicts the ledger.
    divergences: int


class PodLatencyBucketsItem(TypedDict):
    #: Its end in microseconds; null beyond the last end.
    endUs: Number | None
    #: Durations since the end of the bucket before.
    count: int


class PodLatency(TypedDict):
    """Durations of one stage, counted since the start of the process."""

    #: submit, cancel: from a request to its answer. signature: its check. venue_a, venue_b: from an order written to
    #  its answer. main_loop, engine_loop: how late a timer fires.
    stage: Literal["submit", "cancel", "signature", "venue_a", "venue_b", "main_loop", "engine_loop"]
    #: Ascending; empty ones are left out.
    buckets: list[PodLatencyBucketsItem]


class PodStatus(TypedDict):
    podId: str
    #: Of the gateway.
    version: str
    #: PAPER: the paper exchanges. REPLAY: a recording. LIVE_PAPER: books of the real venues, and orders at the paper
    #  exchanges. BOOKS: books of the real venues, without accounts there. LIVE: orders go to the real venues.
    mode: Literal["PAPER", "REPLAY", "LIVE_PAPER", "BOOKS", "LIVE"]
    startedAt: str
    #: Why no order can be recorded, and none is taken; null while all is well.
    recordFault: str | None
    stopped: list[str]
    feeds: list[PodFeed]
    actors: list[PodActor]
    #: What is not well, in numbers that are 0 while all is.
    faults: PodStatusFaults
    #: Orders submitted since the start.
    submissions: int
    latencies: list[PodLatency]


class PodVenueAOrder(TypedDict):
    actorId: str
    venue: Literal["venue_a"]
    order: VenueAOrder


class PodVenueBOrder(TypedDict):
    actorId: str
    venue: Literal["venue_b"]
    order: VenueBOrder


PodOrder: TypeAlias = PodVenueAOrder | PodVenueBOrder


class PodOrders(TypedDict):
    orders: list[PodOrder]
    hasMore: bool


class PodCancelledOrder(TypedDict):
    """As of the venue of the order, with the field of that venue."""

    orderId: str
    status: OrderStatus
    #: Shares filled before the cancel; null if none.
    filledShares: NotRequired[str | None]
    #: Contracts filled before the cancel; null if none.
    filledCount: NotRequired[str | None]


class PodStopLeftItem(TypedDict):
    orderId: str
    actorId: str
    venue: Literal["venue_a", "venue_b"]
    #: Token id or ticker.
    market: str
    status: OrderStatus


class PodStop(TypedDict):
    stopped: list[str]
    #: Orders that this request has cancelled.
    cancelled: int
    #: Orders that may still rest at their venue. Their cancels are made as soon as it takes them.
    leftTotal: int
    #: The first of them.
    left: list[PodStopLeftItem]
    #: Venues whose account is not read since the start. Orders there may be unknown here.
    unread: list[Literal["venue_a", "venue_b"]]


class PodVenueAPosition(TypedDict):
    actorId: str
    venue: Literal["venue_a"]
    position: VenueAPosition


class PodVenueBPosition(TypedDict):
    actorId: str
    venue: Literal["venue_b"]
    position: VenueBPosition


PodPosition: TypeAlias = PodVenueAPosition | PodVenueBPosition


class PodPositions(TypedDict):
    positions: list[PodPosition]
    #: Profit of all that was sold or paid out, since the ledger began, fees excluded.
    realizedPnlUsd: str
    #: Fees since the ledger began. Realized and unrealized profit less these fees is the profit of the pod.
    feesUsd: str


class PodOrderEvent(TypedDict):
    """The order as it was at the event, and its fill."""

    #: Ascends; also over restarts of the gateway.
    number: int
    actorId: str
    event: Literal["STATUS", "FILL", "FILL_REVERSED"]
    venue: Literal["venue_a", "venue_b"]
    order: VenueAOrder | VenueBOrder
    #: Null for STATUS.
    fill: Fill | None
    at: str


class PodActionEvent(TypedDict):
    """A redemption, a split or a merge as it was at the event."""

    #: As of the other events.
    number: int
    actorId: str
    event: Literal["ACTION"]
    action: WalletAction
    at: str


class PodEvents(TypedDict):
    events: list[PodOrderEvent | PodActionEvent]


class Sport(TypedDict):
    id: str
    name: str


class Sports(TypedDict):
    sports: list[Sport]


class Competition(TypedDict):
    id: str
    name: str
    #: The sport's id.
    sport: str


class Competitions(TypedDict):
    competitions: list[Competition]


EventStatus: TypeAlias = Literal["SCHEDULED", "LIVE", "ENDED"]


class Participant(TypedDict):
    name: str
    role: Literal["HOME", "AWAY", "COMPETITOR"]


class Event(TypedDict):
    """One real-world event, however many venues list it. Its id never changes."""

    id: str
    name: str
    #: The sport's id.
    sport: str
    #: The competition's id.
    competition: str
    startsAt: str
    status: EventStatus
    participants: list[Participant]


class EventPage(TypedDict):
    events: list[Event]
    #: Null on the last page.
    nextPageToken: str | None


class VenueAListing(TypedDict):
    venue: Literal["VENUE_A"]
    tokenId: str
    #: Pays in every other outcome. Only for a game that may end in a draw.
    noTokenId: NotRequired[str]
    #: Whether an order would be taken now.
    executable: bool


class VenueBListing(TypedDict):
    venue: Literal["VENUE_B"]
    ticker: str
    side: OutcomeSide
    #: Whether an order would be taken now.
    executable: bool


class VenueCListing(TypedDict):
    """No market returns it unless the operator has switched it on; have a branch for it. Never executable yet."""

    venue: Literal["VENUE_C"]
    #: Identifies both market and outcome.
    strikeId: str
    #: Whether an order would be taken now.
    executable: bool


#: Where an outcome can be traded, with the identifiers that an order needs.
Listing: TypeAlias = VenueAListing | VenueBListing | VenueCListing


class Outcome(TypedDict):
    name: str
    #: Every route to this outcome, direct ones first.
    listings: list[Listing]


class EventMarket(TypedDict):
    """One question about an event. Outcomes are home, away; home, draw, away; or over, under."""

    id: str
    title: str
    outcomes: list[Outcome]
    #: Home handicap of a spread, or the total; absent where a market has none.
    line: NotRequired[str]
    #: In what the venues do not settle this question alike; absent where nothing is known of that kind.
    notes: NotRequired[list[str]]


class EventMarkets(TypedDict):
    markets: list[EventMarket]


class RouteQuote(TypedDict):
    """The best level of a route, in terms of the outcome. `tokenId` names it at venue A, `ticker` and `side` at
    venue B.
    """

    venue: Literal["VENUE_A", "VENUE_B"]
    tokenId: NotRequired[str]
    ticker: NotRequired[str]
    side: NotRequired[Literal["YES", "NO"]]
    #: Dollars, decimal.
    price: str
    #: A taker’s fee for one, before the venue rounds that of a fill; dollars, decimal.
    fee: str
    #: What one costs with the fee, or brings after it; dollars, decimal.
    netPrice: str
    #: Shares or contracts, decimal.
    size: str
    #: Always LIVE; other books are omitted.
    state: Literal["RESYNCING", "LIVE", "STALE", "HALTED", "CLOSED"]
    #: Since the venue has changed the book.
    ageMs: int


class OutcomeQuote(TypedDict):
    name: str
    #: Null if no route has an offer.
    buy: RouteQuote | None
    #: Null if no route has a bid.
    sell: RouteQuote | None


class OmittedRoute(TypedDict):
    """A route that does not count, and why."""

    venue: Literal["VENUE_A", "VENUE_B"]
    tokenId: NotRequired[str]
    ticker: NotRequired[str]
    side: NotRequired[Literal["YES", "NO"]]
    #: The state of its book, or what is not known of it.
    why: Literal["RESYNCING", "STALE", "HALTED", "CLOSED", "NO_BOOK", "FEES_UNKNOWN"]


class BestMarket(TypedDict):
    id: str
    title: str
    outcomes: list[OutcomeQuote]
    omitted: list[OmittedRoute]
    #: Where the venues settle differently.
    notes: list[str]


class EventBest(TypedDict):
    markets: list[BestMarket]


class CatalogMarket(TypedDict):
    """An event's market with its event, or a venue's market outside sports."""

    id: str
    title: str
    outcomes: list[Outcome]
    #: Home handicap of a spread, or the total; absent where a market has none.
    line: NotRequired[str]
    #: In what the venues do not settle this question alike; absent where nothing is known of that kind.
    notes: NotRequired[list[str]]
    #: Null outside sports.
    eventId: str | None


class CatalogMarketPage(TypedDict):
    markets: list[CatalogMarket]
    #: Null on the last page.
    nextPageToken: str | None


#: pending: not yet resting. open: rests without fills. partial: partly filled. filled, cancelled and failed are
#  terminal.
OlderOrderStatus: TypeAlias = Literal["pending", "open", "partial", "filled", "cancelled", "failed"]
#: No order is a stop, stop_limit or iceberg. These names are accepted in a filter, and match nothing.
OlderOrderType: TypeAlias = Literal["market", "limit", "stop", "stop_limit", "iceberg"]


class OlderMarketOrderMarketInfo(TypedDict):
    venue: Literal["venue_a", "venue_b"]
    #: A token id, or `<ticker>:YES` or `<ticker>:NO`.
    outcomeId: str


class OlderMarketOrderError(TypedDict):
    message: str


class OlderMarketOrder(TypedDict):
    """The part of an order that one venue executes."""

    type: OlderOrderType
    marketInfo: OlderMarketOrderMarketInfo
    status: OlderOrderStatus
    #: 0 before any fill.
    filledAmount: Number
    #: Dollars; null before any fill.
    averagePrice: Number | None
    executionCost: Number
    #: Null if it did not fail.
    error: OlderMarketOrderError | None


class OlderOrder(TypedDict):
    orderId: str
    status: OlderOrderStatus
    filledAmount: Number
    executionCost: Number
    marketOrders: list[OlderMarketOrder]
    createdAt: str
    updatedAt: str


class OlderOrderPage(TypedDict):
    """Newest first."""

    orders: list[OlderOrder]
    #: Null on the last page.
    nextPageToken: str | None


#: PAUSED takes no orders for now.
MarketStatus: TypeAlias = Literal["OPEN", "PAUSED", "CLOSED", "RESOLVED", "CANCELLED"]


class PriceRange(TypedDict):
    """Orders have a price between both ends that is a multiple of the step from the start, above 0 and below 1."""

    start: str
    end: str
    step: str


class Fees(TypedDict):
    """A fill costs size × rate × (P × (1 − P))^exponent dollars, P being its price, rounded to a multiple of
    `roundedTo`.
    """

    takerRate: str
    makerRate: str
    exponent: int
    roundedTo: str
    rounding: Literal["HALF_UP", "UP"]
    #: Nothing is charged before; null, no waiver.
    waivedUntil: str | None


class BestLevels(TypedDict):
    """The ten best levels a side, at a position of the stream's book."""

    epoch: int
    seq: int
    state: BookState
    #: Best first.
    bids: list[list[str]]
    #: Best first.
    asks: list[list[str]]
    #: Null if the venue does not say, or has not sent the book yet.
    venueTime: str | None
    #: Null if the venue has not sent the book yet.
    receivedAt: str | None


class VenueATerms(TypedDict):
    """The terms of a market, and the book of one of its tokens."""

    tokenId: str
    title: str
    status: MarketStatus
    #: Null if the venue does not say. A venue may close a market earlier.
    closesAt: str | None
    priceRanges: list[PriceRange]
    #: The smallest order that may rest.
    minimumSize: str
    #: Sizes are multiples of it.
    sizeStep: str
    #: Null if the venue charges by a rule that this version does not know.
    fees: Fees | None
    book: BestLevels
    #: Null if no trade is known since the market was subscribed; at venue B also of the venue's own account.
    lastTradePrice: str | None


class VenueBTerms(TypedDict):
    """The terms of a market, and its YES book."""

    ticker: str
    title: str
    status: MarketStatus
    #: Null if the venue does not say. A venue may close a market earlier.
    closesAt: str | None
    priceRanges: list[PriceRange]
    #: The smallest order that may rest.
    minimumSize: str
    #: Sizes are multiples of it.
    sizeStep: str
    #: Null if the venue charges by a rule that this version does not know.
    fees: Fees | None
    #: An order can use the cash on this shard of the venue only, as `shards` of the balance has it. Null if the venue
    #  does not say.
    shard: int | None
    #: What a YES contract pays at least, so that orders must be above it; `0` where the venue has its default bounds.
    #  Null if it states bounds that this version does not know.
    settlementFloor: str | None
    book: BestLevels
    #: Null if no trade is known since the market was subscribed; at venue B also of the venue's own account.
    lastTradePrice: str | None


OlderMarketVenue: TypeAlias = Literal["venue_a", "venue_d", "venue_e"]


class OlderOutcome(TypedDict):
    """Indicative prices in dollars. `bid` and `ask` are null where the book has no such side, and `mid` unless it
    has both. A market that trades against a pool has a `mid` only.
    """

    name: str
    outcomeId: str
    mid: Number | None
    bid: Number | None
    ask: Number | None


class OlderMarketAnswerMarket(TypedDict):
    venue: OlderMarketVenue
    marketId: str
    title: str
    #: paused: takes no orders now. closed: nor will it again, and its result is not known.
    status: Literal["open", "paused", "closed", "resolved", "cancelled"]
    outcomes: list[OlderOutcome]
    #: Null if the venue does not say.
    expirationDate: str | None


class OlderMarketAnswer(TypedDict):
    market: OlderMarketAnswerMarket


class OlderBalances(TypedDict):
    """The pod's account over every venue, in US dollars, read live."""

    #: Spendable collateral.
    cash: Number
    #: Not spendable: committed to resting orders, or what orders in flight may cost, without fees.
    reserved: Number
    #: Open positions of all actors at the middle of their books, and what was won and is not redeemed yet; exposure,
    #  not cash.
    positions: Number
    retrievedAt: str


class StreamTicket(TypedDict):
    """Opens one stream, from the address that asked for it."""

    ticket: str
    #: 30 seconds after it was issued.
    expiresAt: str


class OpenApiDocument(TypedDict):
    """This document."""

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]


class AsyncApiDocument(TypedDict):
    """The stream's document."""

    asyncapi: str
    info: dict[str, Any]
    channels: dict[str, Any]


class VenueAMarket(TypedDict):
    venue: Literal["venue_a"]
    #: Outcome token.
    tokenId: str


class VenueBMarket(TypedDict):
    venue: Literal["venue_b"]
    ticker: str


#: One venue market's book.
Market: TypeAlias = VenueAMarket | VenueBMarket


class Snapshot(TypedDict):
    type: Literal["snapshot"]
    channel: Literal["book"]
    market: Market
    epoch: int
    seq: int
    state: BookState
    #: Best first.
    bids: list[list[str]]
    #: Best first.
    asks: list[list[str]]
    checksum: int
    venueTime: str | None
    receivedAt: str


class Delta(TypedDict):
    type: Literal["delta"]
    channel: Literal["book"]
    market: Market
    epoch: int
    seq: int
    #: The last seq of this subscription: the delta applies to the book at this seq only. seq − 1 without `depth`.
    prevSeq: int
    changes: list[list[str]]
    #: Of the book after these changes; with `depth`, of the levels within it.
    checksum: int
    venueTime: str | None
    receivedAt: str


class Quote(TypedDict):
    type: Literal["quote"]
    channel: Literal["quote"]
    market: Market
    #: Of the book; 0 while its venue has not sent it.
    epoch: int
    #: Of the book; 0 while its venue has not sent it.
    seq: int
    state: BookState
    #: Null if there is none.
    bid: list[str] | None
    #: Null if there is none.
    ask: list[str] | None
    venueTime: str | None
    receivedAt: str


class Trade(TypedDict):
    type: Literal["trade"]
    channel: Literal["trade"]
    market: Market
    #: De-duplicate by tradeId, price and size.
    tradeId: str
    price: str
    size: str
    #: Null if the venue does not say.
    takerSide: Literal["BUY", "SELL"] | None
    venueTime: str | None
    receivedAt: str


StateReason: TypeAlias = Literal[
    "OPENING",
    "SNAPSHOT",
    "RESUMED",
    "SILENCE",
    "DISCONNECTED",
    "SEQUENCE_GAP",
    "CROSSED",
    "UNREADABLE",
    "HASH_MISMATCH",
    "OFF_GRID",
    "NEGATIVE_SIZE",
    "TICK_SIZE_CHANGED",
    "VENUE_ERROR",
    "MARKET_PAUSED",
    "MARKET_CLOSED",
    "MARKET_RESOLVED",
    "UNSUBSCRIBED",
    "FEED_RESTARTED",
]


class State(TypedDict):
    type: Literal["state"]
    market: Market
    state: BookState
    reason: StateReason


class Heartbeat(TypedDict):
    type: Literal["heartbeat"]
    books: list[list[Any]]


class SnapshotsDone(TypedDict):
    type: Literal["snapshotsDone"]
    id: str


RejectionCode: TypeAlias = Literal[
    "UNKNOWN_MARKET",
    "BOOK_LIMIT",
    "VENUE_UNAVAILABLE",
    "SUBSCRIPTION_LIMIT",
    "NOT_SUBSCRIBED",
    "INVALID_REQUEST",
]


class Rejection(TypedDict):
    market: Market
    code: RejectionCode
    message: str


class OutcomeRejection(TypedDict):
    catalogMarket: str
    code: RejectionCode
    message: str


class Subscribed(TypedDict):
    """`cursor`, on the channel orders alone: the events after it follow."""

    type: Literal["subscribed"]
    id: NotRequired[str]
    channel: Literal["book", "trade", "quote", "outcome", "orders"]
    #: Empty on the channels orders and outcome.
    accepted: list[Market]
    rejected: list[Rejection]
    cursor: NotRequired[int]
    #: On the channel outcome alone, in place of accepted.
    acceptedCatalogMarkets: NotRequired[list[str]]
    #: On the channel outcome alone, in place of rejected.
    rejectedCatalogMarkets: NotRequired[list[OutcomeRejection]]


class Unsubscribed(TypedDict):
    type: Literal["unsubscribed"]
    id: NotRequired[str]
    channel: Literal["book", "trade", "quote", "outcome", "orders"]
    #: Empty on the channels orders and outcome.
    accepted: list[Market]
    rejected: list[Rejection]
    #: On the channel outcome alone, in place of accepted.
    acceptedCatalogMarkets: NotRequired[list[str]]
    #: On the channel outcome alone, in place of rejected.
    rejectedCatalogMarkets: NotRequired[list[OutcomeRejection]]


#: The codes of rejections. CURSOR_EXPIRED and POD_ELSEWHERE (subscribe at `podOwner`) of an orders subscription.
#  Without an id LAGGED (what was missed is replaced by snapshots) and TRADES_MISSED (trades before this message may
#  be missing). UNKNOWN_MARKET without an id: the channel outcome has ended for the rejected markets, which left the
#  catalog. TOO_MANY_IN_FLIGHT of order entry: nothing was done.
StreamErrorCode: TypeAlias = Literal[
    "UNKNOWN_MARKET",
    "BOOK_LIMIT",
    "VENUE_UNAVAILABLE",
    "SUBSCRIPTION_LIMIT",
    "NOT_SUBSCRIBED",
    "INVALID_REQUEST",
    "CURSOR_EXPIRED",
    "POD_ELSEWHERE",
    "LAGGED",
    "TRADES_MISSED",
    "TOO_MANY_IN_FLIGHT",
]


class Error(TypedDict):
    type: Literal["error"]
    id: NotRequired[str]
    code: StreamErrorCode
    message: str
    rejected: NotRequired[list[Rejection]]
    #: About the channel outcome alone, in place of rejected.
    rejectedCatalogMarkets: NotRequired[list[OutcomeRejection]]
    #: Of POD_ELSEWHERE alone. Base URL of the gateway that owns the pod.
    podOwner: NotRequired[str]


class Pong(TypedDict):
    type: Literal["pong"]
    id: str


#: FILL_REVERSED means that a fill failed on settlement and no longer counts.
OrderEventKind: TypeAlias = Literal["STATUS", "FILL", "FILL_REVERSED"]


class VenueAOrderEvent(TypedDict):
    type: Literal["order"]
    channel: Literal["orders"]
    cursor: int
    event: OrderEventKind
    venue: Literal["venue_a"]
    order: VenueAOrder
    fill: NotRequired[Fill]


class VenueBOrderEvent(TypedDict):
    type: Literal["order"]
    channel: Literal["orders"]
    cursor: int
    event: OrderEventKind
    venue: Literal["venue_b"]
    order: VenueBOrder
    fill: NotRequired[Fill]


#: `order` is what a read of that order would give. `fill` goes with FILL and FILL_REVERSED.
OrderEvent: TypeAlias = VenueAOrderEvent | VenueBOrderEvent


class VenueAOrdersSnapshotOrdersItem(TypedDict):
    venue: Literal["venue_a"]
    order: VenueAOrder


class VenueBOrdersSnapshotOrdersItem(TypedDict):
    venue: Literal["venue_b"]
    order: VenueBOrder


class OrdersSnapshot(TypedDict):
    type: Literal["ordersSnapshot"]
    id: NotRequired[str]
    channel: Literal["orders"]
    #: The events after it follow; an order here may be newer already, and then comes again.
    cursor: int
    #: More of them come in the next message of the same cursor.
    hasMore: bool
    orders: list[VenueAOrdersSnapshotOrdersItem | VenueBOrdersSnapshotOrdersItem]


class OutcomeMessage(TypedDict):
    type: Literal["outcome"]
    channel: Literal["outcome"]
    catalogMarket: str
    outcomes: list[OutcomeQuote]
    omitted: list[OmittedRoute]
    #: Where the venues settle differently.
    notes: list[str]


class ProtectionEvent(TypedDict):
    type: Literal["protection"]
    channel: Literal["orders"]
    event: Literal["SET", "TRIGGERED", "RESET", "ENDED"]
    #: After the change; as it last was, if it has ended.
    protection: Protection


class LossLimitEvent(TypedDict):
    type: Literal["lossLimit"]
    channel: Literal["orders"]
    #: RENEWED: a day began.
    event: Literal["SET", "REACHED", "RESET", "RENEWED", "ENDED"]
    #: The id of the pod, or that of the actor: `desk` or `desk/maker`.
    scope: str
    #: After the change; as it last was, if it has ended.
    lossLimit: LossLimit


class QueueEvent(TypedDict):
    """It has no cursor; only the latest message of an order counts."""

    type: Literal["queue"]
    channel: Literal["orders"]
    venue: TradingVenue
    orderId: str
    queueAhead: QueueAhead
