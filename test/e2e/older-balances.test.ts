// The older family's balance through the whole gateway, at both paper exchanges. It has a pod's cash, what is reserved of it and what its
// positions are worth. The test compares it with what the venues' own endpoints say.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MicroDollars } from '../../src/core/domain/numbers.ts';
import { NO_PRICES } from '../../src/core/domain/position.ts';
import { ok } from '../../src/core/domain/result.ts';
import type { OlderBalances, VenueBBalance } from '../../src/core/generated/api-types.ts';
import { olderBalances } from '../../src/orders/life/older-balances.ts';
import { Valuation } from '../../src/orders/life/owner-values.ts';
import type { OrderName } from '../../src/venues/venue.ts';
import { at, storedOrder } from '../core/store/orders/order-rig.ts';
import { ScriptedVenue } from '../orders/life/scripted-venue.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { ask, someTicker, someToken } from '../support/paper-traders.ts';
import { type Answer, send, type TestKey } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf, type Shown } from './orders-rig.ts';

let rig: OrdersRig;
let ticker: string;
let tokenId: string;

beforeAll(async () => {
  rig = await OrdersRig.start('venue-b');
  const { urls } = rig.gateway.paper!;
  await eventually(() => expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true));
  [ticker, tokenId] = [await someTicker(urls.venueB.rest), await someToken(urls.venueA.gamma)];
});
afterAll(() => rig.close());

async function older(): Promise<Answer> {
  const headers = { 'x-api-key': rig.gateway.apiKey };
  const answer = await send(`${rig.gateway.httpUrl}/v1/balances`, { headers });
  expect(answerProblems('getOlderBalances', answer.status, answer.headers, answer.json)).toEqual([]);
  return answer;
}

async function balances(): Promise<OlderBalances> {
  const answer = await older();
  expect(answer.status, answer.text).toBe(200);
  return answer.json as OlderBalances;
}

/** Returns the available balance of both venues together, in dollars. */
async function available(): Promise<number> {
  const answers = await Promise.all(['a', 'b'].map(it => rig.call('GET', `/v1/venue-${it}/balance`)));
  return answers.reduce((sum, { json }) => sum + (json as { readonly available: number }).available, 0);
}

async function trade(venue: 'venue-a' | 'venue-b', body: object, key?: TestKey): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const sent = { body: JSON.stringify(body), headers, idempotencyKey: randomUUID() };
  const answer = await rig.call('POST', `/v1/${venue}/orders`, sent, key);
  expect(answer.status, answer.text).toBe(201);
  return orderIdOf(answer);
}

/** Resolves when the balances are as expected. The venues' reports come at any time, and their books move. */
const becomes = (expected: () => Promise<Partial<Record<keyof OlderBalances, number>>>): Promise<void> =>
  eventually(async () => {
    const [wanted, shown] = [await expected(), await balances()];
    for (const [name, value] of Object.entries(wanted)) {
      expect([name, shown[name as 'cash']]).toEqual([name, expect.closeTo(value, 5)]);
    }
  });

const contracts = (fields: object) => ({ ticker, side: 'YES', action: 'BUY', ...fields });
const tokens = (fields: object) => ({ tokenId, side: 'BUY', type: 'LIMIT', ...fields });

/** Returns the middle price of YES, in dollars. */
async function middleAtB(): Promise<number> {
  interface Shown {
    readonly market: { readonly yes_bid_dollars: string; readonly yes_ask_dollars: string };
  }
  const { body } = await ask<Shown>(`${rig.gateway.paper!.urls.venueB.rest}/markets/${ticker}`);
  return (Number(body.market.yes_bid_dollars) + Number(body.market.yes_ask_dollars)) / 2;
}

async function middleAtA(): Promise<number> {
  const url = `${rig.gateway.paper!.urls.venueA.rest}/midpoint?token_id=${tokenId}`;
  return Number((await ask<{ readonly mid: string }>(url)).body.mid);
}

describe('a pod', () => {
  it('that has not traded has its cash', async () => {
    const before = Date.now();
    const { retrievedAt, ...amounts } = await balances();
    expect(amounts).toEqual({ cash: await available(), reserved: 0, positions: 0 });
    expect(amounts.cash).toBeGreaterThan(0);
    expect(Date.parse(retrievedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(retrievedAt)).toBeLessThanOrEqual(Date.now());
  });

  it('has reserved what its resting orders hold back', async () => {
    const { cash } = await balances();
    const resting = [
      await trade('venue-b', contracts({ count: 30, priceCents: 1 })),
      await trade('venue-a', tokens({ size: '20', price: '0.02' })),
    ];
    // The venue reserves the possible fee, too.
    await becomes(async () => ({ cash: await available(), reserved: 0.7, positions: 0 }));
    expect((await balances()).cash).toBeLessThanOrEqual(cash - 0.7);
    await rig.call('DELETE', `/v1/venue-b/orders/${resting[0]}`);
    await rig.call('DELETE', `/v1/venue-a/orders/${resting[1]}`);
    await becomes(async () => ({ cash, reserved: 0 }));
  });

  it('has reserved what an order in flight may cost', async () => {
    const hung = { kind: 'hung', isApplied: false, hangMs: 3_000 };
    await rig.fault({ venue: 'venue_b', operation: 'POST /portfolio/events/orders', fault: hung });
    const { cash } = await balances();
    const submitted = rig.submit(contracts({ count: 10, priceCents: 7 }));
    await becomes(async () => ({ cash, reserved: 0.7 }));
    expect((await submitted).status).toBeGreaterThanOrEqual(500);
  });

  it('has positions at the middle of their books, of all actors, each market once', async () => {
    await trade('venue-b', contracts({ count: 10, priceCents: 99 }));
    await trade('venue-a', tokens({ size: '20', price: '0.98' }));
    await becomes(async () => ({
      positions: 10 * (await middleAtB()) + 20 * (await middleAtA()),
      cash: await available(),
    }));
    // The venue nets the two actors' opposite purchases, and pays out the pairs.
    await trade(
      'venue-b',
      contracts({ side: 'NO', count: 4, priceCents: 99 }),
      await rig.newKey({ actorId: 'another' }),
    );
    await becomes(async () => ({
      positions: 6 * (await middleAtB()) + 20 * (await middleAtA()),
      cash: await available(),
    }));
  });

  it('has what it won once, until it is redeemed', async () => {
    await rig.control('POST', `/venues/venue_a/markets/${tokenId}/settle`, { value: '1' });
    // The gateway may take up to half a minute until it checks for resolved markets again.
    await becomes(async () => ({ positions: 6 * (await middleAtB()) + 20, cash: await available() }));
  });
});

it.each([
  ['venue_a', 'GET /balance-allowance', 'venue A'],
  ['venue_b', 'GET /portfolio/balance', 'venue B'],
])('the sum is a 503 while a venue does not answer: %s', async (venue, operation, name) => {
  await rig.fault({ venue, operation, fault: { kind: 'status', status: 500, isApplied: false }, countMax: 100 });
  const answer = await older();
  expect([answer.status, answer.json]).toEqual([
    503,
    { error: { message: expect.stringMatching(new RegExp(`^${name}: (?!venue).`)) } },
  ]);
  expect(answer.headers['retry-after']).toBe('1');
  await rig.control('DELETE', '/faults');
  expect((await older()).status).toBe(200);
});

it('credentials that a venue refuses are a fault of ours', async () => {
  const fault = { kind: 'status', status: 401, isApplied: false };
  await rig.fault({ venue: 'venue_a', operation: 'GET /balance-allowance', fault, countMax: 100 });
  const [sum, balance] = [await older(), await rig.call('GET', '/v1/venue-a/balance')];
  const message = 'venue A: /balance-allowance: Unauthorized/Invalid api key';
  expect([sum.status, sum.json]).toEqual([500, { error: { message } }]);
  expect([balance.status, balance.json]).toEqual([500, { error: { code: 'INTERNAL_ERROR', message } }]);
  await rig.control('DELETE', '/faults');
});

it('the cash of venue B is by shard, and an order beyond that of its market’s shard is refused', async () => {
  const { control } = rig.gateway.paper!.urls;
  const { body } = await ask<{ accounts: { userId: string }[] }>(`${control}/venues/venue_b/accounts`);
  const deposit = { amount: '1000000', shard: 3 };
  const before = await balances();
  await rig.control('POST', `/venues/venue_b/accounts/${body.accounts[0]!.userId}/deposits`, deposit);
  const { available, shards } = (await rig.call('GET', '/v1/venue-b/balance')).json as VenueBBalance;
  const cash = shards[0]!.available;
  expect(shards).toEqual([
    { index: 0, available: cash },
    { index: 3, available: 1_000_000 },
  ]);
  expect(available).toBeCloseTo(cash + 1_000_000, 6);
  expect((await balances()).cash).toBeCloseTo(before.cash + 1_000_000, 6);
  // The sum of both balances would be enough for this order.
  const refused = await rig.submit(contracts({ count: Math.ceil(cash / 0.98) + 1, priceCents: 98 }));
  expect([refused.status, errorOf(refused)]).toMatchObject([400, { code: 'INSUFFICIENT_BALANCE' }]);
});

// The venue's list of orders has it, too. So it was with every taker of venue A's sports, while the venue delays it, and with what rests
// there and is not known here.
describe('3251: held back and in flight', () => {
  let rig: OrdersRig;

  beforeAll(async () => {
    rig = await OrdersRig.start('venue-b', { source: { kind: 'paper', takerDelayS: 60 } });
    await eventually(() => expect(rig.gateway.trading.isTradable('demo', 'venue_a')).toBe(true));
  });
  afterAll(() => rig.close());

  async function balances(): Promise<OlderBalances> {
    const answer = await send(`${rig.gateway.httpUrl}/v1/balances`, { headers: { 'x-api-key': rig.gateway.apiKey } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json as OlderBalances;
  }

  it('an order that the venue delays is reserved once', async () => {
    const tokenId = await someToken(rig.gateway.paper!.urls.venueA.gamma);
    const order = { tokenId, side: 'BUY', type: 'LIMIT', size: '10', price: '0.98' };
    const sent = { body: JSON.stringify(order), headers: { 'Content-Type': 'application/json' } };
    const answer = await rig.call('POST', '/v1/venue-a/orders', { ...sent, idempotencyKey: randomUUID() });
    const { orderId } = answer.json as Shown;
    const { json } = await rig.call('GET', `/v1/venue-a/orders/${orderId}`);
    expect(json).toMatchObject({ status: 'SUBMITTED', venueOrderId: expect.any(String) });
    expect(await balances()).toMatchObject({ reserved: 9.8 });
  });

  it('an order that rests there is reserved once also while it is not known here', async () => {
    const account = { podId: 'pod', venue: 'venue_b' } as const;
    const stored = storedOrder({ number: 1, venue: account.venue }, { status: 'SUBMITTED' });
    const { orderId } = stored.order;
    const reads = new MemoryLedger();
    reads.change(transaction => transaction.putOrder(stored));
    const reservedWith = async (committedTo: readonly OrderName[]): Promise<number> => {
      const none = 0 as MicroDollars;
      const committed = (committedTo.length * 5_000_000) as MicroDollars;
      const trading = new ScriptedVenue(at(0));
      trading.cash = ok({ available: none, committed, committedTo, claimable: none, unconverted: none });
      const valuation = new Valuation(reads, () => NO_PRICES);
      const caller = { podId: 'pod', actorId: 'alice', keyId: 'key' };
      const asked = { name: 'older-balances', caller, actorIds: [] } as const;
      const { body } = await olderBalances({ reads, valuation, now: () => at(1) }, [{ ...account, trading }], asked);
      return (JSON.parse(String(body)) as OlderBalances).reserved;
    };
    expect(await reservedWith([])).toBe(5);
    expect(await reservedWith([{ venueOrderId: 'theirs', clientOrderId: `${orderId}.abcdefgh` }])).toBe(5);
    expect(await reservedWith([{ venueOrderId: 'theirs', clientOrderId: 'a stranger' }])).toBe(10);
  });
});
