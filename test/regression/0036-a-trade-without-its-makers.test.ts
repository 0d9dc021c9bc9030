// Found by review: the makers distinguish a taker's fills. A trade that was reported without makers first and with them later was booked
// twice. One that failed, reported without them, left what was booked with them.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { ACCOUNT, CONDITION, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, shares } from '../venues/venue-a/trading/trading-rig.ts';

type Row = Readonly<Record<string, unknown>>;

const idOf = (digit: string) => `0x${digit.repeat(64)}`;
const maker = (digit: string, size: string, price: string) => {
  return { order_id: idOf(digit), owner: 'other', matched_amount: size, price, asset_id: FIRST };
};
const MAKERS = [maker('1', '2', '0.50'), maker('2', '3', '0.52')];
const WITHOUT_MAKERS: Row = {
  id: 'trade-1',
  taker_order_id: idOf('a'),
  market: CONDITION,
  asset_id: FIRST,
  side: 'BUY',
  size: '5',
  price: '0.51',
  status: 'MATCHED',
  match_time: '1725958681',
  owner: ACCOUNT.apiKey,
};
const WITH_MAKERS: Row = { ...WITHOUT_MAKERS, maker_orders: MAKERS };

/** What is read when the list has one row and, asked for by its id, the trade is another. */
async function read(listed: Row, byId: Row) {
  const page = (row: Row) => ({ body: { data: [row], next_cursor: 'LTE=' } });
  const { trading, line } = tradingOn({
    '/data/trades?id=trade-1&': () => page(byId),
    '/data/trades': () => page(listed),
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
