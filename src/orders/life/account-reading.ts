// Reads an account from its venue: the fills since the last reading, the resting orders, and every open order of ours that neither list
// mentions. Runs at the start, after each connection of the private stream, and periodically, since a stream may miss events. Engine
// thread.

import { isFinal } from '../../core/domain/fill.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { isTerminal, type Order, type OrderId } from '../../core/domain/order.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { hasCome, inTurns } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { Listed, UnreadRow, VenueFill, VenueOrder } from '../../venues/venue.ts';
import type { AccountParts } from './account-parts.ts';
import { orderOfTrace } from './adoption.ts';
import { isTakenLate } from './answers.ts';
import type { HeldRows } from './held-rows.ts';
import type { MissedNews } from './missed-news.ts';
import { type Part, putReadMark, ReadingWindow, readMark } from './reading-window.ts';
import { releaseUnsent } from './reconcile.ts';
import type { ReconcileScheduler } from './reconcile-scheduler.ts';
import { UnreportedFills } from './unreported-fills.ts';

type ReadingParts = Pick<
  AccountParts,
  'account' | 'trading' | 'ledger' | 'timers' | 'background' | 'announce' | 'actorsOf' | 'storeFailed'
>;

/** Applies what a reading finds. */
interface Reader {
  fill(fill: VenueFill): void;
  order(order: VenueOrder): void;
  /** Whether everything that was handed over is in the store. */
  isComplete(): boolean;
}

interface ReadingHelpers {
  readonly scheduler: ReconcileScheduler;
  readonly reader: Reader;
  readonly held: HeldRows;
  readonly missed: MissedNews;
}

interface From {
  readonly since: UnixMillis;
}

interface Read {
  readonly part: Part;
  /** The time up to which the part is complete. Null means that the venue, which usually states it, does not state it now. */
  readonly asOf: UnixMillis | null;
  readonly fills: Listed<VenueFill>;
  readonly open: Listed<VenueOrder>;
  /** Orders that are unknown here, but that fills name. */
  readonly strange: readonly VenueOrder[];
}

export class AccountReading {
  readonly #parts: ReadingParts;
  readonly #scheduler: ReconcileScheduler;
  readonly #reader: Reader;
  readonly #unreported: UnreportedFills;
  readonly #held: HeldRows;
  readonly #missed: MissedNews;
  readonly #startedAt: UnixMillis;
  readonly #window = new ReadingWindow();
  /** The trade time of the oldest fill in this reading that may still fail. Null means that no such fill was read. */
  #unsettledSince: UnixMillis | null = null;
  #isRead = false;
  #isReading = false;
  #isWantedAgain = false;
  #dueAt: number;
  #pauseMs: number = limits.accountReadRetryMs;
  /**
   * A time before the mark from which older fills are to be read. Each request makes a new object, so that a request during a reading is
   * noticed.
   */
  #requestedFrom: From | null = null;
  #lastReadAt = 0 as UnixMillis;
  #readUpTo = 0 as UnixMillis;
  /** The mark as it would be without unreadable rows. Null means that it is the stored mark. */
  #lenientMark: UnixMillis | null = null;
  /** The number of consecutive failures to list the orders of unknown fills. */
  #listFailures = 0;
  /** Why the last reading failed. Null means that it succeeded, undefined that there was no reading yet. */
  #lastFailure: string | null | undefined = undefined;

  constructor(parts: ReadingParts, { scheduler, reader, held, missed }: ReadingHelpers) {
    this.#parts = parts;
    this.#scheduler = scheduler;
    this.#reader = reader;
    this.#held = held;
    this.#missed = missed;
    this.#unreported = new UnreportedFills(parts);
    this.#startedAt = parts.timers.now();
    this.#dueAt = this.#startedAt;
  }

  /** Whether everything was read and looked up at least once since the start. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The time at which the last successful reading began. */
  get lastReadAt(): UnixMillis {
    return this.#lastReadAt;
  }

  /** Everything up to this time is applied. The time may lie before the reading, since the venue's lists lag. */
  get readUpTo(): UnixMillis {
    return this.#readUpTo;
  }

  readFrom(since: UnixMillis): void {
    this.#requestedFrom = { since: Math.min(since, this.#requestedFrom?.since ?? since) as UnixMillis };
    this.#window.restart();
    this.#held.restartReading();
    this.#dueAt = this.#parts.timers.now();
  }

  /** Schedules a reading for the next sweep. */
  readSoon(): void {
    this.#dueAt = Math.min(this.#dueAt, this.#parts.timers.now());
  }

  /** Schedules a reading after an unreadable message of the stream. At most one reading starts per `accountRereadMs`. */
  reread(): void {
    const earliest = this.#lastReadAt + limits.accountRereadMs;
    this.#dueAt = Math.min(this.#dueAt, Math.max(this.#parts.timers.now(), earliest));
  }

  async readIfDue(): Promise<void> {
    if (hasCome(this.#dueAt, this.#parts.timers.now(), limits.accountReadMs)) await this.read();
  }

  /** Reads the account. A call during a reading makes another reading follow. */
  async read(): Promise<void> {
    this.#isWantedAgain = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isWantedAgain && !this.#parts.background.isEnding) {
      this.#isWantedAgain = false;
      this.#schedule(await this.#readOrFail());
    }
    this.#isReading = false;
  }

  /** Sets the time of the next reading. `unreported` means that everything was read, but the venue has not reported some numbers yet. */
  #schedule(outcome: 'done' | 'part' | 'unreported' | 'failed'): void {
    const pausesMs = { done: limits.accountReadMs, part: 0, unreported: this.#pauseMs, failed: this.#pauseMs };
    this.#dueAt = this.#parts.timers.now() + pausesMs[outcome];
    const nextMs = outcome === 'failed' || outcome === 'unreported' ? 2 * this.#pauseMs : limits.accountReadRetryMs;
    this.#pauseMs = Math.min(nextMs, limits.accountReadRetryMsMax);
  }

  async #readOrFail(): Promise<'done' | 'part' | 'unreported' | 'failed'> {
    try {
      return await this.#readOnce();
    } catch (error) {
      this.#parts.storeFailed(error);
      this.#missed.noteMissed();
      // A part that was not applied as a whole must be read again.
      this.#window.restart();
      return this.#noteFailure('the order store cannot be read, or takes no changes');
    }
  }

  /** Reads one part of the account. `part` means that more remains to be read. */
  async #readOnce(): Promise<'done' | 'part' | 'unreported' | 'failed'> {
    const { ledger, timers, account } = this.#parts;
    const startedAt = timers.now();
    const missedBefore = this.#missed.count;
    if (!this.#isRead) this.#resume();
    const alive: Order[] = [];
    for await (const { order } of inSlices(ledger.store.openOrders(account))) alive.push(order);
    const from = this.#requestedFrom;
    const read = await this.#readPart(from, startedAt);
    if (!read.ok) return this.#noteFailure(read.error);
    const { asOf, part, fills, open, strange } = read.value;
    // Orders come first, because a fill may name an order that only this list shows.
    for await (const order of inSlices([...open.rows, ...strange])) this.#reader.order(order);
    this.#held.addFound([...open.unread, ...fills.unread]);
    for await (const fill of inSlices(fills.rows)) this.#reader.fill(fill);
    this.#unsettledSince = earliest(this.#unsettledSince, fills.rows);
    if (part.until !== null) {
      this.#keepMark(part, asOf === null ? null : (Math.min(asOf, part.until) as UnixMillis));
      return 'part';
    }
    this.#held.endReading();
    if (this.#requestedFrom === from) this.#requestedFrom = null;
    const areAnswered = await this.#scheduler.lookAll(await this.#unlistedOrders(alive, open.rows, startedAt));
    this.#lastReadAt = startedAt;
    this.#readUpTo = asOf ?? startedAt;
    const isAccountHeld = this.#held.isAccountHeld;
    if (areAnswered && !isAccountHeld) this.#isRead = true;
    this.#keepMark(part, asOf);
    this.#unsettledSince = null;
    await this.#unreported.searchDue();
    if (!areAnswered) return this.#noteFailure('not every order of the account could be looked up');
    if (isAccountHeld)
      return this.#noteFailure('it lists a row that cannot be read and that names neither order nor market');
    this.#announce(null);
    this.#missed.noteRead(missedBefore);
    return this.#held.isAnyUnreported ? 'unreported' : 'done';
  }

  /**
   * Moves the mark, but keeps it before fills that the lists lack or that may still fail. The stream may miss the changes of such fills.
   */
  #keepMark(part: Part, readUpTo: UnixMillis | null): void {
    const { ledger, account, timers } = this.#parts;
    if (readUpTo === null || !this.#reader.isComplete()) return;
    const oldest = timers.now() - limits.accountSettlingMs;
    const passed = Math.min(readUpTo, Math.max(this.#unsettledSince ?? readUpTo, oldest)) as UnixMillis;
    const held = this.#held.oldestTime;
    const unmoved = () => readMark(ledger.store, account, timers.now()) ?? part.since;
    const mark = held === null ? passed : held === 'unknown' ? unmoved() : (Math.min(passed, held) as UnixMillis);
    this.#lenientMark = held === null || held === 'unknown' ? null : passed;
    ledger.change(({ transaction }) => putReadMark(transaction, account, mark));
  }

  #noteFailure(trouble: string): 'failed' {
    this.#announce(trouble);
    return 'failed';
  }

  #announce(trouble: string | null): void {
    if (trouble === this.#lastFailure) return;
    this.#lastFailure = trouble;
    const { account, announce } = this.#parts;
    announce(account, trouble === null ? { type: 'read' } : { type: 'unread', message: trouble });
  }

  async #readPart(from: From | null, now: UnixMillis): Promise<Result<Read, string>> {
    const { ledger, trading, account } = this.#parts;
    const kept = readMark(ledger.store, account, now);
    // Unreadable rows are requested by their own times, so that the readable rows after them are not all read again.
    const mark = this.#lenientMark !== null && this.#lenientMark <= now ? this.#lenientMark : kept;
    const last = mark === null ? now - limits.accountFirstReadMs : mark - limits.accountReadOverlapMs;
    // The time is asked before the lists, so that the lists can only be newer.
    const said = await trading.asOf();
    const asOf = said.ok ? (Math.min(now, said.value ?? now) as UnixMillis) : null;
    const open = await trading.openOrders();
    if (!open.ok) return fail(open.error);
    const part = this.#window.next(Math.min(last, from?.since ?? last) as UnixMillis, asOf ?? now);
    const fills = await this.#fillsOf(part);
    if (!fills.ok) this.#window.shrink(part, now);
    if (!fills.ok) return fail(fills.error);
    const strange = await this.#unknownOrders(fills.value.rows, open.value.rows, part.since);
    if (!strange.ok) return strange;
    // A request that came meanwhile may need older fills, which begin before this part.
    if (this.#requestedFrom === from) this.#window.advance(part);
    return ok({ part, asOf, fills: fills.value, open: open.value, strange: strange.value });
  }

  /** Reads the fills of a part. The last part also includes the times of older rows that were unreadable before. */
  async #fillsOf(part: Part): Promise<Result<Listed<VenueFill>, string>> {
    const { trading } = this.#parts;
    const [rows, unread]: [VenueFill[], UnreadRow[]] = [[], []];
    for (const { since, until } of [...(part.until === null ? this.#held.spansBefore(part.since) : []), part]) {
      const fills = await trading.fillsSince(since, until);
      if (!fills.ok) return fills;
      for (const fill of fills.value.rows) rows.push(fill);
      unread.push(...fills.value.unread);
    }
    return ok({ rows, unread });
  }

  /**
   * Returns the orders of fills that are unknown here. Lists of fills do not name the owner, but the order does if it was made here and its
   * record is lost.
   */
  async #unknownOrders(
    fills: readonly VenueFill[],
    open: readonly VenueOrder[],
    since: UnixMillis,
  ): Promise<Result<readonly VenueOrder[], string>> {
    const { ledger, trading, account } = this.#parts;
    const isNew = ({ fillId }: VenueFill): boolean => ledger.store.fill(account, fillId) === null;
    const listed = new Set(open.map(order => order.venueOrderId));
    const unknown = fills.filter(
      fill => !listed.has(fill.venueOrderId) && isNew(fill) && orderOfTrace(ledger.store, account, fill) === null,
    );
    if (unknown.length === 0) return ok([]);
    const wanted = new Set(unknown.map(fill => fill.venueOrderId));
    const made = await trading.ordersSince(since);
    if (made.ok) this.#listFailures = 0;
    else if (++this.#listFailures < limits.strangeOrdersAttemptsMax) return made;
    // It is worth a few attempts to find the owner, but they must not block the account. After the last attempt the fill is unattributed
    // and logged.
    return ok(made.ok ? made.value.filter(order => wanted.has(order.venueOrderId)) : []);
  }

  /** Returns orders that existed before the request and are missing in the list of resting orders. */
  async #unlistedOrders(
    alive: readonly Order[],
    open: readonly VenueOrder[],
    startedAt: UnixMillis,
  ): Promise<readonly OrderId[]> {
    const { ledger, account } = this.#parts;
    const listed = new Set<OrderId | null>();
    for await (const order of inSlices(open)) listed.add(orderOfTrace(ledger.store, account, order));
    const isYoung = ({ status, updatedAt }: Order): boolean =>
      this.#isRead && status === 'SUBMITTED' && updatedAt > startedAt - limits.lookPauseMs;
    const missing = alive.filter(order => !listed.has(order.orderId) && !isYoung(order)).map(({ orderId }) => orderId);
    return missing.filter(orderId => !isTerminal(ledger.store.order(orderId)?.order.status ?? 'REJECTED'));
  }

  /** Goes on with orders of an earlier process: it recorded them without sending them, or did not end them after a late trace. */
  #resume(): void {
    const { ledger, account, actorsOf } = this.#parts;
    for (const actorId of actorsOf(account.podId))
      for (const stored of ledger.store.ordersOf(actorId, account.venue, null))
        if (isTakenLate(stored)) this.#scheduler.resumeTrace(stored.order.orderId);
    for (const { order } of [...ledger.store.openOrders(account)]) {
      if (order.status !== 'PENDING' || order.updatedAt > this.#startedAt) continue;
      ledger.change(entry => releaseUnsent(entry, order.orderId, 'the gateway ended before it was sent'));
    }
  }
}

/** Yields the rows in slices. Other messages of the venue get their turn between slices, however long the list is. */
function inSlices<T>(rows: Iterable<T>): AsyncIterable<T> {
  return inTurns(rows, limits.accountRowsPerTurnMax);
}

function earliest(before: UnixMillis | null, fills: readonly VenueFill[]): UnixMillis | null {
  return fills.reduce(
    (first, { settlement, executedAt }) =>
      isFinal(settlement) || (first !== null && first <= executedAt) ? first : executedAt,
    before,
  );
}
