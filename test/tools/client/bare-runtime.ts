// A process that runs the portable client with nothing but the language and browsers' globals. It strips types and links modules by hand
// into a context without Node. Its arguments are origin, key id and seed, then the files of client, stream and signer. It prints its
// results as JSON. It needs --experimental-vm-modules.

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const [url = '', keyId = '', seedHex = '', client = '', stream = '', signer = ''] = process.argv.slice(2);

/** A context with the globals of every browser that the client may use. */
const context = vm.createContext({
  ...{ AbortSignal, TextDecoder, TextEncoder, URL, WebSocket },
  ...{ btoa, clearTimeout, crypto, fetch, setTimeout },
});

/** The program of a page: a call, and a stream until its first book. */
const PAGE = `
  import { CrossbookClient } from '${resolve(client)}';
  import { createBrowserStream } from '${resolve(stream)}';
  import { portableSigner } from '${resolve(signer)}';

  export async function visit(url, keyId, seedHex, market) {
    const client = new CrossbookClient({ url, signer: portableSigner({ keyId, seedHex }) });
    const order = { ticker: market.ticker, side: 'YES', action: 'BUY', count: 10, priceCents: 53 };
    const placed = await client.call('submitVenueBOrder', { body: order });
    const stream = createBrowserStream({ client });
    const book = new Promise(resolve => stream.on('book', resolve));
    stream.subscribe('book', [market]);
    stream.start();
    const { bids } = await book;
    const { asks } = (await book).no();
    stream.close();
    return JSON.stringify({ placed: placed.ok ? placed.value.value : placed.error, bids, asks });
  }
`;

const modules = new Map<string, vm.SourceTextModule>();

function load(path: string): vm.SourceTextModule {
  const loaded = modules.get(path);
  if (loaded !== undefined) return loaded;
  const text = readFileSync(path, 'utf8');
  const module = new vm.SourceTextModule(path.endsWith('.ts') ? stripTypeScriptTypes(text) : text, {
    identifier: path,
    context,
  });
  modules.set(path, module);
  return module;
}

function link(specifier: string, from: vm.Module): vm.SourceTextModule {
  if (/^[./]/.test(specifier)) return load(resolve(dirname(from.identifier), specifier));
  return load(fileURLToPath(import.meta.resolve(specifier)));
}

const page = new vm.SourceTextModule(PAGE, { identifier: resolve('page.js'), context });
await page.link(link);
await page.evaluate();
const { visit } = page.namespace as { visit(...values: readonly unknown[]): Promise<string> };
process.stdout.write(await visit(url, keyId, seedHex, { venue: 'venue_b', ticker: 'T' }));
