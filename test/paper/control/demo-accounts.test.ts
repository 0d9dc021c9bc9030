// The demo accounts in their file: the same after a restart, nobody else's to read, refused when they are not what they say.

import { createPrivateKey } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemoAccounts, type DemoAccounts, demoAccountsIn } from '../../../src/paper/control/demo-accounts.ts';
import { AMOY, POLYGON } from '../../../src/venues/venue-a/exchanges.ts';

let folder = '';
let made: DemoAccounts;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-accounts-'));
  made = await createDemoAccounts(POLYGON);
});
afterAll(() => rmSync(folder, { recursive: true }));

const pathIn = (name: string) => join(folder, name, 'accounts.json');

describe('demo accounts', () => {
  it('have a key of either type and a wallet', () => {
    expect(made.venueB.keys.map(({ keyType }) => keyType)).toEqual(['ed25519', 'rsa']);
    for (const { keyType, privateKeyPem } of made.venueB.keys) {
      expect(createPrivateKey(privateKeyPem).asymmetricKeyType).toBe(keyType);
    }
    expect(made.venueA).toEqual({
      privateKey: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      apiKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      secret: expect.stringMatching(/^[\w-]{43}=$/),
      passphrase: expect.stringMatching(/^[0-9a-f]{64}$/),
      chainId: POLYGON,
    });
  });

  it('are made once, in a file of their owner, and are the same ever after', async () => {
    const home = join(folder, 'new', 'deep');
    const first = await demoAccountsIn(home, AMOY);
    const path = join(home, 'accounts.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(['accounts.json']);
    expect(first).toEqual({ ok: true, value: JSON.parse(readFileSync(path, 'utf8')) });
    // The result has the chain in the file, not the chain that was asked for.
    expect(await demoAccountsIn(home, POLYGON)).toEqual(first);
  });

  it('made by two at once are those of one', async () => {
    const home = join(folder, 'race');
    const [one, other] = await Promise.all([demoAccountsIn(home, POLYGON), demoAccountsIn(home, POLYGON)]);
    expect(one.ok).toBe(true);
    expect(other).toEqual(one);
    expect(readdirSync(home)).toEqual(['accounts.json']);
  });
});

describe('a file', () => {
  it('that others may read is refused', async () => {
    const home = join(folder, 'open');
    await demoAccountsIn(home, POLYGON);
    chmodSync(pathIn('open'), 0o640);
    expect(await demoAccountsIn(home, POLYGON)).toMatchObject({
      ok: false,
      error: expect.stringContaining('chmod 600'),
    });
  });

  type Change = (accounts: Record<'venueA' | 'venueB', Record<string, unknown>>) => unknown;
  const bad: [what: string, change: Change, error: string][] = [
    ['no JSON', () => '{', 'body: must be a JSON object'],
    ['too long', () => ' '.repeat(40_000), 'is longer than 32768 bytes'],
    ['without a venue', ({ venueB }) => ({ venueB }), 'venueA: must be a JSON object'],
    ['with more than is known', it => ({ ...it, note: 1 }), 'note: is not known here'],
    [
      'with another’s address',
      it => ({ ...it, venueA: { ...it.venueA, address: `0x${'1'.repeat(40)}` } }),
      'venueA.address: must be the checksummed address of privateKey',
    ],
    [
      'with no private key',
      it => ({ ...it, venueA: { ...it.venueA, privateKey: `0x${'0'.repeat(64)}` } }),
      'venueA.privateKey: must be 64 hex digits',
    ],
    [
      'with a chain of its own',
      it => ({ ...it, venueA: { ...it.venueA, chainId: 1 } }),
      'venueA.chainId: must be 137 or 80002',
    ],
    [
      'with a key that is none',
      it => ({
        ...it,
        venueB: { ...it.venueB, keys: [{ keyId: made.venueB.userId, keyType: 'rsa', privateKeyPem: 'x' }] },
      }),
      'venueB.keys[0].privateKeyPem: must be a private key as PEM',
    ],
  ];
  it.each(bad)('%s is refused without its secrets', async (_what, change, error) => {
    const changed = change(structuredClone(made) as never);
    const home = mkdtempSync(join(folder, 'bad-'));
    const text = typeof changed === 'string' ? changed : JSON.stringify(changed);
    writeFileSync(join(home, 'accounts.json'), text, { mode: 0o600 });
    const result = await demoAccountsIn(home, POLYGON);
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(error) });
    const secrets = [made.venueA.privateKey, made.venueA.secret, made.venueA.passphrase];
    expect(secrets.filter(secret => JSON.stringify(result).includes(secret))).toEqual([]);
    expect(readFileSync(join(home, 'accounts.json'), 'utf8')).toBe(text);
  });
});
