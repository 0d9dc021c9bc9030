// Records the best prices and the trades of markets of venue B into a DuckDB file, until Ctrl-C. It needs `npm install @duckdb/node-api`:
// npx node examples/recorder.ts FILE TICKER…

import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { createNodeClient, nodeSigner } from '../src/tools/client/node-client.ts';
import { createNodeStream } from '../src/tools/client/node-stream.ts';

const [EACH_MS, TICKS, MICRO] = [1_000, 10_000, 1_000_000];
const [file = ':memory:', ...tickers] = process.argv.slice(2);
const host = `127.0.0.1:${process.env.CROSSBOOK_PORT ?? 8080}`;
const signer = nodeSigner(JSON.parse(readFileSync(process.env.CROSSBOOK_KEY_FILE ?? 'data/demo/key.json', 'utf8')));
const client = createNodeClient({ url: `http://${host}`, signer });
const stream = createNodeStream({ url: `ws://${host}/v1/orderbook`, signer, clock: client.clock });

const database = await (await DuckDBInstance.create(file)).connect();
await database.run(`
  create table if not exists quotes (received_at timestamp, ticker varchar, state varchar, bid decimal(5, 4), ask decimal(5, 4));
  create table if not exists trades (received_at timestamp, ticker varchar, id varchar, price decimal(5, 4), size decimal(18, 6));`);

type Row = readonly (string | number | null)[];
const waiting: { quotes: Row[]; trades: Row[] } = { quotes: [], trades: [] };
const at = (millis: number): string => new Date(millis).toISOString().replace('Z', '');
const dollars = (level: { readonly price: number } | null): number | null => level && level.price / TICKS;

/** One transaction for many rows: DuckDB is slow with single ones. */
async function write(): Promise<void> {
  for (const [table, rows] of Object.entries(waiting)) {
    const written = rows.splice(0);
    const places = written.map(row => `(${row.map(() => '?').join(', ')})`).join(', ');
    if (written.length > 0) await database.run(`insert into ${table} values ${places}`, written.flat());
  }
  const counted = await database.runAndReadAll(
    'select (from (select count(*) from quotes)), (from (select count(*) from trades))',
  );
  const [quotes, trades] = counted.getRows()[0]!;
  console.log(`${quotes} quotes, ${trades} trades`);
}

stream.on('quote', ({ market, state, bid, ask, receivedAt }) => {
  if (market.venue === 'venue_b')
    waiting.quotes.push([at(receivedAt), market.ticker, state, dollars(bid), dollars(ask)]);
});
stream.on('trade', ({ market, tradeId, price, size, receivedAt }) => {
  if (market.venue === 'venue_b')
    waiting.trades.push([at(receivedAt), market.ticker, tradeId, price / TICKS, size / MICRO]);
});
const markets = tickers.map(ticker => ({ venue: 'venue_b', ticker }) as const);
stream.subscribe('quote', markets);
stream.subscribe('trade', markets);
stream.start();
let work = Promise.resolve();
const timer = setInterval(() => {
  work = work.then(write);
}, EACH_MS);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    clearInterval(timer);
    stream.close();
    void work.then(write).then(() => database.closeSync());
  });
