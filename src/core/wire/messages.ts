// The messages of /v1/orderbook (contract §8) as values in domain units. json.ts and protobuf.ts encode and decode
// them; both carry the same messages with the same sequence numbers.

import type { LossLimitEvent } from '../domain/loss-limit.ts';
import type { BookState, Level, MarketKey, Side, StateReason, TakerSide, Venue } from '../domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../domain/numbers.ts';
import type { PROTECTION_EVENTS } from '../domain/protection.ts';
import type { Result } from '../domain/result.ts';
import type { ActionView, FillView, ProtectionView, QueueView, VenueOrderView } from './order-views.ts';
import type { LossLimitView } from './reports.ts';

/** Channels of single markets. */
export const CHANNELS = ['book', 'trade', 'quote'] as const;
export type Channel = (typeof CHANNELS)[number];
/** Levels a side of a book subscription. */
export const BOOK_DEPTH_MAX = 100;
/** A minute: a longer interval would be a poll. */
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

/** The options of a subscription to its channel. */
export interface ChannelOptions {
  /** Channel book: the best levels a side, 1 to BOOK_DEPTH_MAX. Absent: the whole book. */
  readonly depth?: number;
  /** Channel quote: the shortest time between two quotes, 0 to QUOTE_INTERVAL_MS_MAX. Absent: 0, each change. */
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
      /** Events after this cursor come first; null: from now on. */
      readonly from: number | null;
      readonly cancelOnDisconnect: boolean;
      /** Messages about the queue ahead of an order once it has changed by as many shares. Absent: none. */
      readonly queueStep?: MicroShares;
    }
  | { readonly op: 'unsubscribe'; readonly id: string | null; readonly channel: typeof ORDERS };

/** Requests about markets of the catalog, by their ids. */
export interface OutcomesMessage {
  readonly op: 'subscribe' | 'unsubscribe';
  readonly id: string;
  readonly channel: typeof OUTCOME;
  readonly catalogMarkets: readonly string[];
  /** The interval of a subscription; 0 if absent. */
  readonly minIntervalMs?: number;
}

export type ClientMessage =
  | MarketsMessage
  | OrdersMessage
  | OutcomesMessage
  | { readonly op: 'snapshot'; readonly id: string; readonly market: MarketRequest }
  | { readonly op: 'ping'; readonly id: string };

/** Requests that wait for their turn, as they may wait for a venue. */
export type MarketMessage = Exclude<ClientMessage, { op: 'ping' } | OrdersMessage | OutcomesMessage>;

export function isAboutOrders(message: ClientMessage): message is OrdersMessage {
  return 'channel' in message && message.channel === ORDERS;
}

export function isAboutOutcomes(message: ClientMessage): message is OutcomesMessage {
  return 'channel' in message && message.channel === OUTCOME;
}

/** Why a client's message was refused. `id`: the message's own, if it could be read. */
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
  /** Absolute; 0 removes the level. */
  readonly size: MicroShares;
}

export interface Snapshot {
  readonly type: 'snapshot';
  readonly market: MarketKey;
  readonly epoch: number;
  readonly seq: number;
  readonly state: BookState;
  /** The best level comes first. */
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
  /** The last `seq` before it on this subscription: seq − 1 of a whole book. */
  readonly prevSeq: number;
  readonly changes: readonly Change[];
  readonly checksum: number;
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

/** The best levels of a book; both null while it is RESYNCING. */
export interface Quote {
  readonly type: 'quote';
  readonly market: MarketKey;
  /** Position of the book; 0 while its venue has not sent it. */
  readonly epoch: number;
  readonly seq: number;
  readonly state: BookState;
  readonly bid: Level | null;
  readonly ask: Level | null;
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

/** A trade of a market that is known from elsewhere. */
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

/** `cursor`: of the last event before the subscription ended; null while it is on. */
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

/** How an outcome is traded at a venue, as the catalog lists it. */
export interface Route {
  readonly market: MarketKey;
  /** The side of a ticker; null at venue A, whose tokens are outcomes. */
  readonly side: 'YES' | 'NO' | null;
}

/** The best level of a route, in terms of the outcome. */
export interface RouteQuote {
  readonly route: Route;
  readonly price: Ticks;
  /** A taker's fee for one share or contract, before the venue rounds that of a fill. */
  readonly fee: MicroDollars;
  /** The price of one share or contract, with its fee added for a purchase and taken off for a sale. */
  readonly netPrice: MicroDollars;
  readonly size: MicroShares;
  readonly state: BookState;
  /** The time since the venue has changed the book. */
  readonly ageMs: number;
}

export interface OutcomeQuote {
  readonly name: string;
  /** Null if no route has an offer. */
  readonly buy: RouteQuote | null;
  readonly sell: RouteQuote | null;
}

/** Why a route does not count: the state of its book, or a missing fact about it. */
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
  /** Differences in settlement between the venues. */
  readonly notes: readonly string[];
}

export const ORDER_EVENTS = ['STATUS', 'FILL', 'FILL_REVERSED'] as const;
type OrderEventName = (typeof ORDER_EVENTS)[number];

/** An order event, with the order as a read would have returned it then. */
export type OrderMessage = VenueOrderView & {
  readonly type: 'order';
  /** Counts the actor's events from 1, without a gap. */
  readonly cursor: number;
  readonly event: OrderEventName;
  /** Null for a STATUS. */
  readonly fill: FillView | null;
};

/** An action of the actor's wallet has changed. It counts among the events of orders. */
export interface ActionMessage {
  readonly type: 'action';
  readonly cursor: number;
  readonly event: 'ACTION';
  readonly action: ActionView;
}

/** All or a part of the open orders, in place of the events after an expired cursor. */
export interface OrdersSnapshot {
  readonly type: 'ordersSnapshot';
  readonly id: string | null;
  /** Events after this cursor follow. */
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
  /** The pod, or the full id of the actor. */
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
      /** About the channel outcome, in place of `rejected`. */
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

// The port between messages and bytes. json.ts and protobuf.ts implement it; one contract suite runs on both.

/** The part of a codec that a client needs. */
export interface ClientCodec {
  readonly subprotocol: 'crossbook.v1.json' | 'crossbook.v1.proto';
  /** Whether its frames are binary frames. */
  readonly isBinary: boolean;
  /** Reads a server's message, for clients and tests. Throws on bytes that no codec of this form wrote. */
  decodeServer(bytes: Uint8Array): ServerMessage;
  encodeClient(message: ClientMessage): Uint8Array;
}

export interface StreamCodec extends ClientCodec {
  /** Reads a client's message. Never throws. */
  decode(bytes: Uint8Array): Result<ClientMessage, MessageRefusal>;
  /** Encodes any message, off the hot path: acknowledgements, snapshots, states. Returns a fresh array. */
  encode(message: ServerMessage): Uint8Array;
  /** The hot path: deltas and trades of one market, written as bytes into one reused buffer. */
  template(market: MarketKey): MarketTemplate;
}

/**
 * Writes a market's deltas and trades. Every returned array is borrowed: it is valid until the next call on this template. A delta is
 * `beginDelta`, one `change` per level, `endDelta`.
 */
export interface MarketTemplate {
  beginDelta(epoch: number, seq: number): void;
  change(side: Side, price: Ticks, size: MicroShares): void;
  endDelta(checksum: number, venueTime: UnixMillis, receivedAt: UnixMillis): Uint8Array;
  trade(trade: MarketTrade): Uint8Array;
}
