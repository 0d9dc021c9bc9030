// One subscription to the caller's own orders: sends each event once, in cursor order. Live events are sent as they come. Older events, for
// clients that were away or read slowly, come from the history, a page at a time, as far as there is room. Nothing is queued here. Main
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
  /** Whether the socket takes more now. */
  hasRoom(): boolean;
  /** Something waits for room: `catchUp` is called when there is some. */
  postpone(): void;
  /** Resumes the messages that `catchUp` held back. */
  resume(): void;
  /** Ends the connection after a fault. */
  fail(why: string): void;
}

interface FollowerParts {
  readonly feed: OrderFeed;
  /** All followers share these turns. */
  readonly turns: ReadingTurns;
  readonly actorId: string;
  readonly outlet: OrderOutlet;
}

/** `live`: everything known was sent. `reading`: a question is under way, or waits for its turn. `full`: waits for room. */
type Standing = 'live' | 'reading' | 'full';

/** Asks the history. The resolved function sends the answer and returns the new standing. */
type Question = () => Promise<() => Standing>;

export class OrderFollower {
  readonly #parts: FollowerParts;
  /** Cursor of the last event that was sent. */
  #cursor = 0;
  /** The highest cursor so far. */
  #heard = 0;
  #standing: Standing = 'reading';
  #question: Question;
  #hasBegun = false;
  /** The rest of the connection waits for the next answer. */
  #isFirst = false;
  #callOff: () => void = () => {};
  #isClosed = false;
  /** Changes of protections and loss limits that are still to be sent; null: all that halt orders are. */
  #owed: Map<string, HaltChange> | null = null;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#question = this.#page;
  }

  /** Whether the subscription was answered. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Answers the subscription; begins after `from`, or with the next event. Call once. */
  begin(id: string | null, from: number | null): void {
    this.#question = from === null ? this.#beginNow(id) : this.#beginAfter(id, from);
    this.#setStanding('reading');
  }

  /** Events that cannot be sent now, or did not come whole, are read later. */
  hear(news: readonly OrderNews[]): void {
    const { outlet } = this.#parts;
    outlet.batch(() => {
      for (const { cursor, record } of news) {
        this.#heard = Math.max(this.#heard, cursor);
        if (this.#standing !== 'live' || cursor <= this.#cursor) continue;
        if (!outlet.hasRoom()) this.#setStanding('full');
        else if (cursor === this.#cursor + 1 && record !== null) this.#tell(record);
        else this.#setStanding('reading');
      }
    });
  }

  /** If a change cannot be sent now, the latest change of each protection and loss limit is sent later. */
  hearHalt(change: HaltChange): void {
    const isLive = this.#standing === 'live';
    if (isLive && this.#parts.outlet.hasRoom()) this.#parts.outlet.send(haltMessage(change));
    else this.#owed?.set(haltName(change), change);
    if (isLive && !this.#parts.outlet.hasRoom()) this.#setStanding('full');
  }

  /** The socket has room again. False: the rest of the connection waits until `resume`, or until there is room again. */
  catchUp(): boolean {
    if (this.#standing === 'full') {
      this.#isFirst = true;
      this.#setStanding('reading');
    }
    return !this.#isFirst;
  }

  close(): void {
    this.#isClosed = true;
    this.#callOff();
    this.#releaseTurn();
  }

  readonly #read = async (): Promise<void> => {
    const { outlet } = this.#parts;
    if (!outlet.hasRoom()) {
      this.#setStanding('full');
      return;
    }
    try {
      const tell = await this.#question();
      if (this.#isClosed) return;
      outlet.batch(() => this.#setStanding(tell()));
      if (this.#standing !== 'full') this.#releaseTurn();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // The client comes back with its cursor and misses nothing.
      if (!this.#isClosed) outlet.fail('the order store cannot be read');
    }
  };

  #setStanding(standing: Standing): void {
    this.#standing = standing;
    // The message may have ended the connection.
    if (this.#isClosed) return;
    switch (standing) {
      case 'live':
        this.#sendOwedEvents();
        break;
      case 'reading':
        this.#callOff = this.#parts.turns.add(this.#read);
        break;
      case 'full':
        this.#parts.outlet.postpone();
        break;
      default:
        unreachable(standing);
    }
  }

  #releaseTurn(): void {
    if (!this.#isFirst) return;
    this.#isFirst = false;
    this.#parts.outlet.resume();
  }

  #beginNow(id: string | null): Question {
    return async () => {
      const { feed, actorId } = this.#parts;
      const cursor = await feed.lastCursor(actorId);
      return () => {
        this.#acknowledge(id, cursor);
        return this.#heard > cursor ? 'reading' : 'live';
      };
    };
  }

  #beginAfter(id: string | null, from: number): Question {
    return async () => {
      const page = await this.#pageAfter(from);
      return () => {
        if (page === null) return this.#expire(id, `from: what followed ${from}`);
        this.#acknowledge(id, from);
        return this.#tellPage(page);
      };
    };
  }

  readonly #page: Question = async () => {
    const page = await this.#pageAfter(this.#cursor);
    return () => {
      if (page !== null) return this.#tellPage(page);
      return this.#expire(null, `this connection read too slowly: what followed ${this.#cursor}`);
    };
  };

  /** Sends the open orders in place of events that are gone. The cursor is read first: an order that changes meanwhile is sent again. */
  #snapshot(id: string | null): Question {
    return async () => {
      const { feed, actorId } = this.#parts;
      const cursor = await feed.lastCursor(actorId);
      return () => {
        this.#cursor = cursor;
        this.#question = this.#partOf(feed.openOrders(actorId), id);
        return 'reading';
      };
    };
  }

  #partOf(parts: AsyncIterator<OpenOrdersPart, undefined>, id: string | null): Question {
    return async () => {
      const { value: part } = await parts.next();
      assert(part !== undefined, 'the last part of a snapshot says so');
      const { orders, hasMore } = part;
      return () => {
        const views = orders.map(venueOrderView);
        this.#parts.outlet.send({ type: 'ordersSnapshot', id, cursor: this.#cursor, orders: views, hasMore });
        if (!hasMore) this.#question = this.#page;
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
    this.#question = this.#page;
    const acknowledgement = { type: 'subscribed', channel: 'orders', accepted: [], rejected: [] } as const;
    this.#parts.outlet.send({ ...acknowledgement, id, cursor });
  }

  /** A short page held everything at the time of the question; events heard since are on the next page. */
  #tellPage(page: readonly ActorEventRecord[]): Standing {
    for (const event of page) {
      if (!this.#parts.outlet.hasRoom()) return 'full';
      this.#tell(event);
    }
    const isFull = page.length === limits.orderEventsPerReadMax;
    return isFull || this.#cursor < this.#heard ? 'reading' : 'live';
  }

  #tell(event: ActorEventRecord): void {
    assert(event.cursor === this.#cursor + 1, `event ${event.cursor} does not follow ${this.#cursor}`);
    this.#cursor = event.cursor;
    this.#parts.outlet.send(eventMessage(event));
  }

  #sendOwedEvents(): void {
    const { feed, actorId } = this.#parts;
    const owed = this.#owed?.values() ?? feed.halts(actorId);
    for (const change of owed) this.#parts.outlet.send(haltMessage(change));
    this.#owed = new Map();
  }

  #expire(id: string | null, what: string): Standing {
    const message = `${what} is not kept any more; a snapshot of the open orders follows`;
    this.#parts.outlet.send({ type: 'error', id, code: 'CURSOR_EXPIRED', message, rejected: [] });
    this.#hasBegun = true;
    this.#question = this.#snapshot(id);
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
 * Queue of followers with much to read. One question at a time goes to the history, and other work gets its turn before the next. So memory
 * holds one page, however many clients come back at once.
 */
export class ReadingTurns {
  readonly #timers: Timers;
  /** Followers in order of arrival. */
  readonly #waiting = new Set<() => Promise<void>>();
  #isBusy = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Calls `read` in its turn, at once if none is under way. The returned function cancels it. */
  add(read: () => Promise<void>): () => void {
    this.#waiting.add(read);
    if (!this.#isBusy) void this.#run();
    return () => this.#waiting.delete(read);
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    // The loop also visits followers that are added meanwhile.
    for (const read of this.#waiting) {
      this.#waiting.delete(read);
      await read();
      await turn(this.#timers);
    }
    this.#isBusy = false;
  }
}
