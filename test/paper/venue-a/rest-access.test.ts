// Access to venue A's REST (venue-a.md §1): valid and invalid attestations and HMACs, and keys that are created, derived and deleted. Also faucet
// money, and the rate limit of each signer (§10).

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checksumAddress } from '../../../src/venues/venue-a/address.ts';
import { addressOf } from '../../../src/venues/venue-a/secp256k1.ts';
import { TEST_KEY } from '../../support/venue-a-orders.ts';
import { amountsOf, type OrderWish, REGULAR, VenueARig } from './venue-a-rig.ts';

let rig: VenueARig;
beforeEach(async () => {
  rig = await VenueARig.start({ faucet: 5_000_000 });
});
afterEach(() => rig.close());

describe('keys by attestation', () => {
  const call = (method: string, path: string, nonce: bigint, change: Record<string, string> = {}) =>
    rig.send(method, path, '', { ...rig.l1Headers(TEST_KEY, nonce), ...change });

  it('are made once for each nonce, and the same when derived', async () => {
    const made = await call('POST', '/auth/api-key', 0n);
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      apiKey: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      secret: expect.stringMatching(/^[\w-]{43}=$/),
      passphrase: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await call('GET', '/auth/derive-api-key', 0n)).body).toEqual(made.body);
    const again = await call('POST', '/auth/api-key', 0n);
    expect(again).toMatchObject({ status: 400, body: { error: 'Could not create api key' } });
    const other = await call('POST', '/auth/api-key', 1n);
    expect(other.body.apiKey).not.toBe(made.body.apiKey);
  });

  it('are not derived before they are made', async () => {
    const error = 'Could not derive api key!';
    expect(await call('GET', '/auth/derive-api-key', 3n)).toMatchObject({ status: 400, body: { error } });
  });

  it('are the same after another start', async () => {
    const other = await VenueARig.start();
    const [one, same] = [rig, other].map(it => it.access.createKey(addressOf(TEST_KEY), 4n));
    other.close();
    expect(one).toEqual(same);
  });

  it.each([
    ['another nonce than is signed', { POLY_NONCE: '9' }],
    ['no signature', { POLY_SIGNATURE: '' }],
    ['another address', { POLY_ADDRESS: `0x${'22'.repeat(20)}` }],
  ])('are not given for %s', async (_what, change) => {
    const refused = { status: 401, body: { error: 'Invalid L1 Request headers' } };
    expect(await call('POST', '/auth/api-key', 0n, change)).toMatchObject(refused);
  });

  it('are not given for an old attestation', async () => {
    const old = rig.l1Headers(TEST_KEY, 0n, rig.nowS - 61);
    expect((await rig.send('POST', '/auth/api-key', '', old)).status).toBe(401);
    const recent = rig.l1Headers(TEST_KEY, 0n, rig.nowS - 60);
    expect((await rig.send('POST', '/auth/api-key', '', recent)).status).toBe(200);
  });

  it('bring faucet money, once for a wallet', async () => {
    const address = addressOf(TEST_KEY);
    expect(rig.exchange.collateral(address)).toBe(0);
    await call('POST', '/auth/api-key', 0n);
    await call('POST', '/auth/api-key', 1n);
    expect(rig.exchange.collateral(address)).toBe(5_000_000);
  });
});

describe('private requests', () => {
  const signed = () => {
    const wallet = rig.wallet(1);
    return { wallet, headers: rig.l2Headers(wallet, 'GET', '/auth/api-keys', '') };
  };
  const ask = (headers: Record<string, string>, target = '/auth/api-keys') => rig.send('GET', target, '', headers);

  it('are heard', async () => {
    const { wallet, headers } = signed();
    expect(await ask(headers)).toMatchObject({ status: 200, body: { apiKeys: [wallet.credentials.apiKey] } });
    expect((await ask({ ...headers, POLY_ADDRESS: wallet.address })).status).toBe(200);
    expect((await ask(headers, '/auth/api-keys?x=1')).status).toBe(200);
  });

  it.each([
    ['another path', '/auth/ban-status/closed-only', {}],
    ['an unknown key', '/auth/api-keys', { POLY_API_KEY: 'x' }],
    ['another passphrase', '/auth/api-keys', { POLY_PASSPHRASE: 'x' }],
    ['another address', '/auth/api-keys', { POLY_ADDRESS: `0x${'22'.repeat(20)}` }],
    ['another time', '/auth/api-keys', { POLY_TIMESTAMP: '1790000001' }],
    ['a time that is none', '/auth/api-keys', { POLY_TIMESTAMP: 'now' }],
    ['no signature', '/auth/api-keys', { POLY_SIGNATURE: '' }],
  ])('are not heard with %s', async (_what, target, change) => {
    const { headers } = signed();
    const refused = { status: 401, body: { error: 'Unauthorized/Invalid api key' } };
    expect(await ask({ ...headers, ...change }, target)).toMatchObject(refused);
  });

  it('are not heard later than a minute', async () => {
    const { headers } = signed();
    rig.timers.advance(60_000);
    expect((await ask(headers)).status).toBe(200);
    rig.timers.advance(1_000);
    expect((await ask(headers)).status).toBe(401);
  });

  it('are not heard without their body', async () => {
    const wallet = rig.wallet(1);
    const headers = rig.l2Headers(wallet, 'POST', '/v1/heartbeats', '{"heartbeat_id":""}');
    expect((await rig.send('POST', '/v1/heartbeats', '{"heartbeat_id": ""}', headers)).status).toBe(401);
    expect((await rig.send('POST', '/v1/heartbeats', '{"heartbeat_id":""}', headers)).status).toBe(200);
  });

  it('end with their key', async () => {
    const wallet = rig.wallet(1);
    expect((await rig.call(wallet, 'DELETE', '/auth/api-key')).body).toBe('OK');
    expect((await rig.call(wallet, 'GET', '/auth/api-keys')).status).toBe(401);
  });

  it('leave their orders to the next maker of a key that is deleted', async () => {
    const wallet = rig.wallet(1);
    const { id } = await rig.post(wallet, {
      token: REGULAR.tokens[0],
      side: 'BUY',
      amounts: amountsOf('BUY', 5_000, 10_000_000),
    });
    await rig.call(wallet, 'DELETE', '/auth/api-key');
    expect(rig.market(REGULAR).bestBid).not.toBeNull();
    const again = await rig.send('POST', '/auth/api-key', '', rig.l1Headers(wallet.key, 0n));
    expect(again.body).toEqual(wallet.credentials);
    expect((await rig.call(wallet, 'DELETE', '/order', { orderID: id })).body.canceled).toEqual([id]);
  });
});

describe('keys of other kinds', () => {
  it('readonly', async () => {
    const wallet = rig.wallet(1);
    const { apiKey } = (await rig.call(wallet, 'POST', '/auth/readonly-api-key')).body;
    expect((await rig.call(wallet, 'GET', '/auth/readonly-api-keys')).body).toEqual([apiKey]);
    const drop = () => rig.call(wallet, 'DELETE', '/auth/readonly-api-key', { key: apiKey });
    expect((await drop()).body).toBe(true);
    expect((await drop()).body).toBe(false);
  });

  it('builder, as many as are allowed', async () => {
    const wallet = rig.wallet(1);
    const make = () => rig.call(wallet, 'POST', '/auth/builder-api-key');
    const first = await make();
    expect(Object.keys(first.body)).toEqual(['key', 'secret', 'passphrase']);
    const others = await Promise.all(Array.from({ length: 9 }, make));
    const keys = [first, ...others].map(({ body }) => ({ key: body.key }));
    expect((await rig.call(wallet, 'GET', '/auth/builder-api-key')).body).toEqual(keys);
    expect((await make()).status).toBe(400);
    expect((await rig.call(wallet, 'DELETE', '/auth/builder-api-key')).body).toBe('OK');
    expect((await make()).status).toBe(200);
  });
});

describe('credentials in clear, as the user stream has them', () => {
  it('are found when all three are right', () => {
    const { credentials, address } = rig.wallet(1);
    const { apiKey, secret, passphrase } = credentials;
    const caller = { apiKey, address: checksumAddress(address) };
    expect(rig.access.findByCredentials(apiKey, secret, passphrase)).toEqual(caller);
    expect(rig.access.findByCredentials(apiKey, secret, 'x')).toBeNull();
    expect(rig.access.findByCredentials(apiKey, 'x', passphrase)).toBeNull();
    expect(rig.access.findByCredentials('x', secret, passphrase)).toBeNull();
  });
});

describe('what does not exist', () => {
  it.each([
    ['GET', '/nothing', 404],
    ['POST', '/time', 405],
  ])('%s %s', async (method, target, status) => {
    expect((await rig.send(method, target, '', {})).status).toBe(status);
  });
});

describe("a signer's buckets", () => {
  const wish: OrderWish = { token: REGULAR.tokens[0], side: 'BUY', amounts: amountsOf('BUY', 5_000, 5_000_000) };

  it('empty, say so, and fill again', async () => {
    const limited = await VenueARig.start({ tier: 'Standard' });
    const [wallet, other] = [limited.wallet(1), limited.wallet(2)];
    const batch = (count: number) =>
      limited.call(
        wallet,
        'POST',
        '/orders',
        Array.from({ length: count }, () => limited.order(wallet, wish).body),
      );
    const first = await batch(15);
    expect(first.headers.get('poly-ratelimit-remaining')).toBe('45');
    expect(first.headers.get('poly-ratelimit-tier')).toBe('standard');
    for (let count = 0; count < 3; count += 1) await batch(15);
    const refused = await limited.post(wallet, wish);
    expect(refused).toMatchObject({ status: 429, body: { error: 'Too Many Requests' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await limited.post(other, wish)).status).toBe(200);
    limited.timers.advance(25);
    expect((await limited.post(wallet, wish)).status).toBe(200);
    expect((await limited.post(wallet, wish)).status).toBe(429);
    // The 62 orders and the call itself are taken from 120.
    expect((await limited.call(wallet, 'DELETE', '/cancel-all')).headers.get('poly-ratelimit-remaining')).toBe('58');
    limited.close();
  });
});
