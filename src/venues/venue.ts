// The port between a venue's trading protocol and the life of orders: our requests, and all possible answers. "Unknown" is an answer of its
// own. Implementations are in venue-a/ and venue-b/; one contract suite runs on both. Engine thread.

import type { ApiErrorKind } from '../core/domain/answer.ts';
import type { Fill, Settlement } from '../core/domain/fill.ts';
import type { Grid } from '../core/domain/grid.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../core/domain/numbers.ts';
import type { CancelReason, Order, OrderError, VenueError } from '../core/domain/order.ts';
import type { CancelledRequest, Intent, OrderRequest } from '../core/domain/order-request.ts';
import type { Filled } from '../core/domain/order-sums.ts';
import type { VenueWindow } from '../core/domain/protection.ts';
import type { Result } from '../core/domain/result.ts';
import type { Soon } from '../core/domain/soon.ts';
import type { VenueBudget } from '../core/domain/venue-budget.ts';
import type { OutboundOutcome } from '../core/net/outbound.ts';
import type { VenueWallet } from './wallet-port.ts';

/** The phase by the venue's word. PAUSED: takes no orders for now, and may resume without notice. CLOSED: for good. */
export type TradingPhase = 'OPEN' | 'PAUSED' | 'CLOSED';

/** The rules for orders in a market, by the venue's description. */
export interface TradingFacts {
  readonly grid: Grid;
  /** Smallest size of an order that may rest. */
  readonly sizeMin: MicroShares;
  /** Step of sizes: they are multiples of it. */
  readonly sizeStep: MicroShares;
  readonly phase: TradingPhase;
  /** Least time from now to the end of an order that is good till a time, as its caller states that end. */
  readonly expiryLeadMs: number;
  /** The time at which the facts were read. */
  readonly readAt: UnixMillis;
}

export type FactsRefusal =
  | { readonly type: 'unknown-market' }
  | { readonly type: 'unavailable'; readonly message: string };

/** Why there is no intent: nothing was recorded or sent. */
export interface PrepareRefusal {
  readonly kind: 'invalid' | 'notFound' | 'insufficientBalance' | 'unavailable';
  readonly error: OrderError;
  /** Names the field and the rule. */
  readonly message: string;
}

/**
 * The place of an order at its venue, and its stated fills. `delayed`: held back; the private stream reports its fate. `gone`: no part of
 * it rests. An order counts as `gone` only with a stated sum of its fills.
 */
export type Standing =
  | { readonly state: 'rests' | 'delayed'; readonly stated: Filled | null }
  | { readonly state: 'gone'; readonly stated: Filled; readonly reason?: EndReason | undefined };

/** Why the venue ended an order, if it says so. PROTECTION: with its group. */
export type EndReason = Extract<CancelReason, 'EXPIRED' | 'MARKET_CLOSED' | 'PROTECTION' | 'SELF_TRADE' | 'VENUE'>;

export type SubmitOutcome =
  | ({ readonly type: 'accepted'; readonly venueOrderId: string } & Standing)
  /**
   * The venue has the order: look it up. With `venueOrderId` the venue took the order just now and it is over, but the answer omits its
   * fill prices. `reason`: why it is over, if it is not filled. Without an id this very order was sent before.
   */
  | {
      readonly type: 'exists';
      readonly message: string;
      readonly venueOrderId?: string;
      readonly reason?: EndReason | undefined;
    }
  | {
      readonly type: 'refused';
      readonly kind: ApiErrorKind;
      readonly error: OrderError;
      /** Absent if the refusal is not the venue’s. */
      readonly venueError?: VenueError | undefined;
    }
  /** The engine of the venue certainly got nothing: the same request may be repeated after a while. */
  | {
      readonly type: 'not-sent';
      readonly message: string;
      readonly retryAfterS: number;
      readonly venueError?: VenueError | undefined;
      /** The venue refuses because of this market: the next order reads its facts again. */
      readonly isOfMarket?: boolean | undefined;
    }
  /** The venue may have got it. `timeout`: no answer in time; `lost`: the connection broke; `unreadable`: the answer says nothing. */
  | { readonly type: 'unknown'; readonly cause: 'timeout' | 'lost' | 'unreadable'; readonly message: string };

/** An order and its bytes. */
export interface PreparedOrder {
  readonly order: Order;
  readonly intent: Intent;
}

export type AmendOutcome =
  /**
   * `remaining` is the size that rests now; null if the order neither filled nor changed in size. Nothing rests of an order that is filled,
   * has met another of its account, or has triggered its group. `taken`: the fill of the amendment itself, if the venue counts it
   * separately.
   */
  | {
      readonly type: 'amended';
      readonly venueOrderId: string;
      readonly remaining: MicroShares | null;
      readonly taken: MicroShares;
    }
  /** The old order is not in the book any more: nothing was changed. */
  | { readonly type: 'not-found'; readonly message: string }
  | Extract<SubmitOutcome, { readonly type: 'refused' | 'not-sent' | 'unknown' }>;

/** The names of an order for a cancel. */
export type CancelTarget = Pick<Order, 'venueOrderId'> & { readonly request: CancelledRequest };

export type CancelOutcome =
  /**
   * `filled`: the size that neither rests nor was cancelled now, if the venue states it. The order ends by this answer only if its known
   * fills are as large. It is no proof of a fill: an amendment to a smaller size looks the same.
   */
  | { readonly type: 'cancelled'; readonly filled?: MicroShares }
  /** The order is not in the book: cancelled before, filled, or never there. Look it up. */
  | { readonly type: 'not-found'; readonly message: string }
  /** The order is there, but cannot be cancelled now: venue A's taker delay. */
  | { readonly type: 'not-now'; readonly message: string }
  | { readonly type: 'refused'; readonly kind: ApiErrorKind; readonly message: string }
  | { readonly type: 'not-sent'; readonly message: string; readonly retryAfterS: number }
  | { readonly type: 'unknown'; readonly message: string };

export type LookUp =
  | ({
      readonly type: 'found';
      readonly venueOrderId: string;
      /** All of its trades that the venue lists. */
      readonly fills: readonly VenueFill[];
      /** The order ended in the moment in which it was made. */
      readonly isAtOnce?: boolean | undefined;
    } & Standing)
  /**
   * The venue shows no trace. `isCurrent`: by its own word, the venue's data is younger than the order's sending by a safe margin. For an
   * OPEN order, it is younger than the order's last news.
   */
  | { readonly type: 'absent'; readonly isCurrent: boolean }
  /** The venue shows an unreadable row of it: conclude nothing, in either direction. */
  | { readonly type: 'held'; readonly row: UnreadRow }
  | { readonly type: 'unavailable'; readonly message: string };

/** The names of an order at the venue: the venue's id, and ours. Empty or null: not stated, or unreadable. */
export interface OrderName {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
}

/** An unreadable row of a list or message of a stream, with the names that are readable. */
export interface UnreadRow {
  readonly about: 'order' | 'fill' | 'position' | 'message';
  /** Stable: the same row has the same value at every read. */
  readonly key: string;
  /** Id of a fill; empty if not stated. */
  readonly tradeId: string;
  readonly orders: readonly OrderName[];
  readonly addresses: readonly string[];
  /** When a fill traded; null if not stated. */
  readonly at: UnixMillis | null;
  /** No number is wrong; some are only missing so far. */
  readonly isUnreported: boolean;
  /** Field names and kinds of value (unread-rows.ts). */
  readonly form: string;
}

/** A venue's list: the readable rows, and the names in the others. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly unread: readonly UnreadRow[];
}

/** A trade of an account's order, as the venue reports it. */
export interface VenueFill extends Fill {
  readonly venueOrderId: string;
  /** Null if the venue's fills omit it. */
  readonly clientOrderId: string | null;
  /** Ticker or token id, and the signed change of the account's holding of it: YES − NO at venue B. */
  readonly address: string;
  readonly positionChange: MicroShares;
  /** The price per unit of `address`: the YES price at venue B. Differs from `price` for NO orders. */
  readonly addressPrice: Ticks;
}

/** An order as the venue lists it, from any client of the account. */
export interface VenueOrder {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
  readonly address: string;
  readonly state: Standing['state'];
  /** The sum in terms of `address`: YES at venue B, for any order. Null if not stated here; look up an order that is gone. */
  readonly stated: Filled | null;
  /** Why an order is gone; absent if the venue does not say. */
  readonly reason?: EndReason | undefined;
  /** The request, as far as the venue states it: in terms of YES at venue B. An order whose record is lost is adopted with it. */
  readonly request?: OrderRequest;
}

/** Events of an account's private stream: each any number of times, in any order. */
export type PrivateEvent =
  | { readonly type: 'fill'; readonly fill: VenueFill }
  /** A trade that was reported before settles further, or fails. */
  | { readonly type: 'settlement'; readonly fillId: string; readonly settlement: Settlement }
  | { readonly type: 'order'; readonly order: VenueOrder }
  /** A market has paid out: the payout of one unit of `address`. */
  | { readonly type: 'settled'; readonly address: string; readonly value: Ticks; readonly at: UnixMillis }
  /** The venue says that it has paid out, but never lists the amount, however long we wait. */
  | { readonly type: 'unlisted'; readonly address: string }
  /** An unreadable message: read its subject otherwise. */
  | { readonly type: 'unread'; readonly row: UnreadRow }
  | GroupEvent
  /** All winning holdings of the account that can be redeemed, reported now and then. The list may lag. */
  | { readonly type: 'redeemable'; readonly addresses: readonly string[] }
  /** When the attestation of the owner's location ends, where that is within days or has passed; null: it does not. */
  | { readonly type: 'attestation'; readonly endsAt: UnixMillis | null }
  /** Connected: read all that happened before. */
  | { readonly type: 'up' }
  | { readonly type: 'down'; readonly message: string };

/** A group of orders has triggered, was reset, or is no longer there. */
export interface GroupEvent {
  readonly type: 'group';
  readonly groupId: string;
  readonly change: 'triggered' | 'reset' | 'gone';
  /** The time at which the refused order was sent; null if the stream reports the trigger. */
  readonly sentAt: UnixMillis | null;
}

export interface VenueBalance {
  /** Net of the amount that resting orders hold back. */
  readonly available: MicroDollars;
  readonly committed: MicroDollars;
  /** The orders for which it is held back. */
  readonly committedTo: readonly OrderName[];
  /** Venue A: redeemable size × settlement price, and USDC.e if the chain can be read; 0 at venue B. */
  readonly claimable: MicroDollars;
  readonly unconverted: MicroDollars;
  /** Venue B: `available` by the shards on which an order can use it; empty where the venue does not prove it. */
  readonly shards?: readonly ShardCash[];
}

/** The cash for orders in the markets of a shard, net as the sum is. */
export interface ShardCash {
  readonly shard: number;
  readonly available: MicroDollars;
}

/** Why there is no balance; the message names the venue. `fault`: the venue refuses the account's credentials. */
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

/** Why a request for a group failed: the venue has refused it, or has not answered. */
export interface GroupRefusal {
  /** The venue says that there is no such group. */
  readonly isGone: boolean;
  readonly message: string;
}

/**
 * Groups of orders. The venue itself cancels all orders of a group once they trade more than its limit within a window. It refuses further
 * ones until the group is reset. Nothing here rejects.
 */
export interface VenueGroups {
  readonly window: VenueWindow;
  /** The shard of a market, whose orders one group can take. The market's facts were read before. */
  shardOf(address: string): number;
  /** Returns its id. The other requests name its shard, too. */
  make(shard: number, sharesMax: number): Promise<Result<string, GroupRefusal>>;
  /** Sets the limit. Earlier trades still count, so a lower limit may trigger the group. */
  setLimit(shard: number, groupId: string, sharesMax: number): Promise<Result<null, GroupRefusal>>;
  /** Resets the group: it counts from nothing, and takes orders. */
  reset(shard: number, groupId: string): Promise<Result<null, GroupRefusal>>;
  /** Cancels the orders that rest in it. */
  remove(shard: number, groupId: string): Promise<Result<null, GroupRefusal>>;
}

/** A reading of the venue; the error says why there is none. Never rejects. */
export type Reading<T> = Promise<Result<T, string>>;

/** Hears what has become of an order: `answered` once, or `failed` where our own code fails on the venue's answer. The thread goes on. */
export interface SubmitHearer {
  answered(outcome: SubmitOutcome): void;
  failed(error: unknown): void;
}

/** One account at one venue. Nothing here throws or rejects: a fault of the venue or the network is an answer. */
export interface VenueTrading {
  /** Absent: the venue has none. */
  readonly groups?: VenueGroups;
  /** Shares ahead of the resting orders of these markets, by the venue's id of each; absent: the venue states none. */
  readonly queuePositions?: (addresses: readonly string[]) => Reading<ReadonlyMap<string, MicroShares>>;
  /** Connects and loads, so that the first order does not wait for it. */
  warmUp(): Promise<void>;
  /** Has the venue answer the cheapest request, which counts against no limit of the account, so that a connection is open. */
  keepWarm(): Promise<void>;
  /** `passes`: whether the current order passes these facts. Facts that would refuse it have just been read (contract §4.3). */
  facts(address: string, passes?: (facts: TradingFacts) => boolean): Soon<Result<TradingFacts, FactsRefusal>>;
  /** The venue's stream has reported a change of the market's order terms: the next order reads them again. */
  outdateFacts(address: string): void;
  /**
   * Builds and signs the order. Asks the venue only for facts and, for a MARKET order, its book. `groupId` names the order's group. `worst`:
   * a MARKET order that names no price may not need a worse one.
   */
  prepare(
    order: Order,
    idempotencyKey: string,
    groupId?: string | null,
    worst?: Ticks | null,
  ): Soon<Result<Intent, PrepareRefusal>>;
  /** Sends an intent at most once, and not after `notAfter`, if given. Tells `hearer` by `deadline` at the latest. */
  submit(prepared: PreparedOrder, deadline: UnixMillis, notAfter: UnixMillis | null, hearer: SubmitHearer): void;
  /**
   * Like `submit`, for several orders in one request; one outcome for each, in their order. Null if the venue has refused the batch as such
   * and done nothing, so that each may be sent by itself.
   */
  submitBatch(
    orders: readonly PreparedOrder[],
    deadline: UnixMillis,
    notAfter?: UnixMillis | null,
  ): Promise<readonly SubmitOutcome[] | null>;
  /** Null if the venue changes no order in place. */
  readonly amends: VenueAmends | null;
  /** Absent: the venue pays its shares out by itself. */
  readonly wallet?: VenueWallet;
  cancel(order: CancelTarget, deadline: UnixMillis): Promise<CancelOutcome>;
  /** Like `cancel`, for several orders in as few requests as the venue allows; one outcome for each, in their order. */
  cancelBatch(orders: readonly CancelTarget[], deadline: UnixMillis): Promise<readonly CancelOutcome[]>;
  /** The rest of the venue's rate limits. `address`: a venue may count the shards of its markets separately; null means the first shard. */
  budget(address: string | null): VenueBudget;
  /**
   * `order.sentAt` null: it may have been sent at any time. `bookedUpTo`: trades before this time are booked; for an order that rested, the
   * result may omit them.
   */
  lookUp(order: Order, intent: Intent, deadline: UnixMillis, bookedUpTo?: UnixMillis | null): Promise<LookUp>;
  /** Time up to which the venue's lists are complete; null if the venue does not say. */
  asOf(): Reading<UnixMillis | null>;
  /** All resting orders. */
  openOrders(): Reading<Listed<VenueOrder>>;
  /** Readable orders made since then, in any state; none if the venue's orders do not name their owner. */
  ordersSince(since: UnixMillis): Reading<readonly VenueOrder[]>;
  /** Fills since then, and until `until` if given; oldest first. */
  fillsSince(since: UnixMillis, until?: UnixMillis | null): Reading<Listed<VenueFill>>;
  balance(): Promise<Result<VenueBalance, BalanceRefusal>>;
  positions(): Reading<Listed<VenuePosition>>;
  /** How much of an address the account holds, by a separate request: lists lag, may lack a row, and round. YES − NO at venue B. */
  holding(address: string): Reading<MicroShares>;
  /** The payout per unit of an unlisted address, from its market; null if it has not paid. */
  payoutOf(address: string): Reading<Ticks | null>;
  /**
   * Calls `hear` until the returned function is called. `isHeld`: whether the account holds some of an address, so that its payout matters.
   * Without it, all payouts matter.
   */
  listen(hear: (event: PrivateEvent) => void, isHeld?: (address: string) => boolean): () => void;
  close(): Promise<void>;
}

/** Amendments at a venue that changes orders in place. */
export interface VenueAmends {
  /** `total`: full size of the venue's order, filled part included. */
  prepare(old: { readonly order: Order; readonly intent: Intent | null }, order: Order, total: MicroShares): Intent;
  /** Sends an intent of `prepare` at most once, and not after `notAfter`, if given. Answers by `deadline` at the latest. */
  amend(old: Order, intent: Intent, deadline: UnixMillis, notAfter: UnixMillis | null): Promise<AmendOutcome>;
}

type Unanswered = Exclude<OutboundOutcome, { readonly type: 'answer' }>;

/** The outcome of an order whose request got no answer. `retryAfterS` is for an order that was not sent. */
export function unanswered({ type }: Unanswered, message: string, retryAfterS: number): SubmitOutcome {
  return type === 'not-sent' ? { type, message, retryAfterS } : { type: 'unknown', cause: type, message };
}

/** Like `unanswered`, for a cancel. */
export function unansweredCancel({ type }: Unanswered, message: string, retryAfterS: number): CancelOutcome {
  return type === 'not-sent' ? { type, message, retryAfterS } : { type: 'unknown', message };
}

/** Whether the venue contradicts the market or its terms in our facts: the next order reads them again. */
export function contradictsFacts(outcome: SubmitOutcome | AmendOutcome): boolean {
  if (outcome.type === 'not-sent') return outcome.isOfMarket === true;
  return outcome.type === 'refused' && (outcome.kind === 'notFound' || outcome.error.code === 'INVALID_ORDER');
}
