// The page's own reader of the stream (contract §8). It reads the books and trades of the markets in view, and the best routes of markets
// of the catalog. It takes the gateway's JSON unchecked, because page and gateway have the same version. It connects again when the
// connection is lost. Browser.

import { ASK, BID, type BookState, type Level, type MarketKey, marketAddress } from '../../core/domain/market.ts';
import { parseMicroShares, parseTicks, type UnixMillis } from '../../core/domain/numbers.ts';
import type { Result } from '../../core/domain/result.ts';
import type { BestMarket } from '../../core/generated/api-types.ts';
import { LocalBook } from '../client/local-book.ts';

/** The number of levels on each side. */
const DEPTH = 12;
const PING_MS = 5_000;
/** The length of a silence after which the connection is given up. */
const SILENCE_MS = 15_000;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 10_000;

export type BestRoutes = Pick<BestMarket, 'outcomes' | 'omitted'>;

interface BookStreamParts {
  /** The URL with `ws:` or `wss:`, without a ticket. */
  readonly url: string;
  /** Gets a fresh ticket, or the reason why there is none. */
  readonly takeTicket: () => Promise<Result<string, string>>;
  /**
   * Is called when the stream goes down or up. `why` is the reason why it is down, so that no book has levels. Null means that it is up.
   */
  readonly onDown: (why: string | null) => void;
  /** Is called when a book has changed. `changes` is the number of changed levels of a delta, or that of a whole book. */
  readonly onBook: (market: MarketKey, changes: number) => void;
  /** Is called with the best routes of a market. Null means that earlier routes are no longer valid. */
  readonly onRoutes: (catalogMarket: string, routes: BestRoutes | null) => void;
  /** Is called with each trade. A venue may repeat a trade. */
  readonly onTrade: (trade: VenueTrade) => void;
}

export interface VenueTrade {
  readonly market: MarketKey;
  readonly tradeId: string;
  readonly price: string;
  readonly size: string;
  readonly takerSide: 'BUY' | 'SELL' | null;
  /** Null means that the venue states no time. */
  readonly venueTime: string | null;
  readonly receivedAt: string;
}

type LevelText = readonly [price: string, size: string];

interface BookMessage {
  readonly market: MarketKey;
  readonly epoch: number;
  readonly seq: number;
  readonly checksum: number;
}
interface SnapshotMessage extends BookMessage {
  readonly type: 'snapshot';
  readonly state: BookState;
  readonly bids: readonly LevelText[];
  readonly asks: readonly LevelText[];
}
interface DeltaMessage extends BookMessage {
  readonly type: 'delta';
  readonly prevSeq: number;
  readonly changes: readonly (readonly [side: 'bid' | 'ask', ...LevelText])[];
}
type Refusals = readonly { readonly code: string }[];
type Message =
  | SnapshotMessage
  | DeltaMessage
  | { readonly type: 'state'; readonly market: MarketKey; readonly state: BookState }
  | { readonly type: 'heartbeat'; readonly books: readonly (readonly [MarketKey, epoch: number, seq: number])[] }
  | { readonly type: 'subscribed'; readonly rejected: Refusals; readonly rejectedCatalogMarkets?: Refusals }
  | ({ readonly type: 'trade' } & VenueTrade)
  | ({ readonly type: 'outcome'; readonly catalogMarket: string } & BestRoutes)
  | {
      readonly type: 'error';
      readonly code: string;
      readonly rejected?: Refusals;
      readonly rejectedCatalogMarkets?: Refusals;
    }
  | { readonly type: 'unsubscribed' | 'snapshotsDone' | 'pong' };

export class BookStream {
  readonly #parts: BookStreamParts;
  readonly #books = new Map<string, LocalBook>();
  readonly #watch: ReturnType<typeof setInterval>;
  /** The interval in milliseconds between two messages with the best routes, by the market's id. */
  #followed: ReadonlyMap<string, number> = new Map();
  #socket: WebSocket | null = null;
  #isClosed = false;
  #requests = 0;
  /** The number of connections in a row without any message. */
  #attempts = 0;
  #lastFrameAtMs = 0;
  #reconnection: ReturnType<typeof setTimeout> | undefined;
  #repeat: ReturnType<typeof setTimeout> | undefined;

  /** Connects, and reconnects until `close` is called. */
  constructor(parts: BookStreamParts) {
    this.#parts = parts;
    this.#watch = setInterval(() => this.#beat(), PING_MS);
    void this.#connect();
  }

  /** The book of a market. It is empty until its snapshot arrives. */
  book(market: MarketKey): LocalBook | undefined {
    return this.#books.get(nameOf(market));
  }

  /** Replaces the markets whose books and trades are read. */
  show(markets: readonly MarketKey[]): void {
    const wanted = new Map(markets.map(market => [nameOf(market), market]));
    const left = [...this.#books].filter(([name]) => !wanted.has(name));
    for (const [name] of left) this.#books.delete(name);
    this.#requestBooks(
      'unsubscribe',
      left.map(([, book]) => book),
    );
    const added = [...wanted].filter(([name]) => !this.#books.has(name));
    for (const [name, market] of added) this.#books.set(name, new LocalBook(market));
    this.#requestBooks(
      'subscribe',
      added.map(([name]) => this.#books.get(name)!),
    );
  }

  /** Replaces the markets of the catalog whose best routes are read. */
  follow(followed: ReadonlyMap<string, number>): void {
    const before = this.#followed;
    this.#followed = followed;
    const left = [...before.keys()].filter(id => !followed.has(id));
    for (const id of left) this.#parts.onRoutes(id, null);
    if (left.length > 0) this.#send({ op: 'unsubscribe', channel: 'outcome', catalogMarkets: left });
    this.#requestRoutes([...followed].filter(([id, paceMs]) => before.get(id) !== paceMs));
  }

  /** Connects at once, because the gateway answers again, so that a pause has no reason any more. */
  retry(): void {
    if (this.#reconnection === undefined) return;
    clearTimeout(this.#reconnection);
    void this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#reconnection);
    clearTimeout(this.#repeat);
    this.#socket?.close();
    this.#socket = null;
  }

  async #connect(): Promise<void> {
    this.#reconnection = undefined;
    const ticket = await this.#parts.takeTicket();
    if (this.#isClosed) return;
    if (!ticket.ok) {
      this.#handleLoss(ticket.error);
      return;
    }
    const socket = new WebSocket(`${this.#parts.url}?ticket=${ticket.value}`, 'crossbook.v1.json');
    this.#socket = socket;
    this.#lastFrameAtMs = performance.now();
    // Messages of an earlier connection that come late do not count.
    const isCurrent = (): boolean => socket === this.#socket;
    socket.addEventListener('open', () => isCurrent() && this.#open());
    socket.addEventListener('message', ({ data }) => isCurrent() && this.#onMessage(String(data)));
    socket.addEventListener('error', () => isCurrent() && this.#handleLoss('the connection failed'));
    socket.addEventListener('close', ({ code, reason }) => isCurrent() && this.#handleLoss(`code ${code} ${reason}`));
  }

  #open(): void {
    this.#requestBooks('subscribe', [...this.#books.values()]);
    this.#requestRoutes([...this.#followed]);
    this.#parts.onDown(null);
  }

  #handleLoss(why: string): void {
    this.#socket?.close();
    this.#socket = null;
    clearTimeout(this.#repeat);
    for (const book of this.#books.values()) book.reset();
    const pauseMs = Math.min(RETRY_MS * 2 ** this.#attempts, RETRY_MS_MAX);
    this.#attempts += 1;
    this.#reconnection = setTimeout(() => void this.#connect(), pauseMs * (0.5 + Math.random() / 2));
    for (const id of this.#followed.keys()) this.#parts.onRoutes(id, null);
    this.#parts.onDown(why);
  }

  #beat(): void {
    if (performance.now() - this.#lastFrameAtMs < SILENCE_MS) this.#send({ op: 'ping' });
    else if (this.#socket !== null) this.#handleLoss('the gateway is silent');
  }

  #onMessage(text: string): void {
    this.#lastFrameAtMs = performance.now();
    this.#attempts = 0;
    const message = JSON.parse(text) as Message;
    switch (message.type) {
      case 'snapshot':
      case 'delta':
        this.#update(message);
        break;
      case 'state':
        this.book(message.market)?.setState(message.state);
        this.#parts.onBook(message.market, 0);
        break;
      case 'heartbeat':
        for (const [market, epoch, seq] of message.books) {
          const book = this.book(market);
          if (book?.isBehind(epoch, seq) === true) this.#requestSnapshot(book);
        }
        break;
      case 'subscribed':
        this.#refused([...message.rejected, ...(message.rejectedCatalogMarkets ?? [])]);
        break;
      case 'error':
        this.#refused([message, ...(message.rejected ?? []), ...(message.rejectedCatalogMarkets ?? [])]);
        break;
      case 'outcome':
        if (this.#followed.has(message.catalogMarket)) this.#parts.onRoutes(message.catalogMarket, message);
        break;
      case 'trade':
        if (this.book(message.market) !== undefined) this.#parts.onTrade(message);
        break;
      default:
        break;
    }
  }

  #update(message: SnapshotMessage | DeltaMessage): void {
    const book = this.book(message.market);
    if (book === undefined) return;
    const done = book.apply(readUpdate(message));
    if (done === 'applied') this.#parts.onBook(book.market, message.type === 'delta' ? message.changes.length : 0);
    else if (done === 'ignored') return;
    // A second snapshot would have a wrong checksum, too, so the connection is given up.
    else if (message.type === 'snapshot') this.#handleLoss('a book with a wrong checksum');
    else this.#requestSnapshot(book);
  }

  #requestSnapshot(book: LocalBook): void {
    book.reset();
    this.#parts.onBook(book.market, 0);
    this.#send({ op: 'snapshot', market: book.market });
  }

  /** Requests the markets again that are refused for now. */
  #refused(refusals: Refusals): void {
    if (refusals.every(({ code }) => FINAL.includes(code))) return;
    clearTimeout(this.#repeat);
    this.#repeat = setTimeout(() => {
      this.#requestBooks(
        'subscribe',
        [...this.#books.values()].filter(({ isSynced }) => !isSynced),
      );
      this.#requestRoutes([...this.#followed]);
    }, RETRY_MS);
  }

  #requestBooks(op: 'subscribe' | 'unsubscribe', books: readonly LocalBook[]): void {
    if (books.length === 0) return;
    const depth = op === 'subscribe' ? { depth: DEPTH } : {};
    const markets = books.map(({ market }) => market);
    this.#send({ op, channel: 'book', ...depth, markets });
    this.#send({ op, channel: 'trade', markets });
  }

  #requestRoutes(asked: readonly (readonly [id: string, paceMs: number])[]): void {
    for (const [minIntervalMs, markets] of Map.groupBy(asked, ([, paceMs]) => paceMs)) {
      const catalogMarkets = markets.map(([id]) => id);
      this.#send({ op: 'subscribe', channel: 'outcome', minIntervalMs, catalogMarkets });
    }
  }

  #send(request: object): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#requests += 1;
    this.#socket.send(JSON.stringify({ ...request, id: String(this.#requests) }));
  }
}

const FINAL = ['UNKNOWN_MARKET', 'NOT_SUBSCRIBED'];

type Update = Parameters<LocalBook['apply']>[0];

/** The times of a book are not read, because the page does not show them. */
const NO_TIMES = { venueTime: 0 as UnixMillis, receivedAt: 0 as UnixMillis };

const SIDES = { bid: BID, ask: ASK } as const;

export function readUpdate(message: SnapshotMessage | DeltaMessage): Update {
  if (message.type === 'snapshot') {
    return { ...message, ...NO_TIMES, bids: message.bids.map(levelOf), asks: message.asks.map(levelOf) };
  }
  const changes = message.changes.map(([side, ...level]) => ({ side: SIDES[side], ...levelOf(level) }));
  return { ...message, ...NO_TIMES, changes };
}

function levelOf([price, size]: LevelText): Level {
  return { price: parseTicks(price)!, size: parseMicroShares(size)! };
}

export function nameOf(market: MarketKey): string {
  return `${market.venue} ${marketAddress(market)}`;
}
