// Found by review: losing shares of venue A stay in the wallet's list, since nobody redeems them. Beyond the Data API's maximum (offset of
// 10 000, venue-a.md §8) there was no balance any more, and no market was settled.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { tradingOn } from '../venues/venue-a/trading/scripted-line.ts';

const LISTED_MAX = limits.venueADataRowsPerPage * limits.venueADataPagesMax;

interface Row {
  readonly asset: string;
  readonly size: number;
  readonly redeemable: true;
  readonly curPrice: number;
}

/** Resolved markets, the winners among the losers; the venue sorts by value if it is asked to. */
function wallet(losers: number, winners: number) {
  const row = (index: number, curPrice: number): Row => ({
    asset: `${1_000 + index}`,
    size: 5,
    redeemable: true,
    curPrice,
  });
  const held = [
    ...Array.from({ length: losers }, (_, index) => row(index, 0)),
    ...Array.from({ length: winners }, (_, index) => row(losers + index, 1)),
  ];
  return tradingOn({
    '/positions': ({ target }) => {
      const query = new URLSearchParams(target.split('?')[1]);
      const offset = Number(query.get('offset'));
      const rows = query.get('sortBy') === 'CURRENT' ? held.toSorted((a, b) => b.curPrice - a.curPrice) : held;
      return { body: rows.slice(offset, offset + Number(query.get('limit'))) };
    },
    '/balance-allowance': () => ({ body: { balance: '7000000' } }),
    '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
  });
}

it('leave a balance, and what the winners bring', async () => {
  const { trading } = wallet(LISTED_MAX + 1, 2);
  expect(await trading.balance()).toMatchObject({ ok: true, value: { available: 7_000_000, claimable: 10_000_000 } });
});

it('winners that cannot all be listed are not left out', async () => {
  const { trading } = wallet(0, LISTED_MAX + 1);
  expect(await trading.balance()).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('venueADataPagesMax') },
  });
});
