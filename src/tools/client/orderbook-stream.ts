// The client of /v1/orderbook (contract §8), for Node and browsers. It keeps one connection, subscribes again after every reconnection and
// keeps books up to date. It requests a snapshot when a book has a gap. node-stream.ts and browser-stream.ts add authentication.
//
// With a key's scope `read` it follows the key's own orders too: `stream.on('order', …)` and `stream.subscribeOrders()`.

import type { BookState, MarketKey, StateReason } from '../../core/domain/market.ts';
import { unreachable } from '../../core/domain/result.ts';
import { KeptConnection, type KeptConnectionOptions, portableTimers } from '../../core/net/kept-connection.ts';
import type { Connect } from '../../core/net/websocket.ts';
import { jsonClientCodec } from '../../core/wire/json.ts';
import {
  type ActionMessage,
  type Channel,
  type ChannelOptions,
  type ClientCodec,
  type ClientMessage,
  type Delta,
  type HeartbeatBook,
  type LossLimitMessage,
  ORDERS,
  type OrderMessage,
  type OrdersSnapshot,
  OUTCOME,
  type OutcomeMessage,
  type ProtectionMessage,
  type QueueMessage,
  type Quote,
  type ServerMessage,
  type Snapshot,
  type Trade,
} from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import { Emitter } from './emitter.ts';
import { LocalBook } from './local-book.ts';
import { type ErrorMessage, MarketRequests, OutcomeRequests, type StreamRefusal } from './market-requests.ts';
import { OrderCursor, type OrderSubscription } from './order-cursor.ts';
import { nameOf } from './subscription-requests.ts';

export interface OrderbookStreamOptions {
  readonly url: string;
  /** The form of the messages. The default is JSON. `protobufCodec` of core/wire/protobuf.ts is the alternative. */
  readonly codec?: ClientCodec;
  /** Returns the headers of the upgrade. Called for every attempt, so that signatures are fresh. If it rejects, the attempt fails. */
  readonly headers?: KeptConnectionOptions['headers'];
  /** Opens a socket: `connectWebSocket` of core/net/websocket.ts in Node, browser-stream.ts in a browser. */
  readonly connect: Connect;
  /** Makes the next connection to the gateway that owns the key's pod. Returns false if it may not go there, or is there already. */
  readonly follow?: (owner: string) => boolean;
  readonly timers?: { after(delayMs: number, task: () => void): () => void };
  /** Returns a number in [0, 1), for the jitter of reconnections. */
  readonly random?: () => number;
}

export interface OrderbookStreamEvents {
  /** The client has connected or disconnected, with the reason. Books are empty while it is disconnected. */
  connection: [isUp: boolean, detail: string];
  /** A book has changed, and its checksum matches. */
  book: [book: LocalBook, update: Snapshot | Delta];
  trade: [trade: Trade];
  /** The best levels of a book, or its state, have changed. */
  quote: [quote: Quote];
  /** The best routes of a market of the catalog have changed. */
  outcome: [message: OutcomeMessage];
  /** An event of the key's own orders. Each event comes once, in the order of cursors, across reconnections. */
  order: [message: OrderMessage];
  /** The open orders, or a part of them. Comes if the events after the cursor are gone, after a `refused` with CURSOR_EXPIRED. */
  ordersSnapshot: [snapshot: OrdersSnapshot];
  /** A redeem, split or merge of our actor has changed. */
  action: [message: ActionMessage];
  /** A protection or a loss limit has changed. After each connection also those that are triggered or reached already. */
  protection: [message: ProtectionMessage];
  lossLimit: [message: LossLimitMessage];
  queue: [message: QueueMessage];
  state: [market: MarketKey, state: BookState, reason: StateReason];
  /** A book has lost its sequence. It is empty until the requested snapshot arrives. */
  gap: [book: LocalBook, cause: 'gap' | 'checksum'];
  /**
   * A request was refused. After `UNKNOWN_MARKET` the client no longer subscribes to the market. After any other refusal the client retries
   * until the market is unsubscribed.
   */
  refused: [refusal: StreamRefusal];
  /** Every message, after the client has applied it. */
  message: [message: ServerMessage];
  /** A frame of an unknown kind, or a frame that is no message. The client ignores the frame. */
  unreadable: [detail: string];
}

export class OrderbookStream extends Emitter<OrderbookStreamEvents> {
  readonly #codec: ClientCodec;
  readonly #timers: NonNullable<OrderbookStreamOptions['timers']>;
  readonly #connection: KeptConnection;
  readonly #follow: NonNullable<OrderbookStreamOptions['follow']>;
  readonly #books = new Map<string, LocalBook>();
  readonly #requests: MarketRequests;
  readonly #outcomes: OutcomeRequests;
  /** Null means that there is no subscription to the key's own orders. */
  #orders: OrderCursor | null = null;
  /** The requests of ended subscriptions to orders, by id. The value is true for an unsubscribe. Their refusals are not reported. */
  readonly #over = new Map<string, boolean>();
  #requestCount = 0;
  #cancelPing: () => void = () => {};
  #cancelOrders: () => void = () => {};

  constructor(options: OrderbookStreamOptions) {
    super();
    const { url, codec = jsonClientCodec, connect, timers = portableTimers, random = Math.random } = options;
    this.#codec = codec;
    this.#follow = options.follow ?? (() => false);
    this.#timers = timers;
    const parts = {
      send: (message: ClientMessage) => this.#send(message),
      nextId: () => this.#nextId(),
      timers,
      onRefused: (refusal: StreamRefusal) => this.emit('refused', refusal),
    };
    const onForgotten = (channel: Channel, market: MarketKey): void => this.#forget(channel, market);
    this.#requests = new MarketRequests({ ...parts, isUp: () => this.isUp, onForgotten });
    this.#outcomes = new OutcomeRequests(parts);
    this.#connection = new KeptConnection(
      {
        url,
        headers: options.headers ?? (() => ({})),
        subprotocols: [codec.subprotocol],
        keepAlive: null,
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

  /** Connects, and reconnects until `close` is called. Subscriptions may be made before. */
  start(): void {
    this.#connection.start();
  }

  close(): void {
    this.#cancelOrders();
    this.#requests.reset();
    this.#outcomes.reset();
    this.#connection.close();
  }

  get isUp(): boolean {
    return this.#connection.isUp;
  }

  /** The book of a subscribed market. It is empty until its snapshot arrives. */
  book(market: MarketKey): LocalBook | undefined {
    return this.#books.get(nameOf(market));
  }

  /**
   * Subscribes now and after every reconnection. On the book channel `depth` keeps only the best levels. `minIntervalMs` is for the quote
   * channel. A market has one subscription for each channel, which a later call replaces.
   */
  subscribe(channel: Channel, markets: readonly MarketKey[], options: ChannelOptions = {}): void {
    for (const market of markets) {
      const name = nameOf(market);
      if (channel === 'book' && !this.#books.has(name)) this.#books.set(name, new LocalBook(market));
    }
    this.#requests.subscribe(channel, markets, options);
  }

  unsubscribe(channel: Channel, markets: readonly MarketKey[]): void {
    for (const market of markets) this.#forget(channel, market);
    this.#requests.unsubscribe(channel, markets);
  }

  /** Subscribes to the best routes of markets of the catalog, by id, now and after every reconnection. */
  subscribeOutcomes(catalogMarkets: readonly string[], { minIntervalMs = 0 } = {}): void {
    this.#outcomes.subscribe(catalogMarkets, minIntervalMs);
  }

  unsubscribeOutcomes(catalogMarkets: readonly string[]): void {
    this.#outcomes.unsubscribe(catalogMarkets);
  }

  /** Subscribes to events of our own orders, from now on or after a cursor, across reconnections. Replaces an earlier subscription. */
  subscribeOrders(subscription: OrderSubscription = {}): void {
    this.unsubscribeOrders();
    this.#orders = new OrderCursor(subscription);
    this.#requestOrders();
  }

  /** Ends the subscription to our own orders, and disarms cancelOnDisconnect. */
  unsubscribeOrders(): void {
    if (this.#orders === null) return;
    this.#cancelOrders();
    const { awaited } = this.#orders;
    this.#orders = null;
    if (!this.isUp) return;
    const id = this.#nextId();
    if (awaited !== null) this.#over.set(awaited, false);
    this.#over.set(id, true);
    this.#send({ op: 'unsubscribe', id, channel: ORDERS });
  }

  /** The cursor to continue from with `subscribeOrders`, also in another process. Null until the gateway has sent a cursor. */
  get orderCursor(): number | null {
    return this.#orders?.cursor ?? null;
  }

  /** Requests a snapshot of a book. After a gap the client requests the snapshot by itself. */
  snapshot(market: MarketKey): void {
    this.#requests.snapshot(market);
  }

  /** Sends a ping; the pong arrives as a `message`. */
  ping(): void {
    this.#send({ op: 'ping', id: this.#nextId() });
  }

  #up(): void {
    // This comes first, because `cancelOnDisconnect` must be renewed within 10 seconds.
    this.#requestOrders();
    this.#requests.subscribeAll();
    this.#outcomes.subscribeAll();
    this.#keepAlive();
    this.emit('connection', true, '');
  }

  #down(detail: string): void {
    this.#cancelPing();
    this.#cancelOrders();
    this.#over.clear();
    this.#requests.reset();
    this.#outcomes.reset();
    for (const book of this.#books.values()) book.reset();
    this.emit('connection', false, detail);
  }

  /** Sends pings. Without subscriptions the server may be silent, but its pongs show that it is alive. */
  #keepAlive(): void {
    this.#cancelPing = this.#timers.after(limits.upstreamPingMs, () => {
      this.ping();
      this.#keepAlive();
    });
  }

  #requestOrders(): void {
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
      case 'quote':
        this.emit('quote', message);
        break;
      case 'outcome':
        this.emit('outcome', message);
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
        if (message.channel === OUTCOME) this.#outcomes.answered(message);
        else {
          if (message.channel === ORDERS) this.#over.delete(message.id ?? '');
          if (message.type === 'subscribed' && message.channel === ORDERS) this.#orders?.begin(message);
          this.#requests.answered(message);
        }
        break;
      case 'order':
        if (this.#isNextEvent(message.cursor)) this.emit('order', message);
        break;
      case 'action':
        if (this.#isNextEvent(message.cursor)) this.emit('action', message);
        break;
      case 'ordersSnapshot':
        if (this.#orders?.replace(message) === true) this.emit('ordersSnapshot', message);
        break;
      case 'protection':
        this.emit('protection', message);
        break;
      case 'lossLimit':
        this.emit('lossLimit', message);
        break;
      case 'queue':
        this.emit('queue', message);
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

  #isNextEvent(cursor: number): boolean {
    const taken = this.#orders?.take(cursor);
    // An event was lost. The client subscribes again after the last event, at the pace of reconnections.
    if (taken === 'gap') this.#connection.restart();
    return taken === 'next';
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
    // A second snapshot would have a wrong checksum, too. The client reconnects instead, at the pace of reconnections.
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
    const id = message.id ?? '';
    const isEnd = this.#over.get(id);
    this.#over.delete(id);
    if (isEnd === false || (isEnd === true && message.code === 'NOT_SUBSCRIBED')) return;
    if (message.podOwner !== undefined && this.#follow(message.podOwner)) this.#connection.restart();
    else if (this.#orders?.awaits(message.id) === true) this.#refuseOrders(message);
    else if (!this.#outcomes.refused(message)) this.#requests.refused(message);
  }

  /** After an expired cursor the subscription goes on with a snapshot. If the request itself is refused, the subscription ends. */
  #refuseOrders({ code, message }: ErrorMessage): void {
    let asksAgainInMs: number | null = null;
    if (BOUNDS_THAT_PASS.some(bound => message.includes(bound))) {
      asksAgainInMs = limits.streamRetryMs;
      this.#cancelOrders = this.#timers.after(asksAgainInMs, () => this.#requestOrders());
    } else if (code !== 'CURSOR_EXPIRED') this.#orders = null;
    this.emit('refused', { code, message, market: null, asksAgainInMs });
  }

  #forget(channel: Channel, market: MarketKey): void {
    if (channel !== 'book') return;
    this.book(market)?.reset();
    this.#books.delete(nameOf(market));
  }
}

/** Words in the messages of refusals that may soon be over. */
const BOUNDS_THAT_PASS = ['streamRequestsWaitingMax' satisfies keyof typeof limits, 'reads of the rate profile'];

const decoder = new TextDecoder();
