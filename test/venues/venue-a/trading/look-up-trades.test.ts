// The reads of a look-up for the trades of an order, and where these reads end. A scripted line answers, because the paper exchange never
// gives such answers.

import { describe, expect, it } from 'vitest';
import type { Order } from '../../../../src/core/domain/order.ts';
import type { VenueAOrderRequest } from '../../../../src/core/domain/order-request.ts';
import { NOTHING_FILLED } from '../../../../src/core/domain/order-sums.ts';
import { limits } from '../../../../src/limits.ts';
import {
  idOf,
  listOf,
  makerRow,
  NOTHING_LISTED,
  orderRow,
  prepared,
  type Script,
  SILENCE,
  SOON,
  submitted,
  tradeRow,
} from './scripted-line.ts';
import { marketBuy, shares } from './trading-rig.ts';

describe('a look-up', () => {
  const cursorOf = (target: string) => new URLSearchParams(target.split('?')[1]).get('next_cursor');
  const shown = (id: string, change: object = {}) => orderRow({ id, size_matched: '6', ...change });
  /** Returns a trade in which our order is the taker, and a single maker has the whole size. */
  const trade = (id: string, orderId: string, size: string, change: object = {}) => {
    const maker_orders = [makerRow('e', size, '0.49')];
    return tradeRow({ id, taker_order_id: orderId, size, price: '0.49', maker_orders, ...change });
  };
  const OTHERS = idOf('e');
  type Pages = (id: string) => readonly (readonly object[])[];

  /** Looks up an order that rests after six of its shares were matched. */
  async function looked(pages: Pages, script: Script = {}, request?: VenueAOrderRequest) {
    let id = '';
    const { trading, line, order, intent } = await submitted(
      {
        '/order': () => ({ status: 500, body: {} }),
        '/data/order/': () => ({ body: shown(id) }),
        '/data/trades': ({ target }) => {
          const all = pages(id);
          const at = cursorOf(target) === 'MA==' ? 0 : 1;
          return { body: { data: all[at] ?? [], next_cursor: at === all.length - 1 ? 'LTE=' : 'MQ==' } };
        },
        ...script,
      },
      request,
    );
    id = intent.venueOrderId!;
    const found = await trading.lookUp(order, intent, SOON);
    const asked = line.requests.filter(({ target }) => target.startsWith('/data/trades')).length;
    return { found, asked };
  }

  const NOT_FOUND = { status: 404, body: { error: 'not found' } };

  it.each([
    ['whose match was stated without sums waits for its trades', null, 'absent'],
    ['that rested, and is shown no more, is over', NOTHING_FILLED, 'found'],
  ] as const)('3214, 4013: after a restart a limit order %s', async (_what, stated, type) => {
    let trades: readonly object[] = [];
    const { trading, timers, order, intent } = await prepared({
      '/data/order/': () => NOT_FOUND,
      '/data/orders': () => NOTHING_LISTED,
      '/data/trades': () => listOf(...trades),
    });
    const { venueOrderId } = intent;
    const rested: Order = { ...order, status: 'OPEN', venueOrderId, sentAt: timers.now(), stated };
    const look = () => trading.lookUp(rested, intent, SOON);
    const types: string[] = [];
    for (let waitedMs = 0; waitedMs <= limits.venueATraceMs; waitedMs += 10_000) {
      types.push((await look()).type);
      timers.advance(10_000);
    }
    expect(types.at(-1)).toBe(type);
    trades = [trade('t1', venueOrderId!, '10')];
    expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: shares(10) } });
  });

  it('knows nothing of an order while the list of what rests cannot be read', async () => {
    const { found } = await looked(() => [[]], {
      '/data/order/': () => NOT_FOUND,
      '/data/orders': () => ({ status: 500, body: {} }),
    });
    expect(found).toMatchObject({ type: 'unavailable', message: expect.stringContaining('/data/orders') });
  });

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
        const makers = [{ ...makerRow('e', '2', '0.49'), order_id: id }, makerRow('f', '4', '0.49')];
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

  const over = (status: string, matched: string): Script => ({
    '/data/order/': ({ target }) => ({ body: shown(target.split('/').at(-1)!, { status, size_matched: matched }) }),
    '/data/orders': () => NOTHING_LISTED,
  });

  it('of an order that is over has the prices of its trades, once they tell all', async () => {
    const { found } = await looked(id => [[trade('t1', id, '6')]], over('CANCELED', '6'));
    expect(found).toMatchObject({ state: 'gone', stated: { size: shares(6), cost: 6_000_000n * 4_900n } });
  });

  it('of an order that is over does not count what has failed, though the venue does', async () => {
    const failed = { status: 'FAILED' };
    const { found } = await looked(id => [[trade('t1', id, '4'), trade('t2', id, '2', failed)]], over('CANCELED', '6'));
    expect(found).toMatchObject({ state: 'gone', stated: { size: shares(4) }, fills: [{}, {}] });
  });

  // A read of the order may lag behind the trades, and the venue may have put the order back into its book since that read.
  it.each([
    ['in full', '10'],
    ['in part, and is not listed', '4'],
  ])('does not take a resting order for over that was matched %s before its trade failed', async (_what, matched) => {
    let row = orderRow({ status: 'MATCHED', size_matched: matched });
    const { trading, timers, order, intent } = await prepared({
      '/data/order/': ({ target }) => ({ body: { ...row, id: target.split('/').at(-1)! } }),
      '/data/orders': () => NOTHING_LISTED,
      '/data/trades': () => listOf(trade('t1', intent.venueOrderId!, matched, { status: 'FAILED' })),
    });
    const resting = { ...order, status: 'OPEN', venueOrderId: intent.venueOrderId, sentAt: timers.now() } as const;
    const look = () => trading.lookUp(resting, intent, SOON);
    timers.advance(limits.venueATraceMs);
    expect(await look()).toEqual({ type: 'absent', isCurrent: false });
    row = orderRow();
    expect(await look()).toMatchObject({ type: 'found', state: 'rests' });
    row = orderRow({ status: 'MATCHED', size_matched: matched });
    expect(await look()).toEqual({ type: 'absent', isCurrent: false });
    timers.advance(limits.venueAReadLagMs);
    expect(await look()).toMatchObject({ type: 'found', state: 'gone', stated: { size: 0 } });
  });

  it('does not take another order for the one that was asked for', async () => {
    const { found } = await looked(() => [[]], {
      '/data/order/': () => ({ body: shown(OTHERS) }),
      '/data/orders': () => listOf(shown(OTHERS)),
    });
    expect(found).toEqual({ type: 'absent', isCurrent: false });
  });

  const { '/data/trades': _listed, ...NOT_SHOWN } = SILENCE;

  it('of an order that cannot rest is over with what it has traded', async () => {
    const { found } = await looked(id => [[trade('t1', id, '4')]], NOT_SHOWN, marketBuy(10, 'FAK', 50));
    expect(found).toMatchObject({ state: 'gone', stated: { size: shares(4) } });
  });

  it('takes what is matched and unreported at the limit of the order', async () => {
    const { found } = await looked(id => [[trade('t1', id, '4')]]);
    const cost = 6_000_000n * 5_000n;
    expect(found).toMatchObject({ state: 'rests', stated: { size: shares(6), cost }, fills: [{ size: shares(4) }] });
  });

  it.each<[string, Pages, Script]>([
    ['trades of more than can be counted', id => [['1', '2'].map(it => trade(it, id, '5000000000'))], {}],
    [
      'a cursor that cannot be read',
      () => [],
      { '/data/trades': () => ({ body: { data: [], next_cursor: '\ud83d' } }) },
    ],
  ])('that meets %s knows nothing', async (_what, pages, script) => {
    const { found } = await looked(pages, { ...NOT_SHOWN, ...script });
    expect(found.type).toBe('unavailable');
  });

  it.each([
    ['a trade of nobody knows whom', () => ({ id: 't2' }), 'held'],
    ['one of this order', (id: string) => ({ id: 't2', taker_order_id: id, status: 'ODD' }), 'held'],
    ['one of another order', () => ({ id: 't2', taker_order_id: `0x${'9'.repeat(64)}`, status: 'ODD' }), 'unavailable'],
  ])('that meets %s that cannot be read', async (_what, bad, type) => {
    const { found } = await looked(id => [[trade('t1', id, '4'), bad(id)]], NOT_SHOWN);
    expect(found.type).toBe(type);
  });

  it('does not take an order for over that came while its trades were read, and cannot be read now', async () => {
    let looks = 0;
    const { found } = await looked(id => [[trade('t1', id, '4')]], {
      '/data/order/': () => {
        looks += 1;
        return looks === 1 ? { body: null } : { status: 500, body: { error: 'could not read' } };
      },
      '/data/orders': () => NOTHING_LISTED,
    });
    expect(found).toMatchObject({ type: 'unavailable', message: expect.stringContaining('could not read') });
    expect(looks).toBe(2);
  });

  it.each([
    ['does not know', () => NOT_FOUND, { type: 'absent', isCurrent: false }],
    ['has nothing of', () => ({ body: null }), { type: 'found', state: 'gone', stated: { size: 0 } }],
  ] as const)(
    '4032: of a cancelled order that the venue %s counts the cancel by what the venue answers',
    async (_, shownAs, expected) => {
      const { trading, order, intent } = await submitted({
        ...SILENCE,
        '/order': ({ method, body }) => {
          if (method !== 'DELETE') return { status: 500, body: {} };
          return { body: { canceled: [JSON.parse(String(body)).orderID], not_canceled: {} } };
        },
        '/data/order/': shownAs,
      });
      const resting = { ...order, status: 'OPEN', venueOrderId: intent.venueOrderId } as const;
      expect(await trading.cancel(resting, SOON)).toMatchObject({ type: 'cancelled' });
      expect(await trading.lookUp(resting, intent, SOON)).toMatchObject(expected);
    },
  );
});
