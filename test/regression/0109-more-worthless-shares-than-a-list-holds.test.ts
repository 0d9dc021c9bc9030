// Found by review: losing shares of venue A stay in the wallet's list, since nobody redeems them. Beyond the
// pages that we read there was no balance any more, and no market was settled.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { holdingsOf, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';

const LISTED_MAX = limits.venueADataRowsPerPage * limits.venueADataPagesMax;

/** Resolved markets: so many that lost, and so many that won. */
function wallet(losers: number, winners: number) {
  const row = (index: number, current_price: number) => ({
    token_id: `${1_000 + index}`,
    current_size: 5,
    redeemable: true,
    current_price,
  });
  const held = [
    ...Array.from({ length: losers }, (_, index) => row(index, 0)),
    ...Array.from({ length: winners }, (_, index) => row(losers + index, 1)),
  ];
  return tradingOn({
    '/v2/positions': holdingsOf(held),
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
