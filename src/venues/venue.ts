// The port between a venue's trading protocol and the life of orders: our requests, and all possible answers. "Unknown" is an answer, too.
// Implementations are in venue-a/ and venue-b/; one contract suite runs on both. Engine thread.

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

/** The phase as the venue states it. PAUSED takes no orders for now, and may resume without notice. CLOSED takes none for good. */
export type TradingPhase = 'OPEN' | 'PAUSED' | 'CLOSED';

/** The rules for orders in a market, by the venue's description. */
export interface TradingFacts {
  readonly grid: Grid;
  /** The smallest size of an order that may rest. */
  readonly sizeMin: MicroShares;
  /** The step of sizes: each size is a multiple of this. */
  readonly sizeStep: MicroShares;
  readonly phase: TradingPhase;
  /** The least time from now to the end of a good-till-time order, as its caller states that end. */
  readonly expiryLeadMs: number;
  /** The time at which the facts were read. */
  readonly readAt: UnixMillis;
}

export type FactsRefusal =
  | { readonly type: 'unknown-market' }
  | { readonly type: 'unavailable'; readonly message: string };

/** Why an order could not be prepared. Nothing was recorded or sent. */
export interface PrepareRefusal {
  readonly kind: 'invalid' | 'notFound' | 'insufficientBalance' | 'unavailable';
  readonly error: OrderError;
  /** The message names the field and the rule. */
  readonly message: string;
}

/**
 * The state of an order at its venue, and the filled sum that the venue states. `delayed` means held back; the private stream reports what
 * becomes of the order. `gone` means that no part of the order rests, and needs a stated sum.
 */
export type Standing =
  | { readonly state: 'rests' | 'delayed'; readonly stated: Filled | null }
  | { readonly state: 'gone'; readonly stated: Filled; readonly reason?: EndReason | undefined };

/** Why the venue ended an order, if it states a reason. PROTECTION means that the order's group ended it. */
export type EndReason = Extract<CancelReason, 'EXPIRED' | 'MARKET_CLOSED' | 'PROTECTION' | 'SELF_TRADE' | 'VENUE'>;

export type SubmitOutcome =
  | ({ readonly type: 'accepted'; readonly venueOrderId: string } & Standing)
  /**
   * The venue has the order: look it up. With `venueOrderId`, the venue took the order just now and it is over, but the answer omits its
   * fill prices. `reason` then says why it is over, if it is not filled. Without an id, this very order was sent before.
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
      /** The venue's words. Absent if the refusal is our own. */
      readonly venueError?: VenueError | undefined;
    }
  /** The venue's engine certainly did not get the order. The same request may be repeated after a while. */
  | {
      readonly type: 'not-sent';
      readonly message: string;
      readonly retryAfterS: number;
      readonly venueError?: VenueError | undefined;
      /** Whether the venue refuses because of this market. If so, the next order reads its facts again. */
      readonly isOfMarket?: boolean | undefined;
    }
  /** The venue may have got the order. `timeout`: no answer in time; `lost`: the connection broke; `unreadable`: no clear answer. */
  | { readonly type: 'unknown'; readonly cause: 'timeout' | 'lost' | 'unreadable'; readonly message: string };

/** An order and the bytes to send. */
export interface PreparedOrder {
  readonly order: Order;
  readonly intent: Intent;
}

export type AmendOutcome =
  /**
   * `remaining` is the size that rests now. Null means that the order neither filled nor changed in size. Nothing rests of an order that is
   * filled, has met another order of its account, or has triggered its group. `taken` is the fill of the amendment itself, if the venue
   * counts it separately.
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

/** The names of an order that a cancel needs. */
export type CancelTarget = Pick<Order, 'venueOrderId'> & { readonly request: CancelledRequest };

export type CancelOutcome =
  /**
   * `filled` is the size that neither rests nor was cancelled now, if the venue states it. The order ends by this answer only if its known
   * fills are as large. `filled` does not prove a fill: an amendment to a smaller size looks the same.
   */
  | { readonly type: 'cancelled'; readonly filled?: MicroShares }
  /** The order is not in the book: it was cancelled before, is filled, or was never there. Look it up. */
  | { readonly type: 'not-found'; readonly message: string }
  /** The order is there, but cannot be cancelled now, because of venue A's taker delay. */
  | { readonly type: 'not-now'; readonly message: string }
  | { readonly type: 'refused'; readonly kind: ApiErrorKind; readonly message: string }
  | { readonly type: 'not-sent'; readonly message: string; readonly retryAfterS: number }
  | { readonly type: 'unknown'; readonly message: string };

export type LookUp =
  | ({
      readonly type: 'found';
      readonly venueOrderId: string;
      /** All of the order's trades that the venue lists. */
      readonly fills: readonly VenueFill[];
      /** Whether the order ended at the moment at which it was made. */
      readonly isAtOnce?: boolean | undefined;
    } & Standing)
  /**
   * The venue shows no trace of the order. `isCurrent` means that by the venue's own statement its data is younger than the order's
   * sending, by a safe margin. For an OPEN order, the data is younger than the order's last news.
   */
  | { readonly type: 'absent'; readonly isCurrent: boolean }
  /** The venue shows an unreadable row of the order: conclude nothing, in either direction. */
  | { readonly type: 'held'; readonly row: UnreadRow }
  | { readonly type: 'unavailable'; readonly message: string };

/** The names of an order at the venue: the venue's id, and ours. Empty or null means not stated, or unreadable. */
export interface OrderName {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
}

/** An unreadable row of a list, or message of a stream, with the names in it that are readable. */
export interface UnreadRow {
  readonly about: 'order' | 'fill' | 'position' | 'message';
  /** The key of the row, which is the same at every read. */
  readonly key: string;
  /** The id of a fill; empty if not stated. */
  readonly tradeId: string;
  readonly orders: readonly OrderName[];
  readonly addresses: readonly string[];
  /** The time at which a fill traded; null if not stated. */
  readonly at: UnixMillis | null;
  /** Whether values are only missing so far, and none is wrong. */
  readonly isUnreported: boolean;
  /** The form of the row: field names and kinds of value (unread-rows.ts). */
  readonly form: string;
}

/** A venue's list: the readable rows, and the names in the unreadable ones. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly unread: readonly UnreadRow[];
}

/** A trade of an account's order, as the venue reports it. */
export interface VenueFill extends Fill {
  readonly venueOrderId: string;
  /** Our id of the order; null if the venue's fills omit it. */
  readonly clientOrderId: string | null;
  /** The ticker or token id. `positionChange` is the signed change of the account's holding of it: YES − NO at venue B. */
  readonly address: string;
  readonly positionChange: MicroShares;
  /** The price per unit of `address`, which is the YES price at venue B. It differs from `price` for NO orders. */
  readonly addressPrice: Ticks;
}

/** An order as the venue lists it, from any client of the account. */
export interface VenueOrder {
  readonly venueOrderId: string;
  readonly clientOrderId: string | null;
  readonly address: string;
  readonly state: Standing['state'];
  /** The filled sum in terms of `address`: YES at venue B. Null if not stated here; an order that is gone is then looked up. */
  readonly stated: Filled | null;
  /** Why the order is gone; absent if the venue does not say. */
  readonly reason?: EndReason | undefined;
  /** The request, as far as the venue states it, in terms of YES at venue B. An order whose record is lost is adopted with this request. */
  readonly request?: OrderRequest;
}

/** The events of an account's private stream. Each may come any number of times, in any sequence. */
export type PrivateEvent =
  | { readonly type: 'fill'; readonly fill: VenueFill }
  /** A trade that was reported before settles further, or fails. */
  | { readonly type: 'settlement'; readonly fillId: string; readonly settlement: Settlement }
  | { readonly type: 'order'; readonly order: VenueOrder }
  /** A market has paid out. `value` is the payout of one unit of `address`. */
  | { readonly type: 'settled'; readonly address: string; readonly value: Ticks; readonly at: UnixMillis }
  /** The venue says that the market has paid out, but never lists the amount, however long we wait. */
  | { readonly type: 'unlisted'; readonly address: string }
  /** A message could not be read: read its subject by REST. */
  | { readonly type: 'unread'; readonly row: UnreadRow }
  | GroupEvent
  /** The account's tokens in resolved markets, reported now and then. The list may lag. */
  | { readonly type: 'redeemable'; readonly addresses: readonly string[] }
  /** The attestation of the owner's location ends at `endsAt`, within days or already in the past. Null means that it does not end soon. */
  | { readonly type: 'attestation'; readonly endsAt: UnixMillis | null }
  /** The stream is connected: read all that happened before. */
  | { readonly type: 'up' }
  | { readonly type: 'down'; readonly message: string };

/** An order group has triggered, was reset, or does not exist any more. */
export interface GroupEvent {
  readonly type: 'group';
  readonly groupId: string;
  readonly change: 'triggered' | 'reset' | 'gone';
  /** The time at which the refused order was sent; null if the stream reports the trigger. */
  readonly sentAt: UnixMillis | null;
}

export interface VenueBalance {
  /** The money without the amount that resting orders hold back. */
  readonly available: MicroDollars;
  readonly committed: MicroDollars;
  /** The orders for which the money is held back. */
  readonly committedTo: readonly OrderName[];
  /** At venue A, redeemable size × settlement price; 0 at venue B. `unconverted` is the USDC.e, if the chain can be read. */
  readonly claimable: MicroDollars;
  readonly unconverted: MicroDollars;
  /** At venue B, `available` by the shards on which an order can use it. Empty if the venue's answer does not prove the split. */
  readonly shards?: readonly ShardCash[];
}

/** The cash for orders in the markets of a shard, without what resting orders hold back. */
export interface ShardCash {
  readonly shard: number;
  readonly available: MicroDollars;
}

/** Why the balance is not known. The message names the venue. `fault` means that the venue refuses the account's credentials. */
export interface BalanceRefusal {
  readonly kind: 'unavailable' | 'fault';
  readonly message: string;
}

export interface VenuePosition {
  readonly address: string;
  /** The size of the holding: YES − NO at venue B. */
  readonly size: MicroShares;
  readonly isRedeemable: boolean;
}

/** Why a request about a group failed: the venue has refused it, or has not answered. */
export interface GroupRefusal {
  /** Whether the venue says that the group does not exist. */
  readonly isGone: boolean;
  readonly message: string;
}

/**
 * Order groups. The venue itself cancels all orders of a group once they trade more than its limit within a window. It refuses further
 * orders until the group is reset. No method rejects.
 */
export interface VenueGroups {
  readonly window: VenueWindow;
  /** Returns the shard of a market. One group can take orders of one shard. The market's facts must have been read before. */
  shardOf(address: string): number;
  /** Makes a group and returns its id. The other requests name its shard, too. */
  make(shard: number, sharesMax: number): Promise<Result<string, GroupRefusal>>;
  /** Sets the limit. Earlier trades still count, so a lower limit may trigger the group. */
  setLimit(shard: number, groupId: string, sharesMax: number): Promise<Result<null, GroupRefusal>>;
  /** Resets the group: it counts from nothing, and takes orders. */
  reset(shard: number, groupId: string): Promise<Result<null, GroupRefusal>>;
  /** Removes the group, and cancels the orders that rest in it. */
  remove(shard: number, groupId: string): Promise<Result<null, GroupRefusal>>;
}

/** A value that was read from the venue, or an error that says why it could not be read. Never rejects. */
export type Reading<T> = Promise<Result<T, string>>;

/** Hears what became of an order: `answered` once, or `failed` if our own code fails on the venue's answer. The thread goes on then. */
export interface SubmitHearer {
  answered(outcome: SubmitOutcome): void;
  failed(error: unknown): void;
}

/** One account at one venue. No method throws or rejects: a fault of the venue or the network is an answer. */
export interface VenueTrading {
  /** The account's order groups. Absent if the venue has no groups. */
  readonly groups?: VenueGroups;
  /** Returns the shares ahead of each resting order of these markets, by the venue's order id. Absent if the venue does not state them. */
  readonly queuePositions?: (addresses: readonly string[]) => Reading<ReadonlyMap<string, MicroShares>>;
  /** Connects and loads what the first order needs, so that it does not wait. */
  warmUp(): Promise<void>;
  /** Sends the cheapest request, which counts against no limit of the account, so that a connection stays open. */
  keepWarm(): Promise<void>;
  /** Returns a market's facts. `passes` says if the order passes them. Facts that would refuse it have just been read (contract §4.3). */
  facts(address: string, passes?: (facts: TradingFacts) => boolean): Soon<Result<TradingFacts, FactsRefusal>>;
  /** Marks facts as outdated, because the stream has reported a change of the order terms: the next order reads them again. */
  expireFacts(address: string): void;
  /**
   * Builds and signs the order. Asks the venue only for facts and, for a MARKET order, its book. `groupId` names the order's group. `worst`
   * is the worst price that a MARKET order without a price may need.
   */
  prepare(
    order: Order,
    idempotencyKey: string,
    groupId?: string | null,
    worst?: Ticks | null,
  ): Soon<Result<Intent, PrepareRefusal>>;
  /** Sends an intent at most once, and not after `notAfter`, if given. Calls `hearer` by `deadline` at the latest. */
  submit(prepared: PreparedOrder, deadline: UnixMillis, notAfter: UnixMillis | null, hearer: SubmitHearer): void;
  /**
   * Like `submit`, for several orders in one request. Returns one outcome for each, in their sequence. Returns null if the venue has
   * refused the batch as such and done nothing, so that each order may be sent by itself.
   */
  submitBatch(
    orders: readonly PreparedOrder[],
    deadline: UnixMillis,
    notAfter?: UnixMillis | null,
  ): Promise<readonly SubmitOutcome[] | null>;
  /** Null if the venue cannot change an order in place. */
  readonly amends: VenueAmends | null;
  /** The account's wallet. Absent if the venue itself pays out shares. */
  readonly wallet?: VenueWallet;
  cancel(order: CancelTarget, deadline: UnixMillis): Promise<CancelOutcome>;
  /** Like `cancel`, for several orders in as few requests as the venue allows. Returns one outcome for each, in their sequence. */
  cancelBatch(orders: readonly CancelTarget[], deadline: UnixMillis): Promise<readonly CancelOutcome[]>;
  /** Returns what is left of the rate limits. A venue may count each shard of markets by itself; a null `address` means the first. */
  budget(address: string | null): VenueBudget;
  /**
   * Finds the state of an order. If `order.sentAt` is null, it may have been sent at any time. Trades before `bookedUpTo` are booked; for
   * an order that rested, the result may omit them.
   */
  lookUp(order: Order, intent: Intent, deadline: UnixMillis, bookedUpTo?: UnixMillis | null): Promise<LookUp>;
  /** Returns the time up to which the venue's lists are complete, or null if the venue does not state it. */
  asOf(): Reading<UnixMillis | null>;
  /** Returns all resting orders. */
  openOrders(): Reading<Listed<VenueOrder>>;
  /** Returns readable orders made since then, in any state. Returns none if the venue's orders do not name their owner. */
  ordersSince(since: UnixMillis): Reading<readonly VenueOrder[]>;
  /** Returns fills since `since`, and until `until` if given, oldest first. */
  fillsSince(since: UnixMillis, until?: UnixMillis | null): Reading<Listed<VenueFill>>;
  balance(): Promise<Result<VenueBalance, BalanceRefusal>>;
  positions(): Reading<Listed<VenuePosition>>;
  /** Returns how much of an address the account holds, by a separate request: lists lag, may lack a row, and round. YES − NO at venue B. */
  holding(address: string): Reading<MicroShares>;
  /** Returns the payout per unit of an unlisted address, from its market, or null if the market has not paid. */
  payoutOf(address: string): Reading<Ticks | null>;
  /**
   * Calls `listener` for each event until the returned function is called. `isHeld` says whether the account holds shares of an address, so
   * that its payout matters. Without `isHeld` all payouts matter.
   */
  listen(listener: (event: PrivateEvent) => void, isHeld?: (address: string) => boolean): () => void;
  close(): Promise<void>;
}

/** Amendments at a venue that changes orders in place. */
export interface VenueAmends {
  /** Prepares an amendment. `total` is the full size of the venue's order, including the filled part. */
  prepare(old: { readonly order: Order; readonly intent: Intent | null }, order: Order, total: MicroShares): Intent;
  /** Sends an intent of `prepare` at most once, and not after `notAfter`, if given. Resolves by `deadline` at the latest. */
  amend(old: Order, intent: Intent, deadline: UnixMillis, notAfter: UnixMillis | null): Promise<AmendOutcome>;
}

type Unanswered = Exclude<OutboundOutcome, { readonly type: 'answer' }>;

/** Returns the outcome of an order whose request got no answer. `retryAfterS` is for an order that was not sent. */
export function unanswered({ type }: Unanswered, message: string, retryAfterS: number): SubmitOutcome {
  return type === 'not-sent' ? { type, message, retryAfterS } : { type: 'unknown', cause: type, message };
}

/** Like `unanswered`, for a cancel. */
export function unansweredCancel({ type }: Unanswered, message: string, retryAfterS: number): CancelOutcome {
  return type === 'not-sent' ? { type, message, retryAfterS } : { type: 'unknown', message };
}

/** Whether the venue contradicts our facts of the market, so that the next order must read them again. */
export function contradictsFacts(outcome: SubmitOutcome | AmendOutcome): boolean {
  if (outcome.type === 'not-sent') return outcome.isOfMarket === true;
  return outcome.type === 'refused' && (outcome.kind === 'notFound' || outcome.error.code === 'INVALID_ORDER');
}
