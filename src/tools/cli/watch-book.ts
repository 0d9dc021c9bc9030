// `crossbook book` shows a live ladder of one book in the terminal. The client builds and verifies the book as in a bot.

import {
  type Level,
  type MarketKey,
  marketAddress,
  marketKey,
  TAKER_BUY,
  TAKER_SELL,
} from '../../core/domain/market.ts';
import { formatMicroShares, formatTicks } from '../../core/domain/numbers.ts';
import type { Trade } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import type { Sides } from '../../market-data/book/derive-no.ts';
import { nodeSigner } from '../client/node-client.ts';
import { createNodeStream } from '../client/node-stream.ts';
import type { OrderbookStream } from '../client/orderbook-stream.ts';
import { type Arguments, type CommandIo, localOrigin, readArguments, runCommand, UsageError } from './command-io.ts';
import { readVenue, signingKeyOf } from './gateway-request.ts';

export const BOOK_USAGE = `  book VENUE MARKET [--once] [--key FILE] [--data-dir DIR] [--url URL | --unix PATH]
      a live ladder of one book; VENUE is venue_a (a token id) or venue_b (a ticker)
      --once  print one ladder and end; without a book after 10 s, end with 1
      --key   what the upgrade is signed with, default DIR/demo/key.json; DIR is CROSSBOOK_DATA_DIR, else ./data
      --url   the stream, default ws://127.0.0.1:8080/v1/orderbook, or by CROSSBOOK_HOST, CROSSBOOK_PORT and CROSSBOOK_TLS_CERT_FILE
      --unix  the gateway's Unix domain socket instead

    crossbook book venue_b KXNBAGAME-26NOV21BOSLAL-BOS
    crossbook book venue_b KXNBAGAME-26NOV21BOSLAL-BOS --once
`;

const FRAME_MS = 100;
/** The number of frames over which updates per second are counted, and the least number before a rate is shown. */
const RATE_FRAMES = 20;
const RATE_FRAMES_MIN = 10;
const TRADES_KEPT = 5;
const HOME_AND_CLEAR = '\x1b[H\x1b[J';

/** Runs until it is interrupted, or prints one ladder with `--once`. On a terminal each ladder replaces the previous one. */
export function bookCommand(
  args: readonly string[],
  io: CommandIo,
  isTerminal: boolean,
  patienceMs: number = limits.clientAnswerTimeoutMs,
): Promise<number> {
  return runCommand(io, async () => {
    const options = readArguments(args, {
      options: ['key', 'data-dir', 'url', 'unix'],
      flags: ['once'],
      positionals: ['VENUE', 'MARKET'],
    });
    const market = readMarket(options.positionals[0] ?? '', options.positionals[1] ?? '');
    const peer = peerOf(options, io);
    const stream = createNodeStream({ ...peer, signer: nodeSigner(signingKeyOf(options, io)) });
    const show = (ladder: string): void => io.out(`${isTerminal ? HOME_AND_CLEAR : ''}${ladder}`);
    try {
      await watch(
        new BookView(stream, market, peer.socketPath ?? peer.url),
        options.has('once') ? patienceMs : null,
        show,
      );
    } finally {
      stream.close();
    }
  });
}

/**
 * Watches the book. Rejects if the market is refused. With a time limit it resolves with the first ladder, and rejects if no ladder arrives
 * in time.
 */
function watch(view: BookView, onceWithinMs: number | null, show: (ladder: string) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const isOnce = onceWithinMs !== null;
  const { stream } = view;
  stream.on('refused', ({ code, message, market, asksAgainInMs }) => {
    // Refusals such as LAGGED name no market, and the client retries other requests by itself. So the book goes on.
    if (market !== null && (isOnce || asksAgainInMs === null)) reject(new Error(`${code}: ${message}`));
  });
  if (isOnce) {
    stream.on('connection', (isUp, detail) => {
      if (!isUp) reject(new Error(`not connected: ${detail}`));
    });
    stream.on('book', () => {
      show(view.draw());
      resolve();
    });
  }
  const tooLate = (): void => reject(new Error(`no book within ${onceWithinMs} ms: the venue has sent no book yet`));
  const patience = isOnce ? setTimeout(tooLate, onceWithinMs) : undefined;
  const frames = setInterval(() => {
    if (!isOnce) show(view.draw());
    view.nextFrame();
  }, FRAME_MS);
  stream.start();
  return promise.finally(() => {
    clearInterval(frames);
    clearTimeout(patience);
  });
}

/** The state of one market, as text. */
class BookView {
  readonly stream: OrderbookStream;
  readonly #market: MarketKey;
  readonly #trades: Trade[] = [];
  /** The update counts of the frames since the first book. The newest comes first. */
  readonly #updates: number[] = [];
  #statusLine: string;

  constructor(stream: OrderbookStream, market: MarketKey, url: string) {
    this.stream = stream;
    this.#market = market;
    this.#statusLine = `connecting to ${url}`;
    stream.on('connection', (isUp, detail) => {
      this.#statusLine = isUp ? '' : `not connected: ${detail}`;
    });
    stream.on('refused', ({ message }) => {
      this.#statusLine = message;
    });
    stream.on('trade', trade => {
      this.#trades.unshift(trade);
      this.#trades.length = Math.min(this.#trades.length, TRADES_KEPT);
    });
    stream.on('book', () => {
      // A book that is verified ends an earlier problem.
      this.#statusLine = '';
      this.#updates[0] = (this.#updates[0] ?? 0) + 1;
    });
    stream.subscribe('book', [market]);
    stream.subscribe('trade', [market]);
  }

  nextFrame(): void {
    if (this.#updates.length === 0) return;
    this.#updates.unshift(0);
    this.#updates.length = Math.min(this.#updates.length, RATE_FRAMES);
  }

  draw(): string {
    const [market, book] = [this.#market, this.stream.book(this.#market)];
    if (book === undefined) return '';
    const { state, epoch, seq } = book;
    const view = {
      market,
      state,
      epoch,
      seq,
      updatesPerSecond: this.#rate(),
      book,
      no: book.no(),
      trades: this.#trades,
    };
    return `${renderLadder(view)}${this.#statusLine === '' ? '' : `${this.#statusLine}\n`}`;
  }

  #rate(): number | null {
    const frames = this.#updates.length;
    if (frames < RATE_FRAMES_MIN) return null;
    return this.#updates.reduce((sum, count) => sum + count, 0) / ((frames * FRAME_MS) / 1_000);
  }
}

function readMarket(venue: string, address: string): MarketKey {
  const lengthMax = limits.marketAddressCharactersMax;
  if (address === '' || address.length > lengthMax)
    throw new UsageError(`MARKET: must be 1 to ${lengthMax} characters (marketAddressCharactersMax)`);
  return marketKey(readVenue('VENUE', venue), address);
}

function peerOf(args: Arguments, io: CommandIo): { readonly url: string; readonly socketPath?: string } {
  const [url, socketPath] = [args.one('url'), args.one('unix')];
  if (socketPath === undefined)
    return { url: readUrl(url ?? `${localOrigin(io).replace(/^http/, 'ws')}/v1/orderbook`) };
  if (url !== undefined) throw new UsageError('--unix: must not be given together with --url');
  return { url: 'ws://localhost/v1/orderbook', socketPath };
}

function readUrl(text: string): string {
  if (/^wss?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError('--url: must be ws://HOST:PORT/v1/orderbook or wss://…');
}

interface LadderView {
  readonly market: MarketKey;
  readonly state: string;
  readonly epoch: number;
  readonly seq: number;
  /** Null until enough frames have been counted. */
  readonly updatesPerSecond: number | null;
  readonly book: Sides;
  readonly no: Sides;
  /** The trades. The newest comes first. */
  readonly trades: readonly Trade[];
}

const DEPTH = 10;
const TRADES_SHOWN = 5;
const SIZE_WIDTH = 14;
const PRICE_WIDTH = 7;

export function renderLadder(view: LadderView): string {
  const { market, state, epoch, seq, updatesPerSecond } = view;
  const rate = updatesPerSecond === null ? '' : `   ${Math.round(updatesPerSecond)} updates/s`;
  const [ours, others] = market.venue === 'venue_b' ? ['YES', 'NO (derived)'] : ['this token', 'other token (derived)'];
  return [
    `${market.venue}  ${marketAddress(market)}`,
    `${state}   epoch ${epoch}   seq ${seq}${rate}`,
    '',
    `${centred(ours)}    ${centred(others)}`.trimEnd(),
    `${heading()}    ${heading()}`,
    ...rowsOf(view.book, view.no),
    '',
    'last trades',
    ...view.trades.slice(0, TRADES_SHOWN).map(tradeLine),
    '',
  ].join('\n');
}

function rowsOf(book: Sides, no: Sides): readonly string[] {
  const depth = Math.min(DEPTH, Math.max(book.bids.length, book.asks.length, 1));
  return Array.from({ length: depth }, (_, index) => `${rowOf(book, index)}    ${rowOf(no, index)}`.trimEnd());
}

function rowOf({ bids, asks }: Sides, index: number): string {
  const bid = cells(bids[index]);
  const ask = cells(asks[index]);
  return `${bid.size}${bid.price} │${ask.price}${ask.size}`;
}

function cells(level: Level | undefined): { readonly price: string; readonly size: string } {
  return {
    price: (level === undefined ? '' : formatTicks(level.price)).padStart(PRICE_WIDTH),
    size: (level === undefined ? '' : formatMicroShares(level.size)).padStart(SIZE_WIDTH),
  };
}

function heading(): string {
  const [size, price] = ['size'.padStart(SIZE_WIDTH), (name: string) => name.padStart(PRICE_WIDTH)];
  return `${size}${price('bid')} │${price('ask')}${size}`;
}

function centred(text: string): string {
  const width = 2 * (SIZE_WIDTH + PRICE_WIDTH) + 2;
  const left = Math.floor((width - text.length) / 2);
  return text.padStart(left + text.length).padEnd(width);
}

function tradeLine(trade: Trade): string {
  const side = trade.takerSide === TAKER_BUY ? 'BUY' : trade.takerSide === TAKER_SELL ? 'SELL' : '-';
  const time = trade.venueTime === 0 ? '-' : new Date(trade.venueTime).toISOString().slice(11, 23);
  return `  ${time}  ${side.padEnd(4)}${formatTicks(trade.price).padStart(PRICE_WIDTH)}${formatMicroShares(trade.size).padStart(SIZE_WIDTH)}`;
}
