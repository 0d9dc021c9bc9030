// Redeem, split and merge through the whole gateway (beyond §9), with the relayer of the paper exchange; some of its answers are lost. Positions and
// cash are exact afterwards, at both protocols. wallet-payouts.test.ts has the actions that take longer.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonCodec } from '../../src/core/wire/json.ts';
import type { ActionView } from '../../src/core/wire/order-views.ts';
import { protobufCodec } from '../../src/core/wire/protobuf.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { eventually } from '../support/eventually.ts';
import { errorOf } from './orders-rig.ts';
import { WalletCaller } from './wallet-caller.ts';

let wallet: WalletCaller;

beforeAll(async () => {
  wallet = await WalletCaller.start();
});
afterAll(() => wallet.close());

describe.each(['v1', 'v2'] as const)('in a market of protocol %s', version => {
  const tokens = () => wallet.markets[version][0]!;

  it('dollars become pairs of shares, and pairs become dollars', async () => {
    const [token, complement] = tokens();
    const before = await wallet.cash();
    const split = await wallet.done(await wallet.act('split', token, { amountUsd: '20' }));
    expect(split).toMatchObject({ kind: 'SPLIT', tokenId: token, shares: '20', amountUsd: '20' });
    for (const it of tokens()) expect(await wallet.held(it)).toMatchObject({ size: '20', averagePrice: '0.5' });
    const merge = await wallet.done(await wallet.act('merge', complement, { shares: '4.5' }));
    expect(merge).toMatchObject({ kind: 'MERGE', tokenId: complement, shares: '4.5', amountUsd: '4.5' });
    for (const it of tokens()) expect(await wallet.held(it)).toMatchObject({ size: '15.5', averagePrice: '0.5' });
    await eventually(async () => expect(await wallet.cash()).toBeCloseTo(before - 15.5, 6));
  });

  it('shares in resting sales are left out, and dollars of which there are too few', async () => {
    const [token] = tokens();
    const sale = { tokenId: token, side: 'SELL', type: 'LIMIT', size: '10', price: '0.99' };
    const { orderId } = (await wallet.rig.submit(sale)).json as { readonly orderId: string };
    const refused = await wallet.act('merge', token, { shares: '6' });
    expect([refused.status, errorOf(refused).code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
    await wallet.rig.cancel(orderId);
    const tooMuch = await wallet.act('split', token, { amountUsd: '100000' });
    expect([tooMuch.status, errorOf(tooMuch).code]).toEqual([400, 'INSUFFICIENT_BALANCE']);
  });

  it('a winner is paid once, also where the answer of the relayer is lost', async () => {
    const [token, complement] = tokens();
    const before = await wallet.cash();
    const early = await wallet.act('redeem', token);
    expect([early.status, errorOf(early).code]).toEqual([400, 'INVALID_REQUEST']);
    await wallet.settle(token, '1');
    const key = randomUUID();
    await wallet.rig.fault({ venue: 'venue_a', operation: 'POST /submit', fault: { kind: 'lost', isApplied: true } });
    const answer = await eventually(async () => {
      const asked = await wallet.act('redeem', token, {}, key);
      expect(asked.status, asked.text).not.toBe(400);
      return asked;
    });
    expect([answer.status, errorOf(answer).code]).toEqual([504, 'ORDER_RECONCILIATION_REQUIRED']);
    const action = await wallet.over(errorOf(answer).orderId!);
    expect(action).toMatchObject({ kind: 'REDEEM', status: 'CONFIRMED', shares: '15.5', amountUsd: '15.5' });
    expect([await wallet.held(token), await wallet.held(complement)]).toEqual([null, null]);
    await eventually(async () => expect(await wallet.cash()).toBeCloseTo(before + 15.5, 6));
    const again = await wallet.act('redeem', token, {}, key);
    expect([again.status, again.json, again.headers['idempotency-replayed']]).toEqual([201, action, 'true']);
    const other = await wallet.act('redeem', token, { shares: '1' }, key);
    expect([other.status, errorOf(other).code]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
  });
});

it('the list has the newest first, page by page, and other ids are not found', async () => {
  const whole = (await wallet.rig.call('GET', '/v1/venue-a/actions?pageSize=100')).json as {
    actions: readonly ActionView[];
  };
  const seen: ActionView[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const query: string = token === '' ? '?pageSize=2' : `?pageToken=${token}`;
    const page = (await wallet.rig.call('GET', `/v1/venue-a/actions${query}`)).json as {
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
  const unknown = await wallet.rig.call('GET', '/v1/venue-a/actions/5f0c8a52-3b1e-8c47-9d2a-6e1f0b7c4d38');
  expect([unknown.status, errorOf(unknown).code]).toEqual([404, 'NOT_FOUND']);
});

it('a client hears each state among its orders, over JSON and protobuf', async () => {
  const { url, key } = wallet.rig.gateway;
  const clients = [jsonCodec, protobufCodec].map(codec => {
    const stream = createNodeStream({ url, codec, signer: nodeSigner(key) });
    const heard: ActionView[] = [];
    stream.on('action', ({ action }) => heard.push(action));
    stream.subscribeOrders();
    stream.start();
    return { stream, heard };
  });
  for (const { stream } of clients) await eventually(() => expect(stream.orderCursor).not.toBeNull());
  const action = await wallet.done(await wallet.act('split', wallet.markets.v1[3]![0], { amountUsd: '1' }));
  for (const { stream, heard } of clients) {
    await eventually(() => expect(heard.at(-1)).toEqual(action));
    expect([...new Set(heard.map(({ status }) => status))]).toEqual(['PENDING', 'SUBMITTED', 'CONFIRMED']);
    await stream.close();
  }
});

it.each([
  ['redeem', '1x', {}, 'tokenId: must be a decimal integer'],
  ['split', '1', { amountUsd: '0' }, 'amountUsd: must be decimal text above 0'],
  ['split', '1', { amountUsd: '1.0000001' }, 'amountUsd: must be decimal text above 0'],
  ['merge', '1', {}, 'shares: is missing'],
  ['merge', '1', { shares: '1', more: 1 }, 'more: is not a field here'],
])('%s of token %s with %j is refused in words', async (kind, token, body, words) => {
  const refused = await wallet.act(kind, token, body);
  expect([refused.status, errorOf(refused).code]).toEqual([400, 'INVALID_REQUEST']);
  expect(errorOf(refused).message).toContain(words);
});
