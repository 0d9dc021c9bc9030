// The control API over real sockets and both exchanges: its effects, and the field and the rule that it names when it refuses a request.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { RawHttp } from '../../support/raw-http.ts';
import { type ControlRig, startControlRig } from './control-rig.ts';

let rig: ControlRig;
beforeAll(async () => {
  rig = await startControlRig();
});
afterAll(() => rig.close());
beforeEach(() => {
  rig.plan.clear();
  rig.plan.resetConditions();
});

const UNKNOWN_VENUE = 'venue: must be one of venue_a, venue_b';

describe('a refusal names the field and the rule', () => {
  const rows: [request: string, body: unknown, status: number, error: string][] = [
    ['GET /nothing', undefined, 404, 'path: is not known here'],
    ['PATCH /faults', undefined, 405, 'method: must be one of '],
    ['GET /venues/venue_c', undefined, 404, UNKNOWN_VENUE],
    ['POST /venues/kalshi/pause', {}, 404, UNKNOWN_VENUE],
    ['POST /faults', {}, 400, 'fault: must be a JSON object'],
    ['POST /faults', { fault: { kind: 'lost' } }, 400, 'fault.isApplied: must be true or false'],
    ['POST /faults', [], 400, 'body: must be a JSON object'],
    ['DELETE /faults/7', undefined, 404, 'id: must be that of a rule'],
    ['DELETE /faults/seed', undefined, 404, 'id: must be that of a rule'],
    ['DELETE /faults', { venue: 'venue_a' }, 400, 'venue: is not known here'],
    ['PUT /faults/seed', { seed: -1 }, 400, 'seed: must be a whole number from 0 to 4294967295'],
    ['GET /faults/journal?limit=0', undefined, 400, 'limit: must be a whole number from 1 to 1000'],
    ['GET /faults/journal?limit=x', undefined, 400, 'limit: must be a whole number from 1 to 1000'],
    ['PUT /venues/venue_a/clock', {}, 400, 'skewMs: must be a whole number from -86400000 to 86400000'],
    [
      'PUT /venues/venue_b/reads',
      { staleMs: 1e9 },
      400,
      `staleMs: must be a whole number from 0 to ${limits.paperStaleMsMax}`,
    ],
    ['PUT /venues/venue_b/reads/k', { staleMs: '1' }, 400, 'staleMs: must be a whole number from 0 to '],
    [`PUT /venues/venue_b/reads/${'k'.repeat(129)}`, { staleMs: 1 }, 400, 'key: must be text of 1 to 128 '],
    ['PUT /venues/venue_a/settlement', { delayMs: -1 }, 400, 'delayMs: must be a whole number from 0 to 86400000'],
    [
      'POST /venues/venue_a/pause',
      { mode: 'nap' },
      400,
      'mode: must be one of cancel-only, post-only, restarting, disabled',
    ],
    ['POST /venues/venue_b/pause', { mode: 'disabled' }, 400, 'mode: must be one of trading, exchange'],
    ['POST /venues/venue_b/disconnect', { key: 7 }, 400, 'key: must be text of 0 to 128 printable ASCII characters'],
    ['POST /venues/venue_a/markets/0xno/pause', {}, 404, 'market: must be a condition id or a token id that is listed'],
    ['POST /venues/venue_b/markets/NO/pause', {}, 404, 'market: must be a ticker that is listed'],
    [
      'POST /venues/venue_b/markets/:ticker/settle',
      {},
      400,
      'value: must be text of 1 to 128 printable ASCII characters',
    ],
    ['POST /venues/venue_b/markets/:ticker/settle', { value: '1.5' }, 400, 'value: must be from 0 to 1, '],
    ['POST /venues/venue_a/markets/:condition/settle', { value: '0.25' }, 400, 'value: must be one of 1, 0, 0.5'],
    ['POST /venues/venue_a/markets/:condition/close', {}, 409, 'venue: only venue_b closes a market before it settles'],
    [
      'PUT /venues/venue_a/markets/:condition/tick-size',
      { tickSize: '0.02' },
      400,
      'tickSize: must be one that venue_a has',
    ],
    ['PUT /venues/venue_b/markets/:ticker/tick-size', { tickSize: '0.01' }, 409, 'venue: only venue_a changes '],
    ['POST /venues/venue_b/accounts', { tier: 'gold' }, 400, 'tier: must be one of basic, '],
    ['POST /venues/venue_b/accounts', { balance: 10_000 }, 400, 'balance: must be unsigned dollars as decimal text'],
    ['POST /venues/venue_b/accounts', { balance: '-1' }, 400, 'balance: must be unsigned dollars as decimal text'],
    [
      'POST /venues/venue_b/accounts',
      { balance: '0.0000001' },
      400,
      'balance: must be unsigned dollars as decimal text',
    ],
    ['POST /venues/venue_b/accounts', { generate: 'dsa' }, 400, 'generate: must be one of ed25519, rsa'],
    [
      'POST /venues/venue_b/accounts',
      { publicKeyPem: 'x' },
      400,
      'publicKeyPem: must be an RSA or Ed25519 public key as PEM',
    ],
    [
      'POST /venues/venue_b/accounts/me/deposits',
      { amount: '1' },
      404,
      'account: must be the user id of an account opened here',
    ],
    [
      'POST /venues/venue_a/accounts',
      { privateKey: '0x00' },
      400,
      'privateKey: must be 64 hex digits, a private key of secp256k1',
    ],
    ['POST /venues/venue_a/accounts', { address: '0x1' }, 400, 'address: must be an address, 0x and 40 hex digits'],
    [
      'POST /venues/venue_a/accounts',
      { address: `0x${'1'.repeat(40)}`, privateKey: `0x${'1'.repeat(64)}` },
      400,
      'address: must be absent beside privateKey',
    ],
    [
      'POST /venues/venue_a/accounts',
      { wallet: `0x${'1'.repeat(40)}` },
      400,
      'wallet: must be absent with signatureType 0',
    ],
    ['POST /venues/venue_a/accounts', { signatureType: 2 }, 400, 'wallet: must be another address than the signer’s '],
    ['POST /venues/venue_a/accounts', { signatureType: 4 }, 400, 'signatureType: must be a whole number from 0 to 3'],
    [
      'POST /venues/venue_a/accounts/0x1/deposits',
      { amount: '1' },
      404,
      'account: must be the wallet of an account opened here',
    ],
    ['PUT /venues/venue_a/accounts/0x1/restriction', {}, 404, 'account: must be the wallet of an account opened here'],
    [
      'PUT /venues/venue_a/accounts/0x1/restriction',
      { restriction: 'shy' },
      400,
      'restriction: must be one of banned, ',
    ],
    ['PUT /venues/venue_b/accounts/me/restriction', {}, 409, 'venue: only venue_a shuts accounts out'],
    ['PUT /venues/venue_a/accounts/0x1/attestation', {}, 409, 'venue: only venue_b asks for a location'],
    ['PUT /venues/venue_b/accounts/me/attestation', {}, 404, 'account: must be the user id of an account opened here'],
    ['POST /venues/venue_a/accounts/0x1/deposits', { amount: '1e3' }, 400, 'amount: must be dollars as decimal text'],
  ];
  it.each(rows)('%s %j', async (request, body, status, error) => {
    const [method, path] = request.replace(':ticker', rig.ticker).replace(':condition', rig.conditionId).split(' ');
    const answer = await rig.call(method!, path!, body);
    expect(answer).toEqual({ status, body: { error: expect.stringContaining(error) } });
  });

  const raw: [what: string, head: string, body: string, status: number, error: string][] = [
    ['no JSON', 'Content-Type: application/json', '{', 400, 'body: must be JSON'],
    ['another type', 'Content-Type: text/plain', '{}', 415, 'Content-Type: must be application/json'],
    [
      'a web page',
      'Content-Type: application/json\r\nOrigin: http://evil',
      '{}',
      403,
      'Origin: must be absent; web pages are not served',
    ],
    [
      'too much',
      'Content-Type: application/json',
      ' '.repeat(limits.paperControlBodyBytes + 1),
      413,
      'body: at most 8192 bytes (paperControlBodyBytes)',
    ],
  ];
  it.each(raw)('%s', async (_what, head, body, status, error) => {
    const client = await RawHttp.connect({ port: Number(new URL(rig.server.url).port) });
    client.send(`POST /faults HTTP/1.1\r\nHost: a\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const [answer] = await client.hear(1);
    expect([answer?.status, JSON.parse(answer?.body ?? '')]).toEqual([status, { error }]);
    client.destroy();
  });
});

describe('faults', () => {
  const rule = { venue: 'venue_b', operation: 'POST *', fault: { kind: 'lost', isApplied: true }, countMax: 1 };
  const written = { ...rule, key: null, probability: 1, lastsMs: null };

  it('are made, listed, spent and taken away', async () => {
    const made = await rig.call('POST', '/faults', rule);
    const id = made.body.id as number;
    expect(made).toEqual({ status: 201, body: { id, ...written, asked: 0, struck: 0, isSpent: false } });
    rig.plan.ofRequest({ venue: 'venue_b', key: 'k', operation: 'POST /orders' });
    expect(await rig.call('GET', '/faults')).toEqual({
      status: 200,
      body: { seed: 1, rules: [{ id, ...written, asked: 1, struck: 1, isSpent: true }] },
    });
    expect((await rig.call('DELETE', `/faults/${id}`)).status).toBe(200);
    expect((await rig.call('DELETE', `/faults/${id}`)).status).toBe(404);
  });

  it('are taken away all at once', async () => {
    for (const _ of [1, 2, 3]) await rig.call('POST', '/faults', { fault: { kind: 'drop' } });
    expect(await rig.call('DELETE', '/faults')).toEqual({ status: 200, body: { removed: 3 } });
    expect(rig.plan.ofMessage({ venue: 'venue_a', key: '', operation: 'book' })).toBeNull();
  });

  it('are refused when there are too many', async () => {
    for (let made = 0; made < limits.paperFaultRulesMax; made += 1)
      await rig.call('POST', '/faults', { fault: { kind: 'drop' } });
    const answer = await rig.call('POST', '/faults', { fault: { kind: 'drop' } });
    expect(answer).toEqual({ status: 409, body: { error: expect.stringMatching(/^faults: at most 256 rules/) } });
  });

  it('have a seed', async () => {
    expect(await rig.call('PUT', '/faults/seed', { seed: 9 })).toEqual({ status: 200, body: { seed: 9 } });
    expect(rig.plan.seed).toBe(9);
    rig.plan.seed = 1;
  });

  it('tell what they did', async () => {
    await rig.call('POST', '/faults', { fault: { kind: 'swap' }, key: 'key-1' });
    for (const operation of ['fill', 'order']) rig.plan.ofMessage({ venue: 'venue_b', key: 'key-1', operation });
    const { body } = await rig.call('GET', '/faults/journal?limit=1');
    expect(body.entries).toMatchObject([{ venue: 'venue_b', key: 'key-1', operation: 'order', kind: 'swap' }]);
    expect(body.counts).toMatchObject({ swap: 2 });
  });
});

describe('a venue', () => {
  it('is shown with everything else at the root', async () => {
    const { body } = await rig.call('GET', '/');
    expect(body).toMatchObject({
      urls: { venueB: rig.urlsB.rest },
      seed: 7,
      now: rig.timers.now(),
      faults: { rules: 0 },
    });
    expect(Object.keys(body.venues as object)).toEqual(['venue_a', 'venue_b']);
    expect(await rig.call('GET', '/venues/venue_a')).toEqual({
      status: 200,
      body: (body.venues as Record<string, unknown>).venue_a,
    });
  });

  it('has a clock of its own, stale reads and slow settlement, until that is taken back', async () => {
    const before = (await rig.call('GET', '/venues/venue_b')).body;
    await rig.call('PUT', '/venues/venue_b/clock', { skewMs: -4_000 });
    await rig.call('PUT', '/venues/venue_b/reads', { staleMs: 300 });
    await rig.call('PUT', '/venues/venue_b/reads/key-1', { staleMs: 0 });
    const { body } = await rig.call('PUT', '/venues/venue_b/settlement', { delayMs: 60_000 });
    expect(body).toMatchObject({
      clock: { skewMs: -4_000, now: rig.timers.now() - 4_000 },
      reads: { staleMs: 300, keys: { 'key-1': 0 } },
      settlement: { delayMs: 60_000 },
    });
    expect(rig.exchangeB.now()).toBe(rig.timers.now() - 4_000);
    expect(rig.exchangeA.now()).toBe(rig.timers.now());
    expect([
      rig.plan.staleMs({ venue: 'venue_b', key: 'key-1' }),
      rig.plan.staleMs({ venue: 'venue_b', key: '' }),
    ]).toEqual([0, 300]);
    expect((await rig.call('DELETE', '/venues/venue_b/reads/key-1')).body).toMatchObject({ reads: { keys: {} } });
    await rig.call('DELETE', '/conditions');
    expect((await rig.call('GET', '/venues/venue_b')).body).toEqual(before);
  });

  it('B pauses its trading or the exchange, and resumes both', async () => {
    const pause = (body: object) => rig.call('POST', '/venues/venue_b/pause', body);
    expect((await pause({})).body).toMatchObject({ isTradingActive: false, isExchangeActive: true });
    expect((await pause({ mode: 'exchange' })).body).toMatchObject({ isTradingActive: false, isExchangeActive: false });
    const { body } = await rig.call('POST', '/venues/venue_b/resume');
    expect(body).toMatchObject({ isTradingActive: true, isExchangeActive: true });
  });

  it('A goes through its modes', async () => {
    for (const mode of ['cancel-only', 'post-only', 'restarting', 'disabled']) {
      expect((await rig.call('POST', '/venues/venue_a/pause', { mode })).body).toMatchObject({ mode });
      expect(rig.exchangeA.mode).toBe(mode);
    }
    expect((await rig.call('POST', '/venues/venue_a/resume')).body).toMatchObject({ mode: 'normal' });
  });
});

describe('a market', () => {
  it('of venue B is paused, resumed, closed and settled, once', async () => {
    const { ticker } = rig;
    const act = (what: string, body?: object) => rig.call('POST', `/venues/venue_b/markets/${ticker}/${what}`, body);
    expect((await act('pause')).body).toMatchObject({ market: ticker, status: 'inactive' });
    expect((await act('resume')).body).toMatchObject({ status: 'active' });
    const closeAt = rig.exchangeB.now() + 60_000;
    expect((await act('close', { inMs: 60_000 })).body).toMatchObject({ status: 'active', closeAt });
    expect((await act('close', {})).body).toMatchObject({ status: 'closed' });
    expect(await act('close', {})).toMatchObject({
      status: 409,
      body: { error: 'market: must not be closed already' },
    });
    expect(await act('pause')).toMatchObject({ status: 409, body: { error: 'market: must be open or paused' } });
    await rig.call('PUT', '/venues/venue_b/settlement', { delayMs: 0 });
    expect((await act('settle', { value: '0.5' })).body).toMatchObject({ value: '0.5000' });
    rig.timers.advance(1);
    expect(await act('settle', { value: '1' })).toMatchObject({
      status: 409,
      body: { error: 'market: must not be settled already' },
    });
  });

  it('of venue A is paused, resumed, given another tick size and settled, once; by any of its ids', async () => {
    const { conditionId, listing } = [...rig.exchangeA.markets.values()].findLast(
      ({ resolution }) => resolution === null,
    )!;
    const act = (what: string, body?: object, id = conditionId) =>
      rig.call('POST', `/venues/venue_a/markets/${id}/${what}`, body);
    expect((await act('pause')).body).toMatchObject({ market: conditionId, isAcceptingOrders: false });
    expect((await act('resume', {}, listing.tokens[1])).body).toMatchObject({
      market: conditionId,
      isAcceptingOrders: true,
    });
    const tickSize = await rig.call('PUT', `/venues/venue_a/markets/${conditionId}/tick-size`, { tickSize: '0.0001' });
    expect(tickSize).toMatchObject({ status: 200, body: { tickSize: '0.0001' } });
    expect((await act('settle', { value: '0' })).body).toMatchObject({ resolution: { winner: 1 } });
    expect(await act('settle', { value: '1' })).toMatchObject({
      status: 409,
      body: { error: 'market: must not be resolved already' },
    });
    expect(await act('pause')).toMatchObject({ status: 409 });
  });
});
