// Whom the paper venue B lets in, and to what (venue-b.md §2), over real sockets. Covers the four 401 bodies, the window of timestamps,
// scopes, and keys that are restricted to a subaccount.

import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newOrder, RigUser, TICKER, VenueBRig } from '../venue-b-rig.ts';

const ORDERS = '/portfolio/events/orders';

let rig: VenueBRig;
let user: RigUser;

beforeAll(async () => {
  rig = await VenueBRig.start();
});
afterAll(() => rig.close());
beforeEach(() => {
  user = rig.user({ cents: 10_000 });
});

describe('authentication', () => {
  const balance = '/portfolio/balance';

  it.each([
    ['no signature', () => ({}), 'signature_is_missing_from_headers', undefined],
    [
      'a signature of another path',
      () => user.headers('GET', '/portfolio/fills'),
      'authentication_error',
      'INCORRECT_API_KEY_SIGNATURE',
    ],
    [
      'a signature of another method',
      () => user.headers('POST', balance),
      'authentication_error',
      'INCORRECT_API_KEY_SIGNATURE',
    ],
    [
      'an unknown key',
      () => ({ ...user.headers('GET', balance), 'KALSHI-ACCESS-KEY': '00000000-0000-0000-0000-000000000000' }),
      'authentication_error',
      'NOT_FOUND',
    ],
    ['a late timestamp', () => user.headers('GET', balance, -10_001), 'header_timestamp_expired', undefined],
    ['an early timestamp', () => user.headers('GET', balance, 30_001), 'header_timestamp_expired', undefined],
    [
      'a timestamp in seconds',
      () => ({ ...user.headers('GET', balance), 'KALSHI-ACCESS-TIMESTAMP': '1780000000' }),
      'header_timestamp_expired',
      undefined,
    ],
    [
      'a signature that is no base64',
      () => ({ ...user.headers('GET', balance), 'KALSHI-ACCESS-SIGNATURE': '?' }),
      'authentication_error',
      'INCORRECT_API_KEY_SIGNATURE',
    ],
  ])('%s', async (_what, headers, code, details) => {
    const answer = await rig.fetch('GET', balance, undefined, headers());
    expect(answer.status).toBe(401);
    const message = code.startsWith('authentication') ? code : code.replaceAll('_', ' ');
    expect(answer.body).toEqual({ error: { code, message, ...(details === undefined ? {} : { details }) } });
  });

  it.each([-10_000, -5_000, 5_000, 30_000])('a timestamp that is %i ms ahead is accepted', async skewMs => {
    expect((await rig.fetch('GET', balance, undefined, user.headers('GET', balance, skewMs))).status).toBe(200);
  });

  it('the query is not signed', async () => {
    const headers = user.headers('GET', balance);
    expect((await rig.fetch('GET', `${balance}?subaccount=0`, undefined, headers)).status).toBe(200);
  });

  it('a public route needs no signature, but refuses a bad one', async () => {
    expect((await rig.fetch('GET', `/markets/${TICKER}`)).status).toBe(200);
    const headers = user.headers('GET', '/markets');
    expect((await rig.fetch('GET', `/markets/${TICKER}`, undefined, headers)).status).toBe(401);
  });

  it('a removed key is unknown', async () => {
    rig.access.removeKey(user.keyId);
    expect((await user.get(balance)).body).toMatchObject({ error: { details: 'NOT_FOUND' } });
  });
});

describe('scopes and subaccounts', () => {
  const denied = { error: { code: 'permission_denied', message: 'permission denied' } };

  it.each([
    ['read may not write', ['read'] as const, 'POST', ORDERS, 403],
    ['write may not read', ['write'] as const, 'GET', '/portfolio/orders', 403],
    ['read may read', ['read'] as const, 'GET', '/portfolio/orders', 200],
    ['write::trade may trade', ['write::trade'] as const, 'POST', ORDERS, 201],
    ['write::trade may not make keys', ['write::trade'] as const, 'POST', '/api_keys/generate', 403],
    [
      'read::portfolio_balance sees the balance',
      ['read::portfolio_balance'] as const,
      'GET',
      '/portfolio/balance',
      200,
    ],
    ['and nothing else', ['read::portfolio_balance'] as const, 'GET', '/portfolio/fills', 403],
  ])('%s', async (_what, scopes, method, path, status) => {
    const key = rig.key(user.userId, { scopes });
    const answer = await key.send(method, path, method === 'POST' ? newOrder() : undefined);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toEqual(denied);
  });

  it('a key of one subaccount acts on it, and on no other', async () => {
    rig.fund(user.userId, 500, 2);
    const key = rig.key(user.userId, { subaccount: 2 });
    expect((await key.get('/portfolio/balance')).body).toMatchObject({ balance_dollars: '5.0000' });
    expect((await key.get('/portfolio/balance?subaccount=2')).status).toBe(200);
    for (const answer of [
      await key.get('/portfolio/balance?subaccount=0'),
      await key.get('/portfolio/subaccounts/balances'),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.text).toContain(
        'this API key is restricted to a single sub-account and cannot access this endpoint',
      );
    }
    const order = await key.send('POST', ORDERS, newOrder({ subaccount: 0 }));
    expect(order.status).toBe(403);
  });

  it.each(['64', '-1', 'x', '1.5'])('an invalid subaccount is refused: %s', async subaccount => {
    const answer = await user.get(`/portfolio/balance?subaccount=${subaccount}`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('invalid_subaccount')]);
  });
});

describe('keys', () => {
  const key = { keyId: 'k', scopes: [], subaccount: null, name: '' };
  const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' });

  it.each([
    ['nonsense', 'invalid-key'],
    [ecKey.toString(), 'invalid-key'],
  ])('%j is no key of a known kind', (publicKeyPem, error) => {
    expect(rig.access.addKey({ ...key, userId: user.userId, publicKeyPem })).toEqual({ ok: false, error });
  });

  it('an id is given once', () => {
    const publicKeyPem = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const again = { ...key, keyId: user.keyId, userId: user.userId, publicKeyPem };
    expect(rig.access.addKey(again)).toEqual({ ok: false, error: 'key-exists' });
    expect(rig.access.removeKey('unknown')).toBe(false);
  });

  it('made over the API: an Ed25519 pair, for one subaccount', async () => {
    await user.send('POST', '/portfolio/subaccounts');
    const made = await user.send('POST', '/api_keys/generate', { name: 'pair', key_type: 'ed25519', subaccount: 1 });
    expect(made.status).toBe(201);
    const { api_key_id, private_key } = made.body as { api_key_id: string; private_key: string };
    const pair = new RigUser(rig, user.userId, api_key_id, createPrivateKey(private_key));
    expect((await pair.get('/portfolio/balance')).body).toMatchObject({ balance: 0 });
    expect((await pair.get('/portfolio/balance?subaccount=0')).status).toBe(403);
  });

  it.each([
    [{ name: 'x', public_key: 'nonsense' }, 400, 'invalid_public_key'],
    [{ name: 'x', public_key: 'nonsense', scopes: ['everything'] }, 400, 'invalid_scopes'],
    [{ name: 'x', public_key: 'nonsense', subaccount: 9 }, 404, 'not_found'],
    [{ public_key: 'nonsense' }, 400, 'bad_request'],
    [{ name: 'x'.repeat(257), public_key: 'nonsense' }, 400, 'bad_request'],
  ])('POST /api_keys %j', async (body, status, code) => {
    const answer = await user.send('POST', '/api_keys', body);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"code":"${code}"`)]);
  });

  it('somebody else’s key cannot be removed', async () => {
    const answer = await user.send('DELETE', `/api_keys/${rig.user().keyId}`);
    expect(answer.status).toBe(404);
  });
});
