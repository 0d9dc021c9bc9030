// Venue A's reports of orders and trades, in the sequence and the words of the venue.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { Order } from '../../../../src/core/domain/order.ts';
import { NOTHING_FILLED } from '../../../../src/core/domain/order-sums.ts';
import { limits } from '../../../../src/limits.ts';
import { tradeIn } from './reported-trades.ts';
import {
  idOf,
  listOf,
  makerRow,
  orderRow,
  pageOf,
  SILENCE,
  SOON,
  submitted,
  tradeRow,
  tradingOn,
} from './scripted-line.ts';
import { cents, limit, marketBuy, shares } from './trading-rig.ts';

// An order that the venue holds back also counted as ended once a cancel of it had failed. The order was shown as CANCELLED, and went on to
// trade.
describe('0035: silence about what was just sent', () => {
  const NOT_THERE = { status: 200, body: null };
  const NOT_FOUND = { status: 404, body: { error: 'Order not found' } };

  type CancelAnswer = (venueOrderId: string) => { readonly status?: number; readonly body: unknown };

  /** Makes an order that the venue has taken. The venue then shows nothing of the order, and answers its cancel with `cancel`. */
  async function taken(status: Order['status'], shown: typeof NOT_THERE | typeof NOT_FOUND, cancel?: CancelAnswer) {
    const { trading, timers, order, intent } = await submitted({
      ...SILENCE,
      '/order': ({ body }) => cancel?.(JSON.parse(Buffer.from(body).toString()).orderID) ?? { body: {} },
      '/data/order/': () => shown,
    });
    // An answer about an order in the book states that the order rests with nothing filled.
    const stated = status === 'OPEN' ? NOTHING_FILLED : null;
    const known: Order = { ...order, status, stated, sentAt: timers.now(), venueOrderId: intent.venueOrderId };
    const look = async (afterMs: number) => {
      timers.advance(afterMs);
      return trading.lookUp(known, intent, SOON);
    };
    return { look, cancel: () => trading.cancel(known, (timers.now() + 1_000) as UnixMillis) };
  }

  const UNKNOWN_YET = { type: 'absent', isCurrent: false };
  const GONE = { type: 'found', state: 'gone', fills: [] };

  describe.each([
    ['null', NOT_THERE],
    ['404', NOT_FOUND],
  ])('%s', (_what, shown) => {
    it('of an order in the book is its end only when it was missed for so long that no read can lag so far', async () => {
      const { look } = await taken('OPEN', shown);
      expect(await look(60 * 60_000)).toEqual(UNKNOWN_YET);
      expect(await look(limits.venueATraceMs - 1)).toEqual(UNKNOWN_YET);
      expect(await look(1)).toMatchObject(GONE);
    });

    it('of an order that is held back is its end only when it would have left its trace', async () => {
      const { look } = await taken('SUBMITTED', shown);
      expect(await look(limits.venueATraceMs - 1)).toEqual(UNKNOWN_YET);
      expect(await look(1)).toMatchObject(GONE);
    });
  });

  describe.each(['OPEN', 'SUBMITTED'] as const)('a cancel of an order that is %s', status => {
    it.each<[string, CancelAnswer, string]>([
      ['failed', () => ({ status: 500, body: { error: 'could not cancel' } }), 'unknown'],
      ['did not find it', id => notCancelled(id, 'Order not found or already canceled'), 'not-found'],
      ['came while it is held back', id => notCancelled(id, 'order match delayed'), 'not-now'],
      ['was refused', () => ({ status: 400, body: { error: 'Invalid orderID' } }), 'refused'],
      ['found the engine restarting', () => ({ status: 425, body: {} }), 'not-sent'],
    ])('that %s proves nothing', async (_what, answer, type) => {
      const { look, cancel } = await taken(status, NOT_THERE, answer);
      expect(await cancel()).toMatchObject({ type });
      expect(await look(50)).toEqual(UNKNOWN_YET);
    });

    it('that was confirmed is its end', async () => {
      const { look, cancel } = await taken(status, NOT_THERE, id => ({ body: { canceled: [id], not_canceled: {} } }));
      expect(await cancel()).toEqual({ type: 'cancelled' });
      expect(await look(50)).toMatchObject(GONE);
    });
  });

  function notCancelled(venueOrderId: string, reason: string) {
    return { body: { canceled: [], not_canceled: { [venueOrderId]: reason } } };
  }
});

// A trade that was reported first without makers and later with makers was booked twice. A failed trade that was reported without makers
// left its earlier bookings, made with makers, in place.
describe('0036: a trade without its makers', () => {
  type Row = Readonly<Record<string, unknown>>;

  const MAKERS = [makerRow('1', '2', '0.50'), makerRow('2', '3', '0.52')];
  const WITH_MAKERS: Row = tradeRow({ size: '5', price: '0.51', maker_orders: MAKERS });
  const WITHOUT_MAKERS: Row = { ...WITH_MAKERS, maker_orders: undefined };

  /** Reads fills when the list has the row `listed`, and the trade that is read by its id is `byId`. */
  async function read(listed: Row, byId: Row) {
    const { trading, line } = tradingOn({
      '/data/trades?id=t-1&': () => listOf(byId),
      '/data/trades': () => listOf(listed),
    });
    const fills = await trading.fillsSince(0 as UnixMillis);
    const asked = line.requests.filter(({ target }) => target.startsWith('/data/trades?id=')).length;
    return { fills, asked, ids: fills.ok ? fills.value.rows.map(({ fillId }) => fillId) : [] };
  }

  it('a trade without makers is read by its id, and has the same fills as with them', async () => {
    const whole = await read(WITH_MAKERS, WITH_MAKERS);
    expect([whole.asked, whole.ids.length]).toEqual([0, 2]);
    for (const maker_orders of [undefined, [], MAKERS.slice(0, 1)]) {
      const { fills, asked } = await read({ ...WITHOUT_MAKERS, maker_orders }, WITH_MAKERS);
      expect(asked).toBe(1);
      expect(fills).toEqual(whole.fills);
    }
  });

  it('a failed trade without makers takes out all of its fills', async () => {
    const whole = await read(WITH_MAKERS, WITH_MAKERS);
    const { fills, ids } = await read({ ...WITHOUT_MAKERS, status: 'FAILED' }, WITH_MAKERS);
    expect(ids).toEqual(whole.ids);
    expect(fills).toMatchObject({ value: { rows: [{ settlement: 'FAILED' }, { settlement: 'FAILED' }] } });
  });

  it('a trade is unreported as long as its makers may still come, and then is one fill', async () => {
    for (const status of ['MATCHED', 'MINED', 'RETRYING']) {
      const { fills } = await read({ ...WITHOUT_MAKERS, status }, WITHOUT_MAKERS);
      expect(fills).toMatchObject({
        value: { rows: [], unread: [{ isUnreported: true, orders: [{ venueOrderId: idOf('a') }] }] },
      });
    }
    const { fills } = await read({ ...WITHOUT_MAKERS, status: 'CONFIRMED' }, WITHOUT_MAKERS);
    expect(fills).toMatchObject({ value: { rows: [{ size: shares(5), price: 5_100, settlement: 'CONFIRMED' }] } });
  });

  it('hundredths that are cut off of each maker do not count as missing makers', async () => {
    const cut = { ...WITH_MAKERS, size: '5.02' };
    const { fills, asked } = await read(cut, cut);
    expect(asked).toBe(0);
    expect(fills).toMatchObject({ value: { rows: [{ size: shares(2) }, { size: shares(3) }] } });
  });

  it('a trade of others is not read again', async () => {
    const { fills, asked } = await read({ ...WITHOUT_MAKERS, owner: 'other' }, WITHOUT_MAKERS);
    expect([fills, asked]).toEqual([{ ok: true, value: { rows: [], unread: [] } }, 0]);
  });
});

// An average price with more decimals than a price made the whole list unreadable, and the account was never read again. The makers' prices
// are exact.
describe('0051: a trade at an average price', () => {
  const maker_orders = [makerRow('1', '3', '0.56'), makerRow('2', '7', '0.57')];
  const TRADE = tradeRow({ price: '0.567', status: 'CONFIRMED', maker_orders });

  function fillsOf(change: object) {
    const answer = () => listOf({ ...TRADE, ...change });
    return tradingOn({ '/data/trades': answer }).trading.fillsSince(0 as UnixMillis);
  }

  it.each(['0.567', '0.56666666666', 0.5666666666666667, '1', '', undefined])(
    '%s: its makers say what was paid',
    async price => {
      const fills = await fillsOf({ price });
      const paid = fills.ok && fills.value.rows.map(it => [it.price, it.size]);
      expect(Object.fromEntries(paid || [])).toEqual({ 5600: shares(3), 5700: shares(7) });
    },
  );

  it.each([
    ['0.56666666666', 5_667],
    ['0.00001', 1],
    ['0.99999', 9_999],
  ])('%s: without them it is rounded', async (price, ticks) => {
    const rows = [{ price: ticks, size: shares(10) }];
    expect(await fillsOf({ price, maker_orders: [] })).toMatchObject({ ok: true, value: { rows } });
  });

  it('a trade with neither makers nor a price is no fill, unless it is somebody else’s', async () => {
    const unreported = { price: '', maker_orders: [] };
    expect(await fillsOf(unreported)).toMatchObject({ value: { rows: [], unread: [{ tradeId: 't-1' }] } });
    expect(await fillsOf({ ...unreported, owner: 'other' })).toEqual({ ok: true, value: { rows: [], unread: [] } });
  });
});

// A trade that was listed twice filled an order that was only half filled. An order held its cash back twice, and a holding had twice its
// size.
describe('0052: rows on two pages', () => {
  const SECOND_PAGE = 'MTAw';

  /** The same row at the end of one page and at the beginning of the next. */
  const twice =
    (row: object) =>
    ({ target }: { readonly target: string }) => {
      const isSecond = new URLSearchParams(target.split('?')[1]).get('next_cursor') === SECOND_PAGE;
      return { body: { data: [row], next_cursor: isSecond ? 'LTE=' : SECOND_PAGE } };
    };

  it('fill an order once', async () => {
    let trade = {};
    const { trading, order, intent, timers } = await submitted({
      ...SILENCE,
      '/order': ({ body }) => ({ body: { orderID: JSON.parse(Buffer.from(body).toString()).orderID, success: true } }),
      '/data/trades': request => twice(trade)(request),
    });
    const maker_orders = [makerRow('1', '5')];
    trade = tradeRow({ taker_order_id: intent.venueOrderId, size: '5', status: 'CONFIRMED', maker_orders });
    const sent = { ...order, sentAt: timers.now() };
    // The order has ten shares. The rest may be in the book, because the venue's reads lag.
    expect(await trading.lookUp(sent, intent, SOON)).toMatchObject({ type: 'unavailable' });
  });

  it('hold back their cash once', async () => {
    const { trading } = tradingOn({
      '/balance-allowance': () => ({ body: { balance: '20000000' } }),
      '/v2/positions': () => pageOf([]),
      '/data/orders': twice(orderRow()),
    });
    expect(await trading.balance()).toMatchObject({ ok: true, value: { available: 15_000_000, committed: 5_000_000 } });
  });

  it('a holding on two pages is held once', async () => {
    const { venueADataRowsPerPage: length } = limits;
    const rows = Array.from({ length }, (_, index) => ({ token_id: String(10_000 + index), current_size: 7 }));
    const first = { body: { data: rows, pagination: { next_cursor: 'next' } } };
    const { trading } = tradingOn({
      '/v2/positions': ({ target }) => (target.includes('cursor=') ? pageOf(rows.slice(-1)) : first),
    });
    const held = await trading.positions();
    expect(held.ok && held.value.rows.length).toBe(rows.length);
    expect(held.ok && held.value.rows.at(-1)).toMatchObject({ size: shares(7) });
  });
});

// While the venue holds a market order back, it lists the order with its average price. This made the list of open orders unreadable, and
// so the account.
describe('0102: a market order in a list', () => {
  const terms = { original_size: '17.8571', price: '0.560001344', order_type: 'FAK' };
  const DELAYED = orderRow({ status: 'DELAYED', ...terms });

  const listed = (change: object) => tradingOn({ '/data/orders': () => listOf({ ...DELAYED, ...change }) });

  it('a listed market order is read, at the nearest tick', async () => {
    const rows = [{ venueOrderId: DELAYED.id, state: 'delayed', price: 5_600, size: shares(17.8571) }];
    expect(await listed({}).trading.openOrders()).toMatchObject({ ok: true, value: { rows } });
  });

  it('a listed order without a valid price is not read', async () => {
    const unread = [{ orders: [{ venueOrderId: DELAYED.id }] }];
    expect(await listed({ price: 'x' }).trading.openOrders()).toMatchObject({ value: { rows: [], unread } });
  });
});

// Found through lines that no test ran. Venue A shows an order as over and partly matched. Only the trades that were listed by then
// counted. The list may lag (venue-a.md §13), so a matched FOK counted as killed.
describe('0110: an order shown as over', () => {
  const GONE = { type: 'found', state: 'gone', fills: [] };
  const SIX_AT_THE_LIMIT = { size: shares(6), cost: BigInt(cents(50)) * BigInt(shares(6)), fees: 0 };

  /** Looks up an order whose answer is lost. None of its trades is listed for as long as the venue may take. */
  async function lookedUp(shown: object, request = limit('BUY', 50, 10)) {
    const script = {
      ...SILENCE,
      '/order': () => ({ status: 500, body: {} }),
      '/data/order/': ({ target }: { readonly target: string }) => {
        return { body: orderRow({ ...shown, id: target.slice('/data/order/'.length) }) };
      },
    };
    const { trading, timers, order, intent } = await submitted(script, request);
    timers.advance(limits.venueATraceMs);
    return trading.lookUp(order, intent, SOON);
  }

  it.each([
    ['CANCELED', 6, SIX_AT_THE_LIMIT],
    ['CANCELED', 0, NOTHING_FILLED],
  ])('a limit order that is shown as %s with %i matched has traded so much', async (status, matched, stated) => {
    const found = await lookedUp({ status, size_matched: String(matched), order_type: 'GTC' });
    expect(found).toMatchObject({ ...GONE, stated });
  });

  it('a market order that is shown as matched is not known before its trades are', async () => {
    const found = await lookedUp({ status: 'MATCHED', size_matched: '10', order_type: 'FOK' }, marketBuy(5, 'FOK', 50));
    expect(found).toMatchObject({ type: 'unavailable' });
  });

  it('a market order that is shown as over with nothing matched was killed', async () => {
    const found = await lookedUp({ status: 'CANCELED', size_matched: '0', order_type: 'FOK' }, marketBuy(5, 'FOK', 50));
    expect(found).toMatchObject({ ...GONE, stated: NOTHING_FILLED });
  });
});

// A trade with a maker of "0" was unreadable, and every list with it. The account stayed unread and took no orders as long as the trade was
// among the latest trades.
describe('0119: a maker cut to nothing', () => {
  const read = (matched_amount: unknown) =>
    tradeIn(tradeRow({ maker_orders: [makerRow(), { ...makerRow('8'), matched_amount }] }));

  it.each(['0', '0.00', 0])('(%j) is left out', amount => {
    expect(read(amount).makers.map(({ size }) => size)).toEqual([shares(10)]);
  });

  it.each(['', undefined, 'some', '-1'])('a maker whose size cannot be read (%j) is missing from its trade', amount => {
    const unread = [{ orderId: idOf('8') }];
    expect(read(amount)).toMatchObject({ makers: [{ size: shares(10) }], unread });
  });
});
