// `crossbook api-keys` and `crossbook pods`.

import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../src/core/auth/keyring.ts';
import { CONTROL_SOCKET } from '../../../src/core/wire/control.ts';
import { apiKeysCommand } from '../../../src/tools/cli/keys.ts';
import { podsCommand } from '../../../src/tools/cli/pods.ts';
import { CommandRig } from './command-rig.ts';

let rig: CommandRig;
const apiKeys = (...args: string[]) => rig.run(apiKeysCommand, ...args);
const pods = (...args: string[]) => rig.run(podsCommand, ...args);

beforeEach(async () => {
  rig = new CommandRig();
  await pods('create', 'desk');
  await pods('add-actor', 'desk', 'maker');
});
afterEach(() => rig.remove());

const ISO_MILLIS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('api-keys', () => {
  it('prints a key once and keeps its hash', async () => {
    const { code, out } = await apiKeys('create', '--actor', 'maker', '--label', 'dashboard');
    const [reported, text, ...more] = out.trimEnd().split('\n');
    const [key] = (await rig.records()).apiKeys;
    expect([code, more]).toEqual([0, []]);
    expect(reported).toBe(`${key?.apiKeyId} for actor maker of pod desk; the key shown this once:`);
    expect(key).toMatchObject({ actorId: 'maker', podId: 'desk', label: 'dashboard', hashHex: hashApiKey(text!) });
  });

  it('writes it to a private file instead, and shows nothing of it', async () => {
    const path = rig.file('api-key.txt');
    const { code, out } = await apiKeys('create', '--actor', 'maker', '--out', path);
    const text = readFileSync(path, 'utf8').trimEnd();
    expect([code, statSync(path).mode & 0o777]).toEqual([0, 0o600]);
    expect((await rig.records()).apiKeys).toMatchObject([{ hashHex: hashApiKey(text) }]);
    expect(out).not.toContain(text);
  });

  it('overwrites nothing, and leaves no file of a key that is refused', async () => {
    const path = rig.file('api-key.txt');
    const label = 'x'.repeat(129);
    expect((await apiKeys('create', '--actor', 'maker', '--out', path, '--label', label)).code).toBe(2);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, 'precious');
    expect((await apiKeys('create', '--actor', 'maker', '--out', path)).code).toBe(2);
    expect([readFileSync(path, 'utf8'), (await rig.records()).apiKeys]).toEqual(['precious', []]);
  });

  it('lists those in use first, without their hashes, and revokes them', async () => {
    await apiKeys('create', '--actor', 'maker', '--label', 'a');
    await apiKeys('create', '--actor', 'maker', '--label', 'b');
    const idOf = async (label: string) => (await rig.records()).apiKeys.find(it => it.label === label)!.apiKeyId;
    const [a, b] = [await idOf('a'), await idOf('b')];
    expect(await apiKeys('revoke', a)).toMatchObject({ code: 0, out: `${a} is revoked\n` });
    expect(await apiKeys('revoke', a)).toMatchObject({
      code: 2,
      err: `crossbook: APIKEYID: ${a} is revoked already\n`,
    });

    const lines = (await apiKeys('list')).out.trimEnd().split('\n');
    expect(lines.map(line => line.split(' ')[0])).toEqual(['API', b, a]);
    expect(lines[1]).toMatch(/ active +b$/);
    expect(lines[2]).toMatch(/ revoked \S+Z {2}a$/);
    const listed = JSON.parse((await apiKeys('list', '--json')).out);
    expect(listed.map((key: object) => Object.keys(key).includes('hashHex'))).toEqual([false, false]);
    expect(listed).toMatchObject([
      { apiKeyId: b, createdAt: expect.stringMatching(ISO_MILLIS), revokedAt: null },
      { apiKeyId: a, revokedAt: expect.stringMatching(ISO_MILLIS) },
    ]);
  });

  it.each([
    [[], 'api-keys: must be followed by create, list or revoke'],
    [['create'], '--actor: is required'],
    [['create', '--actor', 'x', '--pod', 'desk'], '--actor: there is no actor x in pod desk'],
    [['revoke', 'x'], 'APIKEYID: there is no API key x'],
  ])('%j is a mistake', async (args, error) => {
    expect(await apiKeys(...args)).toEqual({ code: 2, out: '', err: `crossbook: ${error}\n` });
  });
});

describe('pods', () => {
  it('lists pods with their actors', async () => {
    await pods('create', 'alpha');
    await pods('add-actor', 'desk', 'hedger');
    const lines = (await pods('list')).out.trimEnd().split('\n');
    expect(lines.map(line => line.split(/ {2,}/).toSpliced(1, 1))).toEqual([
      ['POD', 'ACTORS'],
      ['alpha'],
      ['desk', 'hedger,maker'],
    ]);
    expect(JSON.parse((await pods('list', '--json')).out)).toEqual([
      { podId: 'alpha', createdAt: expect.stringMatching(ISO_MILLIS), exposureMax: null, actors: [] },
      { podId: 'desk', createdAt: expect.stringMatching(ISO_MILLIS), exposureMax: null, actors: ['hedger', 'maker'] },
    ]);
  });

  it('takes a data directory of its own, before that of the environment', async () => {
    const dataDir = rig.file('other');
    expect((await pods('create', 'elsewhere', '--data-dir', dataDir)).code).toBe(0);
    expect((await pods('list', '--data-dir', dataDir)).out).toContain('elsewhere');
    expect((await pods('list')).out).not.toContain('elsewhere');
  });

  it('6201: takes no pod while a gateway runs here that does not say what it is', async () => {
    mkdirSync(join(rig.dataDir, 'pods'));
    writeFileSync(join(rig.dataDir, 'pods', 'desk.secret'), '');
    const nats = createServer(() => expect.unreachable('the stream is not asked')).listen(0, '127.0.0.1');
    const mute = createServer(socket => socket.end()).listen(join(rig.dataDir, CONTROL_SOCKET));
    await Promise.all([once(nats, 'listening'), once(mute, 'listening')]);
    rig.env = {
      CROSSBOOK_DURABILITY: 'replicated',
      CROSSBOOK_PUBLIC_URL: 'http://127.0.0.1:8080',
      CROSSBOOK_NATS: `nats://127.0.0.1:${(nats.address() as AddressInfo).port}`,
    };
    const { code, err } = await pods('take', 'desk');
    expect([code, err]).toEqual([1, expect.stringContaining('the gateway has ended before its answer')]);
    for (const server of [nats, mute]) server.close();
  });

  it.each([
    [[], /pods: must be followed by create, add-actor, list or take/],
    [['create'], /POD: is required/],
    [['create', 'desk'], /POD: desk exists already/],
    [['create', 'De sk'], /POD: must match \^/],
    [['create', 'a', 'b'], /unexpected argument b/],
    [['add-actor', 'desk'], /ACTOR: is required/],
    [['add-actor', 'none', 'x'], /POD: there is no pod none/],
    [['add-actor', 'desk', 'maker'], /ACTOR: maker exists already/],
    [['add-actor', 'desk', '../x'], /ACTOR: must match \^/],
  ])('%j is a mistake', async (args, error) => {
    const { code, out, err } = await pods(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(new RegExp(`^crossbook: ${error.source}`));
  });
});
