// The client runs in browsers: nothing that it imports, at any depth, needs Node, and it runs without Node.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checksumLevels } from '../../src/book/checksum.ts';
import type { Level } from '../../src/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import { type SourceFile, sourceFile } from '../support/source-file.ts';
import { SignedServer } from './signed-server.ts';

const ENTRIES = ['crossbook-client', 'browser-stream', 'signer'].map(name => `src/client/${name}.ts`);
const PACKAGES = ['@noble/ed25519'];
const NODE_GLOBAL = /^(Buffer|process|global|require|module|setImmediate|clearImmediate|__dirname|__filename)$/;

type Read = (path: string) => string;

/** The files and everything that they import at run time. */
function closureOf(entries: readonly string[], read: Read): ReadonlyMap<string, SourceFile> {
  const files = new Map<string, SourceFile>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    const file = sourceFile(path, read(path));
    files.set(path, file);
    for (const { specifier, isTypeOnly } of file.imports) {
      if (!isTypeOnly && specifier.startsWith('.')) visit(posix.join(posix.dirname(path), specifier));
    }
  };
  for (const entry of entries) visit(entry);
  return files;
}

/** What a browser would not have. */
function complaints(entries: readonly string[], read: Read): string[] {
  return [...closureOf(entries, read).values()].flatMap(({ path, imports, nodes }) => [
    ...imports
      .filter(({ specifier, isTypeOnly }) => !isTypeOnly && !specifier.startsWith('.') && !PACKAGES.includes(specifier))
      .map(({ specifier }) => `${path}: imports ${specifier}`),
    ...nodes
      .filter(node => node.type === 'Identifier' && NODE_GLOBAL.test(String(node.name)))
      .map(node => `${path}: uses ${String(node.name)}`),
  ]);
}

describe('the portable client', () => {
  const read: Read = path => readFileSync(path, 'utf8');

  it('needs nothing of Node', () => {
    expect(complaints(ENTRIES, read)).toEqual([]);
  });

  it('has the stream with its local book, and no file that is named after Node', () => {
    const closure = [...closureOf(ENTRIES, read).keys()].filter(path => path.startsWith('src/client/'));
    expect(closure.filter(path => path.includes('/node-'))).toEqual([]);
    expect(closure).toEqual(expect.arrayContaining(['src/client/orderbook-stream.ts', 'src/client/local-book.ts']));
  });

  it.each([
    ["import { createHash } from 'node:crypto';", 'src/net/b.ts: imports node:crypto'],
    ["import WebSocket from 'ws';", 'src/net/b.ts: imports ws'],
    ["export { x } from 'undici';", 'src/net/b.ts: imports undici'],
    ["const x = Buffer.from('x');", 'src/net/b.ts: uses Buffer'],
    ["const x = await import('node:fs');", 'src/net/b.ts: imports node:fs'],
  ])('would be noticed to need it: %s', (text, complaint) => {
    const files: Readonly<Record<string, string>> = {
      'src/client/a.ts': "import { b } from '../net/b.ts';\nimport type { c } from './c.ts';",
      'src/net/b.ts': text,
    };
    expect(complaints(['src/client/a.ts'], path => files[path]!)).toEqual([complaint]);
  });

  it('runs where there is no Node', async () => {
    const server = await SignedServer.start();
    const bids: Level[] = [{ price: 5_300 as Ticks, size: 10 as MicroShares }];
    server.answer = ({ target }) => {
      server.tickets.add('ticket-1');
      const body = target === '/v1/venue-b/orders' ? { orderId: 'o-1', status: 'OPEN' } : { ticket: 'ticket-1' };
      return { status: 201, body };
    };
    server.onStream = socket =>
      socket.on('message', () => {
        const times = { venueTime: 1 as UnixMillis, receivedAt: 1 as UnixMillis };
        const book = { epoch: 1, seq: 1, state: 'LIVE', bids, asks: [], checksum: checksumLevels(bids, []) } as const;
        const market = { venue: 'venue_b', ticker: 'T' } as const;
        socket.send(jsonCodec.encode({ type: 'snapshot', market, ...book, ...times }), { binary: false });
      });
    const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
    const args = [...flags, 'test/client/bare-runtime.ts', server.url, server.keyId, server.seedHex];
    const child = promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    const { stdout } = await child.finally(() => server.close());
    expect(JSON.parse(stdout)).toEqual({
      placed: { orderId: 'o-1', status: 'OPEN' },
      bids: [{ price: 5_300, size: 10 }],
      asks: [{ price: 4_700, size: 10 }],
    });
    expect(server.heard.map(request => request.isSigned)).toEqual([true, true, false]);
  });
});
