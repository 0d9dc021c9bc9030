// Watches games that both venues list, and prints what a share of each outcome costs at its cheaper venue, with fees. Below 1 dollar together
// the two pay more than they cost: npx node examples/watcher.ts

import { readFileSync } from 'node:fs';
import { createNodeClient, nodeSigner } from '../src/tools/client/node-client.ts';
import { createNodeStream } from '../src/tools/client/node-stream.ts';

const MICRO = 1_000_000;
const host = `127.0.0.1:${process.env.CROSSBOOK_PORT ?? 8080}`;
const signer = nodeSigner(JSON.parse(readFileSync(process.env.CROSSBOOK_KEY_FILE ?? 'data/demo/key.json', 'utf8')));
const client = createNodeClient({ url: `http://${host}`, signer });
const stream = createNodeStream({ url: `ws://${host}/v1/orderbook`, signer, clock: client.clock });

const page = await client.call('listMarkets', { query: { venue: 'venue_a', executable: true, pageSize: 100 } });
if (!page.ok) throw new Error(page.error.message);
const watched = page.value.value.markets.filter(
  ({ outcomes }) =>
    outcomes.length === 2 &&
    outcomes.every(({ listings }) => ['VENUE_A', 'VENUE_B'].every(venue => listings.some(it => it.venue === venue))),
);
const titles = new Map(watched.map(({ id, title }) => [id, title]));
console.log(`${watched.length} markets at both venues`);

stream.on('outcome', ({ catalogMarket, outcomes, notes }) => {
  const [one, other] = outcomes.map(({ buy }) => buy);
  if (one == null || other == null) return;
  const sum = (one.netPrice + other.netPrice) / MICRO;
  const parts = [one, other].map(({ route, netPrice }) => `${netPrice / MICRO} at ${route.market.venue}`).join(' + ');
  const warning = notes.length === 0 ? '' : ' (they may settle differently)';
  console.log(`${sum < 1 ? 'BOTH ' : ''}${titles.get(catalogMarket)}: ${parts} = ${sum}${warning}`);
});
stream.on('refused', ({ code }) => console.log(`refused: ${code}`));
stream.subscribeOutcomes(
  watched.map(({ id }) => id),
  { minIntervalMs: 1_000 },
);
stream.start();
