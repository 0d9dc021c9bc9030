// Generated from proto/openapi.yaml by test/support/make-api-types.ts: the types of every request and answer, and what a
// client must know of each operation. Not to be edited.

/** `trade` includes cancels of the actor's own orders. `observe` reads the whole pod; `cancel` cancels any order of it. */
export type Scope = 'read' | 'trade' | 'observe' | 'cancel';
/** UTC, ISO-8601 with milliseconds. */
export type Timestamp = string;
/** A number from 0 in canonical decimal form. */
export type Decimal = string;
/** Every bucket that counts requests of this caller, as it is now. */
export type RateLimitTable = RateBucket[];
/** What the accounts of the pod may still send to their venues, as the gateway counts it by the venues' rate limits. Null where this gateway does not trade for the pod. All actors of the pod share it. */
export type VenueBudgets = VenueBudget[] | null;
export type TradingVenue = 'venue_a' | 'venue_b';
/** Outcome token of venue A; identifies both market and outcome. */
export type TokenId = string;
/** PENDING: accepted, nothing sent. SUBMITTED: sent, and the venue has not acknowledged it or not reported what became of it. OPEN: rests on the venue. FILLED, CANCELLED and REJECTED are terminal. */
export type OrderStatus = 'PENDING' | 'SUBMITTED' | 'OPEN' | 'FILLED' | 'CANCELLED' | 'REJECTED';
export type PageSize = number;
/** Issued order id, a UUIDv8. */
export type OrderId = string;
export type OrderSide = 'BUY' | 'SELL';
/** Dollars from 0 to 1, canonical, up to 6 decimals. */
export type Price = string;
/** VENUE_REJECTED: refused by the venue. INVALID_ORDER: breaks a rule of the venue or of the gateway. NOT_FEASIBLE: cannot be made as asked (a FOK that is not filled, a postOnly order that would take, a time that has passed). CREDENTIALS_INVALID: the venue refuses the pod's account. UNKNOWN: was not sent, or has left no trace at the venue. */
export type OrderErrorCode = 'VENUE_REJECTED' | 'INVALID_ORDER' | 'NOT_FEASIBLE' | 'CREDENTIALS_INVALID' | 'UNKNOWN';
/** REQUESTED: by a cancel. EXPIRED: good till a time that has come. REPLACED: by another order. DEAD_MAN: by `cancel-after`. DISCONNECT: by `cancelOnDisconnect`. PROTECTION: past a protection's bound. STOP: by the operator. LOSS_LIMIT: by a loss limit. MARKET_CLOSED, SELF_TRADE: by the venue, for that reason. VENUE: by the venue, which gave no other. */
export type CancelReason =
  | 'REQUESTED'
  | 'EXPIRED'
  | 'REPLACED'
  | 'DEAD_MAN'
  | 'DISCONNECT'
  | 'PROTECTION'
  | 'STOP'
  | 'LOSS_LIMIT'
  | 'MARKET_CLOSED'
  | 'SELF_TRADE'
  | 'VENUE';
/** Trade on LIVE only. STALE keeps its levels, RESYNCING has none. */
export type BookState = 'RESYNCING' | 'LIVE' | 'STALE' | 'HALTED' | 'CLOSED';
/** Opaque cursor of the next page. */
export type PageToken = string;
export type VenueAOrderRequest = VenueALimitOrder | VenueAMarketOrder;
/** Above 0 and up to 1000000000, with up to 2 decimals. */
export type QuantityInput = string;
/** Dollars between 0 and 1, up to 4 decimals, on the market's tick grid. */
export type PriceInput = string;
/** The list is closed. */
export type ErrorCode =
  | 'INVALID_REQUEST'
  | 'NOT_FOUND'
  | 'INSUFFICIENT_BALANCE'
  | 'IDEMPOTENCY_CONFLICT'
  | 'ORDER_NOT_CANCELLABLE'
  | 'ORDER_RECONCILIATION_REQUIRED'
  | 'INTERNAL_ERROR';
/** Market of venue B. Case-sensitive. */
export type Ticker = string;
/** Side of the market. */
export type OutcomeSide = 'YES' | 'NO';
/** A number in canonical decimal form, with `-` in front if it is below 0. */
export type SignedDecimal = string;
/** Above 0, with up to 6 decimals. */
export type MicrosInput = string;
/** PENDING: recorded, nothing sent. SUBMITTED: it may be at the venue's relayer. CONFIRMED: the chain has done it, and the balance proves it. FAILED: it has no effect, and never will. One action of a wallet is SUBMITTED at a time. */
export type WalletActionStatus = 'PENDING' | 'SUBMITTED' | 'CONFIRMED' | 'FAILED';
/** US dollars, a JSON number. */
export type Usd = number;
/** Events in which something may be lost, the largest losses first, at most 100. Null while the catalog is not known. */
export type EventExposures = EventExposure[] | null;
/** What is stopped, of this pod, until the operator resumes it: `*` (all pods), the pod's id, or an actor's as `pod/actor`. Empty as a rule. */
export type PodStops = string[];
export type PodOrder = PodVenueAOrder | PodVenueBOrder;
export type PodPosition = PodVenueAPosition | PodVenueBPosition;
export type EventStatus = 'SCHEDULED' | 'LIVE' | 'ENDED';
/** Where an outcome can be traded, with the identifiers that an order needs. */
export type Listing = VenueAListing | VenueBListing | VenueCListing;
/** In the order of the catalog. */
export type Outcomes = OutcomeQuote[];
/** pending: not yet resting. open: rests without fills. partial: partly filled. filled, cancelled and failed are terminal. */
export type OlderOrderStatus = 'pending' | 'open' | 'partial' | 'filled' | 'cancelled' | 'failed';
/** No order is a stop, stop_limit or iceberg. These names are accepted in a filter, and match nothing. */
export type OlderOrderType = 'market' | 'limit' | 'stop' | 'stop_limit' | 'iceberg';
/** Outcome shares or contracts, a JSON number. */
export type Shares = number;
/** US dollars with fees: what a purchase has cost, or what a sale has brought after them. 0 before any fill. */
export type ExecutionCost = number;
/** PAUSED takes no orders for now. */
export type MarketStatus = 'OPEN' | 'PAUSED' | 'CLOSED' | 'RESOLVED' | 'CANCELLED';
/**
 * Price and size.
 *
 * @minItems 2
 * @maxItems 2
 */
export type BookLevel = [string, string];
export type OlderMarketVenue = 'venue_a' | 'venue_d' | 'venue_e';

/** The signing key that made the request, and what it may do. */
export interface Whoami {
  readonly keyId: string;
  /** The trading identity to which orders and positions belong. */
  readonly actorId: string;
  /** The set of venue accounts to which balances belong. */
  readonly podId: string;
  readonly scopes: readonly Scope[];
  /** When the key was registered. */
  readonly createdAt: Timestamp;
  readonly venues: readonly VenueAccess[];
  /** Rate limits of this key, and what its actor's orders may come to. */
  readonly limits: {
    readonly reads: RateAllowance;
    readonly submissions: RateAllowance;
    readonly cancels: RateAllowance;
    readonly orders: ActorLimits;
  };
  readonly rateLimits: RateLimitTable;
  readonly venueBudgets: VenueBudgets;
}
export interface VenueAccess {
  readonly venue: 'venue_a' | 'venue_b';
  /** Whether orders are taken for it now. */
  readonly tradable: boolean;
  /** Whether it is heard: false while it tells none of the books that are subscribed to. */
  readonly marketData: boolean;
}
export interface RateAllowance {
  /** Sustained requests per second. */
  readonly perSecond: number;
  /** The most that may come at once. */
  readonly burst: number;
}
/** What the operator lets the actor have at most; null where there is no limit. An order beyond one is REJECTED and names it. Beyond a rate nothing is recorded. */
export interface ActorLimits {
  /** Dollars that one order may cost at its limit. To sell at venue B is to buy the other side. */
  readonly notionalMax: Decimal | null;
  /** Orders at all venues together that are PENDING, SUBMITTED or OPEN. */
  readonly openOrdersMax: number | null;
  /** Shares or contracts of one token or ticker, either way, with all that rests filled. */
  readonly positionMax: Decimal | null;
  /** Shares or contracts of one order. */
  readonly sizeMax: Decimal | null;
  /** Ticks of the market by which the limit of an order may lie beyond the opposite best price of its LIVE book. */
  readonly collarTicks: number | null;
  /** The same distance in per cent of that price. Where both are set, both hold. */
  readonly collarPercent: number | null;
  /** What the collar does to an order while the book is not LIVE, or its opposite side is empty. */
  readonly collarWithoutBook: 'PASS' | 'REFUSE';
  /** New orders and replaces in a second, of all keys of the actor. */
  readonly orderRateMax: number | null;
  /** New orders and replaces at once; null means as many as in a second. */
  readonly orderBurstMax: number | null;
  /** Cancels of single orders in a second. Cancels of all orders are free. */
  readonly cancelRateMax: number | null;
  /** Cancels of single orders at once; null means as many as in a second. */
  readonly cancelBurstMax: number | null;
  /** Dollars that the actor may lose in one event over both venues. The worst outcome counts, with the open orders that lose by it filled. An order that does not raise this sum passes. */
  readonly exposureMax: Decimal | null;
  /** The same for all actors of the pod together. It is a limit of the pod. */
  readonly podExposureMax: Decimal | null;
}
/** The numbers that `RateLimit` and `RateLimit-Policy` have: r is `left`, t `resetS`, q `limit`, w `windowS`. */
export interface RateBucket {
  readonly name: 'reads' | 'submissions' | 'cancels' | 'failed-checks' | 'refused-requests';
  /** Requests at most at once. */
  readonly limit: number;
  /** Seconds in which an empty bucket is full again. */
  readonly windowS: number;
  /** Requests that can be made now. */
  readonly left: number;
  /** Seconds until it is full. */
  readonly resetS: number;
}
/** Orders leave a part of venue B's budget for cancels. */
export interface VenueBudget {
  readonly venue: TradingVenue;
  readonly orders: RequestBudget;
  readonly cancels: RequestBudget;
  /** Null where the venue states no limit of the account's. */
  readonly reads: RequestBudget | null;
}
/** Requests of one kind. */
export interface RequestBudget {
  /** That can be sent now. */
  readonly left: number;
  /** Most at once. */
  readonly burst: number;
  /** That come back each second. */
  readonly perSecond: number;
}
/** One reading of the server's clock. */
export interface ServerTime {
  /** Whole seconds, as SVC-Timestamp wants them. */
  readonly unixSeconds: number;
  readonly unixMillis: number;
  readonly iso: Timestamp;
}
export interface ListVenueAOrdersQuery {
  /** Only this outcome token. */
  readonly tokenId?: TokenId;
  /** Only orders in this status. */
  readonly status?: OrderStatus;
  /** Rows on a page. Counts for the first page only; with `pageToken` the token's own size is used. */
  readonly pageSize?: PageSize;
  /** `nextPageToken` of the page before; omit for the first. Valid for at least 24 hours. Filters given with it must equal those of the first page. */
  readonly pageToken?: string;
  /** `true` adds `queueAhead` to each working order. The gateway follows the queues of an actor from its first question to an hour after its last. An order that rested before has the basis DISPLAYED. */
  readonly queue?: 'true';
}
/** Newest first. */
export interface VenueAOrderPage {
  /** `error` and `venueError` are null in a list; read the single order for them. */
  readonly orders: (VenueAOrder & {
    readonly error?: null;
    readonly venueError?: null;
  })[];
  /** Null on the last page. */
  readonly nextPageToken: PageToken | null;
}
/** An order on venue A. */
export interface VenueAOrder {
  readonly orderId: OrderId;
  readonly tokenId: TokenId;
  readonly side: OrderSide;
  readonly type: 'LIMIT' | 'MARKET';
  /** Outcome shares of a limit order; null for a market order. */
  readonly size: Decimal | null;
  /** Limit price; null for a market order. */
  readonly price: Price | null;
  /** Of a market order, dollars for a buy, outcome shares for a sell; null for a limit order. */
  readonly amount: Decimal | null;
  /** Null for a market order. */
  readonly postOnly: boolean | null;
  readonly status: OrderStatus;
  /** Null until the venue acknowledges. */
  readonly venueOrderId: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Outcome shares filled so far; null before any fill. */
  readonly filledShares: Decimal | null;
  /** Average executed price without fees; null before any fill. */
  readonly averagePrice: Price | null;
  /** Fees in dollars, on top of a buy's cost, taken from a sell's proceeds; null before any fill. */
  readonly feesUsd: Decimal | null;
  /** When it reached a terminal state; null while open. */
  readonly closedAt: Timestamp | null;
  /** Null if it did not fail. */
  readonly error: OrderError | null;
  /** The idempotency key of its submission; null if it is lost, as for an order that was found at the venue. */
  readonly clientOrderId: string | null;
  /** When it ends, if it is good till a time. */
  readonly expiresAt: Timestamp | null;
  /** Why it is CANCELLED; null if it is not, and if an order that cannot rest ended by its own terms. */
  readonly cancelReason: CancelReason | null;
  /** What the venue said of the failure, apart from `error`; null if the refusal is ours. */
  readonly venueError: VenueError | null;
  /** Only with `queue`. Null for an order that does not rest at a price. */
  readonly queueAhead?: QueueAhead | null;
}
/** Why the order failed. */
export interface OrderError {
  readonly code: OrderErrorCode;
  /** The venue's own words; null if there are none. */
  readonly message: string | null;
}
/** The venue's own words. */
export interface VenueError {
  /** Null at venue A, which has words only. */
  readonly code: string | null;
  readonly message: string;
}
/** The shares ahead of a working order at its price. */
export interface QueueAhead {
  /** At least as many, as if all cancels at the price came from ahead. */
  readonly low: Decimal;
  /** At most as many, as if all cancels came from behind; null while nothing bounds it. */
  readonly high: Decimal | null;
  /** ARRIVAL: the book was seen to grow by the order. DISPLAYED: it was not, so only what is displayed bounds it. */
  readonly basis: 'ARRIVAL' | 'DISPLAYED';
  /** The state of the book by which it counts; null without a book. While it is STALE or RESYNCING, `low` is 0. */
  readonly book: BookState | null;
}
/** Rests until it is filled or cancelled. */
export interface VenueALimitOrder {
  readonly tokenId: TokenId;
  readonly side: OrderSide;
  readonly type: 'LIMIT';
  /** Outcome shares, not below the market's minimum, at most 2 decimals. */
  readonly size: QuantityInput;
  readonly price: PriceInput;
  /** Refuse rather than take; false if absent. */
  readonly postOnly?: boolean;
  /** GTC if absent. */
  readonly timeInForce?:
    | {
        readonly type: 'GTC';
      }
    | GoodTillDate;
}
/** Until it is filled or cancelled, or that time comes: then it is CANCELLED, with `cancelReason` EXPIRED. The time must be far enough ahead, 120 s at venue A and 1 s at venue B; the 400 names the earliest. */
export interface GoodTillDate {
  readonly type: 'GTD';
  /** ISO-8601 in UTC, with `Z` or `+00:00`. The venues count whole seconds, so a fraction is cut off. */
  readonly expiresAt: string;
}
/** Takes what the book has at once. */
export interface VenueAMarketOrder {
  readonly tokenId: TokenId;
  readonly side: OrderSide;
  readonly type: 'MARKET';
  /** Dollars without fees for a buy, from 1; outcome shares for a sell. At most 2 decimals. */
  readonly amount: QuantityInput;
  /** FOK (the default): all or nothing. FAK: what is there, the rest is cancelled. */
  readonly timeInForce?: {
    readonly type: 'FOK' | 'FAK';
  };
  /** The worst price to trade at; without it, the level of the book at which `amount` is filled. */
  readonly worstPrice?: PriceInput;
}
/** The order that was made. A partly filled order that rests is OPEN. */
export interface SubmittedOrder {
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  /** The time that holds, in whole seconds. Of an order that was made good till a time, only. */
  readonly expiresAt?: Timestamp;
}
export interface CancelVenueAOrdersQuery {
  /** Only this outcome token. */
  readonly tokenId?: TokenId;
}
/** What became of each open order. */
export interface CancelResults {
  readonly results: {
    readonly orderId: OrderId;
    /** RECONCILE: the venue did not confirm; read the order back. */
    readonly outcome: 'CANCELLED' | 'NOT_CANCELLABLE' | 'RECONCILE';
  }[];
}
/** What an order would come to now. */
export interface OrderPreview {
  readonly admission: PreviewAdmission;
  /** What the displayed book would fill at once; null while no LIVE book is there. */
  readonly fill: PreviewFill | null;
  /** What would be ahead of the order if it rested now. Null for an order that cannot rest, and while no LIVE book is there. */
  readonly queueAhead: PreviewQueue | null;
  readonly position: PreviewPosition;
  /** The limits of the actor that are set, if the market is known. */
  readonly limits: readonly PreviewLimit[];
}
/** The answer that a submission would get before anything is sent. */
export interface PreviewAdmission {
  /** 201 if the order would be sent; else the status of the refusal. */
  readonly status: number;
  /** The code of the refusal. */
  readonly code: string | null;
  /** The code of the order that would be REJECTED; null if none would be recorded. */
  readonly reason: string | null;
  /** The words of the refusal. */
  readonly message: string | null;
  /** Seconds after which the request may be repeated. */
  readonly retryAfterS: number | null;
}
/** What the displayed book would fill at once. Prices are those of the order's side. */
export interface PreviewFill {
  readonly size: Decimal;
  /** Null if nothing would be filled. */
  readonly averagePrice: Decimal | null;
  /** The last price that it would take; null if nothing would be filled. */
  readonly worstPrice: Decimal | null;
  readonly costUsd: Decimal;
  /** Taker fees by the market's terms; null if they are not known. */
  readonly feesUsd: Decimal | null;
  /** Whether all of the order would be filled. A FOK order that is not whole is killed. */
  readonly isWhole: boolean;
}
/** Shares or contracts at the order's price and on its side. */
export interface PreviewQueue {
  /** The book displays as many. */
  readonly min: Decimal;
  /** With own orders that the book does not display, as in live-paper. */
  readonly max: Decimal;
}
/** The actor's position; at venue B in terms of YES, and NO is negative. */
export interface PreviewPosition {
  /** The present size. */
  readonly size: string;
  /** The size after `fill`. */
  readonly afterFill: string;
}
/** A limit of the actor, and what it would count with the order. */
export interface PreviewLimit {
  readonly name: 'notionalMax' | 'sizeMax' | 'openOrdersMax' | 'positionMax' | 'exposureMax' | 'podExposureMax';
  readonly max: Decimal;
  /** Below 0: the other way is held. */
  readonly after: string;
}
export interface VenueABatch {
  /**
   * @minItems 1
   * @maxItems 15
   */
  readonly orders: [
    VenueABatchLimitOrder | VenueABatchMarketOrder,
    ...(VenueABatchLimitOrder | VenueABatchMarketOrder)[],
  ];
}
/** A VenueALimitOrder with its key. */
export interface VenueABatchLimitOrder {
  readonly tokenId: TokenId;
  readonly side: OrderSide;
  readonly type: 'LIMIT';
  /** Outcome shares, not below the market's minimum, at most 2 decimals. */
  readonly size: QuantityInput;
  readonly price: PriceInput;
  /** Refuse rather than take; false if absent. */
  readonly postOnly?: boolean;
  /** GTC if absent. */
  readonly timeInForce?:
    | {
        readonly type: 'GTC';
      }
    | GoodTillDate;
  /** Names this order for good. A UUIDv7 of now is best. */
  readonly idempotencyKey: string;
}
/** A VenueAMarketOrder with its key. */
export interface VenueABatchMarketOrder {
  readonly tokenId: TokenId;
  readonly side: OrderSide;
  readonly type: 'MARKET';
  /** Dollars without fees for a buy, from 1; outcome shares for a sell. At most 2 decimals. */
  readonly amount: QuantityInput;
  /** FOK (the default): all or nothing. FAK: what is there, the rest is cancelled. */
  readonly timeInForce?: {
    readonly type: 'FOK' | 'FAK';
  };
  /** The worst price to trade at; without it, the level of the book at which `amount` is filled. */
  readonly worstPrice?: PriceInput;
  /** Names this order for good. A UUIDv7 of now is best. */
  readonly idempotencyKey: string;
}
/** What became of each order of a batch, in the order of the request. */
export interface BatchResults {
  readonly results: readonly BatchResult[];
}
/** The answer that the order would have had alone. */
export interface BatchResult {
  /** The HTTP status. */
  readonly status: number;
  readonly order?: SubmittedOrder;
  readonly error?: Refusal;
  /** True if an earlier request with this key got this answer. */
  readonly replayed?: boolean;
  /** Seconds after which the same order may succeed. */
  readonly retryAfterS?: number;
}
export interface Refusal {
  readonly code: ErrorCode;
  /** The order's own code. It is there exactly when the request has left an order that is REJECTED. */
  readonly reason?: OrderErrorCode;
  /** Plain text that names the field and the rule, or has the venue's own words. */
  readonly message: string;
  /** The order in doubt; with ORDER_RECONCILIATION_REQUIRED only. */
  readonly orderId?: OrderId;
}
export interface CancelBatch {
  /**
   * None twice. One that is malformed, unknown or another actor's has the result 404.
   *
   * @minItems 1
   * @maxItems 100
   */
  readonly orderIds: [string, ...string[]];
}
/** What became of each order of a batch of cancels, in the order of the request. */
export interface VenueACancelBatchResults {
  readonly results: readonly VenueACancelBatchResult[];
}
/** The answer that the cancel would have had alone. */
export interface VenueACancelBatchResult {
  /** The HTTP status. */
  readonly status: number;
  readonly order?: VenueACancelledOrder;
  readonly error?: Refusal;
  /** False if it is done at the venue and not recorded here (SVC-Recorded). */
  readonly recorded?: boolean;
  /** Seconds after which the same cancel may succeed. */
  readonly retryAfterS?: number;
}
/** The order after the venue confirmed the cancel. */
export interface VenueACancelledOrder {
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  /** Outcome shares filled before the cancel; null if none. */
  readonly filledShares: Decimal | null;
}
export interface GetVenueAOrderPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
export interface GetVenueAOrderQuery {
  /** `true` adds `queueAhead` to each working order. The gateway follows the queues of an actor from its first question to an hour after its last. An order that rested before has the basis DISPLAYED. */
  readonly queue?: 'true';
}
export interface CancelVenueAOrderPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
export interface GetVenueAOrderByClientIdPath {
  /** The idempotency key of its submission, percent-encoded. An unknown one, or another actor's, is 404. */
  readonly clientOrderId: string;
}
export interface GetVenueAOrderByClientIdQuery {
  /** `true` adds `queueAhead` to each working order. The gateway follows the queues of an actor from its first question to an hour after its last. An order that rested before has the basis DISPLAYED. */
  readonly queue?: 'true';
}
export interface CancelVenueAOrderByClientIdPath {
  /** The idempotency key of its submission, percent-encoded. An unknown one, or another actor's, is 404. */
  readonly clientOrderId: string;
}
export interface ReplaceVenueAOrderPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
/** What is absent stays as it is. */
export interface VenueAReplacement {
  readonly price?: PriceInput;
  /** Outcome shares over both orders, with what the old one has filled. At most 2 decimals. */
  readonly size?: QuantityInput;
}
/** The new order, and the one whose place it has taken. */
export interface ReplacedOrder {
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  /** The time that holds, in whole seconds. Of an order that was made good till a time, only. */
  readonly expiresAt?: Timestamp;
  readonly replaces: SubmittedOrder;
}
export interface ListVenueAOrderFillsPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
export interface ListVenueAOrderFillsQuery {
  /** Rows on a page. Counts for the first page only; with `pageToken` the token's own size is used. */
  readonly pageSize?: PageSize;
  /** `nextPageToken` of the page before; omit for the first. Valid for at least 24 hours. Filters given with it must equal those of the first page. */
  readonly pageToken?: string;
}
/** Fills in their order of arrival. */
export interface FillPage {
  readonly fills: readonly Fill[];
  /** Null on the last page. */
  readonly nextPageToken: PageToken | null;
}
/** One execution, in the order's own frame of prices. */
export interface Fill {
  readonly fillId: string;
  readonly venueTradeId: string;
  readonly price: Price;
  /** Shares or contracts. */
  readonly size: Decimal;
  /** Dollars, on top of price × size. */
  readonly feesUsd: Decimal;
  /** Null if the venue does not say. */
  readonly liquidity: 'MAKER' | 'TAKER' | null;
  /** Venue B fills are CONFIRMED. A FAILED fill no longer counts in the order's totals. */
  readonly settlement: 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';
  readonly executedAt: Timestamp;
}
export interface ListVenueBOrdersQuery {
  /** Only this market, both sides of it. */
  readonly ticker?: string;
  /** Only orders in this status. */
  readonly status?: OrderStatus;
  /** Rows on a page. Counts for the first page only; with `pageToken` the token's own size is used. */
  readonly pageSize?: PageSize;
  /** `nextPageToken` of the page before; omit for the first. Valid for at least 24 hours. Filters given with it must equal those of the first page. */
  readonly pageToken?: string;
  /** `true` adds `queueAhead` to each working order. The gateway follows the queues of an actor from its first question to an hour after its last. An order that rested before has the basis DISPLAYED. `venue` adds `queueAtVenue`, too: one read of venue B, for up to two seconds. */
  readonly queue?: 'true' | 'venue';
}
/** Newest first. */
export interface VenueBOrderPage {
  /** `error` and `venueError` are null in a list; read the single order for them. */
  readonly orders: (VenueBOrder & {
    readonly error?: null;
    readonly venueError?: null;
  })[];
  /** Null on the last page. */
  readonly nextPageToken: PageToken | null;
}
/** An order on venue B. Prices are of the traded side. */
export interface VenueBOrder {
  readonly orderId: OrderId;
  readonly ticker: Ticker;
  readonly side: OutcomeSide;
  readonly action: OrderSide;
  /** Null if the size is not in whole contracts. */
  readonly count: number | null;
  /** Contracts, exact. */
  readonly size: Decimal;
  /** Null if the price is not in whole cents. */
  readonly priceCents: number | null;
  /** Limit in dollars, exact. */
  readonly price: Price;
  readonly timeInForce: VenueBTimeInForce;
  readonly status: OrderStatus;
  /** Null until the venue acknowledges. */
  readonly venueOrderId: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Contracts filled so far; null before any fill. */
  readonly filledCount: Decimal | null;
  /** Average executed price in dollars without fees; null before any fill. */
  readonly averagePrice: Price | null;
  /** Fees in dollars, as the venue states them; null before any fill. */
  readonly feesUsd: Decimal | null;
  /** When it reached a terminal state; null while open. */
  readonly closedAt: Timestamp | null;
  /** Null if it did not fail. */
  readonly error: OrderError | null;
  /** The idempotency key of its submission; null if it is lost, as for an order that was found at the venue. */
  readonly clientOrderId: string | null;
  /** When it ends, if it is good till a time. */
  readonly expiresAt: Timestamp | null;
  /** Why it is CANCELLED; null if it is not, and if an order that cannot rest ended by its own terms. */
  readonly cancelReason: CancelReason | null;
  /** What the venue said of the failure, apart from `error`; null if the refusal is ours. */
  readonly venueError: VenueError | null;
  /** Refused rather than take. */
  readonly postOnly: boolean;
  /** Never beyond a flat position of the account. */
  readonly reduceOnly: boolean;
  /** Only with `queue`. Null for an order that does not rest at a price. */
  readonly queueAhead?: QueueAhead | null;
  /** Only with `queue=venue`. Null for an order that does not rest. */
  readonly queueAtVenue?: QueueAtVenue | null;
}
/** GTC: until filled or cancelled. IOC: what is there, the rest is cancelled. FOK: all or nothing. GTD: as GTC, till `expiresAt`. */
export interface VenueBTimeInForce {
  readonly type: 'GTC' | 'IOC' | 'FOK' | 'GTD';
}
/** The place of a working order in its queue, by the venue's word. Exactly one field is null. */
export interface QueueAtVenue {
  /** The shares ahead of the order. The venue's reads lag behind its book. */
  readonly ahead: Decimal | null;
  /** Why the place is not known, for a person. */
  readonly fault: string | null;
}
export interface VenueBOrderRequest {
  readonly ticker: Ticker;
  readonly side: OutcomeSide;
  readonly action: OrderSide;
  /** Whole contracts. Exactly one of `count` and `size` is given. */
  readonly count?: number;
  /** Contracts, at most 2 decimals, as the venue trades hundredths in every market. */
  readonly size?: QuantityInput;
  /** Limit in whole cents of the traded side. Exactly one of `priceCents` and `price` is given. */
  readonly priceCents?: number;
  /** Limit in dollars of the traded side, on the market's own price ranges, which may be finer than a cent. */
  readonly price?: PriceInput;
  /** GTC if absent. */
  readonly timeInForce?:
    | {
        readonly type: 'GTC' | 'IOC' | 'FOK';
      }
    | GoodTillDate;
  /** Refuse rather than take; false if absent. Not with IOC or FOK. */
  readonly postOnly?: boolean;
  /** Never trade beyond a flat position of the pod's account, by the venue's count; false if absent. With IOC or FOK only, as the venue takes it. */
  readonly reduceOnly?: boolean;
  /** Which order the venue cancels if this one would trade with another of the pod's account; CANCEL_TAKER if absent. */
  readonly selfTrade?: 'CANCEL_TAKER' | 'CANCEL_MAKER';
}
export interface CancelVenueBOrdersQuery {
  /** Only this market, both sides of it. */
  readonly ticker?: string;
}
export interface VenueBBatch {
  /**
   * @minItems 1
   * @maxItems 15
   */
  readonly orders: [VenueBBatchOrder, ...VenueBBatchOrder[]];
}
/** A VenueBOrderRequest with its key. */
export interface VenueBBatchOrder {
  readonly ticker: Ticker;
  readonly side: OutcomeSide;
  readonly action: OrderSide;
  /** Whole contracts. Exactly one of `count` and `size` is given. */
  readonly count?: number;
  /** Contracts, at most 2 decimals, as the venue trades hundredths in every market. */
  readonly size?: QuantityInput;
  /** Limit in whole cents of the traded side. Exactly one of `priceCents` and `price` is given. */
  readonly priceCents?: number;
  /** Limit in dollars of the traded side, on the market's own price ranges, which may be finer than a cent. */
  readonly price?: PriceInput;
  /** GTC if absent. */
  readonly timeInForce?:
    | {
        readonly type: 'GTC' | 'IOC' | 'FOK';
      }
    | GoodTillDate;
  /** Refuse rather than take; false if absent. Not with IOC or FOK. */
  readonly postOnly?: boolean;
  /** Never trade beyond a flat position of the pod's account, by the venue's count; false if absent. With IOC or FOK only, as the venue takes it. */
  readonly reduceOnly?: boolean;
  /** Which order the venue cancels if this one would trade with another of the pod's account; CANCEL_TAKER if absent. */
  readonly selfTrade?: 'CANCEL_TAKER' | 'CANCEL_MAKER';
  /** Names this order for good. A UUIDv7 of now is best. */
  readonly idempotencyKey: string;
}
/** What became of each order of a batch of cancels, in the order of the request. */
export interface VenueBCancelBatchResults {
  readonly results: readonly VenueBCancelBatchResult[];
}
/** The answer that the cancel would have had alone. */
export interface VenueBCancelBatchResult {
  /** The HTTP status. */
  readonly status: number;
  readonly order?: VenueBCancelledOrder;
  readonly error?: Refusal;
  /** False if it is done at the venue and not recorded here (SVC-Recorded). */
  readonly recorded?: boolean;
  /** Seconds after which the same cancel may succeed. */
  readonly retryAfterS?: number;
}
/** The order after the venue confirmed the cancel. */
export interface VenueBCancelledOrder {
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  /** Contracts filled before the cancel; null if none. */
  readonly filledCount: Decimal | null;
}
export interface GetVenueBOrderPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
export interface GetVenueBOrderQuery {
  /** `true` adds `queueAhead` to each working order. The gateway follows the queues of an actor from its first question to an hour after its last. An order that rested before has the basis DISPLAYED. `venue` adds `queueAtVenue`, too: one read of venue B, for up to two seconds. */
  readonly queue?: 'true' | 'venue';
}
export interface CancelVenueBOrderPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
export interface GetVenueBOrderByClientIdPath {
  /** The idempotency key of its submission, percent-encoded. An unknown one, or another actor's, is 404. */
  readonly clientOrderId: string;
}
export interface GetVenueBOrderByClientIdQuery {
  /** `true` adds `queueAhead` to each working order. The gateway follows the queues of an actor from its first question to an hour after its last. An order that rested before has the basis DISPLAYED. `venue` adds `queueAtVenue`, too: one read of venue B, for up to two seconds. */
  readonly queue?: 'true' | 'venue';
}
export interface CancelVenueBOrderByClientIdPath {
  /** The idempotency key of its submission, percent-encoded. An unknown one, or another actor's, is 404. */
  readonly clientOrderId: string;
}
export interface ReplaceVenueBOrderPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
/** What is absent stays as it is. */
export interface VenueBReplacement {
  readonly price?: PriceInput;
  /** Limit in whole cents of the traded side. */
  readonly priceCents?: number;
  /** Whole contracts over both orders, with what the old one has filled. */
  readonly count?: number;
  /** As `count`, with at most 2 decimals. */
  readonly size?: QuantityInput;
}
export interface ListVenueBOrderFillsPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
export interface ListVenueBOrderFillsQuery {
  /** Rows on a page. Counts for the first page only; with `pageToken` the token's own size is used. */
  readonly pageSize?: PageSize;
  /** `nextPageToken` of the page before; omit for the first. Valid for at least 24 hours. Filters given with it must equal those of the first page. */
  readonly pageToken?: string;
}
export interface CancelAfterRequest {
  /** Milliseconds from now until every open order of this signing key is cancelled; 0 disarms. */
  readonly timeoutMs: 0 | number;
}
export interface CancelAfterAnswer {
  /** When the orders are cancelled unless the call is repeated; null when disarmed. */
  readonly deadline: Timestamp | null;
}
export interface Protections {
  readonly protections: readonly Protection[];
}
/** A protection of the actor. */
export interface Protection {
  readonly venue: TradingVenue;
  /** Token id or ticker; null: all markets of the venue. */
  readonly address: string | null;
  /** Most fills of a window; null: shares count. */
  readonly fillsMax: number | null;
  /** Most shares or contracts of a window; null: fills count. */
  readonly sharesMax: Decimal | null;
  readonly windowMs: number;
  /** TRIGGERED: submissions are refused until it is reset. */
  readonly state: 'ARMED' | 'TRIGGERED';
  readonly setAt: Timestamp;
  /** Null while it is armed. */
  readonly triggeredAt: Timestamp | null;
  /** Fills of the window that ends now, or of the one that triggered it. */
  readonly fills: number;
  /** Shares or contracts of that window. */
  readonly shares: Decimal;
}
/** Exactly one of `fillsMax` and `sharesMax`. */
export interface ProtectionRequest {
  readonly venue: TradingVenue;
  /** Token id or ticker; absent for all markets of the venue. */
  readonly address?: string;
  /** Most fills of a window; 0 allows none. */
  readonly fillsMax?: number;
  /** Most shares or contracts of a window, with up to 6 decimals, at most 1000000000; 0 allows none. */
  readonly sharesMax?: string;
  readonly windowMs: number;
}
export interface EndProtectionQuery {
  /** Of the protection. */
  readonly venue: TradingVenue;
  /** Token id or ticker; absent for the protection of the whole venue. */
  readonly address?: string;
}
export interface ProtectionPlace {
  readonly venue: TradingVenue;
  /** Token id or ticker; absent for the protection of the whole venue. */
  readonly address?: string;
}
export interface GetVenueAPositionsQuery {
  /** Only this outcome token. */
  readonly tokenId?: TokenId;
}
/** Ordered by tokenId. */
export interface VenueAPositions {
  readonly positions: readonly VenueAPosition[];
}
/** What the actor holds of one outcome token. */
export interface VenueAPosition {
  readonly tokenId: TokenId;
  /** Outcome shares. Below 0 it is what the actor owes: it has sold more than its own purchases brought. A trade among them has failed, or its fill is not reported yet. The shares were another actor's of the pod, or nobody's. */
  readonly size: SignedDecimal;
  /** Weighted average entry, fees excluded; of what is owed what it was sold for. */
  readonly averagePrice: Price;
  /** Indicative: the middle of the token's book while it is LIVE and has both sides, else its last trade, else the average price. Of a redeemable token what it pays. */
  readonly mark: Price;
  /** size × mark. */
  readonly valueUsd: SignedDecimal;
  /** size × (mark − averagePrice), fees excluded. */
  readonly unrealizedPnlUsd: SignedDecimal;
  /** The market has resolved for this token and awaits redemption. */
  readonly redeemable: boolean;
}
export interface RedeemVenueAPositionPath {
  /** An outcome token; it stands for its market. */
  readonly tokenId: TokenId;
}
export interface RedeemRequest {
  /** At protocol V2 only. All of the actor's own shares without it. */
  readonly shares?: MicrosInput;
}
/** A redemption, a split or a merge, made by a transaction of the pod's wallet. */
export interface WalletAction {
  readonly actionId: OrderId;
  readonly kind: 'REDEEM' | 'SPLIT' | 'MERGE';
  readonly tokenId: TokenId;
  /** Shares that are redeemed; of each outcome for SPLIT and MERGE. */
  readonly shares: Decimal;
  /** What is paid out; for SPLIT what is paid in. */
  readonly amountUsd: Decimal;
  readonly status: WalletActionStatus;
  /** `0x` and 64 hex digits; null until the venue's relayer has sent the transaction to the chain. */
  readonly transactionHash: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** Null unless FAILED. */
  readonly error: OrderError | null;
}
export interface SplitVenueAPositionPath {
  /** An outcome token; it stands for its market. */
  readonly tokenId: TokenId;
}
export interface SplitRequest {
  readonly amountUsd: MicrosInput;
}
export interface MergeVenueAPositionPath {
  /** An outcome token; it stands for its market. */
  readonly tokenId: TokenId;
}
export interface MergeRequest {
  readonly shares: MicrosInput;
}
export interface ListVenueAActionsQuery {
  /** Rows on a page. Counts for the first page only; with `pageToken` the token's own size is used. */
  readonly pageSize?: PageSize;
  /** `nextPageToken` of the page before; omit for the first. Valid for at least 24 hours. Filters given with it must equal those of the first page. */
  readonly pageToken?: string;
}
export interface WalletActionPage {
  readonly actions: readonly WalletAction[];
  /** Null on the last page. */
  readonly nextPageToken: PageToken | null;
}
export interface GetVenueAActionPath {
  /** Id of an action. One that is malformed, unknown or another actor's is 404. */
  readonly actionId: string;
}
export interface GetVenueBPositionsQuery {
  /** Only this market, both sides of it. */
  readonly ticker?: string;
}
/** Ordered by ticker, then side. */
export interface VenueBPositions {
  readonly positions: readonly VenueBPosition[];
}
/** What the actor holds of one market; YES and NO net, so there is at most one row per ticker. */
export interface VenueBPosition {
  readonly ticker: Ticker;
  readonly side: OutcomeSide;
  /** Whole part of the contracts held. */
  readonly contracts: number;
  /** Average entry, rounded half to even. */
  readonly averagePriceCents: number;
  /** Indicative, of this side, rounded half to even. It is the middle of the market's book while that is LIVE and has both sides. Else it is the market's last trade, else the average price. */
  readonly markCents: number;
  /** Average entry in dollars, up to 6 decimals. */
  readonly averagePrice: Price;
  /** Indicative, as `markCents`, in dollars. */
  readonly mark: Price;
  /** Contracts held, with their fractions. */
  readonly size: Decimal;
  /** Exact size × exact mark. */
  readonly valueUsd: Decimal;
  /** Exact size × (mark − average price), fees excluded. */
  readonly unrealizedPnlUsd: SignedDecimal;
}
/** Cash of the pod on venue A. `total` includes what resting buy orders commit. */
export interface VenueABalance {
  /** Spendable, net of resting buy orders. */
  readonly available: Usd;
  /** USDC.e of the wallet, which must be converted first; 0 unless the operator has named a node of the chain. */
  readonly unconverted: Usd;
  /** Resolved tokens awaiting redemption, at settlement price. */
  readonly claimable: Usd;
  readonly total: Usd;
}
/** Cash of the pod on venue B. */
export interface VenueBBalance {
  /** Spendable, net of resting buy orders; the sum of all shards. */
  readonly available: Usd;
  /** `available` by the shards of the venue, in its order. An order can use the cash of the shard of its market only. Empty where the venue does not state all of them. */
  readonly shards: readonly VenueBShardBalance[];
}
/** Cash of the pod on one shard of venue B. */
export interface VenueBShardBalance {
  /** `exchange_index` of the venue. */
  readonly index: number;
  /** Spendable in the markets of the shard, net of resting buy orders. */
  readonly available: Usd;
}
/** Limits that are set. */
export interface Risk {
  readonly actors: readonly ActorRisk[];
  /** Null without the scope `observe`. */
  readonly pod: PodRisk | null;
}
export interface ActorRisk {
  readonly actorId: string;
  readonly limits: readonly LimitUse[];
  readonly loss: LossLimit | null;
  readonly events: EventExposures;
}
/** A limit of `whoami` as it is used. A limit of one order, and a rate, have null. */
export interface LimitUse {
  /** A name of `limits.orders` of `/v1/whoami`. */
  readonly name: string;
  readonly max: string;
  /** Open orders, the largest position of one market some seconds ago without what rests, or the largest loss of one event. */
  readonly used: string | null;
  readonly left: string | null;
}
/** The most that an actor or a pod may lose in a day, realized and unrealized, with fees. */
export interface LossLimit {
  readonly lossMaxUsd: Decimal;
  /** The loss since `since`; negative after a gain. */
  readonly lossUsd: SignedDecimal;
  readonly leftUsd: Decimal;
  /** Whether working orders that raise risk are cancelled at the limit. */
  readonly cancels: boolean;
  readonly since: Timestamp;
  readonly until: Timestamp;
  /** From then until `until` orders that raise risk are 503. */
  readonly reachedAt: Timestamp | null;
  /** Markets that are held. */
  readonly positions: number;
  /** Markets that count at the last known price, since their books are not LIVE. */
  readonly positionsWithOldPrices: number;
}
/** The most that may be lost in an event, with the open orders that lose by its worst outcome. */
export interface EventExposure {
  /** Id of an event of the catalog, or of a market that stands alone. */
  readonly eventId: string;
  readonly lossUsd: Decimal;
  /** The outcome of each question of the event that brings the loss. */
  readonly worstOutcomes: readonly string[];
}
export interface PodRisk {
  readonly podId: string;
  readonly limits: readonly LimitUse[];
  readonly loss: LossLimit | null;
  readonly events: EventExposures;
}
export interface PodStatus {
  readonly podId: string;
  /** Of the gateway. */
  readonly version: string;
  /** PAPER: the paper exchanges. REPLAY: a recording. LIVE_PAPER: books of the real venues, and orders at the paper exchanges. BOOKS: books of the real venues, without accounts there. LIVE: orders go to the real venues. */
  readonly mode: 'PAPER' | 'REPLAY' | 'LIVE_PAPER' | 'BOOKS' | 'LIVE';
  readonly startedAt: Timestamp;
  /** Why no order can be recorded, and none is taken; null while all is well. */
  readonly recordFault: string | null;
  readonly stopped: PodStops;
  readonly feeds: readonly PodFeed[];
  readonly actors: readonly PodActor[];
  /** What is not well, in numbers that are 0 while all is. */
  readonly faults: {
    readonly accountsUnread: number;
    readonly privateStreamsDown: number;
    /** Fills that a venue lists and that cannot be read. */
    readonly rowsHeld: number;
    readonly engineStalled: 0 | 1;
    /** Protections that wait for their reset. */
    readonly protectionsTriggered: number;
    /** Whether a fault has ended the recording of books. */
    readonly recordingFailed: 0 | 1;
    /** What venues have said, since the start, that contradicts the ledger. */
    readonly divergences: number;
  };
  /** Orders submitted since the start. */
  readonly submissions: number;
  readonly latencies: readonly PodLatency[];
}
/** A venue's feed and its books in use. */
export interface PodFeed {
  readonly venue: 'venue_a' | 'venue_b';
  /** The operator’s name for it; null without one. */
  readonly name: string | null;
  /** Whether orders are taken for it now. */
  readonly tradable: boolean;
  /** As in `/v1/whoami`. */
  readonly marketData: boolean;
  /** Milliseconds since its last message, to a quarter of a second. */
  readonly frameAgeMs: number;
  /** Books in use, by their state. */
  readonly books: {
    readonly RESYNCING: number;
    readonly LIVE: number;
    readonly STALE: number;
    readonly HALTED: number;
    readonly CLOSED: number;
  };
}
/** What an actor uses of its limits. */
export interface PodActor {
  readonly actorId: string;
  readonly openOrders: number;
  /** Markets in which it holds something, as of some seconds ago. */
  readonly positions: number;
  /** Shares or contracts in the market where it holds most, as of some seconds ago, without resting orders. */
  readonly largestPosition: Decimal;
  readonly limits: ActorLimits;
}
/** Durations of one stage, counted since the start of the process. */
export interface PodLatency {
  /** submit, cancel: from a request to its answer. signature: its check. venue_a, venue_b: from an order written to its answer. main_loop, engine_loop: how late a timer fires. */
  readonly stage: 'submit' | 'cancel' | 'signature' | 'venue_a' | 'venue_b' | 'main_loop' | 'engine_loop';
  /** Ascending; empty ones are left out. */
  readonly buckets: {
    /** Its end in microseconds; null beyond the last end. */
    readonly endUs: number | null;
    /** Durations since the end of the bucket before. */
    readonly count: number;
  }[];
}
export interface ListPodOrdersQuery {
  /** `true` adds `queueAhead` to each working order. The gateway follows the queues of an actor from its first question to an hour after its last. An order that rested before has the basis DISPLAYED. `venue` adds `queueAtVenue`, too: one read of venue B, for up to two seconds. */
  readonly queue?: 'true' | 'venue';
}
export interface PodOrders {
  readonly orders: readonly PodOrder[];
  readonly hasMore: boolean;
}
export interface PodVenueAOrder {
  readonly actorId: string;
  readonly venue: 'venue_a';
  readonly order: VenueAOrder;
}
export interface PodVenueBOrder {
  readonly actorId: string;
  readonly venue: 'venue_b';
  readonly order: VenueBOrder;
}
export interface CancelPodOrderPath {
  /** Issued order id. One that is malformed, unknown or another actor's is 404. */
  readonly orderId: string;
}
/** As of the venue of the order, with the field of that venue. */
export interface PodCancelledOrder {
  readonly orderId: OrderId;
  readonly status: OrderStatus;
  /** Shares filled before the cancel; null if none. */
  readonly filledShares?: Decimal | null;
  /** Contracts filled before the cancel; null if none. */
  readonly filledCount?: Decimal | null;
}
export interface PodStop {
  readonly stopped: PodStops;
  /** Orders that this request has cancelled. */
  readonly cancelled: number;
  /** Orders that may still rest at their venue. Their cancels are made as soon as it takes them. */
  readonly leftTotal: number;
  /**
   * The first of them.
   *
   * @maxItems 100
   */
  readonly left: {
    readonly orderId: OrderId;
    readonly actorId: string;
    readonly venue: 'venue_a' | 'venue_b';
    /** Token id or ticker. */
    readonly market: string;
    readonly status: OrderStatus;
  }[];
  /** Venues whose account is not read since the start. Orders there may be unknown here. */
  readonly unread: readonly ('venue_a' | 'venue_b')[];
}
export interface PodPositions {
  readonly positions: readonly PodPosition[];
  /** Profit of all that was sold or paid out, since the ledger began, fees excluded. */
  readonly realizedPnlUsd: SignedDecimal;
  /** Fees since the ledger began. Realized and unrealized profit less these fees is the profit of the pod. */
  readonly feesUsd: SignedDecimal;
}
export interface PodVenueAPosition {
  readonly actorId: string;
  readonly venue: 'venue_a';
  readonly position: VenueAPosition;
}
export interface PodVenueBPosition {
  readonly actorId: string;
  readonly venue: 'venue_b';
  readonly position: VenueBPosition;
}
export interface ListPodEventsQuery {
  /** Only events with a higher number. */
  readonly after?: number;
}
export interface PodEvents {
  readonly events: readonly (PodOrderEvent | PodActionEvent)[];
}
/** The order as it was at the event, and its fill. */
export interface PodOrderEvent {
  /** Ascends; also over restarts of the gateway. */
  readonly number: number;
  readonly actorId: string;
  readonly event: 'STATUS' | 'FILL' | 'FILL_REVERSED';
  readonly venue: 'venue_a' | 'venue_b';
  readonly order: VenueAOrder | VenueBOrder;
  /** Null for STATUS. */
  readonly fill: Fill | null;
  readonly at: Timestamp;
}
/** A redemption, a split or a merge as it was at the event. */
export interface PodActionEvent {
  /** As of the other events. */
  readonly number: number;
  readonly actorId: string;
  readonly event: 'ACTION';
  readonly action: WalletAction;
  readonly at: Timestamp;
}
export interface Sports {
  readonly sports: readonly Sport[];
}
export interface Sport {
  readonly id: string;
  readonly name: string;
}
export interface ListCompetitionsQuery {
  /** Only this sport, by id. An unknown one is 400. */
  readonly sport?: string;
}
export interface Competitions {
  readonly competitions: readonly Competition[];
}
export interface Competition {
  readonly id: string;
  readonly name: string;
  /** The sport's id. */
  readonly sport: string;
}
export interface ListEventsQuery {
  /** Only this sport, by id. An unknown one is 400. */
  readonly sport?: string;
  /** Only this competition, by id. An unknown one is 400. */
  readonly competition?: string;
  /** Only events in this status. */
  readonly status?: EventStatus;
  /** Only events that start at this time or later. */
  readonly startsAfter?: string;
  /** Only events that start before this time. */
  readonly startsBefore?: string;
  /** Rows on a page. Counts for the first page only; with `pageToken` the token's own size is used. */
  readonly pageSize?: PageSize;
  /** `nextPageToken` of the page before; omit for the first. Valid for at least 24 hours. Filters given with it must equal those of the first page. */
  readonly pageToken?: string;
}
export interface EventPage {
  readonly events: readonly Event[];
  /** Null on the last page. */
  readonly nextPageToken: PageToken | null;
}
/** One real-world event, however many venues list it. Its id never changes. */
export interface Event {
  readonly id: string;
  readonly name: string;
  /** The sport's id. */
  readonly sport: string;
  /** The competition's id. */
  readonly competition: string;
  readonly startsAt: Timestamp;
  readonly status: EventStatus;
  readonly participants: readonly Participant[];
}
export interface Participant {
  readonly name: string;
  readonly role: 'HOME' | 'AWAY' | 'COMPETITOR';
}
export interface ListEventMarketsPath {
  readonly eventId: string;
}
export interface EventMarkets {
  readonly markets: readonly EventMarket[];
}
/** One question about an event. Outcomes are home, away; home, draw, away; or over, under. */
export interface EventMarket {
  readonly id: string;
  readonly title: string;
  readonly outcomes: readonly Outcome[];
  /** Home handicap of a spread, or the total; absent where a market has none. */
  readonly line?: string;
  /** In what the venues do not settle this question alike; absent where nothing is known of that kind. */
  readonly notes?: readonly string[];
}
export interface Outcome {
  readonly name: string;
  /** Every route to this outcome, direct ones first. */
  readonly listings: readonly Listing[];
}
export interface VenueAListing {
  readonly venue: 'VENUE_A';
  readonly tokenId: TokenId;
  /** Pays in every other outcome. Only for a game that may end in a draw. */
  readonly noTokenId?: TokenId;
  /** Whether an order would be taken now. */
  readonly executable: boolean;
}
export interface VenueBListing {
  readonly venue: 'VENUE_B';
  readonly ticker: Ticker;
  readonly side: OutcomeSide;
  /** Whether an order would be taken now. */
  readonly executable: boolean;
}
/** No market returns it unless the operator has switched it on; have a branch for it. Never executable yet. */
export interface VenueCListing {
  readonly venue: 'VENUE_C';
  /** Identifies both market and outcome. */
  readonly strikeId: string;
  /** Whether an order would be taken now. */
  readonly executable: boolean;
}
export interface GetEventBestPath {
  readonly eventId: string;
}
export interface EventBest {
  readonly markets: readonly BestMarket[];
}
export interface BestMarket {
  readonly id: string;
  readonly title: string;
  readonly outcomes: Outcomes;
  readonly omitted: readonly OmittedRoute[];
  /** Where the venues settle differently. */
  readonly notes: readonly string[];
}
export interface OutcomeQuote {
  readonly name: string;
  /** Null if no route has an offer. */
  readonly buy: RouteQuote | null;
  /** Null if no route has a bid. */
  readonly sell: RouteQuote | null;
}
/** The best level of a route, in terms of the outcome. `tokenId` names it at venue A, `ticker` and `side` at venue B. */
export interface RouteQuote {
  readonly venue: 'VENUE_A' | 'VENUE_B';
  readonly tokenId?: string;
  readonly ticker?: string;
  readonly side?: 'YES' | 'NO';
  /** Dollars, decimal. */
  readonly price: string;
  /** A taker’s fee for one, before the venue rounds that of a fill; dollars, decimal. */
  readonly fee: string;
  /** What one costs with the fee, or brings after it; dollars, decimal. */
  readonly netPrice: string;
  /** Shares or contracts, decimal. */
  readonly size: string;
  /** Always LIVE; other books are omitted. */
  readonly state: 'RESYNCING' | 'LIVE' | 'STALE' | 'HALTED' | 'CLOSED';
  /** Since the venue has changed the book. */
  readonly ageMs: number;
}
/** A route that does not count, and why. */
export interface OmittedRoute {
  readonly venue: 'VENUE_A' | 'VENUE_B';
  readonly tokenId?: string;
  readonly ticker?: string;
  readonly side?: 'YES' | 'NO';
  /** The state of its book, or what is not known of it. */
  readonly why: 'RESYNCING' | 'STALE' | 'HALTED' | 'CLOSED' | 'NO_BOOK' | 'FEES_UNKNOWN';
}
export interface ListMarketsQuery {
  /** At most 8 words between blanks. Each must begin a word of the market's title, outcomes, event or ids, in any case and without accents. A single letter or digit must be a whole word. An id, ticker or token id, or the beginning of one, finds what is called so, however many words it has. If it is none, so many words are looked up. At least one letter or digit: nothing else can be searched for. */
  readonly q?: string;
  /** Only markets that this venue lists. */
  readonly venue?: 'venue_a' | 'venue_b';
  /** Only this sport, by id. An unknown one is 400. */
  readonly sport?: string;
  /** Only this competition, by id. An unknown one is 400. */
  readonly competition?: string;
  /** Only markets of this event. An unknown one is 404. */
  readonly eventId?: string;
  /** Only markets that have, or have not, a listing that takes orders now. */
  readonly executable?: boolean;
  /** Rows on a page. Counts for the first page only; with `pageToken` the token's own size is used. */
  readonly pageSize?: PageSize;
  /** `nextPageToken` of the page before; omit for the first. Valid for at least 24 hours. Filters given with it must equal those of the first page. */
  readonly pageToken?: string;
}
export interface CatalogMarketPage {
  readonly markets: readonly CatalogMarket[];
  /** Null on the last page. */
  readonly nextPageToken: PageToken | null;
}
/** An event's market with its event, or a venue's market outside sports. */
export interface CatalogMarket {
  readonly id: string;
  readonly title: string;
  readonly outcomes: readonly Outcome[];
  /** Home handicap of a spread, or the total; absent where a market has none. */
  readonly line?: string;
  /** In what the venues do not settle this question alike; absent where nothing is known of that kind. */
  readonly notes?: readonly string[];
  /** Null outside sports. */
  readonly eventId: string | null;
}
export interface ListOlderOrdersQuery {
  /** Rows on a page. Counts for the first page only; with `pageToken` the token's own size is used. */
  readonly pageSize?: PageSize;
  /** `nextPageToken` of the page before; omit for the first. Valid for at least 24 hours. Filters given with it must equal those of the first page. */
  readonly pageToken?: string;
  /**
   * Only orders in one of these statuses, separated by commas.
   *
   * @minItems 1
   */
  readonly status?: [OlderOrderStatus, ...OlderOrderStatus[]];
  /**
   * Only orders of these types, separated by commas. No order is a stop, stop_limit or iceberg.
   *
   * @minItems 1
   */
  readonly type?: [OlderOrderType, ...OlderOrderType[]];
}
/** Newest first. */
export interface OlderOrderPage {
  readonly orders: readonly OlderOrder[];
  /** Null on the last page. */
  readonly nextPageToken: PageToken | null;
}
export interface OlderOrder {
  readonly orderId: OrderId;
  readonly status: OlderOrderStatus;
  readonly filledAmount: Shares;
  readonly executionCost: ExecutionCost;
  readonly marketOrders: readonly OlderMarketOrder[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}
/** The part of an order that one venue executes. */
export interface OlderMarketOrder {
  readonly type: OlderOrderType;
  readonly marketInfo: {
    readonly venue: 'venue_a' | 'venue_b';
    /** A token id, or `<ticker>:YES` or `<ticker>:NO`. */
    readonly outcomeId: string;
  };
  readonly status: OlderOrderStatus;
  /** 0 before any fill. */
  readonly filledAmount: Shares;
  /** Dollars; null before any fill. */
  readonly averagePrice: number | null;
  readonly executionCost: ExecutionCost;
  /** Null if it did not fail. */
  readonly error: {
    readonly message: string;
  } | null;
}
export interface GetVenueAMarketPath {
  readonly tokenId: string;
}
/** The terms of a market, and the book of one of its tokens. */
export interface VenueATerms {
  readonly tokenId: string;
  readonly title: string;
  readonly status: MarketStatus;
  /** Null if the venue does not say. A venue may close a market earlier. */
  readonly closesAt: Timestamp | null;
  readonly priceRanges: readonly PriceRange[];
  /** The smallest order that may rest. */
  readonly minimumSize: Decimal;
  /** Sizes are multiples of it. */
  readonly sizeStep: Decimal;
  /** Null if the venue charges by a rule that this version does not know. */
  readonly fees: Fees | null;
  readonly book: BestLevels;
  /** Null if no trade is known since the market was subscribed; at venue B also of the venue's own account. */
  readonly lastTradePrice: Price | null;
}
/** Orders have a price between both ends that is a multiple of the step from the start, above 0 and below 1. */
export interface PriceRange {
  readonly start: Price;
  readonly end: Price;
  readonly step: Price;
}
/** A fill costs size × rate × (P × (1 − P))^exponent dollars, P being its price, rounded to a multiple of `roundedTo`. */
export interface Fees {
  readonly takerRate: Decimal;
  readonly makerRate: Decimal;
  readonly exponent: number;
  readonly roundedTo: Decimal;
  readonly rounding: 'HALF_UP' | 'UP';
  /** Nothing is charged before; null, no waiver. */
  readonly waivedUntil: Timestamp | null;
}
/** The ten best levels a side, at a position of the stream's book. */
export interface BestLevels {
  readonly epoch: number;
  readonly seq: number;
  readonly state: BookState;
  /**
   * Best first.
   *
   * @maxItems 10
   */
  readonly bids: readonly BookLevel[];
  /**
   * Best first.
   *
   * @maxItems 10
   */
  readonly asks: readonly BookLevel[];
  /** Null if the venue does not say, or has not sent the book yet. */
  readonly venueTime: Timestamp | null;
  /** Null if the venue has not sent the book yet. */
  readonly receivedAt: Timestamp | null;
}
export interface GetVenueBMarketPath {
  readonly ticker: string;
}
/** The terms of a market, and its YES book. */
export interface VenueBTerms {
  readonly ticker: string;
  readonly title: string;
  readonly status: MarketStatus;
  /** Null if the venue does not say. A venue may close a market earlier. */
  readonly closesAt: Timestamp | null;
  readonly priceRanges: readonly PriceRange[];
  /** The smallest order that may rest. */
  readonly minimumSize: Decimal;
  /** Sizes are multiples of it. */
  readonly sizeStep: Decimal;
  /** Null if the venue charges by a rule that this version does not know. */
  readonly fees: Fees | null;
  /** An order can use the cash on this shard of the venue only, as `shards` of the balance has it. Null if the venue does not say. */
  readonly shard: number | null;
  /** What a YES contract pays at least, so that orders must be above it; `0` where the venue has its default bounds. Null if it states bounds that this version does not know. */
  readonly settlementFloor: Price | null;
  readonly book: BestLevels;
  /** Null if no trade is known since the market was subscribed; at venue B also of the venue's own account. */
  readonly lastTradePrice: Price | null;
}
export interface GetOlderMarketPath {
  readonly marketVenue: OlderMarketVenue;
  /** Venue A: condition id. Venue D: slug. Venue E: integer id. */
  readonly marketId: string;
}
export interface OlderMarketAnswer {
  readonly market: {
    readonly venue: OlderMarketVenue;
    readonly marketId: string;
    readonly title: string;
    /** paused: takes no orders now. closed: nor will it again, and its result is not known. */
    readonly status: 'open' | 'paused' | 'closed' | 'resolved' | 'cancelled';
    readonly outcomes: readonly OlderOutcome[];
    /** Null if the venue does not say. */
    readonly expirationDate: Timestamp | null;
  };
}
/** Indicative prices in dollars. `bid` and `ask` are null where the book has no such side, and `mid` unless it has both. A market that trades against a pool has a `mid` only. */
export interface OlderOutcome {
  readonly name: string;
  readonly outcomeId: string;
  readonly mid: number | null;
  readonly bid: number | null;
  readonly ask: number | null;
}
/** The pod's account over every venue, in US dollars, read live. */
export interface OlderBalances {
  /** Spendable collateral. */
  readonly cash: Usd;
  /** Not spendable: committed to resting orders, or what orders in flight may cost, without fees. */
  readonly reserved: Usd;
  /** Open positions of all actors at the middle of their books, and what was won and is not redeemed yet; exposure, not cash. */
  readonly positions: Usd;
  readonly retrievedAt: Timestamp;
}
/** Opens one stream, from the address that asked for it. */
export interface StreamTicket {
  readonly ticket: string;
  /** 30 seconds after it was issued. */
  readonly expiresAt: Timestamp;
}
/** This document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    [k: string]: unknown;
  };
  readonly paths: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/** The stream's document. */
export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: {
    [k: string]: unknown;
  };
  readonly channels: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/** What the signed family answers when it does not do what was asked. */
export interface ErrorBody {
  readonly error: Refusal;
  /** Of a replace, the order that was to be replaced, as it is now. */
  readonly replaces?: SubmittedOrder;
}
/** What the older family answers when it does not do what was asked. */
export interface OlderErrorBody {
  readonly error: {
    readonly message: string;
  };
}
export interface ForbiddenBody {
  readonly message: 'Forbidden';
}

interface Parts {
  readonly pathParameters: undefined;
  readonly query: undefined;
  readonly body: undefined;
}
/** The request and the answer of an operation; `undefined` where it takes nothing. */
type Operation<Id extends keyof typeof OPERATIONS, Answer, Taken = object> = Omit<Parts, keyof Taken> &
  Taken & {
    readonly method: (typeof OPERATIONS)[Id]['method'];
    readonly path: (typeof OPERATIONS)[Id]['path'];
    readonly answer: Answer;
    /** It needs an `Idempotency-Key` and may have an `SVC-Not-After-Millis`. */
    readonly isIdempotent: (typeof OPERATIONS)[Id]['needsIdempotencyKey'];
  };

export interface Operations {
  /** The calling key, its actor, pod, scopes and limits. */ readonly getWhoami: Operation<'getWhoami', Whoami>;
  /** The server's clock, for signing. */
  readonly getTime: Operation<'getTime', ServerTime>;
  /** The actor's orders, newest first. */
  readonly listVenueAOrders: Operation<'listVenueAOrders', VenueAOrderPage, { readonly query: ListVenueAOrdersQuery }>;
  /** Submit a limit order or a market order. */
  readonly submitVenueAOrder: Operation<'submitVenueAOrder', SubmittedOrder, { readonly body: VenueAOrderRequest }>;
  /** Cancel the actor's open orders on venue A. */
  readonly cancelVenueAOrders: Operation<
    'cancelVenueAOrders',
    CancelResults,
    { readonly query: CancelVenueAOrdersQuery }
  >;
  /** What this order would come to now. Nothing is recorded or sent. */
  readonly previewVenueAOrder: Operation<'previewVenueAOrder', OrderPreview, { readonly body: VenueAOrderRequest }>;
  /** Submit up to 15 orders at once. */
  readonly submitVenueABatch: Operation<'submitVenueABatch', BatchResults, { readonly body: VenueABatch }>;
  /** Cancel up to 100 orders at once. */
  readonly cancelVenueABatch: Operation<'cancelVenueABatch', VenueACancelBatchResults, { readonly body: CancelBatch }>;
  /** One order, with the reason if it failed. */
  readonly getVenueAOrder: Operation<
    'getVenueAOrder',
    VenueAOrder,
    { readonly pathParameters: GetVenueAOrderPath; readonly query: GetVenueAOrderQuery }
  >;
  /** Cancel a working order. */
  readonly cancelVenueAOrder: Operation<
    'cancelVenueAOrder',
    VenueACancelledOrder,
    { readonly pathParameters: CancelVenueAOrderPath }
  >;
  /** One order by its idempotency key, also while its submission is under way. */
  readonly getVenueAOrderByClientId: Operation<
    'getVenueAOrderByClientId',
    VenueAOrder,
    { readonly pathParameters: GetVenueAOrderByClientIdPath; readonly query: GetVenueAOrderByClientIdQuery }
  >;
  /** Cancel a working order by its idempotency key. */
  readonly cancelVenueAOrderByClientId: Operation<
    'cancelVenueAOrderByClientId',
    VenueACancelledOrder,
    { readonly pathParameters: CancelVenueAOrderByClientIdPath }
  >;
  /** Replace a resting order. */
  readonly replaceVenueAOrder: Operation<
    'replaceVenueAOrder',
    ReplacedOrder,
    { readonly pathParameters: ReplaceVenueAOrderPath; readonly body: VenueAReplacement }
  >;
  /** Executions of one order, in their order of arrival. */
  readonly listVenueAOrderFills: Operation<
    'listVenueAOrderFills',
    FillPage,
    { readonly pathParameters: ListVenueAOrderFillsPath; readonly query: ListVenueAOrderFillsQuery }
  >;
  /** The actor's orders, newest first. */
  readonly listVenueBOrders: Operation<'listVenueBOrders', VenueBOrderPage, { readonly query: ListVenueBOrdersQuery }>;
  /** Submit a limit order. */
  readonly submitVenueBOrder: Operation<'submitVenueBOrder', SubmittedOrder, { readonly body: VenueBOrderRequest }>;
  /** Cancel the actor's open orders on venue B. */
  readonly cancelVenueBOrders: Operation<
    'cancelVenueBOrders',
    CancelResults,
    { readonly query: CancelVenueBOrdersQuery }
  >;
  /** What this order would come to now. Nothing is recorded or sent. */
  readonly previewVenueBOrder: Operation<'previewVenueBOrder', OrderPreview, { readonly body: VenueBOrderRequest }>;
  /** Submit up to 15 orders at once. */
  readonly submitVenueBBatch: Operation<'submitVenueBBatch', BatchResults, { readonly body: VenueBBatch }>;
  /** Cancel up to 100 orders at once. */
  readonly cancelVenueBBatch: Operation<'cancelVenueBBatch', VenueBCancelBatchResults, { readonly body: CancelBatch }>;
  /** One order, with the reason if it failed. */
  readonly getVenueBOrder: Operation<
    'getVenueBOrder',
    VenueBOrder,
    { readonly pathParameters: GetVenueBOrderPath; readonly query: GetVenueBOrderQuery }
  >;
  /** Cancel a working order. */
  readonly cancelVenueBOrder: Operation<
    'cancelVenueBOrder',
    VenueBCancelledOrder,
    { readonly pathParameters: CancelVenueBOrderPath }
  >;
  /** One order by its idempotency key, also while its submission is under way. */
  readonly getVenueBOrderByClientId: Operation<
    'getVenueBOrderByClientId',
    VenueBOrder,
    { readonly pathParameters: GetVenueBOrderByClientIdPath; readonly query: GetVenueBOrderByClientIdQuery }
  >;
  /** Cancel a working order by its idempotency key. */
  readonly cancelVenueBOrderByClientId: Operation<
    'cancelVenueBOrderByClientId',
    VenueBCancelledOrder,
    { readonly pathParameters: CancelVenueBOrderByClientIdPath }
  >;
  /** Replace a resting order. */
  readonly replaceVenueBOrder: Operation<
    'replaceVenueBOrder',
    ReplacedOrder,
    { readonly pathParameters: ReplaceVenueBOrderPath; readonly body: VenueBReplacement }
  >;
  /** Executions of one order, in their order of arrival. */
  readonly listVenueBOrderFills: Operation<
    'listVenueBOrderFills',
    FillPage,
    { readonly pathParameters: ListVenueBOrderFillsPath; readonly query: ListVenueBOrderFillsQuery }
  >;
  /** Cancel every open order of this signing key unless it is set anew in time. */
  readonly cancelAfter: Operation<'cancelAfter', CancelAfterAnswer, { readonly body: CancelAfterRequest }>;
  /** The protections of the actor. */
  readonly listProtections: Operation<'listProtections', Protections>;
  /** Cancel the actor's orders once too many are filled within a window. */
  readonly setProtection: Operation<'setProtection', Protection, { readonly body: ProtectionRequest }>;
  /** End a protection; a triggered one refuses no more. */
  readonly endProtection: Operation<'endProtection', Protection, { readonly query: EndProtectionQuery }>;
  /** Arm a protection anew, with nothing counted. */
  readonly resetProtection: Operation<'resetProtection', Protection, { readonly body: ProtectionPlace }>;
  /** What the actor holds on venue A, by token. */
  readonly getVenueAPositions: Operation<
    'getVenueAPositions',
    VenueAPositions,
    { readonly query: GetVenueAPositionsQuery }
  >;
  /** Pay out shares of a resolved market on venue A. */
  readonly redeemVenueAPosition: Operation<
    'redeemVenueAPosition',
    WalletAction,
    { readonly pathParameters: RedeemVenueAPositionPath; readonly body: RedeemRequest }
  >;
  /** Make shares of both outcomes out of cash on venue A. */
  readonly splitVenueAPosition: Operation<
    'splitVenueAPosition',
    WalletAction,
    { readonly pathParameters: SplitVenueAPositionPath; readonly body: SplitRequest }
  >;
  /** Make cash out of shares of both outcomes on venue A. */
  readonly mergeVenueAPosition: Operation<
    'mergeVenueAPosition',
    WalletAction,
    { readonly pathParameters: MergeVenueAPositionPath; readonly body: MergeRequest }
  >;
  /** Redemptions, splits and merges of the actor, newest first. */
  readonly listVenueAActions: Operation<
    'listVenueAActions',
    WalletActionPage,
    { readonly query: ListVenueAActionsQuery }
  >;
  /** One redemption, split or merge of the actor. */
  readonly getVenueAAction: Operation<
    'getVenueAAction',
    WalletAction,
    { readonly pathParameters: GetVenueAActionPath }
  >;
  /** What the actor holds on venue B, by ticker and side. */
  readonly getVenueBPositions: Operation<
    'getVenueBPositions',
    VenueBPositions,
    { readonly query: GetVenueBPositionsQuery }
  >;
  /** The pod's cash on venue A. */
  readonly getVenueABalance: Operation<'getVenueABalance', VenueABalance>;
  /** The pod's cash on venue B. */
  readonly getVenueBBalance: Operation<'getVenueBBalance', VenueBBalance>;
  /** The limits of the actor, what is used of each, and what is left. */
  readonly getRisk: Operation<'getRisk', Risk>;
  /** The pod at a glance. Feeds, actors and their limits, what is not well, latencies. */
  readonly getPod: Operation<'getPod', PodStatus>;
  /** Open orders of all actors at both venues. */
  readonly listPodOrders: Operation<'listPodOrders', PodOrders, { readonly query: ListPodOrdersQuery }>;
  /** Cancel all open orders of all actors of the pod. */
  readonly cancelPodOrders: Operation<'cancelPodOrders', CancelResults>;
  /** Cancel an open order of any actor of the pod. */
  readonly cancelPodOrder: Operation<
    'cancelPodOrder',
    PodCancelledOrder,
    { readonly pathParameters: CancelPodOrderPath }
  >;
  /** Stop the pod. No new orders of any of its actors, and a cancel of all that are open. */
  readonly stopPod: Operation<'stopPod', PodStop>;
  /** What all actors hold at both venues. */
  readonly listPodPositions: Operation<'listPodPositions', PodPositions>;
  /** The latest events of the pod's orders, oldest first. */
  readonly listPodEvents: Operation<'listPodEvents', PodEvents, { readonly query: ListPodEventsQuery }>;
  /** Every sport. */
  readonly listSports: Operation<'listSports', Sports>;
  /** Every competition, or those of one sport. */
  readonly listCompetitions: Operation<'listCompetitions', Competitions, { readonly query: ListCompetitionsQuery }>;
  /** Events, by start. */
  readonly listEvents: Operation<'listEvents', EventPage, { readonly query: ListEventsQuery }>;
  /** The markets of an event, with what an order needs on each venue. */
  readonly listEventMarkets: Operation<
    'listEventMarkets',
    EventMarkets,
    { readonly pathParameters: ListEventMarketsPath }
  >;
  /** For each outcome of an event the best way to buy and to sell it, over both venues. */
  readonly getEventBest: Operation<'getEventBest', EventBest, { readonly pathParameters: GetEventBestPath }>;
  /** Markets of every kind, those outside sports too. */
  readonly listMarkets: Operation<'listMarkets', CatalogMarketPage, { readonly query: ListMarketsQuery }>;
  /** The actor's orders on every venue, newest first. */
  readonly listOlderOrders: Operation<'listOlderOrders', OlderOrderPage, { readonly query: ListOlderOrdersQuery }>;
  /** The terms of a venue A market, and the best levels of a token's book. */
  readonly getVenueAMarket: Operation<'getVenueAMarket', VenueATerms, { readonly pathParameters: GetVenueAMarketPath }>;
  /** The terms of a venue B market, and the best levels of its YES book. */
  readonly getVenueBMarket: Operation<'getVenueBMarket', VenueBTerms, { readonly pathParameters: GetVenueBMarketPath }>;
  /** One market of one venue, read live. */
  readonly getOlderMarket: Operation<
    'getOlderMarket',
    OlderMarketAnswer,
    { readonly pathParameters: GetOlderMarketPath }
  >;
  /** The pod's account over every venue, in US dollars. */
  readonly getOlderBalances: Operation<'getOlderBalances', OlderBalances>;
  /** A single-use ticket that opens one stream. */
  readonly createStreamTicket: Operation<'createStreamTicket', StreamTicket>;
  /** A single-use ticket that opens one connection for orders. */
  readonly createTradeTicket: Operation<'createTradeTicket', StreamTicket>;
  /** This document. */
  readonly getOpenapi: Operation<'getOpenapi', OpenApiDocument>;
  /** The stream's document. */
  readonly getAsyncapi: Operation<'getAsyncapi', AsyncApiDocument>;
}
/** How each operation is asked for: `signed` with the signing headers, `apiKey` with `x-api-key`, `open` by anyone. */
export const OPERATIONS = {
  getWhoami: { method: 'GET', path: '/v1/whoami', needsIdempotencyKey: false, auth: 'signed' },
  getTime: { method: 'GET', path: '/v1/time', needsIdempotencyKey: false, auth: 'signed' },
  listVenueAOrders: { method: 'GET', path: '/v1/venue-a/orders', needsIdempotencyKey: false, auth: 'signed' },
  submitVenueAOrder: { method: 'POST', path: '/v1/venue-a/orders', needsIdempotencyKey: true, auth: 'signed' },
  cancelVenueAOrders: { method: 'DELETE', path: '/v1/venue-a/orders', needsIdempotencyKey: false, auth: 'signed' },
  previewVenueAOrder: {
    method: 'POST',
    path: '/v1/venue-a/orders/preview',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  submitVenueABatch: { method: 'POST', path: '/v1/venue-a/orders/batch', needsIdempotencyKey: false, auth: 'signed' },
  cancelVenueABatch: { method: 'DELETE', path: '/v1/venue-a/orders/batch', needsIdempotencyKey: false, auth: 'signed' },
  getVenueAOrder: { method: 'GET', path: '/v1/venue-a/orders/{orderId}', needsIdempotencyKey: false, auth: 'signed' },
  cancelVenueAOrder: {
    method: 'DELETE',
    path: '/v1/venue-a/orders/{orderId}',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  getVenueAOrderByClientId: {
    method: 'GET',
    path: '/v1/venue-a/orders/by-client-id/{clientOrderId}',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  cancelVenueAOrderByClientId: {
    method: 'DELETE',
    path: '/v1/venue-a/orders/by-client-id/{clientOrderId}',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  replaceVenueAOrder: {
    method: 'POST',
    path: '/v1/venue-a/orders/{orderId}/replace',
    needsIdempotencyKey: true,
    auth: 'signed',
  },
  listVenueAOrderFills: {
    method: 'GET',
    path: '/v1/venue-a/orders/{orderId}/fills',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  listVenueBOrders: { method: 'GET', path: '/v1/venue-b/orders', needsIdempotencyKey: false, auth: 'signed' },
  submitVenueBOrder: { method: 'POST', path: '/v1/venue-b/orders', needsIdempotencyKey: true, auth: 'signed' },
  cancelVenueBOrders: { method: 'DELETE', path: '/v1/venue-b/orders', needsIdempotencyKey: false, auth: 'signed' },
  previewVenueBOrder: {
    method: 'POST',
    path: '/v1/venue-b/orders/preview',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  submitVenueBBatch: { method: 'POST', path: '/v1/venue-b/orders/batch', needsIdempotencyKey: false, auth: 'signed' },
  cancelVenueBBatch: { method: 'DELETE', path: '/v1/venue-b/orders/batch', needsIdempotencyKey: false, auth: 'signed' },
  getVenueBOrder: { method: 'GET', path: '/v1/venue-b/orders/{orderId}', needsIdempotencyKey: false, auth: 'signed' },
  cancelVenueBOrder: {
    method: 'DELETE',
    path: '/v1/venue-b/orders/{orderId}',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  getVenueBOrderByClientId: {
    method: 'GET',
    path: '/v1/venue-b/orders/by-client-id/{clientOrderId}',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  cancelVenueBOrderByClientId: {
    method: 'DELETE',
    path: '/v1/venue-b/orders/by-client-id/{clientOrderId}',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  replaceVenueBOrder: {
    method: 'POST',
    path: '/v1/venue-b/orders/{orderId}/replace',
    needsIdempotencyKey: true,
    auth: 'signed',
  },
  listVenueBOrderFills: {
    method: 'GET',
    path: '/v1/venue-b/orders/{orderId}/fills',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  cancelAfter: { method: 'POST', path: '/v1/orders/cancel-after', needsIdempotencyKey: false, auth: 'signed' },
  listProtections: { method: 'GET', path: '/v1/orders/protection', needsIdempotencyKey: false, auth: 'signed' },
  setProtection: { method: 'POST', path: '/v1/orders/protection', needsIdempotencyKey: false, auth: 'signed' },
  endProtection: { method: 'DELETE', path: '/v1/orders/protection', needsIdempotencyKey: false, auth: 'signed' },
  resetProtection: { method: 'POST', path: '/v1/orders/protection/reset', needsIdempotencyKey: false, auth: 'signed' },
  getVenueAPositions: { method: 'GET', path: '/v1/venue-a/positions', needsIdempotencyKey: false, auth: 'signed' },
  redeemVenueAPosition: {
    method: 'POST',
    path: '/v1/venue-a/positions/{tokenId}/redeem',
    needsIdempotencyKey: true,
    auth: 'signed',
  },
  splitVenueAPosition: {
    method: 'POST',
    path: '/v1/venue-a/positions/{tokenId}/split',
    needsIdempotencyKey: true,
    auth: 'signed',
  },
  mergeVenueAPosition: {
    method: 'POST',
    path: '/v1/venue-a/positions/{tokenId}/merge',
    needsIdempotencyKey: true,
    auth: 'signed',
  },
  listVenueAActions: { method: 'GET', path: '/v1/venue-a/actions', needsIdempotencyKey: false, auth: 'signed' },
  getVenueAAction: {
    method: 'GET',
    path: '/v1/venue-a/actions/{actionId}',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  getVenueBPositions: { method: 'GET', path: '/v1/venue-b/positions', needsIdempotencyKey: false, auth: 'signed' },
  getVenueABalance: { method: 'GET', path: '/v1/venue-a/balance', needsIdempotencyKey: false, auth: 'signed' },
  getVenueBBalance: { method: 'GET', path: '/v1/venue-b/balance', needsIdempotencyKey: false, auth: 'signed' },
  getRisk: { method: 'GET', path: '/v1/risk', needsIdempotencyKey: false, auth: 'signed' },
  getPod: { method: 'GET', path: '/v1/pod', needsIdempotencyKey: false, auth: 'signed' },
  listPodOrders: { method: 'GET', path: '/v1/pod/orders', needsIdempotencyKey: false, auth: 'signed' },
  cancelPodOrders: { method: 'DELETE', path: '/v1/pod/orders', needsIdempotencyKey: false, auth: 'signed' },
  cancelPodOrder: { method: 'DELETE', path: '/v1/pod/orders/{orderId}', needsIdempotencyKey: false, auth: 'signed' },
  stopPod: { method: 'POST', path: '/v1/pod/stop', needsIdempotencyKey: false, auth: 'signed' },
  listPodPositions: { method: 'GET', path: '/v1/pod/positions', needsIdempotencyKey: false, auth: 'signed' },
  listPodEvents: { method: 'GET', path: '/v1/pod/events', needsIdempotencyKey: false, auth: 'signed' },
  listSports: { method: 'GET', path: '/v1/sports', needsIdempotencyKey: false, auth: 'signed' },
  listCompetitions: { method: 'GET', path: '/v1/sports/competitions', needsIdempotencyKey: false, auth: 'signed' },
  listEvents: { method: 'GET', path: '/v1/sports/events', needsIdempotencyKey: false, auth: 'signed' },
  listEventMarkets: {
    method: 'GET',
    path: '/v1/sports/events/{eventId}/markets',
    needsIdempotencyKey: false,
    auth: 'signed',
  },
  getEventBest: { method: 'GET', path: '/v1/sports/events/{eventId}/best', needsIdempotencyKey: false, auth: 'signed' },
  listMarkets: { method: 'GET', path: '/v1/markets', needsIdempotencyKey: false, auth: 'signed' },
  listOlderOrders: { method: 'GET', path: '/v1/orders', needsIdempotencyKey: false, auth: 'apiKey' },
  getVenueAMarket: { method: 'GET', path: '/v1/venue-a/markets/{tokenId}', needsIdempotencyKey: false, auth: 'signed' },
  getVenueBMarket: { method: 'GET', path: '/v1/venue-b/markets/{ticker}', needsIdempotencyKey: false, auth: 'signed' },
  getOlderMarket: {
    method: 'GET',
    path: '/v1/markets/{marketVenue}/{marketId}',
    needsIdempotencyKey: false,
    auth: 'apiKey',
  },
  getOlderBalances: { method: 'GET', path: '/v1/balances', needsIdempotencyKey: false, auth: 'apiKey' },
  createStreamTicket: { method: 'POST', path: '/v1/orderbook/ticket', needsIdempotencyKey: false, auth: 'signed' },
  createTradeTicket: { method: 'POST', path: '/v1/trade/ticket', needsIdempotencyKey: false, auth: 'signed' },
  getOpenapi: { method: 'GET', path: '/v1/openapi.json', needsIdempotencyKey: false, auth: 'open' },
  getAsyncapi: { method: 'GET', path: '/v1/asyncapi.json', needsIdempotencyKey: false, auth: 'open' },
} as const;
