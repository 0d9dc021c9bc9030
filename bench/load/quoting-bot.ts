// A maker of ten markets, for the backtest's row. It quotes both sides at the best prices, and quotes anew when they have moved. At SIGTERM it
// prints the time for which it has had books, and the number of its requests.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { tickerOf } from '../../test/support/made-recording.ts';

/** The line that the bot prints. `playedMs` is a time of the machine. */
export interface Quoted {
  readonly playedMs: number;
  readonly updates: number;
  readonly requests: number;
}

const [MARKETS, COUNT, TICKS_PER_CENT, TICKS_PER_DOLLAR] = [10, 5, 100, 10_000];
const host = `127.0.0.1:${process.env.CROSSBOOK_PORT}`;
const signer = nodeSigner(JSON.parse(readFileSync(process.env.CROSSBOOK_KEY_FILE!, 'utf8')));
const client = createNodeClient({ url: `http://${host}`, signer });
const stream = createNodeStream({ url: `ws://${host}/v1/orderbook`, signer, clock: client.clock });
let [startedMs, updates, requests] = [0, 0, 0];

/** The quotes of one market, which change by one request at a time. */
class Quotes {
  readonly #ticker: string;
  #wanted = '';
  #work: Promise<unknown> = Promise.resolve();

  constructor(ticker: string) {
    this.#ticker = ticker;
  }

  follow(bid: number, ask: number): void {
    const wanted = `${bid} ${ask}`;
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    this.#work = this.#work.then(() => this.#quote(bid, ask));
  }

  async #quote(bid: number, ask: number): Promise<void> {
    const ticker = this.#ticker;
    requests += 2;
    await client.call('cancelVenueBOrders', { query: { ticker } });
    const order = (side: 'YES' | 'NO', priceCents: number) =>
      ({ idempotencyKey: randomUUID(), ticker, action: 'BUY', count: COUNT, side, priceCents }) as const;
    const [yes, no] = [Math.floor(bid / TICKS_PER_CENT), Math.floor((TICKS_PER_DOLLAR - ask) / TICKS_PER_CENT)];
    const placed = await client.call('submitVenueBBatch', { body: { orders: [order('YES', yes), order('NO', no)] } });
    if (!placed.ok) throw new Error(placed.error.message);
  }
}

const quotes = new Map(
  Array.from({ length: MARKETS }, (_, market) => [tickerOf(market), new Quotes(tickerOf(market))]),
);
stream.on('book', ({ market, bestBid, bestAsk }) => {
  startedMs ||= performance.now();
  updates += 1;
  if (bestBid === null || bestAsk === null || !('ticker' in market)) return;
  quotes.get(market.ticker)?.follow(bestBid.price, bestAsk.price);
});
process.once('SIGTERM', () => {
  const quoted: Quoted = { playedMs: performance.now() - startedMs, updates, requests };
  console.log(JSON.stringify(quoted));
  process.exit();
});
stream.subscribe(
  'book',
  [...quotes.keys()].map(ticker => ({ venue: 'venue_b', ticker })),
);
stream.start();
