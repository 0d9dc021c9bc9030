// `crossbook book`: a live ladder of one book in the terminal, folded and verified by the client as a bot would do it.

import { parseArgs } from 'node:util';
import { OrderbookStream } from '../client/orderbook-stream.ts';
import { type MarketKey, marketKey, VENUES, type Venue } from '../domain/market.ts';
import type { Trade } from '../wire/messages.ts';
import { renderLadder } from './ladder-view.ts';

const DEFAULT_URL = 'ws://127.0.0.1:8080/v1/orderbook';
const FRAME_MS = 100;
/** Updates per second are counted over this many frames. */
const RATE_FRAMES = 20;
const TRADES_KEPT = 5;
const HOME_AND_CLEAR = '\x1b[H\x1b[J';

/** Returns what is wrong with the arguments, or null and keeps running until interrupted. */
export function watchBook(args: readonly string[], output: NodeJS.WriteStream): string | null {
  const request = readRequest(args);
  if (typeof request === 'string') return request;
  const { market, url, isOnce } = request;
  const stream = new OrderbookStream({ url });
  const trades: Trade[] = [];
  const updates: number[] = [0];
  let note = `connecting to ${url}`;

  stream.on('connection', (isUp, detail) => {
    note = isUp ? '' : `not connected: ${detail}`;
  });
  stream.on('refused', ({ code, message, market: refused }) => {
    note = message;
    // News such as LAGGED names no market: the book goes on.
    if (refused === null) return;
    stream.close();
    clearInterval(frames);
    process.stderr.write(`crossbook: ${code}: ${message}\n`);
    process.exitCode = 1;
  });
  stream.on('trade', trade => {
    trades.unshift(trade);
    trades.length = Math.min(trades.length, TRADES_KEPT);
  });
  stream.on('book', () => {
    updates[0] = (updates[0] ?? 0) + 1;
    if (!isOnce) return;
    draw();
    stream.close();
    clearInterval(frames);
  });

  const draw = (): void => {
    const book = stream.book(market);
    if (book === undefined) return;
    const updatesPerSecond = updates.reduce((sum, count) => sum + count, 0) / ((updates.length * FRAME_MS) / 1_000);
    const { state, epoch, seq } = book;
    const ladder = renderLadder({ market, state, epoch, seq, updatesPerSecond, book, no: book.no(), trades });
    output.write(`${output.isTTY ? HOME_AND_CLEAR : ''}${ladder}${note === '' ? '' : `${note}\n`}`);
  };
  const frames = setInterval(() => {
    if (!isOnce) draw();
    updates.unshift(0);
    updates.length = Math.min(updates.length, RATE_FRAMES);
  }, FRAME_MS);
  // Whoever reads our output has seen enough: `crossbook book … | head`.
  output.once('error', () => process.exit(0));
  stream.subscribe('book', [market]);
  stream.subscribe('trade', [market]);
  stream.start();
  return null;
}

interface Request {
  readonly market: MarketKey;
  readonly url: string;
  readonly isOnce: boolean;
}

function readRequest(args: readonly string[]): Request | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { url: { type: 'string', default: DEFAULT_URL }, once: { type: 'boolean', default: false } },
    });
    const [venue, address, ...more] = positionals;
    if (venue === undefined || address === undefined || more.length > 0) return 'book takes a venue and a market';
    if (!VENUES.includes(venue as Venue)) return `venue: must be ${VENUES.join(' or ')}`;
    return { market: marketKey(venue as Venue, address), url: values.url, isOnce: values.once };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
