// The messages of /v1/orderbook (contract §8) as values in domain units. json.ts and protobuf.ts encode and decode them; both forms carry
// the same messages with the same sequence numbers.

import type { LossLimitEvent } from '../domain/loss-limit.ts';
import type { BookState, Level, MarketKey, Side, StateReason, TakerSide, Venue } from '../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../domain/numbers.ts';
import type { PROTECTION_EVENTS } from '../domain/protection.ts';
import type { Result } from '../domain/result.ts';
import type { ActionView, FillView, ProtectionView, QueueView, VenueOrderView } from './order-views.ts';
import type { LossLimitView } from './reports.ts';

/** The channels of single markets. */
export const CHANNELS = ['book', 'trade', 'quote'] as const;
export type Channel = (typeof CHANNELS)[number];
/** The largest number of levels on each side in a book subscription. */
export const BOOK_DEPTH_MAX = 100;
/** The longest interval, a minute: a longer interval would be a poll. */
export const QUOTE_INTERVAL_MS_MAX = 60_000;
/** The channel of the caller's own orders, which names no market. */
export const ORDERS = 'orders';
/** The channel of outcomes over both venues, which names markets of the catalog. */
export const OUTCOME = 'outcome';

/** A market as a client names it; `side` is valid only on venue B and only as "yes". */
export interface MarketRequest {
  readonly market: MarketKey;
  readonly side: string | null;
}

/** The options of a subscription; each belongs to one channel. */
export interface ChannelOptions {
  /** Channel book: the number of best levels on each side, 1 to BOOK_DEPTH_MAX. Absent means the whole book. */
  readonly depth?: number;
  /** Channel quote: the shortest time between two quotes, 0 to QUOTE_INTERVAL_MS_MAX. Absent or 0 means each change. */
  readonly minIntervalMs?: number;
}

export interface MarketsMessage extends ChannelOptions {
  readonly op: 'subscribe' | 'unsubscribe';
  readonly id: string;
  readonly channel: Channel;
  readonly markets: readonly MarketRequest[];
}

/** Requests about the caller's own orders; only they may omit the id. */
export type OrdersMessage =
  | {
      readonly op: 'subscribe';
      readonly id: string | null;
      readonly channel: typeof ORDERS;
      /** Events after this cursor come first. Null means that only new events come. */
      readonly from: number | null;
      readonly cancelOnDisconnect: boolean;
      /**
       * The change in shares of the queue ahead of an order after which a message about the queue is sent. Absent means no such messages.
       */
      readonly queueStep?: MicroShares;
    }
  | { readonly op: 'unsubscribe'; readonly id: string | null; readonly channel: typeof ORDERS };

/** Requests about markets of the catalog, by their ids. */
export interface OutcomesMessage {
  readonly op: 'subscribe' | 'unsubscribe';
  readonly id: string;
  readonly channel: typeof OUTCOME;
  readonly catalogMarkets: readonly string[];
  /** The shortest time between two messages of the subscription; 0 if absent. */
  readonly minIntervalMs?: number;
}

export type ClientMessage =
  | MarketsMessage
  | OrdersMessage
  | OutcomesMessage
  | { readonly op: 'snapshot'; readonly id: string; readonly market: MarketRequest }
  | { readonly op: 'ping'; readonly id: string };

/** Requests that wait for their turn, because they may wait for a venue. */
export type MarketMessage = Exclude<ClientMessage, { op: 'ping' } | OrdersMessage | OutcomesMessage>;

export function isAboutOrders(message: ClientMessage): message is OrdersMessage {
  return 'channel' in message && message.channel === ORDERS;
}

export function isAboutOutcomes(message: ClientMessage): message is OutcomesMessage {
  return 'channel' in message && message.channel === OUTCOME;
}

/** Why a client's message was refused. `id` is the message's own id, if it could be read. */
export interface MessageRefusal {
  readonly id: string | null;
  readonly code: 'INVALID_REQUEST';
  readonly message: string;
}

export const REJECTION_CODES = [
  'UNKNOWN_MARKET',
  'BOOK_LIMIT',
  'VENUE_UNAVAILABLE',
  'SUBSCRIPTION_LIMIT',
  'NOT_SUBSCRIBED',
  'INVALID_REQUEST',
] as const;
/** The code for a subscription to orders at a gateway that does not own the pod. */
export const ELSEWHERE = 'POD_ELSEWHERE';
export type RejectionCode = (typeof REJECTION_CODES)[number];

export interface Rejection {
  readonly market: MarketKey;
  readonly code: RejectionCode;
  readonly message: string;
}

export interface Change {
  readonly side: Side;
  readonly price: Ticks;
  /** The size of the level after the change, not the difference. 0 removes the level. */
  readonly size: MicroShares;
}

export interface Snapshot {
  readonly type: 'snapshot';
  readonly market: MarketKey;
  readonly epoch: number;
  readonly seq: number;
  readonly state: BookState;
  /** The bids; the best level comes first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly checksum: number;
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

export interface Delta {
  readonly type: 'delta';
  readonly market: MarketKey;
  readonly epoch: number;
  readonly seq: number;
  /** The last `seq` before this message on this subscription. For a whole book this is seq − 1. */
  readonly prevSeq: number;
  readonly changes: readonly Change[];
  readonly checksum: number;
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

/** The best levels of a book. Both are null while the book is RESYNCING. */
export interface Quote {
  readonly type: 'quote';
  readonly market: MarketKey;
  /** The position of the book. The epoch is 0 while the venue has not sent the book. */
  readonly epoch: number;
  readonly seq: number;
  readonly state: BookState;
  readonly bid: Level | null;
  readonly ask: Level | null;
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

/** A trade without its market, which the reader knows from elsewhere. */
export interface MarketTrade {
  readonly tradeId: string;
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly takerSide: TakerSide;
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

export interface Trade extends MarketTrade {
  readonly type: 'trade';
  readonly market: MarketKey;
}

export interface Acknowledgement {
  readonly type: 'subscribed' | 'unsubscribed';
  readonly id: string;
  readonly channel: Channel;
  readonly accepted: readonly MarketKey[];
  readonly rejected: readonly Rejection[];
}

/** `cursor` is the cursor of the last event before the subscription ended. Null means that the subscription is on. */
export type OrdersAcknowledgement = {
  readonly id: string | null;
  readonly channel: typeof ORDERS;
  readonly accepted: readonly [];
  readonly rejected: readonly [];
} & (
  | { readonly type: 'subscribed'; readonly cursor: number }
  | { readonly type: 'unsubscribed'; readonly cursor: null }
);

/** Why a market of the catalog was refused. */
export interface OutcomeRejection {
  readonly catalogMarket: string;
  readonly code: RejectionCode;
  readonly message: string;
}

export interface OutcomesAcknowledgement {
  readonly type: 'subscribed' | 'unsubscribed';
  readonly id: string;
  readonly channel: typeof OUTCOME;
  readonly accepted: readonly string[];
  readonly rejected: readonly OutcomeRejection[];
}

/** A way to trade an outcome at a venue, as the catalog lists it. */
export interface Route {
  readonly market: MarketKey;
  /** The side of a ticker. Null at venue A, where each token is an outcome. */
  readonly side: 'YES' | 'NO' | null;
}

/** The best level of a route, in terms of the outcome. */
export interface RouteQuote {
  readonly route: Route;
  readonly price: Ticks;
  /** A taker's fee for one share or contract. The venue's rounding of a whole fill is not included. */
  readonly fee: MicroDollars;
  /** The price of one share or contract: with the fee added for a purchase, and taken off for a sale. */
  readonly netPrice: MicroDollars;
  readonly size: MicroShares;
  readonly state: BookState;
  /** The time since the venue last changed the book. */
  readonly ageMs: number;
}

export interface OutcomeQuote {
  readonly name: string;
  /** The best route for a purchase. Null if no route has an offer. */
  readonly buy: RouteQuote | null;
  readonly sell: RouteQuote | null;
}

/** Why a route does not count: the state of its book, or a fact about the route that is missing. */
export const ROUTE_PROBLEMS = ['RESYNCING', 'STALE', 'HALTED', 'CLOSED', 'NO_BOOK', 'FEES_UNKNOWN'] as const;
export type RouteProblem = (typeof ROUTE_PROBLEMS)[number];

export interface OmittedRoute {
  readonly route: Route;
  readonly why: RouteProblem;
}

/** The best routes of a market of the catalog. */
export interface OutcomeMessage {
  readonly type: 'outcome';
  readonly catalogMarket: string;
  readonly outcomes: readonly OutcomeQuote[];
  readonly omitted: readonly OmittedRoute[];
  /** The differences in settlement between the venues. */
  readonly notes: readonly string[];
}

export const ORDER_EVENTS = ['STATUS', 'FILL', 'FILL_REVERSED'] as const;
type OrderEventName = (typeof ORDER_EVENTS)[number];

/** An order event, with the order as a read would have returned it at the event. */
export type OrderMessage = VenueOrderView & {
  readonly type: 'order';
  /** The number of the event among the actor's events, from 1, without a gap. */
  readonly cursor: number;
  readonly event: OrderEventName;
  /** The fill of the event. Null for the event STATUS. */
  readonly fill: FillView | null;
};

/** An action of the actor's wallet has changed. Its cursor counts among the events of orders. */
export interface ActionMessage {
  readonly type: 'action';
  readonly cursor: number;
  readonly event: 'ACTION';
  readonly action: ActionView;
}

/** All open orders, or a part of them, instead of the events after an expired cursor. */
export interface OrdersSnapshot {
  readonly type: 'ordersSnapshot';
  readonly id: string | null;
  /** The cursor after which the following events come. */
  readonly cursor: number;
  readonly orders: readonly VenueOrderView[];
  /** Whether more parts with the same cursor follow. */
  readonly hasMore: boolean;
}

/** A protection of the caller's actor has changed, or was triggered before the subscription. */
export interface ProtectionMessage {
  readonly type: 'protection';
  readonly event: (typeof PROTECTION_EVENTS)[number];
  readonly protection: ProtectionView;
}

/** A loss limit of the caller's actor or pod has changed, or was reached before the subscription. */
export interface LossLimitMessage {
  readonly type: 'lossLimit';
  readonly event: LossLimitEvent;
  /** The id of the pod, or the full id of the actor. */
  readonly scope: string;
  readonly lossLimit: LossLimitView;
}

/** The queue ahead of a working order of the actor has changed. It has no cursor: only the latest message counts. */
export interface QueueMessage {
  readonly type: 'queue';
  readonly venue: Venue;
  readonly orderId: string;
  readonly queueAhead: QueueView;
}

export type ServerMessage =
  | Acknowledgement
  | OrdersAcknowledgement
  | OutcomesAcknowledgement
  | OutcomeMessage
  | OrderMessage
  | ActionMessage
  | OrdersSnapshot
  | ProtectionMessage
  | LossLimitMessage
  | QueueMessage
  | Snapshot
  | Delta
  | Quote
  | Trade
  | { readonly type: 'state'; readonly market: MarketKey; readonly state: BookState; readonly reason: StateReason }
  | { readonly type: 'heartbeat'; readonly books: readonly HeartbeatBook[] }
  | { readonly type: 'snapshotsDone'; readonly id: string }
  | {
      readonly type: 'error';
      readonly id: string | null;
      readonly code: string;
      readonly message: string;
      readonly rejected: readonly Rejection[];
      /** The rejections of the channel outcome, instead of `rejected`. */
      readonly rejectedCatalogMarkets?: readonly OutcomeRejection[];
      /** The base URL of the gateway that owns the pod; present with the code `ELSEWHERE`. */
      readonly podOwner?: string;
    }
  | { readonly type: 'pong'; readonly id: string };

export interface HeartbeatBook {
  readonly market: MarketKey;
  readonly epoch: number;
  readonly seq: number;
}

// The port between messages and bytes. json.ts and protobuf.ts implement it; one contract suite runs on both implementations.

/** The part of a codec that a client needs. */
export interface ClientCodec {
  readonly subprotocol: 'crossbook.v1.json' | 'crossbook.v1.proto';
  /** Whether the codec's frames are binary frames. */
  readonly isBinary: boolean;
  /** Reads a server's message, for clients and tests. Throws on bytes that no codec of this form has written. */
  decodeServer(bytes: Uint8Array): ServerMessage;
  encodeClient(message: ClientMessage): Uint8Array;
}

export interface StreamCodec extends ClientCodec {
  /** Reads a client's message. Never throws. */
  decode(bytes: Uint8Array): Result<ClientMessage, MessageRefusal>;
  /** Encodes any message, off the hot path: acknowledgements, snapshots, states. Returns a fresh array. */
  encode(message: ServerMessage): Uint8Array;
  /** Returns the template for the hot path: deltas and trades of one market, written as bytes into one reused buffer. */
  template(market: MarketKey): MarketTemplate;
}

/**
 * Writes a market's deltas and trades. Every returned array is borrowed: valid until the next call on this template. A delta takes the
 * calls `beginDelta`, `change` for each level, `endDelta`.
 */
export interface MarketTemplate {
  beginDelta(epoch: number, seq: number): void;
  change(side: Side, price: Ticks, size: MicroShares): void;
  endDelta(checksum: number, venueTime: UnixMillis, receivedAt: UnixMillis): Uint8Array;
  trade(trade: MarketTrade): Uint8Array;
}
