// Live ladders: the books of the markets in view, read from the stream as they change and shown once a frame. Browser.

import { browserConnect } from '../client/browser-stream.ts';
import type { LocalBook } from '../client/local-book.ts';
import { OrderbookStream } from '../client/orderbook-stream.ts';
import { type Level, type MarketKey, marketAddress } from '../domain/market.ts';
import { fail, ok } from '../domain/result.ts';
import type { GatewayApi } from './gateway-api.ts';
import type { Route } from './routes-of-market.ts';
import { signal } from './view.ts';

/** Levels of a side that are shown. */
const DEPTH = 12;

export interface Ladder {
  readonly state: string;
  readonly epoch: number;
  readonly seq: number;
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

const EMPTY: Ladder = { state: 'RESYNCING', epoch: 0, seq: 0, bids: [], asks: [] };

interface Shown {
  readonly route: Route;
  readonly ladder: ReturnType<typeof signal<Ladder>>;
}

export class Ladders {
  /** Why the stream is down; null while it is up. */
  readonly down = signal<string | null>('connecting');
  /** Book changes that arrived in the last whole second. */
  readonly changesPerS = signal(0);
  readonly #stream: OrderbookStream;
  readonly #shown = new Map<string, Shown>();
  /** Names of markets whose books changed since the last frame. */
  readonly #changed = new Set<string>();
  readonly #counting: number;
  #changes = 0;
  #frame = 0;

  constructor(api: GatewayApi) {
    const url = new URL('/v1/orderbook', location.origin);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const connect = browserConnect(async () => {
      const ticket = await api.ask('createStreamTicket');
      return ticket.ok ? ok(ticket.value.ticket) : fail(ticket.error.message);
    });
    const stream = new OrderbookStream({ url: url.href, connect });
    this.#stream = stream;
    stream.on('connection', (isUp, detail) => {
      this.down.value = isUp ? null : detail;
      for (const { route } of this.#shown.values()) this.#touch(route.market);
    });
    stream.on('book', book => {
      this.#changes += 1;
      this.#touch(book.market);
    });
    stream.on('state', market => this.#touch(market));
    stream.on('gap', book => this.#touch(book.market));
    stream.start();
    this.#counting = window.setInterval(() => {
      this.changesPerS.value = this.#changes;
      this.#changes = 0;
    }, 1_000);
  }

  /** Replaces the routes in view. */
  show(routes: readonly Route[]): void {
    const wanted = new Map(routes.map(route => [nameOf(route), route]));
    const left = [...this.#shown].filter(([name]) => !wanted.has(name));
    for (const [name] of left) this.#shown.delete(name);
    const unused = left.map(([, { route }]) => route.market).filter(market => !this.#isShown(market));
    this.#stream.unsubscribe('book', distinct(unused));
    const added = [...wanted].filter(([name]) => !this.#shown.has(name));
    const fresh = added.map(([, { market }]) => market).filter(market => !this.#isShown(market));
    for (const [name, route] of added) this.#shown.set(name, { route, ladder: signal(EMPTY) });
    this.#stream.subscribe('book', distinct(fresh));
    for (const [, { market }] of added) this.#touch(market);
  }

  ladderOf(route: Route): Ladder {
    return this.#shown.get(nameOf(route))?.ladder.value ?? EMPTY;
  }

  close(): void {
    window.clearInterval(this.#counting);
    cancelAnimationFrame(this.#frame);
    this.#stream.close();
  }

  #isShown(market: MarketKey): boolean {
    return [...this.#shown.values()].some(({ route }) => marketName(route.market) === marketName(market));
  }

  /** Many changes of a frame are drawn once. */
  #touch(market: MarketKey): void {
    if (this.#changed.size === 0) this.#frame = requestAnimationFrame(() => this.#draw());
    this.#changed.add(marketName(market));
  }

  #draw(): void {
    for (const { route, ladder } of this.#shown.values()) {
      if (!this.#changed.has(marketName(route.market))) continue;
      const book = this.#stream.book(route.market);
      ladder.value = book === undefined ? EMPTY : ladderOf(book, route.isNo);
    }
    this.#changed.clear();
  }
}

function ladderOf(book: LocalBook, isNo: boolean): Ladder {
  const { state, epoch, seq } = book;
  const { bids, asks } = isNo ? book.no() : book;
  return { state, epoch, seq, bids: bids.slice(0, DEPTH), asks: asks.slice(0, DEPTH) };
}

function nameOf({ market, isNo }: Route): string {
  return `${marketName(market)} ${isNo}`;
}

function marketName(market: MarketKey): string {
  return `${market.venue} ${marketAddress(market)}`;
}

function distinct(markets: readonly MarketKey[]): readonly MarketKey[] {
  return [...new Map(markets.map(market => [marketName(market), market])).values()];
}
