// The key store on real files: its rules against a naive twin, damage, and file modes.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../../../src/core/domain/identity.ts';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { encodeRecord } from '../../../src/core/store/key-record.ts';
import { type KeyStore, openKeyStore, StampedFile } from '../../../src/core/store/key-store.ts';
import { openEnvironment } from '../../../src/core/store/lmdb.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { limits } from '../../../src/limits.ts';
import { testFolder } from '../../support/test-folder.ts';
import { actorLimitChange, apiKey, at, signingKey } from './identities.ts';
import { NaiveKeyStore } from './naive-key-store.ts';

const ADDRESS_SPACE_BYTES = 1024 * 1024;
let folder: string;
let store: KeyStore;

beforeEach(() => {
  folder = join(testFolder(), 'data', 'keys');
  store = openKeyStore(folder);
});
afterEach(() => store.close());

async function reopen(): Promise<void> {
  await store.close();
  store = openKeyStore(folder);
}

function populate(): void {
  const made = store.change(all => {
    all.createPod({ podId: 'desk', createdAt: at(1) });
    all.createActor({ podId: 'desk', actorId: 'maker', createdAt: at(2) });
    all.addSigningKey(signingKey(3));
    return all.addApiKey(apiKey(4));
  });
  expect(made.ok).toBe(true);
}

/** Puts bytes into the store without the store's own methods. */
async function plant(name: string, value: Uint8Array): Promise<void> {
  const environment = openEnvironment(folder, ADDRESS_SPACE_BYTES);
  environment.transact(({ put }) => put(name, value));
  await environment.close();
}

describe('the key store', () => {
  it('is empty at version 0, and keeps what it gets', async () => {
    expect([store.version(), store.read()]).toEqual([0, { pods: [], actors: [], signingKeys: [], apiKeys: [] }]);
    populate();
    store.revokeSigningKey(signingKey(3).keyId, at(9));
    await reopen();
    expect(store.version()).toBe(2);
    expect(store.read()).toEqual({
      pods: [{ podId: 'desk', exposureMax: null, createdAt: 1 }],
      actors: [{ podId: 'desk', actorId: 'maker', limits: NO_LIMITS, createdAt: 2 }],
      signingKeys: [{ ...signingKey(3), revokedAt: 9 }],
      apiKeys: [{ ...apiKey(4), revokedAt: null }],
    });
  });

  it('undoes all of a change of which a part fails', () => {
    const refused = store.change(all => {
      all.createPod({ podId: 'desk', createdAt: at(1) });
      return fail('thought better of it');
    });
    expect(refused).toEqual({ ok: false, error: 'thought better of it' });
    expect([store.version(), store.read().pods]).toEqual([0, []]);
  });

  it('does not count a change that changes nothing', () => {
    expect(store.change(all => ok(all.records().pods.length))).toEqual({ ok: true, value: 0 });
    expect(store.version()).toBe(0);
  });

  it('is private under any umask', async () => {
    const umask = process.umask(0);
    rmSync(folder, { recursive: true });
    await reopen();
    populate();
    process.umask(umask);
    const modes = ['.', 'data.mdb', 'lock.mdb'].map(name => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it.each<[what: string, change: () => { ok: boolean }, error: RegExp]>([
    ['a pod twice', () => store.createPod({ podId: 'desk', createdAt: at(5) }), /^podId: desk exists already$/],
    ['a pod of a bad name', () => store.createPod({ podId: 'Desk/1', createdAt: at(5) }), /^podId: must match/],
    [
      'an actor of no pod',
      () => store.createActor({ podId: 'x', actorId: 'maker', createdAt: at(5) }),
      /^podId: there is no pod x$/,
    ],
    [
      'an actor twice',
      () => store.createActor({ podId: 'desk', actorId: 'maker', createdAt: at(5) }),
      /^actorId: maker exists already$/,
    ],
    ['a key of no pod', () => store.addSigningKey(signingKey(5, { podId: 'x' })), /^podId: there is no pod x$/],
    [
      'a key of no actor',
      () => store.addSigningKey(signingKey(5, { actorId: 'x' })),
      /^actorId: pod desk has no actor x$/,
    ],
    ['a key id twice', () => store.addSigningKey(signingKey(3)), /^keyId: key_0+3 exists already$/],
    [
      'a public key twice',
      () => store.addSigningKey(signingKey(5, { publicKeyHex: signingKey(3).publicKeyHex })),
      /^publicKeyHex: is taken by key_0+3$/,
    ],
    ['a key without scopes', () => store.addSigningKey(signingKey(5, { scopes: [] })), /^scopes: must be/],
    [
      'an API key of no actor',
      () => store.addApiKey(apiKey(5, { actorId: 'x' })),
      /^actorId: pod desk has no actor x$/,
    ],
    ['an API key id twice', () => store.addApiKey(apiKey(4)), /^apiKeyId: apikey_0+4 exists already$/],
    ['the end of no key', () => store.revokeSigningKey('key_x', at(9)), /^keyId: there is no signing key key_x$/],
    ['the end of no API key', () => store.revokeApiKey('apikey_x', at(9)), /^apiKeyId: there is no API key apikey_x$/],
  ])('refuses %s', (_what, change, error) => {
    populate();
    expect(change()).toEqual({ ok: false, error: expect.stringMatching(error) });
    expect(store.version()).toBe(1);
  });

  it('ends a key once and for all: its public key may have leaked', () => {
    populate();
    const [first, second] = [signingKey(3), signingKey(5, { publicKeyHex: signingKey(3).publicKeyHex })];
    expect(store.revokeSigningKey(first.keyId, at(9))).toEqual({ ok: true, value: { ...first, revokedAt: 9 } });
    expect(store.revokeSigningKey(first.keyId, at(9))).toEqual({
      ok: false,
      error: `keyId: ${first.keyId} is revoked already`,
    });
    expect(store.addSigningKey(second)).toEqual({ ok: false, error: `publicKeyHex: is taken by ${first.keyId}` });
    expect(store.revokeApiKey(apiKey(4).apiKeyId, at(9)).ok).toBe(true);
    expect(store.revokeApiKey(apiKey(4).apiKeyId, at(9)).ok).toBe(false);
  });

  it('holds as many keys of the longest kind as its limits allow addresses', async () => {
    populate();
    const addresses = Array(limits.addressesPerKeyMax).fill('f'.repeat(limits.identityCharactersMax));
    const key = signingKey(5, { addresses, label: 'ü'.repeat(limits.identityCharactersMax) });
    expect(store.addSigningKey(key).ok).toBe(true);
    await reopen();
    expect(store.read().signingKeys).toContainEqual({ ...key, revokedAt: null });
  });
});

describe('against a naive twin', () => {
  const bounds = { signingKeysMax: 4, apiKeysMax: 3 };
  const few = (prefix: string) => fc.nat(5).map(number => `${prefix}${number}`);
  const owner = { podId: few('p'), actorId: fc.constantFrom('a', 'b') };
  const time = fc.nat(1_000).map(at);
  type Step = (real: KeyStore, twin: NaiveKeyStore) => [{ ok: boolean }, boolean];
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ podId: owner.podId, createdAt: time }).map(
      (pod): Step =>
        (real, twin) => [real.createPod(pod), twin.createPod(pod.podId, pod.createdAt)],
    ),
    fc.record({ podId: owner.podId, exposureMax: fc.option(fc.nat(9).map(it => it as MicroDollars)) }).map(
      ({ podId, exposureMax }): Step =>
        (real, twin) => [real.setPodExposure(podId, exposureMax), twin.setPodExposure(podId, exposureMax)],
    ),
    fc.record({ ...owner, createdAt: time }).map(
      (actor): Step =>
        (real, twin) => [real.createActor(actor), twin.createActor(actor.podId, actor.actorId, actor.createdAt)],
    ),
    fc.record({ ...owner, limits: actorLimitChange }).map(
      ({ podId, actorId, limits }): Step =>
        (real, twin) => [real.setActorLimits(podId, actorId, limits), twin.setActorLimits(podId, actorId, limits)],
    ),
    fc
      .record({ ...owner, number: fc.nat(6), publicKey: fc.nat(4) })
      .map(({ podId, actorId, number, publicKey }): Step => {
        const key = signingKey(number, { podId, actorId, publicKeyHex: signingKey(publicKey).publicKeyHex });
        return (real, twin) => [real.addSigningKey(key), twin.addSigningKey(key)];
      }),
    fc.record({ ...owner, number: fc.nat(5) }).map(({ podId, actorId, number }): Step => {
      const key = apiKey(number, { podId, actorId });
      return (real, twin) => [real.addApiKey(key), twin.addApiKey(key)];
    }),
    fc.nat(6).map((number): Step => {
      const { keyId } = signingKey(number);
      return (real, twin) => [real.revokeSigningKey(keyId, at(9)), twin.revokeSigningKey(keyId, at(9))];
    }),
    fc.nat(5).map((number): Step => {
      const { apiKeyId } = apiKey(number);
      return (real, twin) => [real.revokeApiKey(apiKeyId, at(9)), twin.revokeApiKey(apiKeyId, at(9))];
    }),
  );
  /** Without a pod and an actor most steps would change nothing. */
  const start: Step[] = [
    (real, twin) => [real.createPod({ podId: 'p0', createdAt: at(0) }), twin.createPod('p0', at(0))],
    (real, twin) => [
      real.createActor({ podId: 'p0', actorId: 'a', createdAt: at(0) }),
      twin.createActor('p0', 'a', at(0)),
    ],
  ];

  it('every change is accepted or refused alike, counted once, and there after a restart', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
        const own = join(folder, String(run++));
        const real = openKeyStore(own, bounds);
        const twin = new NaiveKeyStore(bounds);
        for (const take of [...start, ...steps]) {
          const [result, expected] = take(real, twin);
          expect([result.ok, real.version(), real.read()]).toEqual([expected, twin.version, twin.read()]);
        }
        await real.close();
        const again = openKeyStore(own, bounds);
        expect([again.version(), again.read()]).toEqual([twin.version, twin.read()]);
        await again.close();
      }),
      { numRuns: 25 },
    );
  });

  it('a full store says which limit to raise', () => {
    const full = openKeyStore(join(folder, 'full'), { signingKeysMax: 1, apiKeysMax: 0 });
    full.createPod({ podId: 'desk', createdAt: at(1) });
    full.createActor({ podId: 'desk', actorId: 'maker', createdAt: at(1) });
    full.addSigningKey(signingKey(1));
    const error = expect.stringContaining('(signingKeysMax)');
    expect(full.createPod({ podId: 'two', createdAt: at(1) })).toEqual({ ok: false, error });
    expect(full.createActor({ podId: 'desk', actorId: 'two', createdAt: at(1) })).toEqual({ ok: false, error });
    expect(full.addSigningKey(signingKey(2))).toEqual({ ok: false, error });
    expect(full.addApiKey(apiKey(1))).toEqual({ ok: false, error: expect.stringContaining('(apiKeysMax)') });
    return full.close();
  });
});

it('a change is seen by the next look of another object, which has looked just before it', async () => {
  // A file system in memory flushes at once, so that only the store itself could cause a wait.
  const fast = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/crossbook-keys-') : join(folder, 'fast');
  const [mine, other] = [openKeyStore(fast), openKeyStore(fast)];
  for (let number = 1; number <= 20; number++) {
    const before = other.version();
    expect(mine.createPod({ podId: `p${number}`, createdAt: at(number) }).ok).toBe(true);
    expect([before, other.version(), mine.version()]).toEqual([number - 1, number, number]);
  }
  await mine.close();
  await other.close();
  rmSync(fast, { recursive: true });
});

describe('damage', () => {
  const name = `signing-key/${signingKey(3).keyId}`;

  it('of any record is an error that names the store and the record, and nothing is read or changed', async () => {
    populate();
    const before = store.version();
    const names = fc.constantFrom(name, 'pod/desk', 'actor/desk/maker', 'version', 'x', '\u0000', 'pod/\u00ff');
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.json().map(Buffer.from));
    await fc.assert(
      fc.asyncProperty(names, bytes, async (damaged, value) => {
        fc.pre(!/^[1-9]\d*$/.test(Buffer.from(value).toString()));
        const environment = openEnvironment(folder, ADDRESS_SPACE_BYTES);
        const kept = environment.get(damaged);
        environment.transact(({ put }) => put(damaged, value));
        const error = new RegExp(`key store ${folder}: record ${JSON.stringify(damaged).replaceAll('\\', '\\\\')}: `);
        expect(() => store.read()).toThrow(error);
        expect(() => store.createPod({ podId: 'two', createdAt: at(9) })).toThrow(error);
        // The environment has no method that removes a record. So a store without a record of this name is made anew.
        await environment.close();
        if (kept === undefined) {
          await store.close();
          rmSync(folder, { recursive: true });
          store = openKeyStore(folder);
          populate();
        } else await plant(damaged, kept);
        expect([store.version(), store.read().pods.length]).toEqual([before, 1]);
      }),
      { numRuns: 60 },
    );
  });

  it.each<[what: string, name: string, bytes: Uint8Array, error: RegExp]>([
    ['a later version', 'pod/two', Buffer.from('{"v":4}'), /record "pod\/two": has version 4/],
    [
      'a key whose actor is gone',
      'api-key/apikey_0000000000000009',
      encodeRecord({ kind: 'api-key', value: { ...apiKey(9, { actorId: 'gone' }), revokedAt: null } }),
      /record "api-key\/apikey_0000000000000009": actorId: pod desk has no actor gone/,
    ],
    [
      'two keys of one public key',
      'signing-key/key_0000000000000009',
      encodeRecord({
        kind: 'signing-key',
        value: { ...signingKey(9, { publicKeyHex: signingKey(3).publicKeyHex }), revokedAt: null },
      }),
      /record "signing-key\/key_0000000000000009": publicKeyHex: is taken by/,
    ],
  ])('%s is an error', async (_what, damaged, bytes, error) => {
    populate();
    await plant(damaged, bytes);
    expect(() => store.read()).toThrow(error);
    expect(() => store.read()).toThrow(StoreError);
  });

  it('of the count of changes is an error', async () => {
    await plant(
      'pod/desk',
      encodeRecord({ kind: 'pod', value: { podId: 'desk', exposureMax: null, createdAt: at(1) } }),
    );
    expect(() => store.read()).toThrow(/record "version": is missing/);
    await plant('version', Buffer.from('1e3'));
    expect(() => store.version()).toThrow(/record "version": is not a count/);
    expect(() => store.read()).toThrow(/record "version": is not a count/);
  });

  it.each([
    ['random', Buffer.alloc(8192, 7)],
    ['short', Buffer.from('hello')],
  ])('a file that is not of LMDB (%s) is an error that names it, not a crash', async (_what, bytes) => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'data.mdb'), bytes);
    expect(() => openKeyStore(other)).toThrow(`store file ${join(other, 'data.mdb')}: is not an LMDB data file`);
  });

  it('a folder that cannot be made is an error that names it', () => {
    const file = join(folder, 'data.mdb');
    expect(() => openKeyStore(join(file, 'keys'))).toThrow(StoreError);
    expect(() => openKeyStore(join(file, 'keys'))).toThrow(join(file, 'keys'));
  });
});

describe('whether a file has changed, by its times: it', () => {
  let path: string;
  let file: StampedFile;

  beforeEach(() => {
    path = join(testFolder(), 'file');
    writeFileSync(path, 'one');
    file = new StampedFile(path);
  });
  afterEach(() => file.close());

  function setTimes(agoS: number): void {
    const at = Date.now() / 1_000 - agoS;
    utimesSync(path, at, at);
  }

  it('has no stamp right after a write, by which another write could be missed', () => {
    expect(file.stamp()).toBeNull();
  });

  it('has no stamp by a clock that was set back', () => {
    setTimes(-3_600);
    expect(file.stamp()).toBeNull();
  });

  it('keeps its stamp until it is written to', () => {
    setTimes(60);
    const stamp = file.stamp();
    expect([typeof stamp, file.stamp()]).toEqual(['string', stamp]);
    appendFileSync(path, 'two');
    expect(file.stamp()).not.toBe(stamp);
  });

  it('has another stamp when only its times were put back', () => {
    setTimes(60);
    const stamp = file.stamp();
    setTimes(61);
    expect(file.stamp()).not.toBe(stamp);
  });

  it('4026: says that no name leads to the file any more', () => {
    expect([file.stamp() === null, file.isRemoved]).toEqual([true, false]);
    rmSync(path);
    writeFileSync(path, 'another');
    file.stamp();
    expect(file.isRemoved).toBe(true);
  });

  it('that does not exist is a StoreError', () => {
    expect(() => new StampedFile(`${path}.none`)).toThrow(StoreError);
  });
});
