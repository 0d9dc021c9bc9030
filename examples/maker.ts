// Quotes both sides of one market of venue B at the best prices, and cancels at exit: npx node examples/maker.ts TICKER

import { readFileSync } from 'node:fs';
import { createNodeClient, nodeSigner } from '../src/tools/client/node-client.ts';
import { createNodeStream } from '../src/tools/client/node-stream.ts';

const [COUNT, HELD_MAX, TICKS_PER_CENT, TICKS_PER_DOLLAR] = [5, 20, 100, 10_000];
const ticker = process.argv[2] ?? '';
const host = `127.0.0.1:${process.env.CROSSBOOK_PORT ?? 8080}`;
const signer = nodeSigner(JSON.parse(readFileSync(process.env.CROSSBOOK_KEY_FILE ?? 'data/demo/key.json', 'utf8')));
const client = createNodeClient({ url: `http://${host}`, signer });
const stream = createNodeStream({ url: `ws://${host}/v1/orderbook`, signer, clock: client.clock });
const market = { venue: 'venue_b', ticker } as const;

let held = await heldYes();
let resting = '';
let isOver = false;
/** Changes of quotes, one after the other. */
let work = Promise.resolve();

async function heldYes(): Promise<number> {
  const answer = await client.call('getVenueBPositions', { query: { ticker } });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value.value.positions.reduce((sum, it) => sum + (it.side === 'YES' ? it.contracts : -it.contracts), 0);
}

/** Cents to pay for YES and for NO: to buy NO is to offer YES. None while the book cannot be trusted. */
function quotes(): readonly (readonly ['YES' | 'NO', number])[] {
  const book = stream.book(market);
  if (book?.state !== 'LIVE' || book.bestBid == null || book.bestAsk == null) return [];
  const yes = ['YES', Math.floor(book.bestBid.price / TICKS_PER_CENT), held + COUNT <= HELD_MAX] as const;
  const no = [
    'NO',
    Math.floor((TICKS_PER_DOLLAR - book.bestAsk.price) / TICKS_PER_CENT),
    held - COUNT >= -HELD_MAX,
  ] as const;
  return [yes, no].flatMap(([side, cents, isFree]) => (isFree && cents > 0 ? [[side, cents] as const] : []));
}

async function cancel(): Promise<boolean> {
  const answer = await client.call('cancelVenueBOrders', { query: { ticker } });
  return answer.ok && answer.value.value.results.every(it => it.outcome !== 'RECONCILE');
}

async function place(side: 'YES' | 'NO', priceCents: number): Promise<void> {
  const placed = await client.call('submitVenueBOrder', {
    body: { ticker, side, action: 'BUY', count: COUNT, priceCents },
  });
  if (placed.ok) console.log(`${COUNT} ${side} at ${priceCents} cents: ${placed.value.value.status}`);
  else if (placed.error.kind === 'unknown-outcome') await end(`an order may be at the venue: ${placed.error.message}`);
  else console.log(`no order: ${placed.error.message}`);
}

async function requote(isFill: boolean): Promise<void> {
  if (isFill) held = await heldYes();
  const wanted = quotes();
  if (isOver || (!isFill && String(wanted) === resting) || !(await cancel())) return;
  resting = String(wanted);
  for (const [side, cents] of wanted) await place(side, cents);
}

async function end(why: string): Promise<never> {
  isOver = true;
  stream.close();
  console.log(why, (await cancel()) ? '\nall cancelled' : '\nNOT all cancelled: read the open orders');
  process.exit();
}

const react = (isFill: boolean): void => {
  work = work.then(() => requote(isFill));
};
stream.on('book', () => react(false));
stream.on('state', () => react(false));
stream.on('order', ({ event }) => event !== 'STATUS' && react(true));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void work.then(() => end(signal)));
stream.subscribeOrders({ cancelOnDisconnect: true });
stream.subscribe('book', [market]);
stream.start();
