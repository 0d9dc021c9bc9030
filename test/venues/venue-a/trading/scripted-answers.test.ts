// Answers that the paper exchange never gives, from a scripted line: the id of another order, unexpected bodies, endless lists.

import { describe, expect, it } from 'vitest';
import type { OutboundHeaders, OutboundRequest } from '../../../../src/core/net/outbound.ts';
import type { Connect, SocketHandlers } from '../../../../src/core/net/websocket.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { limits } from '../../../../src/limits.ts';
import { createVenueATrading } from '../../../../src/venues/venue-a/trading.ts';
import { outboundBy } from '../../../support/outbound-by.ts';
import { TEST_ADDRESS } from '../../../support/venue-a-orders.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import {
  ACCOUNT,
  CONDITION,
  holdingsOf,
  idOf,
  listOf,
  NOTHING_LISTED,
  orderRow,
  ScriptedLine,
  SILENCE,
  SOON,
  submitted,
  tradingOn,
} from './scripted-line.ts';
import { FIRST, marketBuy, shares } from './trading-rig.ts';

describe('a request', () => {
  it('is signed, and its query is not', async () => {
    const { trading, line } = tradingOn({ '/data/orders': () => NOTHING_LISTED });
    await trading.openOrders();
    const [{ headers, target }] = line.requests as [OutboundRequest & { headers: OutboundHeaders }];
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
  const ID = idOf('d');
  const said = { success: true, errorMsg: '', takingAmount: '', makingAmount: '' };
  const taken = { ...said, orderID: ID, status: 'live' };
  const unreadable = { type: 'unknown', cause: 'unreadable' };
  const delayed = { type: 'accepted', venueOrderId: ID, state: 'delayed', stated: null };

  it.each([
    ['names another order', taken, { type: 'accepted', venueOrderId: ID }],
    ['names no order that could be', { ...taken, orderID: 'yes' }, unreadable],
    ['3230: has a status that nobody knows', { ...taken, status: 'pondering' }, delayed],
    ['does not say how much', { ...taken, status: 'matched' }, { type: 'accepted', state: 'rests', stated: null }],
    ['has neither an id nor words', {}, unreadable],
    ['says of nothing that it went well', said, unreadable],
    ['fails without a word', { ...said, success: false }, unreadable],
    ['is a list', [], unreadable],
    ['is empty', undefined, unreadable],
  ])('that %s', async (_what, body, expected) => {
    expect((await submitted({ '/order': () => ({ body }) })).outcome).toMatchObject(expected);
  });

  it.each<[string, 'FOK' | 'FAK', object, object]>([
    ['whole, and a little more', 'FOK', { makingAmount: '10.000001', takingAmount: '20' }, { state: 'gone' }],
    ['as much as there was', 'FAK', { makingAmount: '5', takingAmount: '10' }, { state: 'gone' }],
    ['as much as nobody says', 'FOK', { makingAmount: '', takingAmount: '' }, { type: 'exists' }],
    ['as much as cannot be read', 'FAK', { makingAmount: 'some', takingAmount: '20' }, { type: 'exists' }],
    ['3230: though it is called live', 'FAK', { status: 'live' }, delayed],
    ['3230: though it is called unmatched', 'FOK', { status: 'unmatched' }, delayed],
  ])('to an order that cannot rest: matched, %s', async (_what, timeInForce, amounts, expected) => {
    const body = { ...taken, status: 'matched', ...amounts };
    const { outcome } = await submitted({ '/order': () => ({ body }) }, marketBuy(10, timeInForce, 50));
    expect(outcome).toMatchObject(expected);
    if (outcome.type === 'accepted' && outcome.state === 'gone') expect(outcome.stated?.size).toBeGreaterThan(0);
  });
});

describe('a list', () => {
  const row = (index: number) => orderRow({ id: `0x${index.toString(16).padStart(64, '0')}` });
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
    expect(orders.ok && new Set(orders.value.rows.map(it => it.venueOrderId)).size).toBe(400);
  });

  it('has a row as it was read last, where it was pushed onto the next page', async () => {
    const { trading } = tradingOn({
      '/data/orders': ({ target }) =>
        cursorOf(target) === 0
          ? { body: { data: [row(1)], next_cursor: cursor(1) } }
          : { body: { data: [{ ...row(1), size_matched: '4' }], next_cursor: '' } },
    });
    expect(await trading.openOrders()).toMatchObject({ value: { rows: [{ matched: shares(4) }] } });
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
    const pageAt = (target: string) =>
      Number(Buffer.from(new URLSearchParams(target).get('cursor') ?? '', 'base64').toString());
    const { trading, line } = tradingOn({
      '/v2/positions': ({ target }) => ({
        body: { data: [], pagination: { next_cursor: cursor(pageAt(target) + 1) } },
      }),
    });
    const error = expect.stringContaining('(venueADataPagesMax)');
    expect(await trading.positions()).toEqual({ ok: false, error });
    expect(line.requests).toHaveLength(limits.venueADataPagesMax);
  });

  it('without data is refused', async () => {
    const answer = () => ({ body: { next_cursor: 'LTE=' } });
    expect(await tradingOn({ '/data/orders': answer }).trading.openOrders()).toMatchObject({ ok: false });
  });

  it('with a row that cannot be read has the others', async () => {
    const bad = { ...row(1), price: 'x' };
    const answer = () => listOf(bad, row(2), null);
    expect(await tradingOn({ '/data/orders': answer }).trading.openOrders()).toMatchObject({
      value: { rows: [{ venueOrderId: row(2).id }], unread: [{ orders: [{ venueOrderId: bad.id }] }, { orders: [] }] },
    });
  });

  it('of holdings is read page by page; a losing share is nothing', async () => {
    const open = { current_size: 0.5, redeemable: false };
    const { venueADataRowsPerPage: length } = limits;
    const held = Array.from({ length }, (_, index) => ({ token_id: String(10_000 + index), ...open }));
    const loser = { token_id: '1', current_size: 1, redeemable: true, current_price: 0 };
    const half = { token_id: '2', current_size: 0.5, redeemable: true, current_price: 0.5 };
    const { trading, line } = tradingOn({ '/v2/positions': holdingsOf([...held, loser, half]) });
    const positions = await trading.positions();
    expect(positions.ok && positions.value.rows.length).toBe(held.length + 1);
    const kept = { address: '2', size: shares(0.5), isRedeemable: true };
    expect(positions.ok && positions.value.rows.at(-1)).toEqual(kept);
    // A cursor goes with the filters of the first page. The filters include small amounts and archived positions.
    const asked = line.requests.map(({ target }) => new URLSearchParams(target.split('?')[1]));
    expect(asked.map(query => query.get('cursor'))).toEqual([null, String(limits.venueADataRowsPerPage)]);
    const filters = { user: ACCOUNT.funder, status: 'OPEN', filter_amount: '0', include_archived: 'true' };
    for (const query of asked) expect(Object.fromEntries(query)).toMatchObject(filters);
  });
});

describe('what is remembered', () => {
  it('of markets are venueATermsMax tokens: the market that was described longest ago is described anew', async () => {
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

  it('of cancels are the last venueAEndsRememberedMax: silence about an older one is not its end yet', async () => {
    const { trading, order, intent } = await submitted({
      ...SILENCE,
      '/order': ({ body }) => ({ body: { canceled: [JSON.parse(Buffer.from(body).toString()).orderID] } }),
    });
    const named = (number: number) => ({ ...order, venueOrderId: `0x${String(number).padStart(64, '0')}` });
    const silence = async (number: number) => (await trading.lookUp(named(number), intent, SOON)).type;
    for (let number = 0; number < limits.venueAEndsRememberedMax; number += 1)
      await trading.cancel(named(number), SOON);
    expect(await silence(0)).toBe('found');
    await trading.cancel(named(limits.venueAEndsRememberedMax), SOON);
    expect([await silence(0), await silence(1)]).toEqual(['absent', 'found']);
  });
});

describe('the user channel', () => {
  it('is connected anew once more than venueAUserFramesWaitingMax messages wait for the fees of a trade', () => {
    const silent = outboundBy(() => new Promise(() => {}));
    const opened: SocketHandlers[] = [];
    let ended = 0;
    const connect: Connect = (_options, handlers) => {
      opened.push(handlers);
      return { send: () => {}, terminate: () => (ended += 1) };
    };
    const outbounds = { outbound: silent, outboundData: silent };
    const rest = { connect, timers: new VirtualTimers(), random: () => 0, log: silentLog };
    createVenueATrading(ACCOUNT, { ...outbounds, ...rest }).listen(() => {});
    const say = (...messages: readonly object[]) => opened[0]!.onFrame(Buffer.from(JSON.stringify(messages)), false);
    const id = idOf('a');
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
    const rest = { connect, timers: new VirtualTimers(), random: () => 0, log: silentLog };
    const parts = { outbound: line, outboundData: line, ...rest };
    expect(() => createVenueATrading({ ...ACCOUNT, ...change }, parts)).toThrow(/^venue A/);
  });
});
