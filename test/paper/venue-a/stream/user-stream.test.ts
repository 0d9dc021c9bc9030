// The user channel on a real socket: who is let in, and what the owner of an order and the parties of a trade hear.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../../src/core/domain/numbers.ts';
import type { Faults } from '../../../../src/paper/faults/faults.ts';
import { userStreamRoute } from '../../../../src/paper/venue-a/stream/user-session.ts';
import { checksumAddress } from '../../../../src/venues/venue-a/address.ts';
import { NO_FAULTS } from '../../../support/no-faults.ts';
import type { Frame } from '../../stream-client.ts';
import { amountsOf, NEG_RISK, type OrderWish, REGULAR, START_MS, VenueARig, type Wallet } from '../venue-a-rig.ts';
import { StreamClient } from './stream-client.ts';

const [FIRST, SECOND] = REGULAR.tokens;
const SHARE = 1_000_000;

let rig: VenueARig;
let ann: Wallet;
let bob: Wallet;
let clients: StreamClient[] = [];

async function start(faults: Faults = NO_FAULTS): Promise<void> {
  rig = await VenueARig.start({ faults, sockets: parts => [userStreamRoute(parts)] });
  ann = rig.wallet(1);
  bob = rig.wallet(2);
}

beforeEach(() => start());

afterEach(() => {
  for (const client of clients) client.close();
  clients = [];
  rig.close();
});

async function connect(): Promise<StreamClient> {
  const client = await StreamClient.connect(rig.server.userStreamUrl);
  clients.push(client);
  return client;
}

async function subscribed(wallet: Wallet, more: object = {}): Promise<StreamClient> {
  const client = await connect();
  client.send({ auth: wallet.credentials, type: 'user', ...more });
  await client.settle();
  return client;
}

/** Returns a limit order: `shares` at a price in cents. */
function wish(token: string, side: 'BUY' | 'SELL', cents: number, shares: number, more: Partial<OrderWish> = {}) {
  return { token, side, amounts: amountsOf(side, cents * 100, shares * SHARE), ...more } satisfies OrderWish;
}

/** The house sells into the bids for the first token. */
function houseSells(cents: number, shares: number): void {
  const { desk } = rig.exchange;
  const market = desk.markets.find(it => it.address === REGULAR.conditionId)!;
  desk.place(market, ASK, (cents * 100) as Ticks, (shares * SHARE) as MicroShares, 'take');
}

const statuses = (client: StreamClient, type: 'order' | 'trade') => client.ofEvent(type).map(event => event.status);

describe('who is let in', () => {
  it.each([
    ['a PING', () => 'PING'],
    ['no credentials', () => '{"type":"user"}'],
    ['another type', () => JSON.stringify({ auth: ann.credentials, type: 'market' })],
    ['markets that are none', () => JSON.stringify({ auth: ann.credentials, type: 'user', markets: [1] })],
  ])('no client with %s first', async (_what, text) => {
    const client = await connect();
    client.send(text());
    expect(await client.end()).toBe('code 1008 invalid subscription payload');
  });

  it.each(['apiKey', 'secret', 'passphrase'] as const)('no client with a wrong %s; nothing says why', async field => {
    const client = await connect();
    client.send({ auth: { ...ann.credentials, [field]: bob.credentials[field] }, type: 'user' });
    expect(await client.end()).toBe('code 1008');
    expect(client.texts).toEqual([]);
  });

  it('a client with the credentials, which gets no answer', async () => {
    const client = await subscribed(ann);
    expect(client.texts).toEqual(['PONG']);
  });
});

describe('an order', () => {
  it('is reported as it rests, fills and is cancelled, in the shape of the recordings', async () => {
    const [client, stranger] = [await subscribed(ann), await subscribed(bob)];
    const { id } = await rig.post(ann, wish(FIRST, 'BUY', 50, 20));
    houseSells(50, 5);
    await rig.call(ann, 'DELETE', '/order', { orderID: id });
    await Promise.all([client.settle(), stranger.settle()]);
    const [placement, update, cancellation] = client.ofEvent('order');
    const at = String(START_MS);
    const { apiKey } = ann.credentials;
    expect(placement).toEqual({
      event_type: 'order',
      type: 'PLACEMENT',
      id,
      owner: apiKey,
      order_owner: apiKey,
      market: REGULAR.conditionId,
      asset_id: FIRST,
      side: 'BUY',
      original_size: '20',
      size_matched: '0',
      price: '0.5',
      associate_trades: [],
      outcome: 'HOM',
      created_at: String(START_MS / 1_000),
      expiration: '0',
      order_type: 'GTC',
      status: 'LIVE',
      maker_address: checksumAddress(ann.address),
      timestamp: at,
    });
    expect(update).toMatchObject({ type: 'UPDATE', size_matched: '5', status: 'LIVE' });
    expect(update?.associate_trades).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(cancellation).toMatchObject({ type: 'CANCELLATION', size_matched: '5', status: 'CANCELED' });
    expect(stranger.events).toEqual([]);
  });

  const refusals: [what: string, wish: () => OrderWish, status: string][] = [
    [
      'a FOK that finds too little',
      () => wish(FIRST, 'BUY', 50, 20, { type: 'FOK' }),
      "CANCELED_order couldn't be fully filled. FOK orders are fully filled or killed.",
    ],
    [
      'a FAK that finds nothing',
      () => wish(FIRST, 'BUY', 50, 20, { type: 'FAK' }),
      'CANCELED_no orders found to match with FAK order.',
    ],
    [
      'a post-only order that crosses',
      () => wish(FIRST, 'BUY', 60, 20, { postOnly: true }),
      'UNMATCHED_invalid post-only order',
    ],
  ];
  it.each(refusals)('that is refused says why: %s', async (_what, wished, status) => {
    rig.quote(REGULAR, ASK, 55, 5);
    const client = await subscribed(ann);
    expect((await rig.post(ann, wished())).status).toBe(400);
    await client.settle();
    const last = client.ofEvent('order').at(-1);
    expect(last).toMatchObject({ type: 'CANCELLATION', size_matched: '', outcome: '', created_at: '' });
    expect(String(last?.status).startsWith(status)).toBe(true);
  });
});

describe('a trade', () => {
  it('is reported to its taker and its maker, each with its role, at every status', async () => {
    const [taker, maker] = [await subscribed(ann), await subscribed(bob)];
    const made = await rig.post(bob, wish(SECOND, 'BUY', 48, 10));
    const taken = await rig.post(ann, wish(FIRST, 'BUY', 52, 10));
    await Promise.all([taker.settle(), maker.settle()]);
    const [asTaker] = taker.ofEvent('trade');
    expect(asTaker).toEqual({
      event_type: 'trade',
      type: 'TRADE',
      id: taken.body.tradeIDs[0],
      taker_order_id: taken.id,
      market: REGULAR.conditionId,
      asset_id: FIRST,
      side: 'BUY',
      size: '10',
      price: '0.52',
      fee_rate_bps: '0',
      status: 'MATCHED',
      match_time: String(START_MS / 1_000),
      last_update: String(START_MS / 1_000),
      outcome: 'HOM',
      owner: ann.credentials.apiKey,
      trade_owner: ann.credentials.apiKey,
      maker_address: checksumAddress(ann.address),
      transaction_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      bucket_index: 0,
      trader_side: 'TAKER',
      timestamp: String(START_MS),
      maker_orders: [
        {
          order_id: made.id,
          owner: bob.credentials.apiKey,
          maker_address: checksumAddress(bob.address),
          matched_amount: '10',
          price: '0.48',
          fee_rate_bps: '0',
          asset_id: SECOND,
          outcome: 'AWY',
          outcome_index: 1,
          side: 'BUY',
        },
      ],
    });
    expect(maker.ofEvent('trade')).toEqual([{ ...asTaker, trader_side: 'MAKER' }]);

    rig.timers.advance(3_600_000);
    await Promise.all([taker.settle(), maker.settle()]);
    for (const client of [taker, maker]) expect(statuses(client, 'trade')).toEqual(['MATCHED', 'MINED', 'CONFIRMED']);
    expect(new Set(taker.ofEvent('trade').map(trade => trade.transaction_hash)).size).toBe(1);
  });

  it.each([
    ['fails', ['MATCHED', 'FAILED']],
    ['retries', ['MATCHED', 'RETRYING', 'MATCHED', 'MINED', 'CONFIRMED']],
  ] as const)('that %s is reported as such', async (fate, expected) => {
    rig.close();
    await start({ ...NO_FAULTS, ofSettlement: () => fate });
    const client = await subscribed(ann);
    rig.quote(REGULAR, ASK, 50, 10);
    await rig.post(ann, wish(FIRST, 'BUY', 50, 10));
    rig.timers.advance(3_600_000);
    await client.settle();
    expect(statuses(client, 'trade')).toEqual(expected);
  });
});

describe('markets', () => {
  const post = (token: string) => rig.post(ann, wish(token, 'BUY', 40, 10));
  const heard = (client: StreamClient): unknown[] => client.ofEvent('order').map((event: Frame) => event.market);

  it('are all of them unless some are named, which can change', async () => {
    const [all, none, some] = [
      await subscribed(ann),
      await subscribed(ann, { markets: ['0xunknown'] }),
      await subscribed(ann, { markets: [REGULAR.conditionId] }),
    ];
    await post(FIRST);
    await post(NEG_RISK.tokens[0]);
    some.send({ operation: 'subscribe', markets: [NEG_RISK.conditionId] });
    some.send({ operation: 'unsubscribe', markets: [REGULAR.conditionId] });
    all.send({ operation: 'unsubscribe', markets: [REGULAR.conditionId] });
    await Promise.all([all.settle(), some.settle()]);
    await post(NEG_RISK.tokens[1]);
    await post(SECOND);
    await Promise.all([all.settle(), none.settle(), some.settle()]);
    const [regular, negRisk] = [REGULAR.conditionId, NEG_RISK.conditionId];
    expect(heard(all)).toEqual([regular, negRisk, negRisk, regular]);
    expect(heard(some)).toEqual([regular, negRisk]);
    expect(heard(none)).toEqual([]);
  });
});

describe('faults', () => {
  it('are asked for by key and type of event', async () => {
    rig.close();
    const asked: string[] = [];
    await start({
      ...NO_FAULTS,
      ofMessage: ({ key, operation }) => {
        asked.push(`${key} ${operation}`);
        return operation === 'order' ? 'duplicate' : null;
      },
    });
    const client = await subscribed(ann);
    rig.quote(REGULAR, BID, 40, 10);
    await rig.post(ann, wish(FIRST, 'BUY', 30, 10));
    await client.settle();
    expect(asked).toEqual([`${ann.credentials.apiKey} order`]);
    expect(client.types).toEqual(['order', 'order']);
  });
});
