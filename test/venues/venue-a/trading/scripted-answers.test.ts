// What the paper exchange never says, said by a scripted line: another version of the exchange, another order's id, other bodies than
// expected, lists without an end.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import type { OutboundPool, OutboundRequest } from '../../../../src/net/outbound.ts';
import type { Connect, SocketHandlers } from '../../../../src/net/websocket.ts';
import { silentLog } from '../../../../src/runtime/log.ts';
import type { PrivateEvent } from '../../../../src/venues/venue.ts';
import { createVenueATrading } from '../../../../src/venues/venue-a/trading.ts';
import { TEST_ADDRESS } from '../../../support/venue-a-orders.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { ACCOUNT, CONDITION, orderAt, type Script, ScriptedLine, SOON, submitted, tradingOn } from './scripted-line.ts';
import { FIRST, keyOfTime, limit, marketBuy, SECOND, shares } from './trading-rig.ts';

describe('another version of the exchange', () => {
  // With its time in its key an order is signed alike again, but for the exchange.
  const key = keyOfTime(new VirtualTimers().now());
  const refused = async (version: Script[string]) => {
    const mismatch = () => ({ status: 400, body: { error: 'order_version_mismatch' } });
    const all = await submitted({ '/order': mismatch, '/version': version }, limit('BUY', 50, 10), key);
    const again = await all.trading.prepare(all.order, key);
    return { ...all, idAgain: again.ok && again.value.venueOrderId };
  };

  it('is asked for once; what is asked again is signed for it', async () => {
    const { line, intent, outcome, idAgain } = await refused(() => ({ body: { version: 3 } }));
    expect(outcome).toMatchObject({ type: 'not-sent', message: 'order_version_mismatch' });
    expect(line.requests.filter(({ target }) => target === '/version')).toHaveLength(1);
    expect(idAgain).not.toBe(intent.venueOrderId);
  });

  it.each<[string, Script[string]]>([
    ['is none', () => ({ body: { version: 2 } })],
    ['is one that nobody knows', () => ({ body: { version: 4 } })],
    ['cannot be read', () => ({ status: 500, body: { version: 3 } })],
  ])('is a fault if it %s: orders are signed as before', async (_what, version) => {
    const { intent, outcome, idAgain } = await refused(version);
    expect(outcome).toMatchObject({ type: 'refused', kind: 'fault', error: { code: 'VENUE_REJECTED' } });
    expect(idAgain).toBe(intent.venueOrderId);
  });
});

describe('a request', () => {
  it('is signed, and its query is not', async () => {
    const { trading, line } = tradingOn({ '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }) });
    await trading.openOrders();
    const [{ headers, target }] = line.requests as [OutboundRequest];
    expect(target).toBe('/data/orders?next_cursor=MA%3D%3D');
    expect(headers).toMatchObject({ POLY_API_KEY: 'key', POLY_PASSPHRASE: 'pass', 'user-agent': 'crossbook' });
    expect(headers.POLY_ADDRESS?.toLowerCase()).toBe(TEST_ADDRESS);
    expect(headers.POLY_SIGNATURE).toMatch(/^[\w-]{43}=$/);
  });

  it('sends the payload as it is', async () => {
    const { line, intent } = await submitted({ '/order': () => ({ body: {} }) });
    const sent = line.requests.find(({ target }) => target === '/order');
    expect(sent).toMatchObject({ method: 'POST', body: intent.payload });
  });
});

describe('an answer', () => {
  const taken = { success: true, errorMsg: '', takingAmount: '', makingAmount: '' };
  it.each([
    [
      'names another order',
      { ...taken, orderID: `0x${'d'.repeat(64)}`, status: 'live' },
      { type: 'accepted', venueOrderId: `0x${'d'.repeat(64)}` },
    ],
    [
      'names no order that could be',
      { ...taken, orderID: 'yes', status: 'live' },
      { type: 'unknown', cause: 'unreadable' },
    ],
    [
      'has a status that nobody knows',
      { ...taken, orderID: `0x${'d'.repeat(64)}`, status: 'pondering' },
      { type: 'exists' },
    ],
    [
      'does not say how much',
      { ...taken, orderID: `0x${'d'.repeat(64)}`, status: 'matched' },
      { type: 'accepted', state: 'rests', stated: null },
    ],
    ['has neither an id nor words', {}, { type: 'unknown', cause: 'unreadable' }],
    ['says of nothing that it went well', taken, { type: 'unknown', cause: 'unreadable' }],
    ['fails without a word', { ...taken, success: false }, { type: 'unknown', cause: 'unreadable' }],
    ['is a list', [], { type: 'unknown', cause: 'unreadable' }],
    ['is empty', undefined, { type: 'unknown', cause: 'unreadable' }],
  ])('that %s', async (_what, body, expected) => {
    expect((await submitted({ '/order': () => ({ body }) })).outcome).toMatchObject(expected);
  });

  it.each<[string, 'FOK' | 'FAK', object, object]>([
    ['whole, and a little more', 'FOK', { makingAmount: '10.000001', takingAmount: '20' }, { state: 'gone' }],
    ['as much as there was', 'FAK', { makingAmount: '5', takingAmount: '10' }, { state: 'gone' }],
    ['as much as nobody says', 'FOK', { makingAmount: '', takingAmount: '' }, { type: 'exists' }],
    ['as much as cannot be read', 'FAK', { makingAmount: 'some', takingAmount: '20' }, { type: 'exists' }],
    ['though it is called live', 'FAK', { status: 'live' }, { type: 'exists' }],
    ['though it is called unmatched', 'FOK', { status: 'unmatched' }, { type: 'exists' }],
  ])('to an order that cannot rest: matched, %s', async (_what, timeInForce, amounts, expected) => {
    const body = { ...taken, orderID: `0x${'d'.repeat(64)}`, status: 'matched', ...amounts };
    const { outcome } = await submitted({ '/order': () => ({ body }) }, marketBuy(10, timeInForce, 50));
    expect(outcome).toMatchObject(expected);
    if (outcome.type === 'accepted') expect(outcome.stated?.size).toBeGreaterThan(0);
  });
});

describe('a list', () => {
  const row = (index: number) => ({
    id: `0x${index.toString(16).padStart(64, '0')}`,
    status: 'ORDER_STATUS_LIVE',
    asset_id: FIRST,
    side: 'BUY',
    price: '0.5',
    original_size: '10',
    size_matched: '0',
    order_type: 'GTC',
  });
  const cursorOf = (target: string) =>
    Number(Buffer.from(new URLSearchParams(target.split('?')[1]).get('next_cursor') ?? '', 'base64').toString());
  const cursor = (at: number) => Buffer.from(String(at)).toString('base64');

  it('is read to its end', async () => {
    const { trading } = tradingOn({
      '/data/orders': ({ target }) => {
        const at = cursorOf(target);
        const data = Array.from({ length: 100 }, (_, index) => row(at + index));
        return { body: { data, next_cursor: at === 300 ? 'LTE=' : cursor(at + 100) } };
      },
    });
    const orders = await trading.openOrders();
    expect(orders.ok && new Set(orders.value.map(it => it.venueOrderId)).size).toBe(400);
  });

  it('is read for venueAPagesMax pages, and no further', async () => {
    const { trading, line } = tradingOn({
      '/data/orders': ({ target }) => ({ body: { data: [], next_cursor: cursor(cursorOf(target) + 1) } }),
    });
    const error = expect.stringContaining('(venueAPagesMax)');
    expect(await trading.openOrders()).toEqual({ ok: false, error });
    expect(line.requests).toHaveLength(limits.venueAPagesMax);
  });

  it('of holdings is read for venueADataPagesMax pages, and no further', async () => {
    const full = Array.from({ length: limits.venueADataRowsPerPage }, () => ({ asset: FIRST, size: 0 }));
    const { trading, line } = tradingOn({ '/positions': () => ({ body: full }) });
    const error = expect.stringContaining('(venueADataPagesMax)');
    expect(await trading.positions()).toEqual({ ok: false, error });
    expect(line.requests).toHaveLength(limits.venueADataPagesMax);
  });

  it.each<[string, Script[string]]>([
    ['without data', () => ({ body: { next_cursor: 'LTE=' } })],
    ['with a row that cannot be read', () => ({ body: { data: [{ ...row(1), price: 'x' }], next_cursor: 'LTE=' } })],
  ])('%s is refused', async (_what, answer) => {
    expect(await tradingOn({ '/data/orders': answer }).trading.openOrders()).toMatchObject({ ok: false });
  });

  it('of holdings is read page by page; a losing share is nothing', async () => {
    const holding = (index: number, change = {}) => ({
      asset: String(1_000 + index),
      size: 0.5,
      redeemable: false,
      ...change,
    });
    const pages = [
      Array.from({ length: 500 }, (_, index) => holding(index)),
      [holding(500, { redeemable: true, curPrice: 0 }), holding(501, { redeemable: true, curPrice: 0.5 })],
    ];
    const { trading } = tradingOn({
      '/positions': ({ target }) => ({
        body: pages[Number(new URLSearchParams(target.split('?')[1]).get('offset')) / 500],
      }),
    });
    const positions = await trading.positions();
    expect(positions.ok && positions.value.length).toBe(501);
    expect(positions.ok && positions.value.at(-1)).toEqual({ address: '1501', size: shares(0.5), isRedeemable: true });
  });
});

describe('a look-up', () => {
  const cursorOf = (target: string) => new URLSearchParams(target.split('?')[1]).get('next_cursor');
  const shown = (id: string, change: object = {}) => {
    const amounts = { price: '0.5', original_size: '10', size_matched: '6', order_type: 'GTC' };
    return { id, status: 'LIVE', market: CONDITION, asset_id: FIRST, side: 'BUY', ...amounts, ...change };
  };
  /** Ours is the taker, and all of it one maker's. */
  const trade = (id: string, orderId: string, size: string, change: object = {}) => {
    const maker = { order_id: OTHERS, asset_id: FIRST, matched_amount: size, price: '0.49' };
    const amounts = { side: 'BUY', size, price: '0.49', match_time: '1780000000' };
    const row = { id, market: CONDITION, asset_id: FIRST, status: 'MATCHED', taker_order_id: orderId, ...amounts };
    return { ...row, maker_orders: [maker], ...change };
  };
  const OTHERS = `0x${'e'.repeat(64)}`;
  type Pages = (id: string) => readonly (readonly object[])[];

  /** Rests, and six of it are matched. */
  async function looked(pages: Pages, script: Script = {}) {
    let id = '';
    const { trading, line, order, intent } = await submitted({
      '/order': () => ({ status: 500, body: {} }),
      '/data/order/': () => ({ body: shown(id) }),
      '/data/trades': ({ target }) => {
        const all = pages(id);
        const at = cursorOf(target) === 'MA==' ? 0 : 1;
        return { body: { data: all[at] ?? [], next_cursor: at === all.length - 1 ? 'LTE=' : 'MQ==' } };
      },
      ...script,
    });
    id = intent.venueOrderId!;
    const found = await trading.lookUp(order, intent, SOON);
    const asked = line.requests.filter(({ target }) => target.startsWith('/data/trades')).length;
    return { found, asked };
  }

  it('reads no more trades than tell what is matched', async () => {
    const { found, asked } = await looked(id => [[trade('t1', id, '4'), trade('t2', id, '2')], [trade('t3', id, '1')]]);
    expect(found).toMatchObject({ type: 'found', state: 'rests', stated: { size: shares(6) }, fills: [{}, {}] });
    expect(asked).toBe(1);
  });

  it.each<[string, (id: string) => object]>([
    ['has failed', id => trade('t1', id, '6', { status: 'FAILED' })],
    ['is of others', () => trade('t1', OTHERS, '6')],
    [
      'it is one maker of',
      id => {
        const maker = { asset_id: FIRST, price: '0.49' };
        const makers = [
          { ...maker, order_id: id, matched_amount: '2' },
          { ...maker, order_id: `0x${'f'.repeat(64)}`, matched_amount: '4' },
        ];
        return trade('t1', OTHERS, '6', { side: 'SELL', maker_orders: makers });
      },
    ],
  ])('reads on after a trade that %s, however large', async (what, first) => {
    const rest = what === 'it is one maker of' ? '4' : '6';
    const { found, asked } = await looked(id => [[first(id)], [trade('t2', id, rest)]]);
    const fills = found.type === 'found' ? found.fills.filter(({ settlement }) => settlement !== 'FAILED') : [];
    expect(fills.reduce((sum, { size }) => sum + size, 0)).toBe(shares(6));
    expect(found).toMatchObject({ state: 'rests', stated: { size: shares(6), cost: 6_000_000n * 4_900n } });
    expect(asked).toBe(2);
  });

  it('takes what is matched and not yet told at the limit of the order', async () => {
    const { found } = await looked(id => [[trade('t1', id, '4')]]);
    const cost = 6_000_000n * 5_000n;
    expect(found).toMatchObject({ state: 'rests', stated: { size: shares(6), cost }, fills: [{ size: shares(4) }] });
  });

  it.each<[string, Pages, Script]>([
    ['trades of more than can be counted', id => [['1', '2'].map(it => trade(it, id, '5000000000'))], {}],
    ['a trade that cannot be read', id => [[trade('t1', id, '4'), { id: 't2' }]], {}],
    [
      'a cursor that cannot be read',
      () => [],
      { '/data/trades': () => ({ body: { data: [], next_cursor: '\ud83d' } }) },
    ],
  ])('that meets %s knows nothing', async (_what, pages, script) => {
    const { found } = await looked(pages, {
      '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
      '/data/order/': () => ({ body: null }),
      ...script,
    });
    expect(found.type).toBe('unavailable');
  });

  it('does not take an order for over that came while its trades were read, and cannot be read now', async () => {
    let looks = 0;
    const { found } = await looked(id => [[trade('t1', id, '4')]], {
      '/data/order/': () => {
        looks += 1;
        return looks === 1 ? { body: null } : { status: 500, body: { error: 'could not read' } };
      },
      '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
    });
    expect(found).toMatchObject({ type: 'unavailable', message: expect.stringContaining('could not read') });
    expect(looks).toBe(2);
  });
});

describe('an account', () => {
  const held = { asset: FIRST, size: 2, redeemable: true, curPrice: 1 };
  const readable: Script = {
    '/balance-allowance': () => ({ body: { balance: '10000000' } }),
    '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
    '/positions': () => ({ body: [held] }),
  };

  it('has what is there, and claims what its shares of resolved markets pay', async () => {
    const open = { asset: SECOND, size: 3, redeemable: false, curPrice: 0.5 };
    const { trading } = tradingOn({ ...readable, '/positions': () => ({ body: [held, open] }) });
    const value = { available: 10_000_000, committed: 0, claimable: 2_000_000, unconverted: 0 };
    expect(await trading.balance()).toEqual({ ok: true, value });
  });

  it.each<[string, string, Script[string]]>([
    ['a balance', '/balance-allowance', () => ({ body: { balance: 'some' } })],
    ['a balance', '/balance-allowance', () => ({ body: { balance: '9007199254740993' } })],
    ['a balance', '/balance-allowance', () => ({ body: null })],
    ['open orders', '/data/orders', () => ({ status: 500, body: {} })],
    ['a list of holdings', '/positions', () => ({ body: {} })],
    ['a list of holdings', '/positions', () => ({ status: 500, body: [] })],
    ['a list of holdings', '/positions', () => 'lost'],
    ['a holding', '/positions', () => ({ body: [held, null] })],
    ['a holding', '/positions', () => ({ body: [held, { ...held, asset: 'FIRST' }] })],
    ['a holding', '/positions', () => ({ body: [held, { ...held, size: 'two' }] })],
    ['what a holding pays', '/positions', () => ({ body: [held, { ...held, curPrice: 'all' }] })],
  ])('is not shown without %s (%s) that can be read', async (_what, path, answer) => {
    const { trading } = tradingOn({ ...readable, [path]: answer });
    const error = { kind: 'unavailable', message: expect.stringMatching(/^venue A: /) };
    expect(await trading.balance()).toEqual({ ok: false, error });
    if (path === '/positions') expect(await trading.positions()).toMatchObject({ ok: false });
  });

  it('is asked for once more where a connection breaks', async () => {
    let asked = 0;
    const { trading } = tradingOn({
      ...readable,
      '/positions': () => {
        asked += 1;
        return asked === 1 ? 'lost' : { body: [held] };
      },
    });
    const position = { address: FIRST, size: shares(2), isRedeemable: true };
    expect(await trading.positions()).toEqual({ ok: true, value: [position] });
  });

  it('has no fills while they cannot be read', async () => {
    const { trading } = tradingOn({ '/data/trades': () => ({ status: 500, body: {} }) });
    expect(await trading.fillsSince(0 as UnixMillis)).toMatchObject({ ok: false });
  });

  it('whose holdings cannot be read is told what they pay at the next look', async () => {
    let isUp = false;
    const { trading, timers } = tradingOn({
      '/positions': () => (isUp ? { body: [held] } : { status: 503, body: [] }),
    });
    const heard: PrivateEvent[] = [];
    trading.listen(event => heard.push(event));
    await timers.settle(1);
    expect(heard).toEqual([]);
    isUp = true;
    await timers.settle(limits.venueASettlementPollMs);
    expect(heard).toMatchObject([
      { type: 'settled', address: FIRST, value: 10_000 },
      { type: 'redeemable', addresses: [FIRST] },
    ]);
  });

  it('that nobody listens to any more is told nothing of what was asked before', async () => {
    const { trading, timers, line } = tradingOn({ '/positions': () => ({ body: [held] }) });
    const heard: PrivateEvent[] = [];
    const stop = trading.listen(event => heard.push(event));
    stop();
    await timers.settle(limits.venueASettlementPollMs);
    expect(heard).toEqual([]);
    expect(line.requests.filter(({ target }) => target.startsWith('/positions'))).toHaveLength(1);
  });
});

describe('a market', () => {
  const described = { t: [{ t: FIRST }, { t: SECOND }], mts: 0.01, mos: 5, ao: true };
  const unknown = { ok: false, error: { type: 'unknown-market' } };
  const unavailable = { ok: false, error: { type: 'unavailable' } };

  it.each<[string, Script, object]>([
    [
      'that its token is not of',
      { '/clob-markets/': () => ({ body: { ...described, t: [{ t: '1' }, { t: '2' }] } }) },
      unknown,
    ],
    ['that is not described as expected', { '/clob-markets/': () => ({ body: { t: [] } }) }, unavailable],
    ['of which no id is told', { '/markets-by-token/': () => ({ body: {} }) }, unavailable],
    [
      'with an id that leads elsewhere',
      { '/markets-by-token/': () => ({ body: { condition_id: '../order' } }) },
      unavailable,
    ],
    ['that is not described at all', { '/clob-markets/': () => ({ body: undefined }) }, unavailable],
  ])('%s has no facts, and takes no order', async (_what, script, refusal) => {
    const { trading, timers } = tradingOn(script);
    expect(await trading.facts(FIRST)).toMatchObject(refusal);
    const kind = refusal === unknown ? 'notFound' : 'unavailable';
    expect(await trading.prepare(orderAt(timers), 'key')).toMatchObject({ ok: false, error: { kind } });
  });

  it('whose book cannot be read takes no order at the market', async () => {
    const { trading, timers } = tradingOn({ '/book': () => ({ body: { asks: 'many' } }) });
    const prepared = await trading.prepare(orderAt(timers, marketBuy(10, 'FAK')), 'key');
    expect(prepared).toMatchObject({ ok: false, error: { kind: 'unavailable', error: { code: 'UNKNOWN' } } });
  });

  it('takes no order for more shares than can be counted', async () => {
    const { trading, timers } = tradingOn({});
    const order = orderAt(timers, marketBuy(9_000_000_000, 'FAK', 1));
    const refusal = { kind: 'invalid', error: { code: 'INVALID_ORDER', message: 'amount: too much' } };
    expect(await trading.prepare(order, 'key')).toMatchObject({ ok: false, error: refusal });
  });
});

describe('what is remembered', () => {
  it('of markets are venueATermsMax tokens: the market that was described first is described anew', async () => {
    const { trading, line } = tradingOn({
      '/markets-by-token/': ({ target }) => ({ body: { condition_id: `0x${target.slice(-6).padStart(64, '0')}` } }),
      '/clob-markets/': ({ target }) => {
        const tokens = [{ t: target.slice(-6) }, { t: `1${target.slice(-6)}` }];
        return { body: { t: tokens, mts: 0.01, mos: 5, ao: true } };
      },
    });
    const [first, marketsMax] = [100_000, limits.venueATermsMax / 2];
    const factsOf = async (market: number) => expect(await trading.facts(String(market))).toMatchObject({ ok: true });
    for (let market = first; market < first + marketsMax; market += 1) await factsOf(market);
    await factsOf(first);
    expect(line.requests).toHaveLength(2 * marketsMax);
    await factsOf(first + marketsMax);
    await factsOf(first + 1);
    expect(line.requests).toHaveLength(2 * marketsMax + 2);
    await factsOf(first);
    expect(line.requests).toHaveLength(2 * marketsMax + 4);
  });

  it('of cancels are the last venueACancelsRememberedMax: silence about an older one is not its end yet', async () => {
    const empty = () => ({ body: { data: [], next_cursor: 'LTE=' } });
    const { trading, order, intent } = await submitted({
      '/order': ({ body }) => ({ body: { canceled: [JSON.parse(Buffer.from(body).toString()).orderID] } }),
      '/data/order/': () => ({ body: null }),
      '/data/orders': empty,
      '/data/trades': empty,
    });
    const named = (number: number) => ({ ...order, venueOrderId: `0x${String(number).padStart(64, '0')}` });
    const silence = async (number: number) => (await trading.lookUp(named(number), intent, SOON)).type;
    for (let number = 0; number < limits.venueACancelsRememberedMax; number += 1)
      await trading.cancel(named(number), SOON);
    expect(await silence(0)).toBe('found');
    await trading.cancel(named(limits.venueACancelsRememberedMax), SOON);
    expect([await silence(0), await silence(1)]).toEqual(['absent', 'found']);
  });
});

describe('the user channel', () => {
  it('is connected anew once more than venueAUserFramesWaitingMax messages wait for the fees of a trade', () => {
    const silent: OutboundPool = {
      request: () => new Promise(() => {}),
      warmUp: async () => {},
      close: async () => {},
    };
    const opened: SocketHandlers[] = [];
    let ended = 0;
    const connect: Connect = (_options, handlers) => {
      opened.push(handlers);
      const terminate = () => {
        ended += 1;
      };
      return { send: () => {}, terminate };
    };
    const outbounds = { outbound: silent, outboundData: silent };
    const rest = { connect, timers: new VirtualTimers(), random: () => 0, log: silentLog };
    createVenueATrading(ACCOUNT, { ...outbounds, ...rest }).listen(() => {});
    const say = (...messages: readonly object[]) => opened[0]!.onFrame(Buffer.from(JSON.stringify(messages)), false);
    const id = `0x${'a'.repeat(64)}`;
    const market = { market: CONDITION, asset_id: FIRST, side: 'BUY', price: '0.5' };
    const trade = { event_type: 'trade', ...market, id, status: 'MATCHED', size: '1', taker_order_id: id };
    const order = { event_type: 'order', ...market, id, status: 'LIVE', original_size: '1', size_matched: '0' };
    opened[0]!.onOpen();
    say(trade);
    say(...Array(limits.venueAUserFramesWaitingMax).fill(order));
    expect(ended).toBe(0);
    say(order);
    expect(ended).toBe(1);
  });
});

describe('an account that cannot sign', () => {
  it.each([
    ['chain', { chainId: 1 }],
    ['secret', { secret: 'no base64!' }],
    ['key', { privateKey: 'ff' }],
    ['wallet', { funder: `0x${'1'.repeat(40)}` }],
  ])('is noticed at start: %s', (_what, change) => {
    const line = new ScriptedLine({});
    const connect = () => ({ send: () => {}, terminate: () => {} });
    const parts = {
      outbound: line,
      outboundData: line,
      connect,
      timers: new VirtualTimers(),
      random: () => 0,
      log: silentLog,
    };
    expect(() => createVenueATrading({ ...ACCOUNT, ...change }, parts)).toThrow(/^venue A/);
  });
});
