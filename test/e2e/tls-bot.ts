// `node tls-bot.ts PORT KEY_FILE`: a bot with our own client over TLS. Prints the key id that the gateway sees, and which of its streams
// are up.

import { readFileSync } from 'node:fs';
import { createBrowserStream } from '../../src/tools/client/browser-stream.ts';
import { CrossbookClient } from '../../src/tools/client/crossbook-client.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { portableSigner } from '../../src/tools/client/signer.ts';

const [port = '', keyFile = ''] = process.argv.slice(2);
const key = JSON.parse(readFileSync(keyFile, 'utf8'));
const [rest, streams] = [`https://127.0.0.1:${port}`, `wss://127.0.0.1:${port}/v1/orderbook`];
const client = createNodeClient({ url: rest, signer: nodeSigner(key) });
const portable = new CrossbookClient({ url: rest, signer: portableSigner(key) });
const reported = await client.call('getWhoami');
console.log(`rest ${reported.ok ? reported.value.value.keyId : reported.error.message}`);
const both = {
  node: createNodeStream({ url: streams, signer: nodeSigner(key) }),
  browser: createBrowserStream({ client: portable }),
};
for (const [name, stream] of Object.entries(both)) {
  await new Promise<void>(resolve => {
    stream.once('connection', (isUp, why) => {
      console.log(`${name} ${isUp ? 'up' : why}`);
      resolve();
    });
    stream.start();
  });
  stream.close();
}
process.exit(0);
