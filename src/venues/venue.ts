// The port between a venue's trading protocol and the life of orders: what a venue is asked, and everything that it can answer.
// What is not known is an answer of its own. Implementations are siblings in venue-a/ and venue-b/; one contract suite runs on
// both. Engine thread.

import type { ApiErrorKind } from '../domain/api-error.ts';
import type { Fill, Settlement } from '../domain/fill.ts';
import type { Grid } from '../domain/grid.ts';
import type { Intent } from '../domain/intent.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../domain/numbers.ts';
import type { Order, OrderError } from '../domain/order.ts';
import type { OrderRequest } from '../domain/order-request.ts';
import type { Filled } from '../domain/order-sums.ts';
import type { Result } from '../domain/result.ts';

/** As far as the venue has said. PAUSED: takes no orders for now, and may do so again unheard; CLOSED: for good. */
export type TradingPhase = 'OPEN' | 'PAUSED' | 'CLOSED';

/** What an order to a market must respect, from the venue's own description of it. */
export interface TradingFacts {
  readonly grid: Grid;
  /** Smallest size of an order that may rest. */
  readonly sizeMin: MicroShares;
  /** Sizes are multiples of it. */
  readonly sizeStep: MicroShares;
  readonly phase: TradingPhase;
  /** When that was read. */
  readonly readAt: UnixMillis;
}

export type FactsRefusal =
  | { readonly type: 'unknown-market' }
  | { readonly type: 'unavailable'; readonly message: string };

/** Why no intent can be made: nothing was recorded or sent. */
export interface PrepareRefusal {
  readonly kind: 'invalid' | 'notFound' | 'insufficientBalance' | 'unavailable';
  readonly error: OrderError;
  /** Names the field and the rule. */
  readonly message: string;
}

/**
 * Where an order is at its venue, and what the venue says it has traded. `delayed`: held back, its fate comes by the private stream. `gone`:
 * nothing of it rests; as long as nobody says what it has traded until then, it is not known to have come to that.
 */
export type Standing =
  | { readonly state: 'rests' | 'delayed'; readonly stated: Filled | null }
  | { readonly state: 'gone'; readonly stated: Filled };

export type SubmitOutcome =
  | ({ readonly type: 'accepted'; readonly venueOrderId: string } & Standing)
  /**
   * The venue has it: look it up. With `venueOrderId` it has taken the order now, and the order is over: the answer does not say at
   * which prices it has traded. Without, this very order was sent before.
   */
  | { readonly type: 'exists'; readonly message: string; readonly venueOrderId?: string }
  | { readonly type: 'refused'; readonly kind: ApiErrorKind; readonly error: OrderError }
  /** Nothing has reached the engine, for sure: the same request may be made again after a while. */
  | { readonly type: 'not-sent'; readonly message: string; readonly retryAfterS: number }
  /** It may have. `timeout`: no answer in time; `lost`: the connection broke; `unreadable`: an answer that says nothing. */
  | { readonly type: 'unknown'; readonly cause: 'timeout' | 'lost' | 'unreadable'; readonly message: string };

/** What a cancel names. */
export type CancelTarget = Pick<Order, 'venueOrderId' | 'request'>;

export type CancelOutcome =
  /**
   * `filled`: what of it does not rest any more without having been cancelled now, if there is such and the venue says so. It is a
   * reason to look where it is more than what is known to be traded, and no proof: whoever made the order smaller leaves the same.
   */
  | { readonly type: 'cancelled'; readonly filled?: MicroShares }
  /** Not in the book: cancelled before, filled, or never there. Look it up. */
  | { readonly type: 'not-found'; readonly message: string }
  /** It is there and cannot be cancelled now: venue A's taker delay. */
  | { readonly type: 'not-now'; readonly message: string }
  | { readonly type: 'refused'; readonly kind: ApiErrorKind; readonly message: string }
  | { readonly type: 'not-sent'; readonly message: string; readonly retryAfterS: number }
  | { readonly type: 'unknown'; readonly message: string };

export type LookUp =
  | ({
      readonly type: 'found';
      readonly venueOrderId: string;
      /** Every trade of it that the venue lists. */
      readonly fills: readonly VenueFill[];
    } & Standing)
  /** No trace. `isCurrent`: the venue says that what it shows is younger than the order's sending by a safe margin. */
  | { readonly type: 'absent'; readonly isCurrent: boolean }
  /** The venue shows something of it that cannot be read: nothing is concluded, in either direction. */
  | { readonly type: 'held'; readonly row: UnreadRow }
  | { readonly type: 'unavailable'; readonly message: string };

/** What a venue calls an order: its own id, and ours. Empty or null: not said, or not readable. */
export interface OrderName {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
}

/** A row of a list, or a message of a stream, that cannot be read; with what it names, as far as that can be read. */
export interface UnreadRow {
  readonly about: 'order' | 'fill' | 'position' | 'message';
  /** The same of the same row, whenever it is read. */
  readonly key: string;
  /** Of a fill; empty if it does not say. */
  readonly tradeId: string;
  readonly orders: readonly OrderName[];
  readonly addresses: readonly string[];
  /** Of a fill: when it was traded; null if it does not say. */
  readonly at: UnixMillis | null;
  /** Nothing in it is wrong: its numbers are not there yet. */
  readonly isUnreported: boolean;
  /** Field names and kinds of value (row-form.ts). */
  readonly form: string;
}

/** A venue's list: rows that can be read, and what the others name. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly unread: readonly UnreadRow[];
}

/** A trade of an account's order, as the venue tells it. */
export interface VenueFill extends Fill {
  readonly venueOrderId: string;
  /** Null where the venue does not say it with fills. */
  readonly clientOrderId: string | null;
  /** Ticker or token id, and what the account's holding of it has become more (or less, negative) by: YES − NO at venue B. */
  readonly address: string;
  readonly positionChange: MicroShares;
  /** Per unit of `address`: YES price at venue B. Differs from `price` for NO orders. */
  readonly addressPrice: Ticks;
}

/** An order as the venue lists it, whoever made it. */
export interface VenueOrder {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
  readonly address: string;
  readonly state: Standing['state'];
  /** In terms of `address`: YES at venue B, whoever's order it is. Null: the venue does not say it here; of what is gone it has to be asked. */
  readonly stated: Filled | null;
  /** What was asked for, as far as the venue tells: in terms of YES at venue B. An order whose record is lost is adopted with it. */
  readonly request?: OrderRequest;
}

/** What an account's private stream tells, each any number of times and in any order. */
export type PrivateEvent =
  | { readonly type: 'fill'; readonly fill: VenueFill }
  /** A trade that was told before goes on to settle, or fails. */
  | { readonly type: 'settlement'; readonly fillId: string; readonly settlement: Settlement }
  | { readonly type: 'order'; readonly order: VenueOrder }
  /** A market has paid out: what one unit of `address` was worth. */
  | { readonly type: 'settled'; readonly address: string; readonly value: Ticks; readonly at: UnixMillis }
  /** It has paid out by the venue's word, and what it has paid is not listed, however long that is waited for. */
  | { readonly type: 'unlisted'; readonly address: string }
  /** A message that cannot be read: what it was about must be read otherwise. */
  | { readonly type: 'unread'; readonly row: UnreadRow }
  /** All winners in the account that wait to be redeemed, told now and then; the list may lag behind. */
  | { readonly type: 'redeemable'; readonly addresses: readonly string[] }
  /** Connected: whatever happened before must be read. */
  | { readonly type: 'up' }
  | { readonly type: 'down'; readonly message: string };

export interface VenueBalance {
  /** Net of what resting orders hold back. */
  readonly available: MicroDollars;
  readonly committed: MicroDollars;
  /** Venue A: redeemable size × settlement price, and USDC.e if the chain can be read; 0 at venue B. */
  readonly claimable: MicroDollars;
  readonly unconverted: MicroDollars;
}

/** Why there is none to be shown; the message names the venue. `fault`: it does not take the account's credentials. */
export interface BalanceRefusal {
  readonly kind: 'unavailable' | 'fault';
  readonly message: string;
}

export interface VenuePosition {
  readonly address: string;
  /** YES − NO at venue B. */
  readonly size: MicroShares;
  readonly isRedeemable: boolean;
}

/** One account at one venue. Nothing here throws or rejects; a fault of the venue or the network is an answer. */
export interface VenueTrading {
  /** Connects and loads what the first order would otherwise wait for. */
  warmUp(): Promise<void>;
  /** `passes`: whether the order at hand does; what would refuse it has just been read (contract §4.3). */
  facts(address: string, passes?: (facts: TradingFacts) => boolean): Promise<Result<TradingFacts, FactsRefusal>>;
  /** The venue's stream has told a change of what the market asks of orders: the next order reads it anew. */
  outdateFacts(address: string): void;
  /** Builds and signs; asks the venue for nothing but facts and, for a MARKET order, its book. */
  prepare(order: Order, idempotencyKey: string): Promise<Result<Intent, PrepareRefusal>>;
  /** At most once for an intent, and not after `notAfter`, if that is given. Answers by `deadline` at the latest. */
  submit(order: Order, intent: Intent, deadline: UnixMillis, notAfter?: UnixMillis | null): Promise<SubmitOutcome>;
  cancel(order: CancelTarget, deadline: UnixMillis): Promise<CancelOutcome>;
  /**
   * `order.sentAt` null: it may have been sent at any time. `bookedUpTo`: what was traded before has been read and booked, and may be left
   * out of what is found of an order that rested.
   */
  lookUp(order: Order, intent: Intent, deadline: UnixMillis, bookedUpTo?: UnixMillis | null): Promise<LookUp>;
  /** Up to when what its lists show is whole; null where the venue does not say. */
  asOf(): Promise<Result<UnixMillis | null, string>>;
  /** All that rest. */
  openOrders(): Promise<Result<Listed<VenueOrder>, string>>;
  /** Those made since then that can be read, however they have ended; none where an order does not say whose it is. */
  ordersSince(since: UnixMillis): Promise<Result<readonly VenueOrder[], string>>;
  /** Since then, and until then if that is given; oldest first. */
  fillsSince(since: UnixMillis, until?: UnixMillis | null): Promise<Result<Listed<VenueFill>, string>>;
  balance(): Promise<Result<VenueBalance, BalanceRefusal>>;
  positions(): Promise<Result<Listed<VenuePosition>, string>>;
  /** Whether the account has any of an address, asked for by itself: lists lag, and may lack a row. */
  holds(address: string): Promise<Result<boolean, string>>;
  /** What a unit of what is not listed has paid, by its market; null if it has not. */
  payoutOf(address: string): Promise<Result<Ticks | null, string>>;
  /**
   * Told from now on, until the returned function is called. `isHeld`: whether the account holds some of an address, so that a payout is
   * of interest; of all, if it is not said.
   */
  listen(hear: (event: PrivateEvent) => void, isHeld?: (address: string) => boolean): () => void;
  close(): Promise<void>;
}
