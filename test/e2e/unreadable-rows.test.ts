// Rows of a venue’s list that cannot be read, as the venues send them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import { startTrading, type Trading } from '../../src/gateway/trading/trading.ts';
import { createArena } from '../../src/market-data/book/memory.ts';
import { fillsSince, restingOrders } from '../../src/venues/venue-b/trading/account.ts';
import { eventually } from '../support/eventually.ts';
import { someTicker, someToken } from '../support/paper-traders.ts';
import { ACCOUNT, CONDITION, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, SECOND, shares } from '../venues/venue-a/trading/trading-rig.ts';
import { FILL, ORDER, scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

// The rows of item 3004 as venues send them. The adapters of both venues read them, and so does the whole gateway, from paper exchanges
// that send such rows.
describe('3004: rows as venues send them', () => {
  const SINCE = 0 as UnixMillis;
  const idOf = (digit: string) => `0x${digit.repeat(64)}`;

  describe('venue A', () => {
    const maker = { order_id: idOf('1'), owner: 'other', matched_amount: '5', price: '0.5', asset_id: FIRST };
    const good = {
      ...{
        id: 'good',
        taker_order_id: idOf('a'),
        market: CONDITION,
        asset_id: FIRST,
        side: 'BUY',
        size: '5',
        price: '0.5',
      },
      ...{ status: 'CONFIRMED', match_time: '1725958681', owner: ACCOUNT.apiKey, maker_orders: [maker] },
    };
    const at = 1_725_958_681_000;
    const market = [FIRST, SECOND];
    const bad = { ...good, id: 'bad', taker_order_id: idOf('b') };
    const names = (digit: string) => [{ venueOrderId: idOf(digit), clientOrderId: null }];
    const ours = { ...maker, order_id: idOf('2'), owner: ACCOUNT.apiKey };

    async function read(row: unknown, byId: unknown = row) {
      const page = (data: readonly unknown[]) => ({ body: { data, next_cursor: 'LTE=' } });
      const { trading, line } = tradingOn({
        '/data/trades?id=': () => page([byId]),
        '/data/trades': () => page([row, good]),
      });
      const read = await trading.fillsSince(SINCE);
      if (!read.ok) throw new Error(read.error);
      const asked = line.requests.filter(({ target }) => target.startsWith('/data/trades?id=')).length;
      return { fills: read.value.rows, unread: read.value.unread, asked };
    }

    it.each<[string, object, object]>([
      [
        'that is matched and has no numbers yet',
        { ...bad, status: 'MATCHED', size: '', price: '', fee_rate_bps: '', maker_orders: [] },
        { isUnreported: true, orders: names('b') },
      ],
      [
        'whose makers have no amounts yet',
        { ...bad, status: 'MATCHED', maker_orders: [{ ...maker, matched_amount: '', price: '' }] },
        { isUnreported: true, orders: names('b') },
      ],
      [
        'of a status never seen',
        { ...bad, status: 'TRADE_STATUS_QUEUED' },
        { isUnreported: false, orders: names('b') },
      ],
      ['of half a size', { ...bad, size: '1/2' }, { isUnreported: false, orders: names('b') }],
      [
        'without a side, of which only the maker is ours',
        { ...bad, status: 'MATCHED', owner: 'other', side: '', maker_orders: [ours] },
        { isUnreported: true, orders: names('2') },
      ],
      [
        'that does not say whose it is',
        { ...bad, owner: '', maker_address: '', status: 'ODD' },
        { isUnreported: false, orders: names('b') },
      ],
    ])('tells good fills beside a trade %s, which is read by its id', async (_what, row, unread) => {
      const { fills, unread: lost } = await read(row);
      expect(fills).toMatchObject([{ venueTradeId: 'good', size: shares(5) }]);
      expect(lost).toMatchObject([{ about: 'fill', tradeId: 'bad', addresses: market, at, ...unread }]);
      // The order is there when it is read by its id.
      const again = await read(row, bad);
      expect([again.fills.map(it => it.venueTradeId).toSorted(), again.unread, again.asked]).toEqual([
        ['bad', 'good'],
        [],
        1,
      ]);
    });

    it.each<[string, unknown]>([
      ['maker', { ...bad, owner: 'other', maker_orders: [ours, { ...maker, matched_amount: '' }] }],
      ['taker', { ...bad, owner: 'other', size: '', price: '', maker_orders: [ours] }],
    ])('ignores what cannot be read of a %s of another wallet', async (_what, row) => {
      const { fills, unread, asked } = await read(row);
      expect(fills.map(it => it.venueOrderId)).toEqual([idOf('a'), idOf('2')]);
      expect([unread, asked]).toEqual([[], 0]);
    });

    it('names nothing of a row that is no trade at all', async () => {
      for (const row of [null, 7, {}]) {
        const { fills, unread } = await read(row);
        expect(fills).toHaveLength(1);
        expect(unread).toMatchObject([{ addresses: [], at: null }]);
      }
    });

    it('says the form of it without a value that is somebody’s', async () => {
      const { unread } = await read({ ...bad, status: 'QUEUED', size: '' });
      expect(unread[0]!.form).toContain('size: empty text');
      expect(unread[0]!.form).toContain('status: "QUEUED"');
      for (const secret of [ACCOUNT.apiKey, idOf('b'), CONDITION, FIRST, '1725958681'])
        expect(unread[0]!.form).not.toMatch(new RegExp(`"${secret}"|: ${secret}`));
    });
  });

  describe('venue B', () => {
    it.each<[string, object]>([
      ['without a side', { book_side: undefined }],
      ['between two ticks', { yes_price_dollars: '0.12345' }],
      ['of no size', { count_fp: '' }],
    ])('tells good fills beside a foreign one %s', async (_what, change) => {
      const bad = { ...FILL, trade_id: 'bad', order_id: 'foreign', ...change };
      const rest = scriptedRest(() => ({ fills: [FILL, bad], cursor: '' }));
      const unread = [{ tradeId: 'bad', orders: [{ venueOrderId: 'foreign' }], addresses: ['KXA'], at: FILL.ts_ms }];
      expect(await fillsSince(rest, SINCE)).toMatchObject({ value: { rows: [{ venueOrderId: 'order' }], unread } });
    });

    it('lists what rests beside an order whose status is pending', async () => {
      const rest = scriptedRest(() => ({
        orders: [{ ...ORDER, order_id: 'odd', status: 'pending' }, ORDER],
        cursor: '',
      }));
      const unread = [{ about: 'order', orders: [{ venueOrderId: 'odd', clientOrderId: 'ours' }], addresses: ['KXA'] }];
      expect(await restingOrders(rest)).toMatchObject({ value: { rows: [{ venueOrderId: 'order' }], unread } });
    });
  });

  describe('the whole gateway', () => {
    it('fills, cancels and starts again at venue B while its lists have such rows', async () => {
      const rig = await OrdersRig.shared('venue-b');
      onTestFinished(() => rig.close());
      const ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
      const order = (fields: object = {}) => ({
        ticker,
        side: 'YES',
        action: 'BUY',
        count: 2,
        priceCents: 99,
        ...fields,
      });
      const first = await rig.submit(order());
      const known = await rig.settled(orderIdOf(first));
      const always = { venue: 'venue_b', countMax: null };
      const set = {
        trade_id: 'bad',
        fill_id: 'bad',
        order_id: 'foreign',
        yes_price_dollars: '0.12345',
        ticker: 'KXODD',
        market_ticker: 'KXODD',
      };
      const fills = { kind: 'rows', where: { order_id: known.venueOrderId }, set, isMore: true };
      await rig.fault({ ...always, operation: 'GET /portfolio/fills', fault: fills });
      // Neither the answers nor the stream report the fill, so only lists and look-ups can.
      await rig.fault({ ...always, operation: 'fill', fault: { kind: 'drop' } });
      await rig.fault({ ...always, operation: 'user_order', fault: { kind: 'drop' } });
      await rig.fault({
        venue: 'venue_b',
        operation: 'POST /portfolio/events/orders',
        fault: { kind: 'lost', isApplied: true },
      });
      const lost = await rig.submit(order());
      expect(lost.status).toBe(502);
      const found = await rig.settled(errorOf(lost).orderId!);
      expect(found).toMatchObject({ status: 'FILLED', filledCount: '2' });
      await startsAgain(rig);
    });

    it('trades at venue A but in the market of such a row, says why, and starts again', async () => {
      const rig = await OrdersRig.shared('venue-a');
      onTestFinished(() => rig.close());
      const { gamma } = rig.gateway.paper!.urls.venueA;
      const token = await someToken(gamma);
      const other = await someToken(gamma);
      const order = { tokenId: token, side: 'BUY', type: 'LIMIT', size: '10', price: '0.99' };
      const first = await rig.settled(orderIdOf(await rig.submit(order)));
      const set = { id: 'bad', taker_order_id: idOf('f'), status: 'TRADE_STATUS_QUEUED' };
      const fault = { kind: 'rows', where: { taker_order_id: first.venueOrderId }, set, isMore: true };
      await rig.fault({ venue: 'venue_a', countMax: null, operation: 'GET /data/trades', fault });
      await rig.control('POST', '/venues/venue_a/disconnect');
      const refused = await eventually(async () => {
        const answer = await rig.submit({ ...order, price: '0.01' });
        expect(answer.status).toBe(503);
        return answer;
      });
      expect(errorOf(refused).message).toMatch(/a trade of this market that cannot be read.*nothing was sent/);
      const elsewhere = await rig.settled(orderIdOf(await rig.submit({ ...order, tokenId: other })));
      expect(elsewhere).toMatchObject({ status: 'FILLED', filledShares: '10' });
      await startsAgain(rig);
    });
  });

  /** Returns the accounts of pods that have no orders yet. */
  function newPods(rig: OrdersRig) {
    return rig.gateway.trading.pods.map(pod => ({ ...pod, secretHex: null }));
  }

  /** Starts trading as after a restart, with only the venues' state and an empty store. */
  async function startsAgain(rig: OrdersRig): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-rows-'));
    let trading: Trading | null = null;
    try {
      trading = await startTrading({
        ...{ dataDir: folder, arena: createArena(), durability: 'process-safe', pods: newPods(rig) },
        ...{ threads: 1, usesMainThread: true, metrics: new Metrics({ operations: [] }), log: silentLog },
      });
      const started = trading;
      await eventually(() => {
        expect(['venue_a', 'venue_b'].map(venue => started.isTradable('demo', venue as 'venue_a'))).toEqual([
          true,
          true,
        ]);
      });
    } finally {
      await trading?.close();
      rmSync(folder, { recursive: true });
    }
  }
});
