// `crossbook keys`: the keys that it makes, the secrets that it never shows, and its messages for mistakes.

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyPair, publicKeyOf } from '../../../src/core/auth/key-pair.ts';
import { openEnvironment } from '../../../src/core/store/lmdb.ts';
import { keysCommand } from '../../../src/tools/cli/keys.ts';
import { podsCommand } from '../../../src/tools/cli/pods.ts';
import { CommandRig } from './command-rig.ts';

let rig: CommandRig;
const keys = (...args: string[]) => rig.run(keysCommand, ...args);

beforeEach(async () => {
  rig = new CommandRig();
  await rig.run(podsCommand, 'create', 'desk');
  await rig.run(podsCommand, 'add-actor', 'desk', 'maker');
});
afterEach(() => rig.remove());

const readKeyFile = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('keys create', () => {
  it('writes the pair to a private file, registers the public half, and shows no secret', async () => {
    const path = rig.file('key.json');
    const options = ['--scopes', 'read', '--address', '192.0.2.0/24', '--address', 'unix', '--label', 'bot 1'];
    const { code, out, err } = await keys('create', '--actor', 'maker', '--out', path, ...options);
    expect([code, err]).toEqual([0, '']);

    const { keyId, seedHex, publicKeyHex, ...rest } = readKeyFile(path);
    expect(rest).toEqual({});
    expect(await publicKeyOf(seedHex)).toBe(publicKeyHex);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(out).toContain(keyId);
    expect(out).not.toContain(seedHex);

    const { signingKeys } = await rig.records();
    expect(signingKeys).toEqual([
      {
        keyId,
        publicKeyHex,
        actorId: 'maker',
        podId: 'desk',
        scopes: ['read'],
        addresses: ['192.0.2.0/24', 'unix'],
        label: 'bot 1',
        createdAt: expect.any(Number),
        revokedAt: null,
      },
    ]);
    const stored = readFileSync(join(rig.dataDir, 'keys', 'data.mdb'));
    expect([stored.includes(publicKeyHex), stored.includes(seedHex)]).toEqual([true, false]);
  });

  it('overwrites nothing, and registers nothing then', async () => {
    const path = rig.file('key.json');
    writeFileSync(path, 'precious');
    const { code, err } = await keys('create', '--actor', 'maker', '--out', path);
    expect([code, err]).toEqual([2, `crossbook: --out: ${path} exists already and is not overwritten\n`]);
    expect(readFileSync(path, 'utf8')).toBe('precious');
    expect((await rig.records()).signingKeys).toEqual([]);
  });

  it('leaves no file of a key that is not registered', async () => {
    const path = rig.file('key.json');
    const { code, err } = await keys('create', '--actor', 'maker', '--out', path, '--label', 'a\nb');
    expect([code, err]).toEqual([2, expect.stringMatching(/^crossbook: --label: .*\n$/)]);
    expect(existsSync(path)).toBe(false);
  });

  it('registers no key whose file cannot be written', async () => {
    const path = rig.file('no/such/folder/key.json');
    const { code, err } = await keys('create', '--actor', 'maker', '--out', path);
    expect([code, err]).toEqual([1, `crossbook: --out: ${path} cannot be written (ENOENT)\n`]);
    expect((await rig.records()).signingKeys).toEqual([]);
  });
});

describe('keys register', () => {
  it('takes a public key that was made elsewhere, for every scope by default', async () => {
    const { publicKeyHex } = await createKeyPair();
    const { code, out } = await keys('register', '--actor', 'maker', '--public-key', publicKeyHex.toUpperCase());
    const { signingKeys } = await rig.records();
    expect(signingKeys).toMatchObject([{ publicKeyHex, scopes: ['read', 'trade'], addresses: [], label: '' }]);
    expect([code, out]).toEqual([0, `${signingKeys[0]?.keyId} for actor maker of pod desk\n`]);
  });

  it('takes it once', async () => {
    const { publicKeyHex } = await createKeyPair();
    const register = () => keys('register', '--actor', 'maker', '--public-key', publicKeyHex);
    expect((await register()).code).toBe(0);
    expect(await register()).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^crossbook: --public-key: is taken by key_/),
    });
  });

  it('needs the pod of an actor whose name several pods have', async () => {
    await rig.run(podsCommand, 'create', 'second');
    await rig.run(podsCommand, 'add-actor', 'second', 'maker');
    const { publicKeyHex } = await createKeyPair();
    const options = ['--actor', 'maker', '--public-key', publicKeyHex];
    expect((await keys('register', ...options)).err).toBe(
      'crossbook: --pod: is required, actor maker is in desk, second\n',
    );
    expect((await keys('register', ...options, '--pod', 'second')).code).toBe(0);
    expect((await rig.records()).signingKeys).toMatchObject([{ podId: 'second' }]);
  });
});

describe('keys rotate', () => {
  it('makes another key for the same use; the old one lives until it is revoked', async () => {
    const [first, second] = [rig.file('1.json'), rig.file('2.json')];
    const use = ['--scopes', 'read', '--address', 'unix', '--label', 'bot'];
    await keys('create', '--actor', 'maker', '--out', first, ...use);
    const { keyId } = readKeyFile(first);
    expect((await keys('rotate', keyId, '--out', second)).code).toBe(0);

    const { signingKeys } = await rig.records();
    const [old, young] = [keyId, readKeyFile(second).keyId].map(id => signingKeys.find(key => key.keyId === id));
    const { publicKeyHex } = readKeyFile(second);
    expect(young).toEqual({ ...old, keyId: young?.keyId, publicKeyHex, createdAt: expect.any(Number) });
    expect(old?.revokedAt).toBeNull();

    await keys('revoke', keyId);
    const again = await keys('rotate', keyId, '--out', rig.file('3.json'));
    expect(again).toMatchObject({ code: 2, err: `crossbook: KEYID: ${keyId} is revoked already\n` });
  });
});

describe('keys list and revoke', () => {
  it('tells those in use first, as text and as JSON', async () => {
    for (const label of ['old', 'new']) {
      await keys('create', '--actor', 'maker', '--out', rig.file(label), '--label', label);
    }
    const [old, young] = ['old', 'new'].map(label => readKeyFile(rig.file(label)).keyId);
    expect(await keys('revoke', old)).toMatchObject({ code: 0, out: `${old} is revoked\n` });
    expect(await keys('revoke', old)).toMatchObject({ code: 2, err: `crossbook: KEYID: ${old} is revoked already\n` });

    const [head, first, second, ...more] = (await keys('list')).out.trimEnd().split('\n');
    expect(head).toMatch(/^KEY .* STATUS .* LABEL$/);
    expect(first).toMatch(new RegExp(`^${young}  desk  maker  read,trade  any .* active +new$`));
    expect(second).toMatch(new RegExp(`^${old}  .* revoked \\S+Z  old$`));
    expect(more).toEqual([]);

    const { signingKeys } = await rig.records();
    const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
    const byId = (keyId: string) => {
      const { createdAt, revokedAt, ...key } = signingKeys.find(it => it.keyId === keyId)!;
      return { ...key, createdAt: iso(createdAt), revokedAt: iso(revokedAt) };
    };
    expect(JSON.parse((await keys('list', '--json')).out)).toEqual([byId(young), byId(old)]);
  });
});

describe('a mistake', () => {
  const KEY = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
  const NEUTRAL = `01${'0'.repeat(62)}`;
  const register = ['register', '--actor', 'maker', '--public-key'];

  it.each<[args: string[], error: RegExp]>([
    [[], /keys: must be followed by create, register, rotate, list or revoke/],
    [['destroy'], /keys: must be followed by/],
    [['create', '--out', 'x'], /--actor: is required/],
    [['create', '--actor', 'maker'], /--out: is required/],
    [['create', '--actor', 'nobody', '--out', 'x'], /--actor: there is no actor nobody/],
    [['create', '--actor', 'maker', '--pod', 'none', '--out', 'x'], /--pod: there is no pod none/],
    [['create', '--actor', 'maker', '--actor', 'b', '--out', 'x'], /--actor: must be given once/],
    [['create', '--actor', 'maker', '--out', 'x', 'y'], /unexpected argument y/],
    [['register', '--actor', 'maker'], /--public-key: is required/],
    [[...register, 'abc'], /--public-key: must be 32 bytes/],
    [[...register, NEUTRAL], /--public-key: is a point of small order/],
    [[...register, KEY, '--scopes', 'admin'], /--scopes: must be one or more of read, trade/],
    [[...register, KEY, '--scopes', ''], /--scopes: must be one or more of/],
    [[...register, KEY, '--address', '10.0.0.0/33'], /--address: the prefix length must be/],
    [[...register, KEY, ...Array(65).fill('--address=unix')], /--address: must be at most addressesPerKeyMax \(64\)/],
    [[...register, KEY, '--label', 'x'.repeat(129)], /--label: must be at most identityCharactersMax \(128\)/],
    [[...register, KEY, '--out', 'x'], /'--out'/],
    [['revoke'], /KEYID: is required/],
    [['revoke', 'key_1'], /KEYID: there is no signing key key_1/],
    [['rotate', 'key_1', '--out', 'x'], /KEYID: there is no signing key key_1/],
    [['list', '--actor', '-x'], /'--actor'/],
  ])('%j is reported in one line, and nothing is changed', async (args, error) => {
    const { code, out, err } = await keys(...args);
    expect([code, out, err.split('\n').length]).toEqual([2, '', 2]);
    expect(err).toMatch(new RegExp(`^crossbook: .*${error.source}`));
    expect((await rig.records()).signingKeys).toEqual([]);
  });

  it('in the data directory is reported, and makes none', async () => {
    const nowhere = rig.file('nowhere');
    const { code, err } = await keys('list', '--data-dir', nowhere);
    expect([code, err]).toEqual([2, expect.stringContaining(`--data-dir: ${nowhere} holds no key store`)]);
    expect(existsSync(nowhere)).toBe(false);
    expect((await keys('list', '--data-dir', '')).err).toMatch(/^crossbook: --data-dir, .*: must not be empty\n$/);
  });

  it('of any kind ends in an exit code', async () => {
    const words = fc.constantFrom(
      ...['create', 'register', 'rotate', 'list', 'revoke', '--actor', 'maker', '--pod', '--json', '--label'],
      ...['--public-key', KEY, '--scopes', 'read', '--address', 'unix', '--', '-x', '', '\n', '--__proto__', 'key_1'],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(words, fc.string()), { maxLength: 8 }), async args => {
        const { code, err } = await keys(...args);
        expect(code).toBeOneOf([0, 2]);
        expect(err.split('\n').length).toBe(code === 0 ? 1 : 2);
      }),
      { numRuns: 150 },
    );
  });
});

describe('a failure', () => {
  it('of the store is exit code 1, in one line', async () => {
    const environment = openEnvironment(join(rig.dataDir, 'keys'), 1024 * 1024);
    environment.transact(({ put }) => put('pod/desk', Buffer.from('{}')));
    await environment.close();
    const { code, out, err } = await keys('list');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^crossbook: key store .*: record "pod\/desk": has version none.*\n$/);
  });

  it('to make the store is exit code 1, too', async () => {
    const inTheWay = rig.file('file');
    mkdirSync(inTheWay);
    writeFileSync(join(inTheWay, 'keys'), '');
    const { code, err } = await rig.run(podsCommand, 'create', 'desk', '--data-dir', inTheWay);
    expect([code, err]).toEqual([1, expect.stringMatching(/^crossbook: store .*file\/keys: .*\n$/)]);
  });
});
