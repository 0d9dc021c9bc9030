// One client of /v1/orderbook: its subscriptions, the snapshots that it still needs, and what happens when it reads too slowly. Requests
// about one market are answered in order and wait for no other market. Pings, orders and refusals wait for no book. Main thread.

import type { SigningKey } from '../../domain/identity.ts';
import type { Venue } from '../../domain/market.ts';
import { unreachable } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { Connection } from '../../net/listen.ts';
import type { StreamCodec } from '../../wire/codec.ts';
import {
  type Channel,
  isAboutOrders,
  type MarketMessage,
  type MarketRequest,
  type MarketsMessage,
  type Rejection,
  type ServerMessage,
} from '../../wire/messages.ts';
import { Allowance, type AllowanceParts } from './allowance.ts';
import type { SnapshotWaiter, StreamBook } from './book.ts';
import type { StreamBooks } from './books.ts';
import { OrderChannel } from './order-channel.ts';
import type { OrderHub } from './order-hub.ts';
import { OwedSnapshots } from './owed-snapshots.ts';
import { RequestLanes, sideRejection, tooManyMarkets } from './request-lanes.ts';
import { SnapshotPace } from './snapshot-pace.ts';
import type { VenueStream } from './venue-stream.ts';

export interface SessionParts extends AllowanceParts {
  readonly codec: StreamCodec;
  /** Signing key of the connection. */
  readonly key: SigningKey;
  readonly books: StreamBooks;
  readonly streams: Readonly<Record<Venue, VenueStream>>;
  /** Null if orders are not served. */
  readonly orders: OrderHub | null;
  /** Calls `task` after other sockets have had their turn. */
  readonly yieldTo: (task: () => void) => void;
}

const TOO_MANY_READS = 'too many reads under this signing key (reads of the rate profile): ask again later';
const POLICY_VIOLATION = 1008;
const TOO_SLOW = 1013;
const INTERNAL_ERROR = 1011;

export class StreamSession implements SnapshotWaiter {
  readonly #parts: SessionParts;
  readonly #connection: Connection<unknown>;
  /** Subscribed channels of each book. */
  readonly #channels = new Map<StreamBook, Set<Channel>>();
  /** Book and trade topics that it receives: those of its channels, except suspended ones and those without a first snapshot. */
  readonly #topics = new Set<string>();
  readonly #owed = new OwedSnapshots();
  readonly #pace: SnapshotPace;
  readonly #orders: OrderChannel;
  readonly #allowance: Allowance;
  readonly #lanes = new RequestLanes();
  /** Markets that requests under way may still add. */
  #acquiring = 0;
  #isClosed = false;
  /** Since when it reads too slowly, by nowMs(); 0 while it keeps up. */
  #behindSince = 0;
  /** Whether its topics are suspended since it reads too slowly. */
  #isSuspended = false;

  constructor(parts: SessionParts, connection: Connection<unknown>) {
    this.#parts = parts;
    this.#connection = connection;
    this.#allowance = new Allowance(parts, parts.key.keyId);
    this.#pace = new SnapshotPace(parts.yieldTo, () => this.catchUp());
    this.#orders = new OrderChannel(parts.orders, parts.key, {
      send: message => this.#send(message),
      batch: task => connection.batch(task),
      hasRoom: () => !this.#isClosed && this.#isReading(),
      postpone: () => this.#postpone(),
      resume: () => this.catchUp(),
      fail: why => this.sayGoodbye(INTERNAL_ERROR, why),
    });
  }

  /** Handles one frame; the caller may reuse it as soon as this returns. */
  receive(frame: Uint8Array): void {
    const decoded = this.#parts.codec.decode(frame);
    const taken = this.#allowance.take(decoded.ok ? decoded.value : null);
    if (taken === 'flood') {
      this.sayGoodbye(POLICY_VIOLATION, 'too many messages (streamUncountedPerS)');
      return;
    }
    if (!decoded.ok) {
      const { id, code, message } = decoded.error;
      this.#send({ type: 'error', id, code, message, rejected: [] });
      return;
    }
    const message = decoded.value;
    if (message.op === 'ping') this.#send({ type: 'pong', id: message.id });
    else if (taken === 'too-many-reads') this.#refuse(message.id, TOO_MANY_READS);
    else if (isAboutOrders(message)) this.#orders.handle(message);
    else this.#enqueue(message);
  }

  /** A book that this client waits for has published a snapshot. */
  onSnapshot(book: StreamBook): void {
    book.waiters.delete(this);
    for (const id of this.#owed.settle(book)) this.#send({ type: 'snapshotsDone', id });
  }

  /** Suspends a client that does not keep up, and disconnects one that never catches up. True if it fell behind just now. */
  checkLag(): boolean {
    if (this.#isClosed || this.#endIfOverdue() || this.#endIfOverfull()) return false;
    return this.#connection.bufferedBytes() > limits.streamLagBytes && this.fallBehind();
  }

  /** Drops deltas, trades and states from here on; `catchUp` replaces them with snapshots. False if it is suspended already. */
  fallBehind(): boolean {
    if (this.#isSuspended) return false;
    this.#isSuspended = true;
    this.#postpone();
    for (const [book, channels] of this.#channels) {
      // This client does not get what the book publishes from here on.
      book.waiters.delete(this);
      for (const channel of channels) this.#leave(book, channel);
    }
    return true;
  }

  /** Unsent bytes went down, or its turn has come: continues postponed work as far as there is room. */
  catchUp(): void {
    if (this.#isClosed || !this.#isBehind || !this.#hasRoom()) return;
    this.#behindSince = this.#parts.nowMs();
    // Orders first: no snapshot replaces them. What has no room is postponed again.
    if (!this.#orders.catchUp()) return;
    this.#connection.batch(() => {
      if (this.#isSuspended) {
        this.#isSuspended = false;
        const message = 'this connection read too slowly: deltas and trades were dropped, snapshots follow';
        this.#send({ type: 'error', id: null, code: 'LAGGED', message, rejected: [] });
      }
      for (const [book, channels] of this.#channels) {
        if (!this.#hasRoom()) {
          this.#postpone();
          return;
        }
        for (const channel of channels) this.#admit(book, channel);
      }
      this.#behindSince = 0;
    });
  }

  /** Ends the connection from our side; the session is over at once. */
  sayGoodbye(code: number, why: string): void {
    this.close();
    this.#connection.end(code, why);
  }

  /** Whether it is over; its connection may still exist. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    for (const [book, channels] of this.#channels) for (const channel of channels) this.#drop(book, channel);
    this.#channels.clear();
    this.#orders.close();
  }

  #enqueue(message: MarketMessage): void {
    if (!this.#lanes.hasRoom) {
      this.#refuse(message.id, 'too many requests are waiting (streamRequestsWaitingMax): wait for answers');
      return;
    }
    this.#lanes.enter(message, () => (this.#isClosed ? undefined : this.#handle(message)));
  }

  #refuse(id: string | null, message: string): void {
    this.#send({ type: 'error', id, code: 'INVALID_REQUEST', message, rejected: [] });
  }

  #handle(message: MarketMessage): Promise<void> | void {
    switch (message.op) {
      case 'subscribe':
        return this.#subscribe(message);
      case 'unsubscribe':
        return this.#unsubscribe(message);
      case 'snapshot':
        return this.#sendSnapshot(message.id, message.market);
      default:
        return unreachable(message);
    }
  }

  async #subscribe({ id, channel, markets }: MarketsMessage): Promise<void> {
    if (channel === 'book' && !this.#mayOwe(id)) return;
    const [before, reserved] = [this.#acquiring, channel === 'book' ? 1 : 0];
    this.#owed.reserved += reserved;
    const answering = Promise.all(markets.map(request => this.#acquire(request)));
    const added = this.#acquiring - before;
    const answers = await answering;
    this.#acquiring -= added;
    this.#owed.reserved -= reserved;
    const accepted = new Set<StreamBook>();
    const rejected: Rejection[] = [];
    for (const answer of answers) {
      if ('code' in answer) rejected.push(answer);
      else if (this.#isClosed) this.#parts.books.release(answer);
      else {
        accepted.add(answer);
        if (!this.#hold(answer, channel)) this.#parts.books.release(answer);
      }
    }
    if (this.#isClosed) return;
    this.#connection.batch(() => {
      this.#acknowledge('subscribed', id, channel, [...accepted], rejected);
      if (channel === 'book' && accepted.size > 0) this.#owed.owe(id, accepted);
      for (const book of accepted) {
        if (this.#isBehind || !this.#hasRoom()) {
          this.#postpone();
          return;
        }
        this.#admit(book, channel);
      }
    });
  }

  async #acquire(request: MarketRequest): Promise<StreamBook | Rejection> {
    const { market } = request;
    const wrongSide = sideRejection(request);
    if (wrongSide !== null) return wrongSide;
    const known = this.#parts.books.find(market);
    if (known === undefined || !this.#channels.has(known)) {
      if (this.#channels.size + this.#acquiring >= limits.marketsPerConnectionMax) return tooManyMarkets(market);
      this.#acquiring += 1;
    }
    const acquisition = await this.#parts.books.acquire(market);
    return 'book' in acquisition ? acquisition.book : { market, ...acquisition.refusal };
  }

  #unsubscribe({ id, channel, markets }: MarketsMessage): void {
    const books: StreamBook[] = [];
    const rejected: Rejection[] = [];
    for (const request of markets) {
      const { market } = request;
      const wrongSide = sideRejection(request);
      const book = this.#parts.books.find(market);
      if (wrongSide !== null) rejected.push(wrongSide);
      else if (book !== undefined && this.#channels.get(book)?.has(channel)) {
        this.#drop(book, channel);
        books.push(book);
      } else
        rejected.push({ market, code: 'NOT_SUBSCRIBED', message: `this connection is not subscribed to ${channel}` });
    }
    this.#acknowledge('unsubscribed', id, channel, books, rejected);
  }

  #sendSnapshot(id: string, request: MarketRequest): void {
    const { market } = request;
    const book = this.#parts.books.find(market);
    const wrongSide = sideRejection(request);
    if (wrongSide !== null || book === undefined || !this.#channels.get(book)?.has('book')) {
      const rejection = wrongSide ?? { market, code: 'NOT_SUBSCRIBED', message: 'subscribe to its book first' };
      this.#send({ type: 'error', id, code: rejection.code, message: rejection.message, rejected: [rejection] });
      return;
    }
    if (!this.#mayOwe(id)) return;
    this.#owed.owe(id, [book]);
    if (this.#isBehind || !this.#hasRoom()) this.#postpone();
    else this.#deliverSnapshot(book);
  }

  /** Whether there is room for one more snapshot request; else it is refused. */
  #mayOwe(id: string): boolean {
    if (this.#owed.hasRoom) return true;
    this.#refuse(id, 'too many snapshots are yet to be sent (snapshotsOwedMax): wait for snapshotsDone');
    return false;
  }

  /** Adds a channel of a book. False if it was there before. */
  #hold(book: StreamBook, channel: Channel): boolean {
    const channels = this.#channels.get(book);
    if (channels === undefined) this.#channels.set(book, new Set([channel]));
    else if (channels.has(channel)) return false;
    else channels.add(channel);
    return true;
  }

  /** Removes a channel of a book. */
  #drop(book: StreamBook, channel: Channel): void {
    const channels = this.#channels.get(book);
    channels?.delete(channel);
    if (channels?.size === 0) this.#channels.delete(book);
    this.#leave(book, channel);
    if (channel === 'book') this.onSnapshot(book);
    this.#parts.books.release(book);
  }

  /** Starts a channel: a book by its snapshot, trades alone by the book's state, then the topic. Or sends a missing snapshot. */
  #admit(book: StreamBook, channel: Channel): void {
    const { bookTopic, tradeTopic } = book.outletOf(this.#parts.codec);
    const isNew = !this.#topics.has(channel === 'book' ? bookTopic : tradeTopic);
    if (channel === 'book' && (isNew || this.#owed.has(book))) this.#deliverSnapshot(book);
    if (channel === 'trade' && isNew && this.#channels.get(book)?.has('book') !== true) this.#sendState(book);
    if (isNew) this.#enter(book, channel);
  }

  get #isBehind(): boolean {
    return this.#behindSince !== 0;
  }

  /** A thousand deep books are not sent at once: they go out as fast as the client reads, a turn's worth at a time. */
  #hasRoom(): boolean {
    return this.#pace.hasRoom && this.#isReading();
  }

  #isReading(): boolean {
    return this.#connection.bufferedBytes() <= limits.streamLagBytes / 4;
  }

  /** Postpones unstarted channels to the next drain or turn. The client's time to catch up restarts when there is room again. */
  #postpone(): void {
    if (!this.#isBehind) this.#behindSince = this.#parts.nowMs();
  }

  #endIfOverdue(): boolean {
    const isOverdue = this.#isBehind && this.#parts.nowMs() - this.#behindSince > limits.streamLagMs;
    if (isOverdue) this.sayGoodbye(TOO_SLOW, 'not drained within streamLagMs');
    return isOverdue;
  }

  #endIfOverfull(): boolean {
    const isOverfull = this.#connection.bufferedBytes() > limits.streamCloseBytes;
    if (isOverfull) this.sayGoodbye(TOO_SLOW, 'more unsent bytes than streamCloseBytes');
    return isOverfull;
  }

  /** From here on the channel's messages come by topic. */
  #enter(book: StreamBook, channel: Channel): void {
    const outlet = book.outletOf(this.#parts.codec);
    const topic = channel === 'book' ? outlet.bookTopic : outlet.tradeTopic;
    // The last message may have closed it: nothing would unsubscribe it from the topic.
    if (this.#isClosed || this.#topics.has(topic)) return;
    this.#topics.add(topic);
    this.#connection.subscribe(topic);
    this.#connection.subscribe(outlet.stateTopic);
    outlet.subscribers[channel] += 1;
  }

  #leave(book: StreamBook, channel: Channel): void {
    const outlet = book.outletOf(this.#parts.codec);
    const { bookTopic, tradeTopic, stateTopic } = outlet;
    const topic = channel === 'book' ? bookTopic : tradeTopic;
    if (!this.#topics.delete(topic)) return;
    this.#connection.unsubscribe(topic);
    outlet.subscribers[channel] -= 1;
    if (!this.#topics.has(bookTopic) && !this.#topics.has(tradeTopic)) this.#connection.unsubscribe(stateTopic);
  }

  /** Sends the book's current snapshot, or the state that delays it. Call before entering its topic. */
  #deliverSnapshot(book: StreamBook): void {
    if (this.#isClosed) return;
    const snapshot = this.#parts.streams[book.venue].snapshotAtPosition(book);
    if (snapshot !== null) {
      this.#pace.count(this.#send(snapshot));
      this.onSnapshot(book);
      return;
    }
    book.waiters.add(this);
    if (!book.isPublished) this.#sendState(book);
  }

  #sendState({ market, state, reason }: StreamBook): void {
    this.#send({ type: 'state', market, state, reason });
  }

  #acknowledge(
    type: 'subscribed' | 'unsubscribed',
    id: string,
    channel: Channel,
    books: readonly StreamBook[],
    rejected: readonly Rejection[],
  ): void {
    const first = rejected[0];
    if (books.length === 0 && first !== undefined) {
      this.#send({ type: 'error', id, code: first.code, message: first.message, rejected });
    } else this.#send({ type, id, channel, accepted: books.map(book => book.market), rejected });
  }

  /** Returns the size of the message in bytes. */
  #send(message: ServerMessage): number {
    if (this.#isClosed) return 0;
    const { codec } = this.#parts;
    const frame = codec.encode(message);
    this.#connection.send(frame, codec.isBinary);
    this.#endIfOverfull();
    return frame.byteLength;
  }
}
