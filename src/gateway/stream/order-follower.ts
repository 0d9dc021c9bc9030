// One subscription to the caller's own orders: sends each event once, in cursor order. Live events are sent as they come. Clients that were
// away or read slowly get older events from the history, a page at a time, as far as the socket has room. Nothing is queued here. Main
// thread.

import { assert, unreachable } from '../../core/domain/result.ts';
import { type Timers, turn, wallTimers } from '../../core/runtime/timers.ts';
import type { ActorEventRecord } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type {
  ActionMessage,
  LossLimitMessage,
  OrderMessage,
  ProtectionMessage,
  ServerMessage,
} from '../../core/wire/messages.ts';
import { actionView, fillView, protectionView, venueOrderView } from '../../core/wire/order-views.ts';
import { limits } from '../../limits.ts';
import type { OrderNews } from '../../orders/engine/engine-messages.ts';
import { type HaltChange, haltName } from '../../orders/engine/halt-change.ts';
import type { OpenOrdersPart, OrderFeed } from './order-feed.ts';

/** The part of the connection that a follower uses. */
export interface OrderOutlet {
  send(message: ServerMessage): void;
  batch(task: () => void): void;
  /** Whether the socket takes more data now. */
  hasRoom(): boolean;
  /** Asks for a call of `catchUp` once the socket has room again. */
  postpone(): void;
  /** Resumes the connection's other messages, which `catchUp` held back. */
  resume(): void;
  /** Ends the connection after a fault. */
  fail(why: string): void;
}

interface FollowerParts {
  readonly feed: OrderFeed;
  /** The turns in which followers read from the history. All followers share them. */
  readonly turns: ReadingTurns;
  readonly actorId: string;
  readonly outlet: OrderOutlet;
}

/**
 * `live` means that everything known was sent. `reading` means that a query is in flight, or waits for its turn. `full` means that the
 * follower waits for room in the socket.
 */
type Standing = 'live' | 'reading' | 'full';

/** Queries the history. The function that it resolves with sends the answer, and returns the new standing. */
type HistoryQuery = () => Promise<() => Standing>;

export class OrderFollower {
  readonly #parts: FollowerParts;
  /** The cursor of the last event that was sent. */
  #cursor = 0;
  /** The highest cursor that was heard of. */
  #newestCursor = 0;
  #standing: Standing = 'reading';
  #query: HistoryQuery;
  #hasBegun = false;
  /** Whether the connection's other messages wait for the next answer. */
  #holdsOthersBack = false;
  #cancelRead: () => void = () => {};
  #isClosed = false;
  /**
   * The changes of protections and loss limits that are still to be sent. Null means that nothing was sent yet: then the present halts are
   * all to be sent.
   */
  #unsentHalts: Map<string, HaltChange> | null = null;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#query = this.#nextPage;
  }

  /** Whether the subscription has been answered. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Answers the subscription. Events follow from the cursor `from` on, or from the next event on if `from` is null. Must be called once.
   */
  begin(id: string | null, from: number | null): void {
    this.#query = from === null ? this.#beginNow(id) : this.#beginAfter(id, from);
    this.#setStanding('reading');
  }

  /** Takes in events. Events that cannot be sent now, or did not come whole, are read from the history later. */
  handleNews(news: readonly OrderNews[]): void {
    const { outlet } = this.#parts;
    outlet.batch(() => {
      for (const { cursor, record } of news) {
        this.#newestCursor = Math.max(this.#newestCursor, cursor);
        if (this.#standing !== 'live' || cursor <= this.#cursor) continue;
        if (!outlet.hasRoom()) this.#setStanding('full');
        else if (cursor === this.#cursor + 1 && record !== null) this.#sendEvent(record);
        else this.#setStanding('reading');
      }
    });
  }

  /** Takes in a change. If it cannot be sent now, the latest change of each protection and loss limit is sent later. */
  handleHalt(change: HaltChange): void {
    const isLive = this.#standing === 'live';
    if (isLive && this.#parts.outlet.hasRoom()) this.#parts.outlet.send(haltMessage(change));
    else this.#unsentHalts?.set(haltName(change), change);
    if (isLive && !this.#parts.outlet.hasRoom()) this.#setStanding('full');
  }

  /**
   * Is called when the socket has room again. Returns false if the connection's other messages must wait, until `resume` or until there is
   * room again.
   */
  catchUp(): boolean {
    if (this.#standing === 'full') {
      this.#holdsOthersBack = true;
      this.#setStanding('reading');
    }
    return !this.#holdsOthersBack;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRead();
    this.#releaseTurn();
  }

  readonly #read = async (): Promise<void> => {
    const { outlet } = this.#parts;
    if (!outlet.hasRoom()) {
      this.#setStanding('full');
      return;
    }
    try {
      const tell = await this.#query();
      if (this.#isClosed) return;
      outlet.batch(() => this.#setStanding(tell()));
      if (this.#standing !== 'full') this.#releaseTurn();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The client reconnects with its cursor and misses nothing.
      if (!this.#isClosed) outlet.fail('the order store cannot be read');
    }
  };

  #setStanding(standing: Standing): void {
    this.#standing = standing;
    // The last message may have closed the subscription.
    if (this.#isClosed) return;
    switch (standing) {
      case 'live':
        this.#sendHalts();
        break;
      case 'reading':
        this.#cancelRead = this.#parts.turns.add(this.#read);
        break;
      case 'full':
        this.#parts.outlet.postpone();
        break;
      default:
        unreachable(standing);
    }
  }

  #releaseTurn(): void {
    if (!this.#holdsOthersBack) return;
    this.#holdsOthersBack = false;
    this.#parts.outlet.resume();
  }

  #beginNow(id: string | null): HistoryQuery {
    return async () => {
      const { feed, actorId } = this.#parts;
      const cursor = await feed.lastCursor(actorId);
      return () => {
        this.#acknowledge(id, cursor);
        return this.#newestCursor > cursor ? 'reading' : 'live';
      };
    };
  }

  #beginAfter(id: string | null, from: number): HistoryQuery {
    return async () => {
      const page = await this.#pageAfter(from);
      return () => {
        if (page === null) return this.#sendCursorExpired(id, `from: what followed ${from}`);
        this.#acknowledge(id, from);
        return this.#sendPage(page);
      };
    };
  }

  readonly #nextPage: HistoryQuery = async () => {
    const page = await this.#pageAfter(this.#cursor);
    return () => {
      if (page !== null) return this.#sendPage(page);
      return this.#sendCursorExpired(null, `this connection read too slowly: what followed ${this.#cursor}`);
    };
  };

  /**
   * Sends the open orders in place of events that are no longer stored. The cursor is read first, so an order that changes during the
   * reading is sent again.
   */
  #snapshot(id: string | null): HistoryQuery {
    return async () => {
      const { feed, actorId } = this.#parts;
      const cursor = await feed.lastCursor(actorId);
      return () => {
        this.#cursor = cursor;
        this.#query = this.#openOrdersPart(feed.openOrders(actorId), id);
        return 'reading';
      };
    };
  }

  #openOrdersPart(parts: AsyncIterator<OpenOrdersPart, undefined>, id: string | null): HistoryQuery {
    return async () => {
      const { value: part } = await parts.next();
      assert(part !== undefined, 'the last part of a snapshot says so');
      const { orders, hasMore } = part;
      return () => {
        const views = orders.map(venueOrderView);
        this.#parts.outlet.send({ type: 'ordersSnapshot', id, cursor: this.#cursor, orders: views, hasMore });
        if (!hasMore) this.#query = this.#nextPage;
        return 'reading';
      };
    };
  }

  #pageAfter(cursor: number): Promise<readonly ActorEventRecord[] | null> {
    const { feed, actorId } = this.#parts;
    return feed.events(actorId, cursor, limits.orderEventsPerReadMax);
  }

  #acknowledge(id: string | null, cursor: number): void {
    this.#hasBegun = true;
    this.#cursor = cursor;
    this.#query = this.#nextPage;
    const acknowledgement = { type: 'subscribed', channel: 'orders', accepted: [], rejected: [] } as const;
    this.#parts.outlet.send({ ...acknowledgement, id, cursor });
  }

  /**
   * Sends a page of events. A page that is not full had all events at the time of the query. Events heard since then are on the next page.
   */
  #sendPage(page: readonly ActorEventRecord[]): Standing {
    for (const event of page) {
      if (!this.#parts.outlet.hasRoom()) return 'full';
      this.#sendEvent(event);
    }
    const isFull = page.length === limits.orderEventsPerReadMax;
    return isFull || this.#cursor < this.#newestCursor ? 'reading' : 'live';
  }

  #sendEvent(event: ActorEventRecord): void {
    assert(event.cursor === this.#cursor + 1, `event ${event.cursor} does not follow ${this.#cursor}`);
    this.#cursor = event.cursor;
    this.#parts.outlet.send(eventMessage(event));
  }

  #sendHalts(): void {
    const { feed, actorId } = this.#parts;
    const owed = this.#unsentHalts?.values() ?? feed.halts(actorId);
    for (const change of owed) this.#parts.outlet.send(haltMessage(change));
    this.#unsentHalts = new Map();
  }

  #sendCursorExpired(id: string | null, what: string): Standing {
    const message = `${what} is not kept any more; a snapshot of the open orders follows`;
    this.#parts.outlet.send({ type: 'error', id, code: 'CURSOR_EXPIRED', message, rejected: [] });
    this.#hasBegun = true;
    this.#query = this.#snapshot(id);
    return 'reading';
  }
}

function haltMessage(change: HaltChange): ProtectionMessage | LossLimitMessage {
  if (change.type === 'lossLimit') {
    const { type, event, scope, limit } = change;
    return { type, event, scope, lossLimit: limit };
  }
  const { type, event, protection } = change;
  return { type, event, protection: protectionView(protection, wallTimers.now()) };
}

function eventMessage(record: ActorEventRecord): OrderMessage | ActionMessage {
  const { cursor, event } = record;
  if (event === 'ACTION') return { type: 'action', cursor, event, action: actionView(record.action) };
  const { order, fill } = record;
  return { type: 'order', cursor, event, ...venueOrderView(order), fill: fill === null ? null : fillView(fill) };
}

/**
 * The queue of followers that have much to read. The history gets one query at a time, and other work gets its turn before the next query.
 * So memory holds only one page, however many clients return at once.
 */
export class ReadingTurns {
  readonly #timers: Timers;
  /** The waiting followers in order of arrival. */
  readonly #waiting = new Set<() => Promise<void>>();
  #isBusy = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Calls `read` in its turn, or at once if no other call runs. The returned function cancels the call. */
  add(read: () => Promise<void>): () => void {
    this.#waiting.add(read);
    if (!this.#isBusy) void this.#run();
    return () => this.#waiting.delete(read);
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    // This loop also visits followers that are added while it runs.
    for (const read of this.#waiting) {
      this.#waiting.delete(read);
      await read();
      await turn(this.#timers);
    }
    this.#isBusy = false;
  }
}
