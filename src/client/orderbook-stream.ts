// The client of /v1/orderbook (contract §8), for Node and browsers. It keeps one connection up, subscribes again after every
// reconnection, folds books, and asks for a snapshot when one of them cannot follow. node-stream.ts and browser-stream.ts
// make one that authenticates itself.
//
//   const stream = createNodeStream({ url: 'ws://127.0.0.1:8080/v1/orderbook', signer });
//   stream.on('book', book => console.log(book.bestBid, book.bestAsk));
//   stream.subscribe('book', [{ venue: 'venue_b', ticker: 'KXNBAGAME-26NOV20BOSLAL-BOS' }]);
//   stream.start();
//
// With a key's scope `read` it follows the key's own orders too: `stream.on('order', …)` and `stream.subscribeOrders()`.

import type { BookState, MarketKey, StateReason } from '../domain/market.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { KeptConnection, type KeptConnectionOptions } from '../net/kept-connection.ts';
import type { Connect } from '../net/websocket.ts';
import type { StreamCodec } from '../wire/codec.ts';
import { jsonCodec } from '../wire/json.ts';
import {
  type Channel,
  type ClientMessage,
  type Delta,
  type HeartbeatBook,
  ORDERS,
  type OrderMessage,
  type OrdersSnapshot,
  type ServerMessage,
  type Snapshot,
  type Trade,
} from '../wire/messages.ts';
import { Emitter } from './emitter.ts';
import { LocalBook } from './local-book.ts';
import { type ErrorMessage, MarketRequests, type StreamRefusal } from './market-requests.ts';
import { nameOf } from './market-wishes.ts';
import { OrderCursor, type OrderSubscription } from './order-cursor.ts';

export interface OrderbookStreamOptions {
  readonly url: string;
  /** JSON unless told otherwise; `protobufCodec` of wire/protobuf.ts is the other. */
  readonly codec?: StreamCodec;
  /** Headers of the upgrade, asked for at every attempt, so that a signature is fresh. If it rejects, the attempt has failed. */
  readonly headers?: KeptConnectionOptions['headers'];
  /** Opens a socket: `connectWebSocket` of net/websocket.ts in Node, browser-socket.ts in a browser. */
  readonly connect: Connect;
  readonly timers?: { after(delayMs: number, task: () => void): () => void };
  /** Uniform in [0, 1): jitter of reconnection. */
  readonly random?: () => number;
}

export interface OrderbookStreamEvents {
  /** Connected or disconnected, and why. While down, books are empty. */
  connection: [isUp: boolean, detail: string];
  /** A book has changed and its checksum was right. */
  book: [book: LocalBook, update: Snapshot | Delta];
  trade: [trade: Trade];
  /** Something has happened to an order of ours: each event once, in the order of their cursors, through every reconnection. */
  order: [message: OrderMessage];
  /** The open orders, or some of them: the events of the cursor were gone (`refused` has said CURSOR_EXPIRED). */
  ordersSnapshot: [snapshot: OrdersSnapshot];
  state: [market: MarketKey, state: BookState, reason: StateReason];
  /** A book could not follow its stream; it is empty until the snapshot that was asked for arrives. */
  gap: [book: LocalBook, cause: 'gap' | 'checksum'];
  /** A market that is refused with `UNKNOWN_MARKET` is no longer wanted; any other is asked for again until it is unsubscribed. */
  refused: [refusal: StreamRefusal];
  /** Every message, after it has taken effect. */
  message: [message: ServerMessage];
  /** A frame of a kind that this client does not know, or not a message at all; it is ignored. */
  unreadable: [detail: string];
}

export class OrderbookStream extends Emitter<OrderbookStreamEvents> {
  readonly #codec: StreamCodec;
  readonly #timers: NonNullable<OrderbookStreamOptions['timers']>;
  readonly #connection: KeptConnection;
  readonly #books = new Map<string, LocalBook>();
  readonly #requests: MarketRequests;
  /** Null while our own orders are not wanted. */
  #orders: OrderCursor | null = null;
  #requestCount = 0;
  #cancelPing: () => void = () => {};
  #cancelOrders: () => void = () => {};

  constructor(options: OrderbookStreamOptions) {
    super();
    const { url, codec = jsonCodec, connect, timers = wallTimers, random = Math.random } = options;
    this.#codec = codec;
    this.#timers = timers;
    this.#requests = new MarketRequests({
      send: message => this.#send(message),
      nextId: () => this.#nextId(),
      isUp: () => this.isUp,
      timers,
      onRefused: refusal => this.emit('refused', refusal),
      onForgotten: (channel, market) => this.#forget(channel, market),
    });
    this.#connection = new KeptConnection(
      {
        url,
        headers: options.headers ?? (() => ({})),
        subprotocols: [codec.subprotocol],
        keepAliveText: null,
        connect,
        timers,
        random,
        backoffMaxMs: limits.streamBackoffMaxMs,
      },
      {
        onUp: () => this.#up(),
        onFrame: frame => this.#read(frame),
        onDown: detail => this.#down(detail),
        onSilence: () => {},
      },
    );
  }

  /** Connects, and keeps connected until `close`. Subscriptions may be made before. */
  start(): void {
    this.#connection.start();
  }

  close(): void {
    this.#cancelOrders();
    this.#requests.reset();
    this.#connection.close();
  }

  get isUp(): boolean {
    return this.#connection.isUp;
  }

  /** The book of a market that is wanted on the book channel; it fills when its snapshot arrives. */
  book(market: MarketKey): LocalBook | undefined {
    return this.#books.get(nameOf(market));
  }

  /** Wants these markets from now on, through every reconnection. */
  subscribe(channel: Channel, markets: readonly MarketKey[]): void {
    for (const market of markets) {
      const name = nameOf(market);
      if (channel === 'book' && !this.#books.has(name)) this.#books.set(name, new LocalBook(market));
    }
    this.#requests.subscribe(channel, markets);
  }

  unsubscribe(channel: Channel, markets: readonly MarketKey[]): void {
    for (const market of markets) this.#forget(channel, market);
    this.#requests.unsubscribe(channel, markets);
  }

  /**
   * Wants what happens to our own orders from now on, or from after a cursor, through every reconnection. It replaces what was
   * wanted before.
   */
  subscribeOrders(subscription: OrderSubscription = {}): void {
    this.unsubscribeOrders();
    this.#orders = new OrderCursor(subscription);
    this.#askOrders();
  }

  /** Disarms cancelOnDisconnect too. */
  unsubscribeOrders(): void {
    if (this.#orders === null) return;
    this.#cancelOrders();
    this.#orders = null;
    this.#send({ op: 'unsubscribe', id: this.#nextId(), channel: ORDERS });
  }

  /** Where to go on from with `subscribeOrders`, in another process too; null before the gateway has said it. */
  get orderCursor(): number | null {
    return this.#orders?.cursor ?? null;
  }

  /** Asks for a book's snapshot; it comes as any other. A gap does this by itself. */
  snapshot(market: MarketKey): void {
    this.#requests.snapshot(market);
  }

  /** Asks for a sign of life; `message` brings the pong. */
  ping(): void {
    this.#send({ op: 'ping', id: this.#nextId() });
  }

  #up(): void {
    // First: `cancelOnDisconnect` has only so long to be asked for again.
    this.#askOrders();
    this.#requests.subscribeAll();
    this.#keepAlive();
    this.emit('connection', true, '');
  }

  #down(detail: string): void {
    this.#cancelPing();
    this.#cancelOrders();
    this.#requests.reset();
    for (const book of this.#books.values()) book.reset();
    this.emit('connection', false, detail);
  }

  /** The server need not say anything while nothing is subscribed; its pongs show that it is there. */
  #keepAlive(): void {
    this.#cancelPing = this.#timers.after(limits.upstreamPingMs, () => {
      this.ping();
      this.#keepAlive();
    });
  }

  #askOrders(): void {
    if (!this.isUp || this.#orders === null) return;
    this.#send(this.#orders.request(this.#nextId()));
  }

  #nextId(): string {
    this.#requestCount += 1;
    return String(this.#requestCount);
  }

  #send(message: ClientMessage): void {
    if (!this.isUp) return;
    const frame = this.#codec.encodeClient(message);
    this.#connection.send(this.#codec.isBinary ? frame : decoder.decode(frame));
  }

  #read(frame: Uint8Array): void {
    let message: ServerMessage;
    try {
      message = this.#codec.decodeServer(frame);
    } catch (error) {
      this.emit('unreadable', String(error));
      return;
    }
    this.#handle(message);
    this.emit('message', message);
  }

  #handle(message: ServerMessage): void {
    switch (message.type) {
      case 'snapshot':
      case 'delta':
        this.#update(message);
        break;
      case 'trade':
        this.emit('trade', message);
        break;
      case 'state':
        this.book(message.market)?.setState(message.state);
        this.emit('state', message.market, message.state, message.reason);
        break;
      case 'heartbeat':
        for (const position of message.books) this.#compare(position);
        break;
      case 'subscribed':
      case 'unsubscribed':
        if (message.type === 'subscribed' && message.channel === ORDERS) this.#orders?.begin(message);
        this.#requests.answered(message);
        break;
      case 'order':
        this.#follow(message);
        break;
      case 'ordersSnapshot':
        if (this.#orders?.replace(message) === true) this.emit('ordersSnapshot', message);
        break;
      case 'error':
        this.#refused(message);
        break;
      case 'snapshotsDone':
        this.#requests.done(message.id);
        break;
      case 'pong':
        break;
      default:
        unreachable(message);
    }
  }

  #follow(message: OrderMessage): void {
    switch (this.#orders?.take(message.cursor)) {
      case 'next':
        this.emit('order', message);
        break;
      case 'gap':
        // Something was lost on the way: what follows the last one is asked for again, at the pace of reconnections.
        this.#connection.restart();
        break;
      default:
        break;
    }
  }

  #update(update: Snapshot | Delta): void {
    const book = this.book(update.market);
    if (book === undefined) return;
    const outcome = book.apply(update);
    if (outcome === 'ignored') return;
    if (outcome === 'applied') {
      this.emit('book', book, update);
      return;
    }
    this.emit('gap', book, outcome);
    // A snapshot that is wrong in itself would be wrong again: start over, at the pace of reconnections.
    if (update.type === 'snapshot') this.#connection.restart();
    else this.snapshot(book.market);
  }

  #compare({ market, epoch, seq }: HeartbeatBook): void {
    const book = this.book(market);
    if (book === undefined || !book.isBehind(epoch, seq)) return;
    book.reset();
    this.emit('gap', book, 'gap');
    this.snapshot(market);
  }

  #refused(message: ErrorMessage): void {
    if (this.#orders?.awaits(message.id) === true) this.#refuseOrders(message);
    else this.#requests.refused(message);
  }

  /** A subscription to orders that has expired goes on with a snapshot; one that was refused for what it asks is no longer wanted. */
  #refuseOrders({ code, message }: ErrorMessage): void {
    let asksAgainInMs: number | null = null;
    if (BOUNDS_THAT_PASS.some(bound => message.includes(bound))) {
      asksAgainInMs = limits.streamRetryMs;
      this.#cancelOrders = this.#timers.after(asksAgainInMs, () => this.#askOrders());
    } else if (code !== 'CURSOR_EXPIRED') this.#orders = null;
    this.emit('refused', { code, message, market: null, asksAgainInMs });
  }

  #forget(channel: Channel, market: MarketKey): void {
    if (channel !== 'book') return;
    this.book(market)?.reset();
    this.#books.delete(nameOf(market));
  }
}

/** What a refusal names that holds for now only. */
const BOUNDS_THAT_PASS = ['streamRequestsWaitingMax' satisfies keyof typeof limits, 'reads of the rate profile'];

const decoder = new TextDecoder();

const wallTimers = {
  after(delayMs: number, task: () => void): () => void {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
