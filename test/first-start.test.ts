// The first start: what it leaves, and how the next start completes one that was cut short at any point.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicKeyOf } from '../src/core/auth/key-pair.ts';
import { hashApiKey } from '../src/core/auth/keyring.ts';
import { NO_LIMITS } from '../src/core/domain/identity.ts';
import type { KeyBounds } from '../src/core/store/key-registry.ts';
import { openKeyStore } from '../src/core/store/key-store.ts';
import { openEnvironment } from '../src/core/store/lmdb.ts';
import { StoreError } from '../src/core/store/store-error.ts';
import { prepareDemo } from '../src/first-start.ts';
import { limits } from '../src/limits.ts';
import { at } from './core/store/identities.ts';
import { PATIENCE_MS } from './support/eventually.ts';

const ZEROS = '0'.repeat(64);
const PUBLIC_OF_ZEROS = await publicKeyOf(ZEROS);
const keyText = (publicKeyHex: string, keyId = 'key_0123456789abcdef') =>
  JSON.stringify({ keyId, seedHex: ZEROS, publicKeyHex });

let dataDir: string;
const keyFile = () => join(dataDir, 'demo', 'key.json');
const apiKeyFile = () => join(dataDir, 'demo', 'api-key.txt');
const readText = (path: string) => readFileSync(path, 'utf8');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'crossbook-first-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** One start: opens the store, prepares, and closes in any case. */
async function start(bounds: KeyBounds = limits) {
  const store = openKeyStore(join(dataDir, 'keys'), bounds);
  try {
    return await prepareDemo(dataDir, store, at(1_000));
  } finally {
    await store.close();
  }
}

async function records() {
  const store = openKeyStore(join(dataDir, 'keys'));
  const all = store.read();
  await store.close();
  return all;
}

/** The files are whole and private, and the store knows exactly what they hold. */
async function expectDemo(): Promise<void> {
  const { keyId, seedHex, publicKeyHex, ...rest } = JSON.parse(readText(keyFile()));
  expect([rest, await publicKeyOf(seedHex)]).toEqual([{}, publicKeyHex]);
  const hashHex = hashApiKey(readText(apiKeyFile()).trimEnd());
  const owner = { podId: 'demo', actorId: 'demo', createdAt: 1_000, revokedAt: null };
  expect(await records()).toEqual({
    pods: [{ podId: 'demo', exposureMax: null, createdAt: 1_000 }],
    actors: [{ podId: 'demo', actorId: 'demo', limits: NO_LIMITS, createdAt: 1_000 }],
    signingKeys: [
      { ...owner, keyId, publicKeyHex, scopes: ['read', 'trade'], addresses: [], label: 'made by the first start' },
    ],
    apiKeys: [{ ...owner, apiKeyId: expect.any(String), hashHex, label: 'made by the first start' }],
  });
  const modes = [join(dataDir, 'demo'), keyFile(), apiKeyFile()].map(path => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600, 0o600]);
  expect(readdirSync(join(dataDir, 'demo'))).toEqual(['api-key.txt', 'key.json']);
}

describe('the first start', () => {
  it('makes an identity that works, and tells where its secrets are', async () => {
    const made = await start();
    await expectDemo();
    const { signingKeys, apiKeys } = await records();
    expect(made).toEqual({
      signingKey: signingKeys[0],
      apiKey: apiKeys[0],
      keyFile: keyFile(),
      apiKeyFile: apiKeyFile(),
    });
  });

  it('is the only one: the second makes and touches nothing', async () => {
    await start();
    const before = [readText(keyFile()), readText(apiKeyFile()), await records()];
    expect(await start()).toBeNull();
    expect([readText(keyFile()), readText(apiKeyFile()), await records()]).toEqual(before);
  });

  it('leaves a store alone that has a pod of its own', async () => {
    const store = openKeyStore(join(dataDir, 'keys'));
    store.createPod({ podId: 'desk', createdAt: at(1) });
    expect(await prepareDemo(dataDir, store, at(2))).toBeNull();
    await store.close();
    expect(readdirSync(dataDir)).toEqual(['keys']);
  });

  it('after the store was deleted registers the key of the file again', async () => {
    await start();
    const before = [readText(keyFile()), readText(apiKeyFile())];
    rmSync(join(dataDir, 'keys'), { recursive: true });
    expect((await start())?.signingKey.keyId).toBe(JSON.parse(before[0]!).keyId);
    expect([readText(keyFile()), readText(apiKeyFile())]).toEqual(before);
    await expectDemo();
  });
});

describe('a first start that is cut short', () => {
  const inTheWay: [when: string, obstacle: () => string, put: (path: string) => void][] = [
    ['before its folder', () => join(dataDir, 'demo'), path => writeFileSync(path, '')],
    ['before the key file', keyFile, path => mkdirSync(path, { recursive: true })],
    ['before the API key file', apiKeyFile, path => mkdirSync(path, { recursive: true })],
  ];

  it.each(inTheWay)('%s registers nothing, names what is in the way, and is made good', async (_when, path, put) => {
    put(path());
    const error = await start().catch(reason => reason);
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toContain(`${path()}: `);
    expect((await records()).pods).toEqual([]);
    rmSync(path(), { recursive: true });
    await start();
    await expectDemo();
  });

  it('between the files keeps the file that exists', async () => {
    mkdirSync(apiKeyFile(), { recursive: true });
    await expect(start()).rejects.toThrow(apiKeyFile());
    const key = readText(keyFile());
    rmSync(apiKeyFile(), { recursive: true });
    await start();
    expect(readText(keyFile())).toBe(key);
    await expectDemo();
  });

  it('before or in its transaction keeps both files', async () => {
    await expect(start({ signingKeysMax: 1, apiKeysMax: 0 })).rejects.toThrow('apiKeysMax');
    const files = [readText(keyFile()), readText(apiKeyFile())];
    expect((await records()).pods).toEqual([]);
    await start();
    expect([readText(keyFile()), readText(apiKeyFile())]).toEqual(files);
    await expectDemo();
  });

  it.each<[what: string, path: () => string, text: string]>([
    ['a key file that is empty', keyFile, ''],
    ['a key file of another key', keyFile, keyText('d'.repeat(64))],
    ['a key file without a key id', keyFile, keyText(PUBLIC_OF_ZEROS, 'mine')],
    ['an API key file that is empty', apiKeyFile, '\n'],
  ])('%s is named, not replaced and not registered', async (_what, path, text) => {
    mkdirSync(join(dataDir, 'demo'));
    writeFileSync(path(), text, { mode: 0o600 });
    await expect(start()).rejects.toThrow(`${path()}: must hold`);
    expect([readText(path()), (await records()).pods]).toEqual([text, []]);
    rmSync(path());
    await start();
    await expectDemo();
  });

  it('with a damaged store touches no file', async () => {
    const environment = openEnvironment(join(dataDir, 'keys'), 1024 * 1024);
    environment.transact(({ put }) => put('pod/demo', Buffer.from('?')));
    await environment.close();
    await expect(start()).rejects.toThrow('record "pod/demo"');
    expect(readdirSync(dataDir)).toEqual(['keys']);
  });
});

describe('two first starts at once', () => {
  it('agree on one identity', async () => {
    const child = join(import.meta.dirname, 'first-start-child.ts');
    const run = () => promisify(execFile)(process.execPath, [child, dataDir], { timeout: PATIENCE_MS });
    const said = await Promise.all([run(), run(), run()]);
    await expectDemo();
    expect(said.map(({ stdout }) => stdout.trim()).toSorted()).toEqual(['made', 'null', 'null']);
  });
});
