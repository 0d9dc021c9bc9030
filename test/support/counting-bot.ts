// A bot whose requests follow from the data alone. At each mark of a made recording, the bot sends a request that depends on the book. The
// bot prints each request, and prints the hash of all requests at SIGTERM.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { MARK_PRICE, tickerOf } from './made-recording.ts';

const [MICRO, TICKS_PER_CENT, CANCEL_EVERY, COUNTS] = [1_000_000, 100, 4, 3];
const ticker = tickerOf(0);
const host = `127.0.0.1:${process.env.CROSSBOOK_PORT}`;
const signer = nodeSigner(JSON.parse(readFileSync(process.env.CROSSBOOK_KEY_FILE!, 'utf8')));
const client = createNodeClient({ url: `http://${host}`, signer });
const stream = createNodeStream({ url: `ws://${host}/v1/orderbook`, signer, clock: client.clock });
const hash = createHash('sha256');
let marks = 0;
/** The chain of requests, one after the other. */
let work = Promise.resolve();

function send(request: string, call: () => Promise<unknown>): void {
  work = work.then(async () => {
    console.log(request);
    hash.update(`${request}\n`);
    await call();
  });
}

stream.on('book', book => {
  const { bids, bestBid, bestAsk } = book;
  if (marks === 0) console.log('ready');
  const mark = (bids.find(({ price }) => price === MARK_PRICE)?.size ?? 0) / MICRO;
  if (mark <= marks || bestBid === null || bestAsk === null) return;
  marks = mark;
  if (mark % CANCEL_EVERY === 0) {
    send(`${mark}: cancel all`, () => client.call('cancelVenueBOrders', { query: { ticker } }));
    return;
  }
  // The price alternates between the best bid and the best ask.
  const priceCents = Math.floor((mark % 2 === 0 ? bestBid : bestAsk).price / TICKS_PER_CENT);
  const body = { ticker, side: 'YES', action: 'BUY', count: 1 + (mark % COUNTS), priceCents } as const;
  send(`${mark}: ${JSON.stringify(body)}`, () => client.call('submitVenueBOrder', { body }));
});
process.once('SIGTERM', async () => {
  stream.close();
  await work;
  console.log(`hash ${hash.digest('hex')}`);
  process.exit();
});
stream.subscribe('book', [{ venue: 'venue_b', ticker }]);
stream.start();
