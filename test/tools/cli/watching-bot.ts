// A bot that trades nothing: prints the checksum of each update of the books of venue B that its arguments name, until SIGTERM.

import { readFileSync } from 'node:fs';
import { nodeSigner } from '../../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../../src/tools/client/node-stream.ts';

const signer = nodeSigner(JSON.parse(readFileSync(process.env.CROSSBOOK_KEY_FILE ?? '', 'utf8')));
const stream = createNodeStream({ url: `ws://127.0.0.1:${process.env.CROSSBOOK_PORT}/v1/orderbook`, signer });
stream.on('book', ({ market }, { checksum }) => 'ticker' in market && console.log(market.ticker, checksum));
process.on('SIGTERM', () => process.exit());
stream.subscribe(
  'book',
  process.argv.slice(2).map(ticker => ({ venue: 'venue_b', ticker })),
);
stream.start();
