// Live ladders: the books and trades of the markets in view, and the best routes of the markets in the list. Changes are read from the
// stream as they come, and shown once in a frame. Browser.

import type { Level, MarketKey } from '../../core/domain/market.ts';
import { fail, ok } from '../../core/domain/result.ts';
import type { LocalBook } from '../client/local-book.ts';
import { type BestRoutes, BookStream, nameOf, type VenueTrade } from './book-stream.ts';
import type { GatewayApi } from './gateway-api.ts';
import type { OutcomeRoutes, Route } from './routes-of-market.ts';
import { centDecimals } from './texts.ts';
import { signal } from './view.ts';

export interface Ladder {
  readonly state: string;
  readonly epoch: number;
  readonly seq: number;
  /** The bids and asks, best level first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** The best routes of a market of the catalog. `atMs` is their time by the gateway's clock. */
type Best = BestRoutes & { readonly atMs: number };

/** The intervals between two messages with the best routes, for the market in view and for the markets in the list. */
const ROUTES_MS = 100;
const LIST_MS = 1_000;
/** The number of trades that the page keeps. */
const TAPE_MAX = 60;
const TERMS_AGAIN_MS = 2_000;

const EMPTY: Ladder = { state: 'RESYNCING', epoch: 0, seq: 0, bids: [], asks: [] };

interface Shown {
  readonly route: Route;
  readonly ladder: ReturnType<typeof signal<Ladder>>;
}

export class Ladders {
  /** The reason why the stream is down. Null while it is up. */
  readonly down = signal<string | null>('connecting');
  /** The number of changes of levels that arrived in the last whole second. */
  readonly changesPerS = signal(0);
  /** The trades at the markets in view. The newest comes first. */
  readonly tape = signal<readonly VenueTrade[]>([]);
  /** The decimals of a price in cents on the finest grid of the markets in view. Null until the grid is read. */
  readonly decimals = signal<number | null>(null);
  readonly #api: GatewayApi;
  readonly #stream: BookStream;
  readonly #shown = new Map<string, Shown>();
  readonly #bests = new Map<string, ReturnType<typeof signal<Best | null>>>();
  #chosen = '';
  #listed: readonly string[] = [];
  /** The trades that are kept. The newest comes first. */
  #traded: VenueTrade[] = [];
  /** The names of the markets whose books have changed since the last frame. */
  readonly #changed = new Set<string>();
  readonly #counting: number;
  #changes = 0;
  #frame = 0;
  #isClosed = false;

  constructor(api: GatewayApi) {
    this.#api = api;
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
      onRoutes: (id, routes) => {
        this.#bestOf(id).value = routes === null ? null : { ...routes, atMs: api.clock.now() };
      },
      onTrade: trade => {
        if (this.#traded.some(it => isSame(it, trade))) return;
        this.#traded = [trade, ...this.#traded].slice(0, TAPE_MAX);
        this.#touch(trade.market);
      },
    });
    this.#counting = window.setInterval(() => {
      this.changesPerS.value = this.#changes;
      this.#changes = 0;
    }, 1_000);
  }

  /** Replaces the market in view by a market of the catalog with its routes. */
  show(catalogMarket: string, outcomes: readonly OutcomeRoutes[]): void {
    const routes = outcomes.flatMap(it => it.routes);
    const shown = routes.map((route): [string, Shown] => {
      const name = routeName(route);
      return [name, this.#shown.get(name) ?? { route, ladder: signal(EMPTY) }];
    });
    this.#shown.clear();
    for (const [name, it] of shown) this.#shown.set(name, it);
    this.#chosen = catalogMarket;
    this.#traded = [];
    this.#stream.show(routes.map(({ market }) => market));
    this.#follow();
    this.decimals.value = null;
    void this.#readGrid(catalogMarket, routes);
    for (const { market } of routes) this.#touch(market);
  }

  /** Replaces the markets of the catalog whose best prices the list shows. */
  list(catalogMarkets: readonly string[]): void {
    this.#listed = catalogMarkets;
    this.#follow();
  }

  bestOf(catalogMarket: string): Best | null {
    return this.#bestOf(catalogMarket).value ?? null;
  }

  ladderOf(route: Route): Ladder {
    return this.#shown.get(routeName(route))?.ladder.value ?? EMPTY;
  }

  /** Connects at once if the stream is down. */
  retry(): void {
    this.#stream.retry();
  }

  close(): void {
    this.#isClosed = true;
    window.clearInterval(this.#counting);
    cancelAnimationFrame(this.#frame);
    this.#stream.close();
  }

  #bestOf(id: string): ReturnType<typeof signal<Best | null>> {
    const known = this.#bests.get(id) ?? signal(null);
    this.#bests.set(id, known);
    return known;
  }

  #follow(): void {
    const followed = new Map(this.#listed.map(id => [id, LIST_MS]));
    if (this.#chosen !== '') followed.set(this.#chosen, ROUTES_MS);
    this.#stream.follow(followed);
  }

  /** Reads the price grids again and again, until the venues have described the markets, or another market is in view. */
  async #readGrid(catalogMarket: string, routes: readonly Route[]): Promise<void> {
    const asked = routes.map(({ market }) =>
      market.venue === 'venue_a'
        ? this.#api.ask('getVenueAMarket', { path: { tokenId: market.tokenId } })
        : this.#api.ask('getVenueBMarket', { path: { ticker: market.ticker } }),
    );
    const answers = await Promise.all(asked);
    if (this.#chosen !== catalogMarket || this.#isClosed) return;
    const steps = answers.flatMap(it => (it.ok ? it.value.priceRanges.map(({ step }) => step) : []));
    if (steps.length > 0) this.decimals.value = Math.max(...steps.map(centDecimals));
    const isRefused = answers.some(it => !it.ok && it.error.status !== 404);
    if (isRefused)
      setTimeout(() => this.#chosen === catalogMarket && void this.#readGrid(catalogMarket, routes), TERMS_AGAIN_MS);
  }

  /** Notes that a market has changed. All changes within a frame are drawn together. */
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
    this.tape.value = this.#traded;
    this.#changed.clear();
  }
}

function isSame(one: VenueTrade, other: VenueTrade): boolean {
  return one.tradeId === other.tradeId && one.price === other.price && one.size === other.size;
}

function ladderOf(book: LocalBook, isNo: boolean): Ladder {
  const { state, epoch, seq } = book;
  const { bids, asks } = isNo ? book.no() : book;
  return { state, epoch, seq, bids: [...bids], asks: [...asks] };
}

function routeName({ market, isNo }: Route): string {
  return `${nameOf(market)} ${isNo}`;
}
