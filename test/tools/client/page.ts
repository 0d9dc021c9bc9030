// The visit of a page to a gateway with the portable client: an order, then a book. It runs in a process without Node's globals (bare-runtime.ts), or
// in Debian's Chromium.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { Level } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import { checksumLevels } from '../../../src/market-data/book/checksum.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';
import { BrowserPage } from '../page/browser-page.ts';
import { type Script, SignedServer } from './signed-server.ts';

const FLAGS = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const TIMES = { venueTime: 1 as UnixMillis, receivedAt: 1 as UnixMillis };

interface Visit {
  readonly placed: unknown;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Whether each request had a good signature. */
  readonly signed: readonly boolean[];
}

export type Files = Readonly<Record<'client' | 'browser-stream' | 'signer', string>>;

const NOBLE = fileURLToPath(import.meta.resolve('@noble/ed25519'));

/** Visits in a process without Node. `files` are the files of the client, by their role. */
export async function visitWithoutNode(files: Files): Promise<Visit> {
  const server = await exchangeOfOneBook(() => null);
  const paths = [files.client, files['browser-stream'], files.signer];
  const args = [...FLAGS, 'test/tools/client/bare-runtime.ts', server.url, server.keyId, server.seedHex, ...paths];
  const child = promisify(execFile)(process.execPath, args, { timeout: PATIENCE_MS });
  const { stdout } = await child.finally(() => server.close());
  return { ...JSON.parse(stdout), signed: server.heard.map(({ isSigned }) => isSigned) };
}

/**
 * Visits in a browser. The page imports the package by its names, from the gateway's own origin. `files` are absolute paths; `root` has all that they
 * import.
 */
export async function visitInBrowser(root: string, files: Files): Promise<Visit> {
  const atRoot = (path: string) => path.replace(root, '/package');
  const imports = {
    'crossbook-client/client': atRoot(files.client),
    'crossbook-client/browser-stream': atRoot(files['browser-stream']),
    'crossbook-client/signer': atRoot(files.signer),
    '@noble/ed25519': '/noble.js',
  };
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script>`;
  const script = (path: string) => ({
    headers: { 'Content-Type': 'text/javascript' },
    body: readFileSync(path, 'utf8'),
  });
  const server = await exchangeOfOneBook(target => {
    if (target === '/') return { headers: { 'Content-Type': 'text/html' }, body: page };
    if (target === '/noble.js') return script(NOBLE);
    return target.startsWith('/package/') ? script(target.replace('/package', root)) : null;
  });
  const browser = await BrowserPage.start();
  try {
    await browser.open(server.url);
    const visited = await browser.page.evaluate<Omit<Visit, 'signed'>>(
      `(${VISIT})(${JSON.stringify([server.url, server.keyId, server.seedHex])})`,
    );
    expect(browser.complaints).toEqual([]);
    const signed = server.heard.filter(({ target }) => target.startsWith('/v1/')).map(({ isSigned }) => isSigned);
    return { ...visited, signed };
  } finally {
    await browser.close();
    await server.close();
  }
}

const VISIT = `async ([url, keyId, seedHex]) => {
  const { CrossbookClient } = await import('crossbook-client/client');
  const { createBrowserStream } = await import('crossbook-client/browser-stream');
  const { portableSigner } = await import('crossbook-client/signer');
  const client = new CrossbookClient({ url, signer: portableSigner({ keyId, seedHex }) });
  const body = { ticker: 'T', side: 'YES', action: 'BUY', count: 10, priceCents: 53 };
  const placed = await client.call('submitVenueBOrder', { body });
  const stream = createBrowserStream({ client });
  const shown = new Promise(resolve => stream.on('book', resolve));
  stream.subscribe('book', [{ venue: 'venue_b', ticker: 'T' }]);
  stream.start();
  const book = await shown;
  const { bids } = book;
  const { asks } = book.no();
  stream.close();
  return { placed: placed.ok ? placed.value.value : placed.error, bids, asks };
}`;

/** Starts the server. `file` returns the scripts for paths that are not API paths. */
async function exchangeOfOneBook(file: (target: string) => Script | null): Promise<SignedServer> {
  const server = await SignedServer.start();
  const bids: Level[] = [{ price: 5_300 as Ticks, size: 10 as MicroShares }];
  server.answer = ({ target }) => {
    const found = file(target);
    if (found !== null) return found;
    server.tickets.add('ticket-1');
    const body = target === '/v1/venue-b/orders' ? { orderId: 'o-1', status: 'OPEN' } : { ticket: 'ticket-1' };
    return { status: 201, body };
  };
  server.onStream = socket =>
    socket.on('message', () => {
      const book = { epoch: 1, seq: 1, state: 'LIVE', bids, asks: [], checksum: checksumLevels(bids, []) } as const;
      const market = { venue: 'venue_b', ticker: 'T' } as const;
      socket.send(jsonCodec.encode({ type: 'snapshot', market, ...book, ...TIMES }), { binary: false });
    });
  return server;
}
