// The market channel on a real socket: the receivers of each message, and the order of the messages.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { Faults } from '../../../../src/paper/faults/faults.ts';
import { marketStreamRoute } from '../../../../src/paper/venue-a/stream/market-session.ts';
import { NO_FAULTS } from '../../../support/no-faults.ts';
import { amountsOf, eventListing, marketListing, NEG_RISK, REGULAR, VenueARig, type Wallet } from '../venue-a-rig.ts';
import { StreamClient } from './stream-client.ts';

const [FIRST, SECOND] = REGULAR.tokens;
const SHARE = 1_000_000;

let rig: VenueARig;
let clients: StreamClient[] = [];

async function start(faults: Faults = NO_FAULTS): Promise<void> {
  rig = await VenueARig.start({ faults, sockets: parts => [marketStreamRoute(parts)] });
}

beforeEach(() => start());

afterEach(() => {
  for (const client of clients) client.close();
  clients = [];
  rig.close();
});

async function connect(): Promise<StreamClient> {
  const client = await StreamClient.connect(rig.server.marketStreamUrl);
  clients.push(client);
  return client;
}

async function subscribed(tokens: readonly string[], more: object = {}): Promise<StreamClient> {
  const client = await connect();
  client.send({ type: 'market', assets_ids: tokens, ...more });
  await client.settle();
  return client;
}

/** Buys `shares` of a token at up to `cents`. */
async function buy(wallet: Wallet, token: string, cents: number, shares: number, type: 'GTC' | 'FAK' = 'GTC') {
  const amounts = amountsOf('BUY', cents * 100, shares * SHARE);
  const answer = await rig.post(wallet, { token, side: 'BUY', amounts, type });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

describe('what comes first', () => {
  it.each([
    ['a PING', 'PING'],
    ['no JSON', '{"type":'],
    ['an array', '[]'],
    ['another type', '{"type":"user","assets_ids":[]}'],
    ['an operation', `{"operation":"subscribe","assets_ids":["${FIRST}"]}`],
    ['no tokens', '{"type":"market"}'],
    ['tokens that are numbers', '{"type":"market","assets_ids":[1]}'],
    ['a level that there is not', `{"type":"market","assets_ids":["${FIRST}"],"level":4}`],
    ['a dump that is no flag', `{"type":"market","assets_ids":["${FIRST}"],"initial_dump":"no"}`],
  ])('ends the connection if it is %s', async (_what, text) => {
    const client = await connect();
    client.send(text);
    expect(await client.end()).toBe('code 1008 invalid subscription payload');
    expect(client.texts).toEqual([]);
  });

  it.each([
    ['plain', {}],
    ['with a level', { level: 1 }],
    ['with an empty list of markets', { markets: [] }],
    ['with custom features', { custom_feature_enabled: true }],
  ])('subscribes: %s', async (_what, more) => {
    const client = await subscribed([FIRST], more);
    expect(client.types.filter(type => type !== '')).toEqual(['book']);
  });
});

describe('the initial dump', () => {
  it('is one array with a book of each token, ticks and last trades in it', async () => {
    rig.quote(REGULAR, BID, 53, 30);
    rig.quote(REGULAR, ASK, 54, 5);
    const client = await subscribed([FIRST, SECOND, 'unknown', FIRST]);
    const dump = client.frames().find(frame => Array.isArray(frame)) as unknown as object[];
    const both = await Promise.all([FIRST, SECOND].map(token => rig.get(`/book?token_id=${token}`)));
    const expected = both.map(({ body }) => {
      const { min_order_size: _size, neg_risk: _risk, ...rest } = body;
      return { ...rest, event_type: 'book' };
    });
    expect(dump).toEqual(expected);
    expect(client.texts[0]?.startsWith('[{"market":"0x')).toBe(true);
  });

  it('is left out on request', async () => {
    const client = await subscribed([FIRST], { initial_dump: false });
    rig.quote(REGULAR, BID, 53, 30);
    await client.settle();
    expect(client.types).toEqual(['price_change']);
  });

  it('comes again for a token that was given up', async () => {
    const client = await subscribed([FIRST]);
    client.send({ operation: 'subscribe', assets_ids: [FIRST] });
    client.send({ type: 'market', assets_ids: [FIRST] });
    await client.settle();
    expect(client.types).toEqual(['book']);
    client.send({ operation: 'unsubscribe', assets_ids: [FIRST] });
    client.send({ operation: 'subscribe', assets_ids: [FIRST, SECOND] });
    await client.settle();
    expect(client.types).toEqual(['book', 'book', 'book']);
  });
});

describe('a change of one level', () => {
  it('is sent for both tokens, the own one first, to subscribers of either', async () => {
    const [one, both] = [await subscribed([SECOND]), await subscribed([FIRST, SECOND])];
    rig.quote(REGULAR, BID, 53, 30);
    await buy(rig.wallet(1), SECOND, 40, 12);
    await Promise.all([one.settle(), both.settle()]);
    const changes = one.ofEvent('price_change');
    expect(changes).toEqual(both.ofEvent('price_change'));
    expect(changes.map(change => change.price_changes)).toEqual([
      [entry(FIRST, '0.53', '30', 'BUY', '0.53', '1'), entry(SECOND, '0.47', '30', 'SELL', '0', '0.47')],
      [entry(SECOND, '0.4', '12', 'BUY', '0.4', '0.47'), entry(FIRST, '0.6', '12', 'SELL', '0.53', '0.6')],
    ]);
    const { body } = await rig.get(`/book?token_id=${FIRST}`);
    expect(changes.at(-1)).toMatchObject({ price_changes: [{ asset_id: SECOND }, { hash: body.hash }] });
  });

  it('is not sent of other markets, nor after unsubscribing', async () => {
    const client = await subscribed([FIRST]);
    rig.quote(NEG_RISK, BID, 53, 30);
    client.send({ operation: 'unsubscribe', assets_ids: [FIRST] });
    await client.settle();
    rig.quote(REGULAR, BID, 53, 30);
    await client.settle();
    expect(client.types).toEqual(['book']);
  });

  it('is gone with size 0', async () => {
    rig.quote(REGULAR, ASK, 54, 10);
    const client = await subscribed([FIRST]);
    await buy(rig.wallet(1), FIRST, 54, 10, 'FAK');
    await client.settle();
    const [change] = client.ofEvent('price_change');
    expect(change?.price_changes).toMatchObject([
      { asset_id: expect.any(String), price: expect.any(String), size: '0' },
      { size: '0' },
    ]);
  });

  const entry = (token: string, price: string, size: string, side: string, bid: string, ask: string) => ({
    asset_id: token,
    price,
    size,
    side,
    hash: expect.stringMatching(/^[0-9a-f]{40}$/),
    best_bid: bid,
    best_ask: ask,
  });
});

describe('a trade', () => {
  it('is a change, then the taker’s book with the same hash, then a last trade 70 ms later', async () => {
    rig.quote(REGULAR, BID, 53, 30);
    const client = await subscribed([FIRST, SECOND]);
    await buy(rig.wallet(1), SECOND, 47, 10);
    await client.settle();
    expect(client.types).toEqual(['book', 'book', 'price_change', 'book']);
    const [change] = client.ofEvent('price_change');
    const book = client.ofEvent('book').at(-1);
    const entries = change?.price_changes as { asset_id: string; size: string; hash: string }[];
    expect(entries.map(({ size }) => size)).toEqual(['20', '20']);
    expect(book).toMatchObject({ asset_id: SECOND, timestamp: change?.timestamp });
    expect(book?.hash).toBe(entries.find(({ asset_id }) => asset_id === SECOND)?.hash);
    expect(Object.keys(book ?? {})).not.toContain('tick_size');
    expect(Object.keys(book ?? {})).not.toContain('last_trade_price');
    const { body } = await rig.get(`/book?token_id=${SECOND}`);
    expect([body.hash, body.last_trade_price]).toEqual([book?.hash, '0.530']);

    rig.timers.advance(69);
    await client.settle();
    expect(client.types).toHaveLength(4);
    rig.timers.advance(1);
    await client.settle();
    expect(client.ofEvent('last_trade_price')).toMatchObject([
      { asset_id: SECOND, price: '0.47', size: '10', side: 'BUY', fee_rate_bps: '0', market: REGULAR.conditionId },
    ]);
    const [trade] = rig.exchange.tradesOfMarket(rig.market(REGULAR));
    expect(client.ofEvent('last_trade_price')[0]?.transaction_hash).toBe(trade?.transactionHash);
  });

  it('through several levels and then resting never shows a crossed book', async () => {
    for (const cents of [54, 55, 57]) rig.quote(REGULAR, ASK, cents, 10);
    const client = await subscribed([FIRST]);
    await buy(rig.wallet(1), FIRST, 56, 25);
    await client.settle();
    const reported = client.ofEvent('price_change').map(change => {
      const entries = change.price_changes as Record<string, string>[];
      return entries.find(({ asset_id }) => asset_id === FIRST);
    });
    expect(reported.map(it => [it?.side, it?.price, it?.size, it?.best_bid, it?.best_ask])).toEqual([
      ['SELL', '0.54', '0', '0', '0.55'],
      ['SELL', '0.55', '0', '0', '0.57'],
      ['BUY', '0.56', '5', '0.56', '0.57'],
    ]);
  });
});

describe('custom features', () => {
  it('tell of a new best price, a tick, a result; others hear of the tick only', async () => {
    const [custom, plain] = [await subscribed([FIRST], { custom_feature_enabled: true }), await subscribed([FIRST])];
    rig.quote(REGULAR, BID, 53, 30);
    rig.quote(REGULAR, BID, 52, 30);
    rig.exchange.setTickSize(rig.market(REGULAR), '0.001');
    rig.exchange.resolutions.resolve(rig.market(REGULAR), 1);
    await Promise.all([custom.settle(), plain.settle()]);
    expect(custom.ofEvent('best_bid_ask')[0]).toEqual({
      event_type: 'best_bid_ask',
      market: REGULAR.conditionId,
      asset_id: FIRST,
      best_bid: '0.53',
      best_ask: '1',
      spread: '0.47',
      timestamp: String(rig.timers.now()),
    });
    expect(custom.ofEvent('tick_size_change')).toMatchObject([
      { asset_id: FIRST, old_tick_size: '0.01', new_tick_size: '0.001' },
    ]);
    expect(custom.ofEvent('market_resolved')).toMatchObject([
      { assets_ids: REGULAR.tokens, winning_asset_id: SECOND, winning_outcome: 'AWY' },
    ]);
    expect(new Set(plain.types)).toEqual(new Set(['book', 'price_change', 'tick_size_change']));
  });

  it('tell of a new market, which can be subscribed and looked up then', async () => {
    const [custom, plain] = [await subscribed([FIRST], { custom_feature_enabled: true }), await subscribed([FIRST])];
    const tokens = ['77', '78'] as const;
    const listed = marketListing({ id: '900', slug: 'next', conditionId: `0x${'9'.repeat(64)}`, tokens });
    expect(rig.exchange.list([eventListing([listed])])).toBe(true);
    await Promise.all([custom.settle(), plain.settle()]);
    expect(custom.ofEvent('new_market')).toMatchObject([
      { market: listed.conditionId, assets_ids: tokens, slug: 'next', order_price_min_tick_size: '0.01' },
    ]);
    expect(plain.types).not.toContain('new_market');
    expect((await rig.get(`/book?token_id=${tokens[1]}`)).body).toMatchObject({ asset_id: tokens[1], bids: [] });
    plain.send({ operation: 'subscribe', assets_ids: [tokens[1]] });
    await plain.settle();
    expect(plain.ofEvent('book').at(-1)).toMatchObject({ asset_id: tokens[1] });
    rig.exchange.resolutions.resolve(rig.market(listed), 0);
    rig.exchange.forgetEnded(rig.timers.now());
    expect((await rig.get(`/book?token_id=${tokens[1]}`)).status).toBe(404);
  });

  it('can be turned on later', async () => {
    const client = await subscribed([FIRST]);
    client.send({ operation: 'subscribe', assets_ids: [], custom_feature_enabled: true });
    await client.settle();
    rig.quote(REGULAR, BID, 53, 30);
    await client.settle();
    expect(client.types).toContain('best_bid_ask');
  });
});

describe('bounds and faults', () => {
  it('sends no books to whom has more than 500 tokens', async () => {
    rig.close();
    const listings = Array.from({ length: 260 }, (_, index) =>
      marketListing({ conditionId: `0xc${index}`, tokens: [`1${index}`, `2${index}`] }),
    );
    rig = await VenueARig.start({
      events: [eventListing(listings)],
      sockets: parts => [marketStreamRoute(parts)],
    });
    const tokens = listings.flatMap(listing => listing.tokens);
    const client = await subscribed(tokens.slice(0, 500));
    expect(client.ofEvent('book')).toHaveLength(500);
    client.send({ operation: 'subscribe', assets_ids: tokens.slice(500) });
    await client.settle();
    rig.quote(listings[259]!, BID, 53, 30);
    await client.settle();
    expect(client.ofEvent('book')).toHaveLength(500);
    expect(client.ofEvent('price_change')).toHaveLength(1);
  });

  it('makes no sense of later nonsense, and goes on', async () => {
    const client = await subscribed([FIRST]);
    for (const text of ['{', '7', '{"operation":"dance"}', '{"operation":"unsubscribe"}', '']) client.send(text);
    rig.quote(REGULAR, BID, 53, 30);
    await client.settle();
    expect(client.types).toEqual(['book', 'price_change']);
  });

  it('loses, repeats, swaps and cuts as it is asked to, by type of event', async () => {
    rig.close();
    const plan: ('drop' | 'duplicate' | 'disconnect')[] = ['drop', 'duplicate', 'disconnect'];
    await start({
      ...NO_FAULTS,
      ofMessage: ({ venue, key, operation }) =>
        venue === 'venue_a' && key === '' && operation === 'price_change' ? (plan.shift() ?? null) : null,
    });
    const client = await subscribed([FIRST]);
    rig.quote(REGULAR, BID, 50, 1);
    rig.quote(REGULAR, BID, 51, 1);
    await client.settle();
    const prices = client.ofEvent('price_change').map(it => (it.price_changes as { price: string }[])[0]?.price);
    expect(prices).toEqual(['0.51', '0.51']);
    rig.quote(REGULAR, BID, 52, 1);
    expect(await client.end()).toContain('1006');
  });
});
