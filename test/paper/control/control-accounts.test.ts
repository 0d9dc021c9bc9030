// Accounts that are opened by the control API or at the start. The venues accept what their keys sign, their money is there, and their
// secrets are shown once.

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import {
  createDemoAccounts,
  openDemoAccounts,
  privateKeyTypeOf,
  venueAAddressOf,
} from '../../../src/paper/control/demo-accounts.ts';
import { checksumAddress, readAddress } from '../../../src/venues/venue-a/address.ts';
import { POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { type ControlRig, startControlRig, type VenueAAccount, type VenueBAccount } from './control-rig.ts';

let rig: ControlRig;
beforeAll(async () => {
  rig = await startControlRig();
});
afterAll(() => rig.close());

const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const open = (venue: 'venue_a' | 'venue_b', body: object) => rig.call('POST', `/venues/${venue}/accounts`, body);

describe('a user of venue B', () => {
  it.each(['ed25519', 'rsa'] as const)('trades with a key of type %s', async generate => {
    const opened = await open('venue_b', { generate, balance: '250.5', tier: 'premier' });
    expect(opened).toEqual({
      status: 201,
      body: { userId: UUID, keyId: UUID, tier: 'premier', privateKeyPem: expect.stringContaining('PRIVATE KEY') },
    });
    const account = opened.body as unknown as VenueBAccount;
    expect(privateKeyTypeOf(account.privateKeyPem)).toBe(generate);
    const balance = await rig.callB(account, 'GET', '/portfolio/balance');
    expect([balance.status, balance.body.balance]).toEqual([200, 25_050]);
  });

  it('brings a public key of its own', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' });
    const { status, body } = await open('venue_b', { publicKeyPem, name: 'mine' });
    expect([status, body]).toEqual([201, { userId: UUID, keyId: UUID, tier: 'basic' }]);
    const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const balance = await rig.callB({ keyId: body.keyId as string, privateKeyPem }, 'GET', '/portfolio/balance');
    expect(balance.body.balance).toBe(1_000_000);
    const both = await open('venue_b', { publicKeyPem, generate: 'rsa' });
    expect(both).toEqual({ status: 400, body: { error: 'generate: must be absent beside publicKeyPem' } });
  });

  it('gets money, and loses free money', async () => {
    const { body } = await open('venue_b', { balance: '100', generate: 'ed25519' });
    const deposit = (fields: object) => rig.call('POST', `/venues/venue_b/accounts/${body.userId}/deposits`, fields);
    const available = (answer: object) => ({
      ...answer,
      body: { balances: [{ subaccount: 0, available: expect.anything() }] },
    });
    expect(await deposit({ amount: '0.000001' })).toMatchObject(available({ status: 201 }));
    expect((await deposit({ amount: '-50' })).body.balances).toMatchObject([{ available: '50.000001' }]);
    // The venue lists the deposit and the withdrawal, as it lists the transfers of banks.
    const listed = async (list: 'deposits' | 'withdrawals') => {
      const answer = await rig.callB(body as unknown as VenueBAccount, 'GET', `/portfolio/${list}`);
      return answer.body[list];
    };
    const applied = { id: expect.any(String), status: 'applied', type: 'ach', fee_cents: 0 };
    expect(await listed('deposits')).toMatchObject([{ ...applied, amount_cents: 10_000 }]);
    expect(await listed('withdrawals')).toMatchObject([{ ...applied, amount_cents: 5_000 }]);
    expect(await deposit({ amount: '-51' })).toEqual({
      status: 409,
      body: { error: 'amount: must not take more than is free' },
    });
    expect(await deposit({ amount: '1', subaccount: 3 })).toEqual({
      status: 404,
      body: { error: 'subaccount: must be one that the user has made' },
    });
    expect(await deposit({ amount: '1', subaccount: limits.paperSubaccountsMax })).toMatchObject({ status: 400 });
  });
});

describe('a wallet of venue A', () => {
  const balanceOf = async (account: VenueAAccount, type: number) => {
    const { body } = await rig.callA(account, 'GET', `/balance-allowance?asset_type=COLLATERAL&signature_type=${type}`);
    return body.balance;
  };

  it('is made with its key, its credentials and its money', async () => {
    const opened = await open('venue_a', { balance: '12.5' });
    const { privateKey, address } = opened.body as Record<string, string>;
    expect(opened).toEqual({
      status: 201,
      body: {
        ...{ address: venueAAddressOf(privateKey!), wallet: address, signatureType: 0, chainId: POLYGON },
        ...{ privateKey: expect.stringMatching(/^0x[0-9a-f]{64}$/), apiKey: UUID },
        ...{ secret: expect.any(String), passphrase: expect.any(String) },
      },
    });
    // The balance includes the money that the exchange gives to every account.
    expect(await balanceOf(opened.body as unknown as VenueAAccount, 0)).toBe('12500000');
  });

  it('is that of a private key, which is not shown again', async () => {
    const privateKey = `0x${'7'.repeat(64)}`;
    const opened = await open('venue_a', { privateKey });
    expect(opened.body).toMatchObject({ address: venueAAddressOf(privateKey), wallet: venueAAddressOf(privateKey) });
    expect(opened.body).not.toHaveProperty('privateKey');
    expect(await balanceOf(opened.body as unknown as VenueAAccount, 0)).toBe('10000000000');
    expect(await open('venue_a', { privateKey })).toEqual({
      status: 409,
      body: { error: 'wallet: must not be known already' },
    });
  });

  it('is a Safe of who signs', async () => {
    const [address, wallet] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`];
    const opened = await open('venue_a', { address, wallet, signatureType: 2, balance: '3' });
    expect(opened.body).toMatchObject({
      address: checksumAddress(readAddress(address)!),
      wallet: checksumAddress(readAddress(wallet)!),
    });
    const account = opened.body as unknown as VenueAAccount;
    expect([await balanceOf(account, 2), await balanceOf(account, 0)]).toEqual(['3000000', '10000000000']);
    const same = await open('venue_a', { address, wallet: address, signatureType: 2 });
    expect(same.body).toEqual({ error: 'wallet: must be another address than the signer’s with signatureType 2' });
    const deposit = (amount: string) => rig.call('POST', `/venues/venue_a/accounts/${wallet}/deposits`, { amount });
    expect(await deposit('-1')).toMatchObject({ status: 201, body: { balance: '2' } });
    expect(await deposit('-2.5')).toMatchObject({ status: 409 });
  });
});

it('an account of venue A is shut out of all but selling, until that is lifted', async () => {
  const { body } = await open('venue_a', {});
  const account = body as unknown as VenueAAccount;
  const restrict = (restriction: string | null) =>
    rig.call('PUT', `/venues/venue_a/accounts/${body.wallet}/restriction`, { restriction });
  const seenByCaller = async () => (await rig.callA(account, 'GET', '/auth/ban-status/closed-only')).body;
  expect(await restrict('closed-only')).toMatchObject({
    status: 200,
    body: { wallet: body.wallet, restriction: 'closed-only' },
  });
  expect(await seenByCaller()).toEqual({ closed_only: true });
  expect(await restrict(null)).toMatchObject({ status: 200, body: { restriction: null } });
  expect(await seenByCaller()).toEqual({ closed_only: false });
});

it('the location of a user of venue B is attested until a time, which the user reads', async () => {
  const opened = (await open('venue_b', { generate: 'ed25519' })).body as unknown as VenueBAccount & { userId: string };
  const attest = (endsInMs: number | null) =>
    rig.call('PUT', `/venues/venue_b/accounts/${opened.userId}/attestation`, { endsInMs });
  const keys = async () => (await rig.callB(opened, 'GET', '/api_keys')).body;
  expect(await keys()).not.toHaveProperty('api_key_region_expiration_ts');
  const { status, body } = await attest(60_000);
  expect([status, body.userId]).toEqual([200, opened.userId]);
  const seconds = Math.floor((body.attestedUntil as number) / 1_000);
  expect(await keys()).toMatchObject({ api_key_region_expiration_ts: seconds });
  expect(await attest(null)).toMatchObject({ status: 200, body: { attestedUntil: null } });
});

it('lists of accounts have no secrets', async () => {
  for (const venue of ['venue_a', 'venue_b'] as const) {
    const opened = await open(venue, {});
    const listed = await rig.call('GET', `/venues/${venue}/accounts`);
    const text = JSON.stringify(listed.body);
    expect(text).toContain(opened.body.userId ?? opened.body.wallet);
    const names = ['privateKey', 'privateKeyPem', 'secret', 'passphrase'].filter(name => name in opened.body);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(text).not.toContain(JSON.stringify(opened.body[name]).slice(1, -1));
    expect(text).not.toContain('PRIVATE');
  }
});

describe('demo accounts', () => {
  it('trade at both venues, with either key', async () => {
    const accounts = await createDemoAccounts(POLYGON);
    expect(openDemoAccounts(accounts, rig)).toEqual({ ok: true, value: undefined });
    for (const key of accounts.venueB.keys) {
      expect((await rig.callB(key, 'GET', '/portfolio/balance')).body.balance).toBe(1_000_000);
    }
    const balance = '/balance-allowance?asset_type=COLLATERAL&signature_type=0';
    expect((await rig.callA(accounts.venueA, 'GET', balance)).body.balance).toBe('10000000000');
    expect(openDemoAccounts(accounts, rig)).toMatchObject({ ok: false, error: 'userId: must not be known already' });
    const other = await createDemoAccounts(POLYGON);
    const mixed = { venueA: other.venueA, venueB: { ...other.venueB, keys: accounts.venueB.keys } };
    expect(openDemoAccounts(mixed, rig)).toEqual({ ok: false, error: 'keyId: must not be in use' });
    expect(createPublicKey(accounts.venueB.keys[0]!.privateKeyPem).asymmetricKeyType).toBe('ed25519');
  });
});
