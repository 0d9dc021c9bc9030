// Finds the state of an order by its digest (venue-a.md §9.5): from the order itself, the list of open orders, and the trades. The venue
// shows active orders reliably. For other orders it answers nothing (`null`) or "not found" (404), and its data may lag. So what its
// silence means depends on how long it has lasted, or on the time since the order was sent. Any thread.

import { BoundedMap } from '../../../core/domain/bounded-map.ts';
import { SECOND_MS } from '../../../core/domain/durations.ts';
import { isAbsent, isObject } from '../../../core/domain/json.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../../core/domain/numbers.ts';
import type { Order } from '../../../core/domain/order.ts';
import type { Intent } from '../../../core/domain/order-request.ts';
import { canRest, DUST_SHARES, type Filled, isExact, isFull, NOTHING_FILLED } from '../../../core/domain/order-sums.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import { HTTP_BAD_REQUEST, HTTP_NOT_FOUND } from '../../../core/net/http-status.ts';
import { limits } from '../../../limits.ts';
import type { Listed, LookUp, Reading, UnreadRow, VenueFill } from '../../venue.ts';
import type { MarketTermsCache } from './market-terms.ts';
import { orderRows, readShownOrder, type ShownOrder, unreadOrder } from './open-orders.ts';
import { readPages } from './pages.ts';
import type { TradeFills } from './trade-fills.ts';
import { TRADE_ROWS, type TradeRow } from './trades.ts';
import type { VenueApi } from './venue-api.ts';

const NOT_FOUND: readonly number[] = [HTTP_NOT_FOUND, HTTP_BAD_REQUEST];
const NO_TRADES_YET = 'the venue shows the order matched, and not yet its trades';

type ActiveOrder = ShownOrder & { readonly state: 'rests' | 'delayed' };
/** What the venue shows: the order, active or over, `null` for an empty answer, or `not-found` if the venue says so. */
type Known = ShownOrder | null | 'not-found';
/** The order, or an unreadable row. */
type Shown = Known | UnreadRow;

/**
 * How an order ended, by the venue's report. `matched`: by trades that are yet to be listed. `refused`: at the moment at which it was made.
 * `untraded`: without a trade.
 */
type ReportedEnd = 'cancelled' | 'matched' | 'refused' | 'untraded';

export class OrderLookUp {
  readonly #api: VenueApi;
  readonly #terms: MarketTermsCache;
  readonly #fills: TradeFills;
  /** The latest ends of orders that the venue has reported. */
  readonly #ends = new BoundedMap<string, ReportedEnd>(limits.venueAEndsRememberedMax);
  /** Orders that rested and are not shown any more, without a report of their end. */
  readonly #missed = new MissedOrders();

  constructor(api: VenueApi, terms: MarketTermsCache, fills: TradeFills) {
    this.#api = api;
    this.#terms = terms;
    this.#fills = fills;
  }

  /** Notes that the venue has confirmed a cancel: the order has ended as soon as it is not shown any more. */
  expectEnd(venueOrderId: string): void {
    this.#ends.set(venueOrderId, 'cancelled');
  }

  /** Notes that the venue calls the order matched: it does not count as over before its trades are listed. */
  expectTrades(venueOrderId: string): void {
    this.#ends.set(venueOrderId, 'matched');
  }

  /** Takes an order from the user channel, which may say that it has ended, and how. */
  noteEnd({ venueOrderId, state, stated, matched, isRefused }: ShownOrder): void {
    if (state !== 'gone') return;
    if (stated === null && matched !== null && matched > 0) this.expectTrades(venueOrderId);
    else if (stated?.size === 0) this.#ends.set(venueOrderId, isRefused ? 'refused' : 'untraded');
  }

  /**
   * Finds the state of an order. Fills before `bookedUpTo` are booked; if there are very many, the result omits them. Null means that none
   * are booked.
   */
  async find(order: Order, intent: Intent, deadline: UnixMillis, bookedUpTo: UnixMillis | null): Promise<LookUp> {
    const id = order.venueOrderId ?? intent.venueOrderId;
    if (id === null) return { type: 'absent', isCurrent: true };
    const first = await this.#shown(order, id, deadline);
    if (!first.ok) return { type: 'unavailable', message: first.error };
    const shownActive = isActive(first.value) ? first.value : null;
    const listed = await this.#fillsOf(order, id, { shown: shownActive, bookedUpTo, deadline });
    if (!listed.ok) return { type: 'unavailable', message: listed.error };
    const { rows: fills, unread } = listed.value;
    const total = totalOf(fills);
    if (!isExact(total)) return { type: 'unavailable', message: '/data/trades: more of an order than can be counted' };
    const isWhole = isComplete(order.request, total);
    // If an order that was not shown has fills, it has arrived meanwhile and may rest, so it is read again.
    const isNews = !isActive(first.value) && (fills.length > 0 || unread.length > 0) && !isWhole;
    const shown = isNews ? await this.#shown(order, id, deadline) : first;
    if (!shown.ok) return { type: 'unavailable', message: shown.error };
    const report = shown.value;
    // A resting order must stay cancellable, even if one of its trades is unreadable.
    if (isActive(report)) {
      this.#missed.forget(id);
      return activeResult(report, fills);
    }
    if (isUnread(report)) return { type: 'held', row: report };
    const lost = isWhole
      ? undefined
      : unread.find(row => !row.isUnreported || !isShown(report) || report.stated === null);
    return lost === undefined ? this.#inactive(order, id, { report, fills, isWhole }) : { type: 'held', row: lost };
  }

  async #shown(known: Order, id: string, deadline: UnixMillis): Reading<Shown> {
    const api = this.#api;
    const answer = await api.readPrivate(`/data/order/${id}`, Math.max(1, deadline - api.now()));
    const read = answer.ok ? readShownOrder(answer.value, api.now(), known) : null;
    const order = read?.venueOrderId === id ? read : null;
    if (order !== null && !order.isPartMatched) return ok(order);
    const isUnknown = !answer.ok && NOT_FOUND.includes(answer.error.status ?? 0);
    if (!answer.ok && !isUnknown) return fail(`/data/order: ${answer.error.message}`);
    const query = { path: '/data/orders', filters: { id }, deadline } as const;
    const listed = await readPages(api, query, orderRows(api.now(), known));
    if (!listed.ok) return listed;
    const { rows, unread } = listed.value;
    const its = rows.find(row => row.venueOrderId === id);
    if (its !== undefined) return ok(its);
    if (order !== null) return ok({ ...order, state: 'gone' });
    // An unreadable row without an id, in a list of one order, belongs to that order.
    const isSaid = answer.ok && isObject(answer.value) && read === null && !isAbsent(answer.value.id);
    const lost = [...(isSaid ? [answer.value] : []), ...unread]
      .map(unreadOrder)
      .find(({ orders }) => orders.every(({ venueOrderId }) => venueOrderId === id));
    return ok(lost ?? (isUnknown ? 'not-found' : null));
  }

  /**
   * Returns the order's fills from all trades since its sending. If the account has traded very often since then, only trades that may be
   * new are read.
   */
  async #fillsOf(order: Order, id: string, { shown, bookedUpTo, deadline }: Search): Reading<Listed<VenueFill>> {
    if (shown?.matched === 0) return ok({ rows: [], unread: [] });
    const market = await this.#marketOf(order);
    const since = async (time: number, isEnd: (trades: readonly TradeRow[]) => boolean) => {
      const after = Math.floor(time / SECOND_MS) - limits.venueATradesLookbackS;
      const filters = { ...(market === null ? {} : { market }), after: String(after) };
      const read = await readPages(this.#api, { path: '/data/trades', filters, deadline }, TRADE_ROWS, isEnd);
      return read.ok ? ok(read.value.rows) : read;
    };
    const isEnough = (trades: readonly TradeRow[]) =>
      shown !== null && shown.matched !== null && matchedBy(trades, id) >= shown.matched;
    const isTooMuch = ({ length }: readonly TradeRow[]) =>
      bookedUpTo !== null && length >= limits.venueATradesLookedMax;
    const sentAt = sentSince(order);
    let trades = await since(sentAt, read => isEnough(read) || isTooMuch(read));
    if (trades.ok && !isEnough(trades.value) && isTooMuch(trades.value))
      trades = await since(Math.max(sentAt, bookedUpTo ?? 0), isEnough);
    if (!trades.ok) return trades;
    return this.#fills.ofAll(trades.value, {
      is: ({ orderId }) => orderId === id,
      mayBe: ({ orderId }) => orderId === '',
    });
  }

  /** Returns the order's market, which narrows the list of trades. Without it, all of the account's trades are read. */
  async #marketOf({ request }: Order): Promise<string | null> {
    if (request.venue !== 'venue_a') return null;
    const found = await this.#terms.ofToken(request.tokenId);
    return found.ok ? found.value.conditionId : null;
  }

  /** Returns the result for an order that has vanished, or is unknown. */
  #inactive(order: Order, id: string, inactive: Inactive): LookUp {
    const { report, fills } = inactive;
    // An order whose sending time is unknown may have been sent at its last update.
    const ageMs = this.#api.now() - (order.sentAt ?? order.updatedAt);
    if (this.#isOver(order, id, inactive, ageMs)) {
      this.#missed.forget(id);
      const over = endedResult(id, report, fills);
      return over.type === 'found' && this.#ends.get(id) === 'refused' ? { ...over, isAtOnce: true } : over;
    }
    // An order that rested may still be in the book, or its trades are not listed yet.
    if (order.status === 'OPEN') return { type: 'absent', isCurrent: false };
    if (fills.length > 0)
      return { type: 'unavailable', message: 'the venue shows trades of the order, and not yet the order' };
    // The result is not `unavailable`, because the venue has answered: the account counts as read, and the order stays undecided.
    if (this.#endOf(order, id) === 'matched') return { type: 'absent', isCurrent: false };
    return { type: 'absent', isCurrent: ageMs >= limits.venueATraceMs };
  }

  #isOver(order: Order, id: string, { report, fills, isWhole }: Inactive, ageMs: number): boolean {
    const hasTraded = fills.length > 0;
    const end = this.#endOf(order, id);
    const isDoubtful = canRest(order.request) && mayPrecedeFailure(report, fills);
    // The order is over if the venue shows it as over, or if it is completely filled, so that it cannot rest.
    if (isWhole || (isShown(report) && !isDoubtful)) return true;
    if (!hasTraded && end === 'matched') return false;
    if (!hasTraded && (end === 'refused' || end === 'untraded')) return true;
    if (order.venueOrderId === null && !hasTraded) return report === null && ageMs >= limits.venueATraceMs;
    if (report === null && end === 'cancelled') return true;
    // Patience is needed: a read that lags misses an order in the book, a delayed order enters the book later, and trades are listed late.
    const patienceMs = hasTraded ? limits.venueAReadLagMs : limits.venueATraceMs;
    const isMissed = order.status === 'OPEN' || isDoubtful;
    return (isMissed ? this.#missed.noteMiss(id, this.#api.now()) : ageMs) >= patienceMs;
  }

  /** Returns how the order ended. The order's record counts, too, because the process remembers only the latest ends. */
  #endOf({ status, stated, replaces }: Order, id: string): ReportedEnd | undefined {
    // An OPEN order has a stated sum, even if it is zero. Only a replace that makes an order smaller takes the sum away.
    const isMatched =
      status === 'SUBMITTED' ? stated !== null : status === 'OPEN' && stated === null && replaces === null;
    return this.#ends.get(id) ?? (isMatched ? 'matched' : undefined);
  }
}

interface Search {
  /** The order, if it is active. */
  readonly shown: ShownOrder | null;
  readonly bookedUpTo: UnixMillis | null;
  readonly deadline: UnixMillis;
}

/** The facts about an order that is not active. */
interface Inactive {
  readonly report: Known;
  readonly fills: readonly VenueFill[];
  /** Whether no part of the order can be in the book, because it is completely filled. */
  readonly isWhole: boolean;
}

/**
 * Returns a time before which the order was not sent. An earlier record does not have the sending time. The time of the order's key was
 * near our clock when it was recorded and when it was sent (contract §4.6).
 */
function sentSince({ sentAt, createdAt }: Order): number {
  return sentAt ?? createdAt - 2 * limits.venueAKeyTimeMs;
}

/** Whether the order is completely filled; for a market order, filled at all. */
function isComplete(request: Order['request'], total: Filled): boolean {
  const isImmediate = 'type' in request && request.type === 'MARKET';
  return isImmediate ? total.size > 0 : isFull(request, total);
}

function isUnread(report: Shown): report is UnreadRow {
  return report !== null && report !== 'not-found' && 'about' in report;
}

function isShown(report: Shown): report is ShownOrder {
  return report !== null && report !== 'not-found' && !isUnread(report);
}

function isActive(report: Shown): report is ActiveOrder {
  return isShown(report) && report.state !== 'gone';
}

/** Returns the result for an active order. The venue's matched sum counts until all of its trades are listed. */
function activeResult({ venueOrderId, state, stated, matched }: ActiveOrder, fills: readonly VenueFill[]): LookUp {
  const total = totalOf(fills);
  return { type: 'found', venueOrderId, state, stated: total.size >= (matched ?? 0) ? total : stated, fills };
}

/**
 * Whether the venue says "matched" and counts a trade that has failed. The statement may be from before the failure, and the venue may have
 * put the order back into its book since then.
 */
function mayPrecedeFailure(report: Known, fills: readonly VenueFill[]): boolean {
  if (!isShown(report) || fills.every(({ settlement }) => settlement !== 'FAILED')) return false;
  const { isPartMatched, size, matched } = report;
  const isMatched = isPartMatched || (matched !== null && size - matched < DUST_SHARES);
  return isMatched && totalOf(fills).size < (matched ?? size);
}

/**
 * Returns the result for an order that is over. The venue's sum counts, unless a trade has failed: the sum may still include that trade.
 */
function endedResult(venueOrderId: string, report: Known, fills: readonly VenueFill[]): LookUp {
  const total = totalOf(fills);
  const reason = isShown(report) ? report.reason : undefined;
  const found = { type: 'found', venueOrderId, state: 'gone', stated: total, reason, fills } as const;
  if (!isShown(report) || (report.matched !== null && total.size >= report.matched)) return found;
  if (fills.some(({ settlement }) => settlement === 'FAILED')) return found;
  // A market order's prices are known only from its trades.
  if (report.stated === null && (fills.length === 0 || report.matched === null))
    return { type: 'unavailable', message: NO_TRADES_YET };
  return { ...found, stated: report.stated ?? total };
}

/** Returns the sum of the fills without failed trades. */
function totalOf(fills: readonly VenueFill[]): Filled {
  let { size, cost, fees }: Filled = NOTHING_FILLED;
  for (const fill of fills) {
    if (fill.settlement === 'FAILED') continue;
    size = (size + fill.size) as MicroShares;
    cost += BigInt(fill.price) * BigInt(fill.size);
    fees = (fees + fill.fee) as MicroDollars;
  }
  return { size, cost, fees };
}

function matchedBy(trades: readonly TradeRow[], id: string): number {
  let sum = 0;
  for (const trade of trades) {
    if (trade.type === 'unread' || trade.settlement === 'FAILED') continue;
    if (trade.orderId === id) sum += trade.size ?? 0;
    for (const maker of trade.makers) if (maker.orderId === id) sum += maker.size;
  }
  return sum;
}

interface Miss {
  readonly since: UnixMillis;
  /** The time of the last miss. Between two distant look-ups the order may have been shown. */
  readonly last: UnixMillis;
}

/**
 * Remembers for how long the venue has not shown orders that rested. A matched order is missing from the open orders and, for a while, from
 * the trades, too. So one look-up that finds nothing does not prove that the order has ended.
 */
export class MissedOrders {
  readonly #misses = new Map<string, Miss>();

  /** Notes that a look-up did not find the order. Returns the milliseconds since the first miss of an unbroken series. */
  noteMiss(venueOrderId: string, now: UnixMillis): number {
    const before = this.#misses.get(venueOrderId);
    // The last miss is in the future if the clock was set back since then; the series then begins anew.
    const goesOn = before !== undefined && before.last <= now && now - before.last <= limits.venueAMissGapMs;
    const since = goesOn ? before.since : now;
    if (before === undefined && this.#misses.size >= limits.venueAOrdersMissedMax)
      this.#misses.delete(this.#misses.keys().next().value!);
    this.#misses.set(venueOrderId, { since, last: now });
    return now - since;
  }

  /** Ends the series, because the order is shown, or its end is known. */
  forget(venueOrderId: string): void {
    this.#misses.delete(venueOrderId);
  }
}
