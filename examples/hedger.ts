// Bids for YES of a game at venue B. What fills is hedged at venue A by a share of the other outcome, which pays if YES does not. A dead man's
// switch cancels the bid if this program dies: npx node examples/hedger.ts TICKER CENTS

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createNodeClient, nodeSigner } from '../src/tools/client/node-client.ts';
import { createNodeStream } from '../src/tools/client/node-stream.ts';

const [COUNT, SWITCH_MS, TICKS_PER_CENT, TICKS_PER_DOLLAR, CENTS_MIN, POLL_MS] = [10, 5_000, 100, 10_000, 100, 200];
const ENDED: ReadonlySet<string> = new Set(['FILLED', 'CANCELLED', 'REJECTED']);
const [ticker = '', cents] = process.argv.slice(2);
const host = `127.0.0.1:${process.env.CROSSBOOK_PORT ?? 8080}`;
const signer = nodeSigner(JSON.parse(readFileSync(process.env.CROSSBOOK_KEY_FILE ?? 'data/demo/key.json', 'utf8')));
const client = createNodeClient({ url: `http://${host}`, signer });
const stream = createNodeStream({ url: `ws://${host}/v1/orderbook`, signer, clock: client.clock });

const found = await client.call('listMarkets', { query: { q: ticker } });
if (!found.ok) throw new Error(found.error.message);
const isBid = (it: { venue: string; ticker?: string; side?: string }) => it.ticker === ticker && it.side === 'YES';
const markets = found.value.value.markets.filter(({ outcomes }) => outcomes.length === 2);
const game = markets.find(({ outcomes }) => outcomes.some(({ listings }) => listings.some(isBid)));
const other = game?.outcomes.find(({ listings }) => !listings.some(isBid));
const hedge = other?.listings.find(it => it.venue === 'VENUE_A');
if (hedge?.venue !== 'VENUE_A') throw new Error(`${ticker}: no market of two outcomes that venue A lists, too`);
const { tokenId } = hedge;

/** Contracts that are filled and not hedged. */
let open = 0;
let isHedging = false;

/** What the hedge has bought, once it has ended: venue A may hold it for a moment. */
async function bought(orderId: string): Promise<number> {
  for (;;) {
    const read = await client.call('getVenueAOrder', { path: { orderId } });
    if (read.ok && ENDED.has(read.value.value.status)) return Number(read.value.value.filledShares ?? 0);
    await pause(POLL_MS);
  }
}

/** Buys what is open at the best ask of venue A, all of it or nothing. Less than a dollar waits for more fills. */
async function buy(): Promise<void> {
  const book = stream.book({ venue: 'venue_a', tokenId });
  if (isHedging || open === 0 || book?.state !== 'LIVE' || book.bestAsk == null) return;
  const [size, price] = [open, book.bestAsk.price];
  const amountCents = Math.ceil((size * price) / TICKS_PER_CENT);
  if (amountCents < CENTS_MIN) return;
  isHedging = true;
  const body = { tokenId, side: 'BUY', type: 'MARKET', amount: String(amountCents / 100) } as const;
  const placed = await client.call('submitVenueAOrder', { body });
  const filled = placed.ok ? await bought(placed.value.value.orderId) : 0;
  isHedging = false;
  open = Math.max(0, open - filled);
  if (!placed.ok && placed.error.kind === 'unknown-outcome')
    await end(`the hedge may be at the venue: ${placed.error.message}`);
  const why = placed.ok ? 'venue A filled nothing' : placed.error.message;
  console.log(filled > 0 ? `hedged ${filled} at ${price / TICKS_PER_DOLLAR} or better` : `not hedged: ${why}`);
}

/** Cancels the key's open orders in five seconds, unless this is repeated. */
async function hold(): Promise<void> {
  const armed = await client.call('cancelAfter', { body: { timeoutMs: SWITCH_MS } });
  if (!armed.ok) console.log(`the switch is not renewed: ${armed.error.message}`);
}

async function end(why: string): Promise<never> {
  const cancelled = await client.call('cancelVenueBOrders', { query: { ticker } });
  console.log(`${why}; open and not hedged: ${open}; ${cancelled.ok ? 'cancelled' : cancelled.error.message}`);
  process.exit();
}

stream.on('order', message => {
  if (message.event === 'STATUS' || message.venue !== 'venue_b' || message.order.ticker !== ticker) return;
  open += Number(message.fill!.size) * (message.event === 'FILL' ? 1 : -1);
  void buy();
});
stream.on('book', () => void buy());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end(signal));
stream.subscribe('book', [{ venue: 'venue_a', tokenId }]);
stream.subscribeOrders();
// Fills are heard from then on.
const isFollowing = new Promise<void>(resolve => {
  stream.on('message', message => message.type === 'subscribed' && 'cursor' in message && resolve());
});
stream.start();
await isFollowing;
await hold();
setInterval(() => void hold(), SWITCH_MS / 2);
const body = { ticker, side: 'YES', action: 'BUY', count: COUNT, priceCents: Number(cents) } as const;
const placed = await client.call('submitVenueBOrder', { body });
console.log(placed.ok ? `bid ${placed.value.value.status}` : `no bid: ${placed.error.message}`);
