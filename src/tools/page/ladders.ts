// Live ladders: the books of the markets in view, and the best routes by their net prices. Changes are read from the stream as they come
// and shown once a frame. Browser.

import type { Level, MarketKey } from '../../core/domain/market.ts';
import { fail, ok } from '../../core/domain/result.ts';
import type { LocalBook } from '../client/local-book.ts';
import { type BestRoutes, BookStream, nameOf } from './book-stream.ts';
import type { GatewayApi } from './gateway-api.ts';
import type { Route } from './routes-of-market.ts';
import { signal } from './view.ts';

export interface Ladder {
  readonly state: string;
  readonly epoch: number;
  readonly seq: number;
  /** The best level comes first. */
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
  /** Changes of levels that arrived in the last whole second. */
  readonly changesPerS = signal(0);
  /** The best routes of the market in view, as of `atMs` of the gateway's clock; null if none has arrived. */
  readonly best = signal<(BestRoutes & { readonly atMs: number }) | null>(null);
  readonly #stream: BookStream;
  readonly #shown = new Map<string, Shown>();
  /** Names of markets whose books changed since the last frame. */
  readonly #changed = new Set<string>();
  readonly #counting: number;
  #changes = 0;
  #frame = 0;

  constructor(api: GatewayApi) {
    this.#stream = new BookStream({
      url: `${location.origin.replace('http', 'ws')}/v1/orderbook`,
      takeTicket: async () => {
        const ticket = await api.ask('createStreamTicket');
        return ticket.ok ? ok(ticket.value.ticket) : fail(ticket.error.message);
      },
      onDown: why => {
        this.down.value = why;
        for (const { route } of this.#shown.values()) this.#touch(route.market);
      },
      onBook: (market, changes) => {
        this.#changes += changes;
        this.#touch(market);
      },
      onRoutes: routes => {
        this.best.value = routes === null ? null : { ...routes, atMs: api.clock.now() };
      },
    });
    this.#counting = window.setInterval(() => {
      this.changesPerS.value = this.#changes;
      this.#changes = 0;
    }, 1_000);
  }

  /** Replaces the market in view by the routes of a market of the catalog. */
  show(catalogMarket: string, routes: readonly Route[]): void {
    const shown = routes.map((route): [string, Shown] => {
      const name = routeName(route);
      return [name, this.#shown.get(name) ?? { route, ladder: signal(EMPTY) }];
    });
    this.#shown.clear();
    for (const [name, it] of shown) this.#shown.set(name, it);
    this.#stream.show(
      routes.map(({ market }) => market),
      catalogMarket,
    );
    for (const { market } of routes) this.#touch(market);
  }

  ladderOf(route: Route): Ladder {
    return this.#shown.get(routeName(route))?.ladder.value ?? EMPTY;
  }

  /** Connects at once if the stream is down. */
  retry(): void {
    this.#stream.retry();
  }

  close(): void {
    window.clearInterval(this.#counting);
    cancelAnimationFrame(this.#frame);
    this.#stream.close();
  }

  /** Many changes of a frame are drawn once. */
  #touch(market: MarketKey): void {
    if (this.#changed.size === 0) this.#frame = requestAnimationFrame(() => this.#draw());
    this.#changed.add(nameOf(market));
  }

  #draw(): void {
    for (const { route, ladder } of this.#shown.values()) {
      if (!this.#changed.has(nameOf(route.market))) continue;
      const book = this.#stream.book(route.market);
      ladder.value = book === undefined ? EMPTY : ladderOf(book, route.isNo);
    }
    this.#changed.clear();
  }
}

function ladderOf(book: LocalBook, isNo: boolean): Ladder {
  const { state, epoch, seq } = book;
  const { bids, asks } = isNo ? book.no() : book;
  return { state, epoch, seq, bids: [...bids], asks: [...asks] };
}

function routeName({ market, isNo }: Route): string {
  return `${nameOf(market)} ${isNo}`;
}
