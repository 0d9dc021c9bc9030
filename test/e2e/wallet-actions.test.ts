// Redeem, split and merge through the whole gateway (beyond §9), with the relayer of the paper exchange, whose answers are lost now and
// then. Positions and cash are exact afterwards, at both protocols.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionView } from '../../src/core/wire/action-views.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { eventually } from '../support/eventually.ts';
import { ask } from '../support/paper-traders.ts';
import type { Answer } from '../support/signed-requests.ts';
import { errorOf, OrdersRig } from './orders-rig.ts';

let rig: OrdersRig;
/** Of each market the tokens that trade. */
let markets: Readonly<Record<'v1' | 'v2', readonly (readonly [string, string])[]>>;

beforeAll(async () => {
  rig = await OrdersRig.start('venue-a', { source: { kind: 'paper', walletType: 3 } });
  markets = await tradedTokens();
});
afterAll(() => rig.close());

interface GammaMarket {
  readonly version: 'v1' | 'v2';
  readonly clobTokenIds: string;
  readonly positionIds: readonly string[];
}

async function tradedTokens(): Promise<typeof markets> {
  const { body } = await ask<readonly GammaMarket[]>(`${rig.gateway.paper!.urls.venueA.gamma}/markets?limit=500`);
  const of = (version: 'v1' | 'v2') =>
    body
      .filter(it => it.version === version)
      .map(it => (version === 'v2' ? it.positionIds : JSON.parse(it.clobTokenIds)) as [string, string]);
  return { v1: of('v1'), v2: of('v2') };
}

function act(kind: string, tokenId: string, body: object = {}, key: string = randomUUID()): Promise<Answer> {
  return rig.call('POST', `/v1/venue-a/positions/${tokenId}/${kind}`, {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
    idempotencyKey: key,
  });
}

async function over(actionId: string): Promise<ActionView> {
  return eventually(async () => {
    const { json } = await rig.call('GET', `/v1/venue-a/actions/${actionId}`);
    const action = json as ActionView;
    expect(['CONFIRMED', 'FAILED']).toContain(action.status);
    return action;
  });
}

async function done(answer: Answer): Promise<ActionView> {
  expect(answer.status, answer.text).toBe(201);
  const action = await over((answer.json as ActionView).actionId);
  expect(action).toMatchObject({ status: 'CONFIRMED', error: null, transactionHash: expect.stringMatching(/^0x/) });
  return action;
}

async function held(tokenId: string): Promise<object | null> {
  const { json } = await rig.call('GET', `/v1/venue-a/positions?tokenId=${tokenId}`);
  const [row = null] = (json as { readonly positions: readonly { readonly size: string }[] }).positions;
  return row;
}

async function cash(): Promise<number> {
  const { json } = await rig.call('GET', '/v1/venue-a/balance');
  return Number((json as { readonly available: number }).available);
}

const settle = (tokenId: string, value: string) =>
  rig.control('POST', `/venues/venue_a/markets/${tokenId}/settle`, { value });

describe.each(['v1', 'v2'] as const)('in a market of protocol %s', version => {
  const tokens = () => markets[version][0]!;

  it('dollars become pairs of shares, and pairs become dollars', async () => {
    const [token, complement] = tokens();
    const before = await cash();
    const split = await done(await act('split', token, { amountUsd: '20' }));
    expect(split).toMatchObject({ kind: 'SPLIT', tokenId: token, shares: '20', amountUsd: '20' });
    for (const it of tokens()) expect(await held(it)).toMatchObject({ size: '20', averagePrice: '0.5' });
    const merge = await done(await act('merge', complement, { shares: '4.5' }));
    expect(merge).toMatchObject({ kind: 'MERGE', tokenId: complement, shares: '4.5', amountUsd: '4.5' });
    for (const it of tokens()) expect(await held(it)).toMatchObject({ size: '15.5', averagePrice: '0.5' });
    await eventually(async () => expect(await cash()).toBeCloseTo(before - 15.5, 6));
  });

  it('shares in resting sales are left out, and dollars of which there are too few', async () => {
    const [token] = tokens();
    const sale = { tokenId: token, side: 'SELL', type: 'LIMIT', size: '10', price: '0.99' };
    const { orderId } = (await rig.submit(sale)).json as { readonly orderId: string };
    const refused = await act('merge', token, { shares: '6' });
    expect([refused.status, errorOf(refused).code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    await rig.cancel(orderId);
    const tooMuch = await act('split', token, { amountUsd: '100000' });
    expect([tooMuch.status, errorOf(tooMuch).code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
  });

  it('a winner is paid once, also where the answer of the relayer is lost', async () => {
    const [token, complement] = tokens();
    const before = await cash();
    const early = await act('redeem', token);
    expect([early.status, errorOf(early).code]).toEqual([400, 'INVALID_REQUEST']);
    await settle(token, '1');
    const key = randomUUID();
    await rig.fault({ venue: 'venue_a', operation: 'POST /submit', fault: { kind: 'lost', isApplied: true } });
    const answer = await eventually(async () => {
      const asked = await act('redeem', token, {}, key);
      expect(asked.status, asked.text).not.toBe(400);
      return asked;
    });
    expect([answer.status, errorOf(answer).code]).toEqual([504, 'ORDER_RECONCILIATION_REQUIRED']);
    const action = await over(errorOf(answer).orderId!);
    expect(action).toMatchObject({ kind: 'REDEEM', status: 'CONFIRMED', shares: '15.5', amountUsd: '15.5' });
    expect([await held(token), await held(complement)]).toEqual([null, null]);
    await eventually(async () => expect(await cash()).toBeCloseTo(before + 15.5, 6));
    const again = await act('redeem', token, {}, key);
    expect([again.status, again.json, again.headers['idempotency-replayed']]).toEqual([201, action, 'true']);
    const other = await act('redeem', token, { shares: '1' }, key);
    expect([other.status, errorOf(other).code]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
  });
});

it('a half payout pays both sides; at protocol V2 an actor redeems as many shares as it says', async () => {
  const [token, complement] = markets.v2[1]!;
  const before = await cash();
  await done(await act('split', token, { amountUsd: '8' }));
  await settle(token, '0.5');
  await eventually(async () => expect(await held(token)).toMatchObject({ redeemable: true }));
  const part = await done(await act('redeem', token, { shares: '3' }));
  expect(part).toMatchObject({ shares: '3', amountUsd: '1.5' });
  expect(await held(token)).toMatchObject({ size: '5', redeemable: true });
  const tooMany = await act('redeem', token, { shares: '5.000001' });
  expect([tooMany.status, errorOf(tooMany).code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
  await Promise.all([act('redeem', token), act('redeem', complement)].map(async it => done(await it)));
  expect([await held(token), await held(complement)]).toEqual([null, null]);
  await eventually(async () => expect(await cash()).toBeCloseTo(before, 6));
});

it('at protocol V1 a redeem covers the wallet, and names no shares', async () => {
  const [token, complement] = markets.v1[1]!;
  await done(await act('split', token, { amountUsd: '2' }));
  await settle(token, '0.5');
  await eventually(async () => {
    const refused = await act('redeem', token, { shares: '1' });
    expect([refused.status, errorOf(refused).message]).toEqual([
      400,
      expect.stringMatching(/^shares: must be left out/),
    ]);
  });
  const all = await done(await act('redeem', token));
  expect(all).toMatchObject({ shares: '2', amountUsd: '2' });
  expect([await held(token), await held(complement)]).toEqual([null, null]);
});

it('a transaction that fails after it was mined is sent again, with the same nonce', async () => {
  const [token] = markets.v1[2]!;
  const before = await cash();
  await rig.fault({ venue: 'venue_a', fault: { kind: 'transaction-fails' } });
  await done(await act('split', token, { amountUsd: '3' }));
  expect(await held(token)).toMatchObject({ size: '3' });
  await eventually(async () => expect(await cash()).toBeCloseTo(before - 3, 6));
});

it('the list has the newest first, page by page, and other ids are not found', async () => {
  const whole = (await rig.call('GET', '/v1/venue-a/actions?pageSize=100')).json as { actions: readonly ActionView[] };
  const seen: ActionView[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const query: string = token === '' ? '?pageSize=2' : `?pageToken=${token}`;
    const page = (await rig.call('GET', `/v1/venue-a/actions${query}`)).json as {
      readonly actions: readonly ActionView[];
      readonly nextPageToken: string | null;
    };
    seen.push(...page.actions);
    token = page.nextPageToken;
  }
  expect(seen).toEqual(whole.actions);
  expect(seen.map(it => it.createdAt)).toEqual(
    seen
      .map(it => it.createdAt)
      .toSorted()
      .toReversed(),
  );
  const unknown = await rig.call('GET', '/v1/venue-a/actions/5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38');
  expect([unknown.status, errorOf(unknown).code]).toEqual([404, 'NOT_FOUND']);
});

it.each([jsonCodec, protobufCodec])('over $subprotocol a client hears each state among its orders', async codec => {
  const { url, key } = rig.gateway;
  const stream = createNodeStream({ url, codec, signer: nodeSigner(key) });
  const heard: ActionView[] = [];
  stream.on('action', ({ action }) => heard.push(action));
  stream.subscribeOrders();
  stream.start();
  await eventually(() => expect(stream.orderCursor).not.toBeNull());
  const action = await done(await act('split', markets.v1[3]![0], { amountUsd: '1' }));
  await eventually(() => expect(heard.at(-1)).toEqual(action));
  expect([...new Set(heard.map(({ status }) => status))]).toEqual(['PENDING', 'SUBMITTED', 'CONFIRMED']);
  await stream.close();
});

it.each([
  ['redeem', '1x', {}, 'tokenId: must be a decimal integer'],
  ['split', '1', { amountUsd: '0' }, 'amountUsd: must be decimal text above 0'],
  ['split', '1', { amountUsd: '1.0000001' }, 'amountUsd: must be decimal text above 0'],
  ['merge', '1', {}, 'shares: is missing'],
  ['merge', '1', { shares: '1', more: 1 }, 'more: is not a field here'],
])('%s of token %s with %j is refused in words', async (kind, token, body, words) => {
  const refused = await act(kind, token, body);
  expect([refused.status, errorOf(refused).code]).toEqual([400, 'INVALID_REQUEST']);
  expect(errorOf(refused).message).toContain(words);
});
