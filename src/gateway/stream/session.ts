// One client of /v1/orderbook: its requests, and the handling of a slow reader. Requests for one market are answered in order, and wait for
// no other market. Pings, orders and refusals wait for no book. Main thread.

import type { SigningKey } from '../../core/domain/identity.ts';
import type { Venue } from '../../core/domain/market.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Connection } from '../../core/net/listen.ts';
import {
  type Channel,
  type ChannelOptions,
  isAboutOrders,
  isAboutOutcomes,
  type MarketMessage,
  type MarketRequest,
  type MarketsMessage,
  type Rejection,
  type ServerMessage,
  type StreamCodec,
} from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import { OutcomeChannel } from '../outcomes/outcome-channel.ts';
import type { OutcomeHub } from '../outcomes/outcome-hub.ts';
import { Allowance, type AllowanceParts } from './allowance.ts';
import type { StreamBook } from './book.ts';
import type { StreamBooks } from './books.ts';
import { MarketSubscriptions, SnapshotPace } from './market-subscriptions.ts';
import { OrderChannel } from './order-channel.ts';
import type { OrderHub } from './order-hub.ts';
import { RequestLanes, sideRejection, tooManyMarkets } from './request-lanes.ts';
import { sourceOf } from './sources.ts';
import type { VenueStream } from './venue-stream.ts';

export interface SessionParts extends AllowanceParts {
  readonly codec: StreamCodec;
  /** The signing key of the connection. */
  readonly key: SigningKey;
  readonly books: StreamBooks;
  readonly streams: Readonly<Record<Venue, VenueStream>>;
  /** Null means that orders are not served. */
  readonly orders: OrderHub | null;
  /** The hub of the outcome channel, which is served only if this hub exists. */
  readonly outcomes?: OutcomeHub;
  /** Calls `task` after other sockets have had their turn. */
  readonly yieldTo: (task: () => void) => void;
}

const TOO_MANY_READS = 'too many reads under this signing key (reads of the rate profile): ask again later';
const POLICY_VIOLATION = 1008;
const TOO_SLOW = 1013;
const INTERNAL_ERROR = 1011;

export class StreamSession {
  readonly #parts: SessionParts;
  readonly #connection: Connection<unknown>;
  readonly #markets: MarketSubscriptions;
  readonly #pace: SnapshotPace;
  readonly #orders: OrderChannel;
  readonly #outcomes: OutcomeChannel;
  readonly #allowance: Allowance;
  readonly #lanes = new RequestLanes();
  /** The number of markets that requests in flight may still add. */
  #acquiring = 0;
  #isClosed = false;
  /** The time by nowMs() since which the client reads too slowly. 0 means that it keeps up. */
  #behindSince = 0;
  /** Whether the connection's topics are suspended because the client reads too slowly. */
  #isSuspended = false;

  constructor(parts: SessionParts, connection: Connection<unknown>) {
    this.#parts = parts;
    this.#connection = connection;
    this.#allowance = new Allowance(parts, parts.key.keyId);
    this.#pace = new SnapshotPace(parts.yieldTo, () => this.catchUp());
    this.#markets = new MarketSubscriptions({
      connection,
      pace: this.#pace,
      send: message => this.#send(message),
      isClosed: () => this.#isClosed,
    });
    this.#outcomes = new OutcomeChannel(parts.outcomes ?? null, {
      codec: parts.codec,
      connection,
      send: message => this.#send(message),
      isClosed: () => this.#isClosed,
      isReading: () => !this.#isBehind && this.#isReading(),
      postpone: () => this.#postpone(),
    });
    this.#orders = new OrderChannel(parts.orders, parts.key, {
      send: message => this.#send(message),
      batch: task => connection.batch(task),
      hasRoom: () => !this.#isClosed && this.#isReading(),
      postpone: () => this.#postpone(),
      resume: () => this.catchUp(),
      fail: why => this.disconnect(INTERNAL_ERROR, why),
    });
  }

  /** Handles one frame. The caller may reuse the frame as soon as this returns. */
  receive(frame: Uint8Array): void {
    const decoded = this.#parts.codec.decode(frame);
    const taken = this.#allowance.take(decoded.ok ? decoded.value : null);
    if (taken === 'flood') {
      this.disconnect(POLICY_VIOLATION, 'too many messages (streamUncountedPerS)');
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
    else if (isAboutOutcomes(message)) this.#outcomes.handle(message);
    else this.#enqueue(message);
  }

  /**
   * Suspends a client that does not keep up, and disconnects a client that never catches up. Returns true if the client fell behind just
   * now.
   */
  checkLag(): boolean {
    if (this.#isClosed || this.#endIfOverdue() || this.#endIfOverfull()) return false;
    return this.#connection.bufferedBytes() > limits.streamLagBytes && this.fallBehind();
  }

  /**
   * Drops deltas, trades and states from now on. `catchUp` replaces them with snapshots. Returns false if the client is suspended already.
   */
  fallBehind(): boolean {
    if (this.#isSuspended) return false;
    this.#isSuspended = true;
    this.#postpone();
    this.#markets.suspend();
    this.#outcomes.suspend();
    return true;
  }

  /** Continues postponed work as far as there is room. Is called when unsent bytes went down, or when the client's turn has come. */
  catchUp(): void {
    if (this.#isClosed || !this.#isBehind || !this.#hasRoom()) return;
    this.#behindSince = this.#parts.nowMs();
    // Orders come first, because no snapshot replaces them. Order messages without room are postponed again.
    if (!this.#orders.catchUp()) return;
    this.#connection.batch(() => {
      if (this.#isSuspended) {
        this.#isSuspended = false;
        const message = 'this connection read too slowly: deltas and trades were dropped, snapshots follow';
        this.#send({ type: 'error', id: null, code: 'LAGGED', message, rejected: [] });
      }
      if (!this.#markets.admitAll(() => this.#hasRoom())) {
        this.#postpone();
        return;
      }
      this.#outcomes.resume();
      this.#behindSince = 0;
    });
  }

  /** Ends the connection from the gateway's side. The session is over at once. */
  disconnect(code: number, why: string): void {
    this.close();
    this.#connection.end(code, why);
  }

  /** Whether the session is over. Its connection may still exist. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#markets.dropAll(book => this.#parts.books.release(book));
    this.#orders.close();
    this.#outcomes.close();
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

  async #subscribe({ id, channel, markets, ...options }: MarketsMessage): Promise<void> {
    if (channel === 'book' && !this.#hasSnapshotRoom(id)) return;
    const [before, reserved] = [this.#acquiring, channel === 'book' ? 1 : 0];
    this.#markets.owedSnapshots.reserved += reserved;
    const answering = Promise.all(markets.map(request => this.#acquire(request)));
    const added = this.#acquiring - before;
    const answers = await answering;
    this.#acquiring -= added;
    this.#markets.owedSnapshots.reserved -= reserved;
    const accepted = new Set<StreamBook>();
    const rejected: Rejection[] = [];
    for (const answer of answers) {
      if ('code' in answer) rejected.push(answer);
      else if (this.#isClosed) this.#parts.books.release(answer);
      else {
        accepted.add(answer);
        if (!this.#hold(answer, channel, options)) this.#parts.books.release(answer);
      }
    }
    if (this.#isClosed) return;
    this.#connection.batch(() => {
      this.#acknowledge('subscribed', id, channel, [...accepted], rejected);
      if (channel === 'book' && accepted.size > 0) this.#markets.owedSnapshots.add(id, accepted);
      for (const book of accepted) {
        if (this.#isBehind || !this.#hasRoom()) {
          this.#postpone();
          return;
        }
        this.#markets.admit(book, channel);
      }
    });
  }

  /** Returns false if the subscription replaced one of the same channel. */
  #hold(book: StreamBook, channel: Channel, options: ChannelOptions): boolean {
    const { streams, codec } = this.#parts;
    return this.#markets.hold(book, sourceOf(streams[book.venue], book, codec, channel, options));
  }

  async #acquire(request: MarketRequest): Promise<StreamBook | Rejection> {
    const { market } = request;
    const wrongSide = sideRejection(request);
    if (wrongSide !== null) return wrongSide;
    const known = this.#parts.books.find(market);
    if (known === undefined || !this.#markets.has(known)) {
      if (this.#markets.count + this.#acquiring >= limits.marketsPerConnectionMax) return tooManyMarkets(market);
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
      else if (book !== undefined && this.#markets.has(book, channel)) {
        this.#markets.drop(book, channel);
        this.#parts.books.release(book);
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
    if (wrongSide !== null || book === undefined || !this.#markets.has(book, 'book')) {
      const rejection = wrongSide ?? { market, code: 'NOT_SUBSCRIBED', message: 'subscribe to its book first' };
      this.#send({ type: 'error', id, code: rejection.code, message: rejection.message, rejected: [rejection] });
      return;
    }
    if (!this.#hasSnapshotRoom(id)) return;
    this.#markets.owedSnapshots.add(id, [book]);
    if (this.#isBehind || !this.#hasRoom()) this.#postpone();
    else this.#markets.deliverSnapshot(book);
  }

  /** Whether there is room for one more snapshot request. If there is not, the request is refused. */
  #hasSnapshotRoom(id: string): boolean {
    if (this.#markets.owedSnapshots.hasRoom) return true;
    this.#refuse(id, 'too many snapshots are yet to be sent (snapshotsOwedMax): wait for snapshotsDone');
    return false;
  }

  get #isBehind(): boolean {
    return this.#behindSince !== 0;
  }

  /**
   * Whether another snapshot may be sent now. A thousand deep books are sent as fast as the client reads, and at most one turn's share in a
   * turn.
   */
  #hasRoom(): boolean {
    return this.#pace.hasRoom && this.#isReading();
  }

  #isReading(): boolean {
    return this.#connection.bufferedBytes() <= limits.streamLagBytes / 4;
  }

  /** Postpones unstarted channels to the next drain or turn. The client's time to catch up starts again when there is room again. */
  #postpone(): void {
    if (!this.#isBehind) this.#behindSince = this.#parts.nowMs();
  }

  #endIfOverdue(): boolean {
    const isOverdue = this.#isBehind && this.#parts.nowMs() - this.#behindSince > limits.streamLagMs;
    if (isOverdue) this.disconnect(TOO_SLOW, 'not drained within streamLagMs');
    return isOverdue;
  }

  #endIfOverfull(): boolean {
    const isOverfull = this.#connection.bufferedBytes() > limits.streamCloseBytes;
    if (isOverfull) this.disconnect(TOO_SLOW, 'more unsent bytes than streamCloseBytes');
    return isOverfull;
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
