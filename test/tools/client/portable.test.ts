// The client runs in browsers: nothing that it imports, at any depth, needs Node, and it runs without Node.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { closureOf, type Read } from './closure.ts';
import { visitWithoutNode } from './page.ts';

const ENTRIES = ['crossbook-client', 'browser-stream', 'signer'].map(name => `src/tools/client/${name}.ts`);
const PACKAGES = ['@noble/ed25519'];
const NODE_GLOBAL = /^(Buffer|process|global|require|module|setImmediate|clearImmediate|__dirname|__filename)$/;

/** Returns the uses of modules and globals that a browser does not have. */
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
    const closure = [...closureOf(ENTRIES, read).keys()].filter(path => path.startsWith('src/tools/client/'));
    expect(closure.filter(path => path.includes('/node-'))).toEqual([]);
    expect(closure).toEqual(
      expect.arrayContaining(['src/tools/client/orderbook-stream.ts', 'src/tools/client/local-book.ts']),
    );
  });

  it.each([
    ["import { createHash } from 'node:crypto';", 'src/core/net/b.ts: imports node:crypto'],
    ["import WebSocket from 'ws';", 'src/core/net/b.ts: imports ws'],
    ["export { x } from 'undici';", 'src/core/net/b.ts: imports undici'],
    ["const x = Buffer.from('x');", 'src/core/net/b.ts: uses Buffer'],
    ["const x = await import('node:fs');", 'src/core/net/b.ts: imports node:fs'],
  ])('would be noticed to need it: %s', (text, complaint) => {
    const files: Readonly<Record<string, string>> = {
      'src/tools/client/a.ts': "import { b } from '../../core/net/b.ts';\nimport type { c } from './c.ts';",
      'src/core/net/b.ts': text,
    };
    expect(complaints(['src/tools/client/a.ts'], path => files[path]!)).toEqual([complaint]);
  });

  it('runs where there is no Node', async () => {
    const [client, stream, signer] = ENTRIES as [string, string, string];
    const { placed, bids, asks, signed } = await visitWithoutNode({ client, 'browser-stream': stream, signer });
    expect(placed).toEqual({ orderId: 'o-1', status: 'OPEN' });
    expect([bids, asks]).toEqual([[{ price: 5_300, size: 10 }], [{ price: 4_700, size: 10 }]]);
    expect(signed).toEqual([true, true, false]);
  });
});
