// The package crossbook-client that `npm pack` makes in clients/typescript, installed in a project that has nothing else. Programs import it on
// Node, with types, and where there is no Node.

import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../support/debian-packages.ts';
import { closureOf } from '../tools/client/closure.ts';
import { type Files, visitInBrowser, visitWithoutNode } from '../tools/client/page.ts';
import { SignedServer } from '../tools/client/signed-server.ts';

const run = promisify(execFile);
/** The modules that a page may import. */
const PORTABLE = ['client', 'signer', 'browser-stream', 'local-book'];

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
}

let project: string;
let root: string;
let manifest: Manifest;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'crossbook-client-'));
  root = join(project, 'node_modules/crossbook-client');
  await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: 'clients/typescript' });
  const [tarball = ''] = readdirSync(project).filter(name => name.endsWith('.tgz'));
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  await run('npm', ['install', '--prefix', project, '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`], {
    cwd: project,
  });
  manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
});
afterAll(() => rmSync(project, { recursive: true }));

const entryOf = (name: string): string => {
  const entry = manifest.exports[`./${name}`];
  return typeof entry === 'object' ? entry.default : '';
};

/** The files that an entry needs, by their paths in the package, and the packages beside them. */
function needsOf(entry: string): { readonly files: readonly string[]; readonly packages: readonly string[] } {
  const closure = closureOf([join(root, entryOf(entry))], path => readFileSync(path, 'utf8'));
  const specifiers = [...closure.values()].flatMap(({ imports }) => imports.map(({ specifier }) => specifier));
  return {
    files: [...closure.keys()].map(path => relative(root, path)),
    packages: specifiers.filter(specifier => !specifier.startsWith('.')),
  };
}

it('brings three packages of pure JavaScript and what they need, and runs no install script', () => {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const names = Object.keys(lock.packages).map(path => path.replace(/^node_modules\//, ''));
  expect(names.toSorted()).toEqual(['', '@noble/ed25519', 'crossbook-client', 'long', 'protobufjs', 'ws']);
  expect(Object.values(lock.packages).filter(it => it.hasInstallScript === true)).toEqual([]);
  const files = readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' });
  expect(files.filter(path => path.endsWith('.node'))).toEqual([]);
});

it('has the versions of the gateway, and of its packages', () => {
  const gateway = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(manifest.version).toBe(gateway.version);
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect([name, version]).toEqual([name, gateway.dependencies[name]]);
});

it('has for each of its exports JavaScript and types', () => {
  const entries = Object.entries(manifest.exports).filter(([name]) => name !== './package.json');
  expect(entries.length).toBeGreaterThan(PORTABLE.length);
  for (const [, entry] of entries) {
    expect(entry).toMatchObject({ types: expect.stringMatching(/\.d\.ts$/), default: expect.stringMatching(/\.js$/) });
    for (const path of Object.values(entry)) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  }
});

it('is compiled for its exports only, and brings no tests', () => {
  expect(readdirSync(root)).not.toContain('test');
  const compiled = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  expect(compiled.filter(path => /(^|\/)(gateway|orders|engine)\//.test(path))).toEqual([]);
});

describe('on Node', () => {
  it('places an order from a project that has nothing else', async () => {
    const server = await SignedServer.start();
    server.answer = () => ({ status: 201, body: { orderId: 'o-1', status: 'OPEN' } });
    writeFileSync(
      join(project, 'bot.js'),
      `import { createNodeClient, nodeSigner } from 'crossbook-client/node-client';
       import { createNodeStream, createNodeTrade } from 'crossbook-client/node-stream';
       import { protobufCodec } from 'crossbook-client/protobuf';
       const [url, keyId, seedHex] = process.argv.slice(2);
       const client = createNodeClient({ url, signer: nodeSigner({ keyId, seedHex }) });
       const body = { ticker: 'T', side: 'YES', action: 'BUY', count: 1, priceCents: 50 };
       const placed = await client.call('submitVenueBOrder', { body });
       console.log(JSON.stringify([placed.value.value, typeof createNodeStream, typeof createNodeTrade, protobufCodec.isBinary]));
       process.exit();`,
    );
    const { stdout } = await run(process.execPath, ['bot.js', server.url, server.keyId, server.seedHex], {
      cwd: project,
    });
    await server.close();
    expect(JSON.parse(stdout)).toEqual([{ orderId: 'o-1', status: 'OPEN' }, 'function', 'function', true]);
    expect(server.heard.map(({ isSigned }) => isSigned)).toEqual([true]);
  });
});

describe('where there is no Node', () => {
  it.each(PORTABLE)('%s needs none of it, at any depth', entry => {
    const { packages } = needsOf(entry);
    expect(packages.filter(name => name !== '@noble/ed25519')).toEqual([]);
  });

  const modules = (): Files => {
    const paths = PORTABLE.map(name => [name, join(root, entryOf(name))]);
    return Object.fromEntries(paths) as Files;
  };

  it('places an order and shows a book', async () => {
    const { placed, bids } = await visitWithoutNode(modules());
    expect([placed, bids]).toEqual([{ orderId: 'o-1', status: 'OPEN' }, [{ price: 5_300, size: 10 }]]);
  });

  it.skipIf(lacks('chromium'))('places an order and shows a book in a browser, as it is packed', async () => {
    const { placed, bids, asks, signed } = await visitInBrowser(root, modules());
    expect([placed, bids]).toEqual([{ orderId: 'o-1', status: 'OPEN' }, [{ price: 5_300, size: 10 }]]);
    expect(asks).toEqual([{ price: 4_700, size: 10 }]);
    // The stream has its ticket instead.
    expect(signed).toEqual([true, true, false]);
  });
});

it('an import takes what it needs, and a bundler may leave the rest out', () => {
  expect(manifest).toMatchObject({ sideEffects: false });
  expect(needsOf('signer').files.filter(path => /stream|book|client\.js/.test(path))).toEqual([]);
  expect(needsOf('client').files.filter(path => /stream|local-book/.test(path))).toEqual([]);
});

it('a bundle has what is used of it, and nothing else', async () => {
  const bundled = async (used: string): Promise<string> => {
    const contents = `import { CrossbookClient } from 'crossbook-client/client'; import { LocalBook } from 'crossbook-client/local-book'; ${used}`;
    const options = { bundle: true, write: false, minify: true, format: 'esm' } as const;
    const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: project } });
    return outputFiles[0]!.text;
  };
  expect(await bundled('')).toBe('');
  const [client, book] = [await bundled('console.log(CrossbookClient)'), await bundled('console.log(LocalBook)')];
  expect([client, book].map(text => text.includes('svc-server-time'))).toEqual([true, false]);
});

it.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('the package’s types hold for a program of module %s, resolved as %s', async (module, moduleResolution) => {
  writeFileSync(
    join(project, 'bot.ts'),
    `import { CrossbookClient } from 'crossbook-client/client';
     import { createBrowserStream } from 'crossbook-client/browser-stream';
     import { LocalBook } from 'crossbook-client/local-book';
     import { createNodeClient } from 'crossbook-client/node-client';
     import { createNodeStream, createNodeTrade } from 'crossbook-client/node-stream';
     import { protobufCodec } from 'crossbook-client/protobuf';
     import { portableSigner } from 'crossbook-client/signer';
     createNodeClient satisfies Function; createNodeStream satisfies Function; createNodeTrade satisfies Function; protobufCodec satisfies object;
     const client = new CrossbookClient({ url: 'http://x', signer: portableSigner({ keyId: 'k', seedHex: '00' }) });
     const placed = await client.call('submitVenueBOrder', {
       body: { ticker: 'T', side: 'YES', action: 'BUY', count: 1, priceCents: 50 },
     });
     if (placed.ok) placed.value.value.orderId satisfies string;
     else if (placed.error.kind === 'unknown-outcome') placed.error.idempotencyKey satisfies string;
     createBrowserStream({ client }).on('book', (book: LocalBook) => book.bestBid?.price satisfies number | undefined);
     // @ts-expect-error no such side
     await client.call('submitVenueBOrder', { body: { ticker: 'T', side: 'MAYBE', action: 'BUY', count: 1, priceCents: 50 } });
     export {};`,
  );
  const compilerOptions = {
    module,
    moduleResolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // The declarations are checked, too: those of all entries.
    skipLibCheck: false,
    noEmit: true,
    types: [],
    target: 'es2024',
    lib: ['es2024', 'dom'],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['bot.ts'] }));
  const { stdout } = await run(resolve('node_modules/.bin/tsc'), ['-p', project]).catch(error => error);
  expect(stdout).toBe('');
});
