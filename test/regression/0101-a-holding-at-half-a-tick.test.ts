// Found by review: the price of a resolved market may still be on its way. Then it may have more decimals than a tick, like the middle of a
// book. It made the whole list of holdings unreadable. Venue A had no balance, and no other market was settled.

import { expect, it } from 'vitest';
import type { PrivateEvent } from '../../src/venues/venue.ts';
import { holdingsOf, tradingOn } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, SECOND } from '../venues/venue-a/trading/trading-rig.ts';

const held = (token_id: string, current_price: number) => ({
  token_id,
  current_size: 1,
  redeemable: true,
  current_price,
});

function accountWith(curPrice: number) {
  return tradingOn({
    '/balance-allowance': () => ({ body: { balance: '1000000' } }),
    '/data/orders': () => ({ body: { data: [], next_cursor: 'LTE=' } }),
    '/v2/positions': holdingsOf([held(FIRST, curPrice), held(SECOND, 1)]),
  });
}

it.each([
  [0.99995, 999_900],
  [0.00005, 100],
  [0.30000000000000004, 300_000],
  [5e-7, 100],
])('%s: what is held is shown, and what it may bring is never final', async (curPrice, worth) => {
  const { trading, timers } = accountWith(curPrice);
  expect(await trading.balance()).toMatchObject({ ok: true, value: { claimable: 1_000_000 + worth } });
  const heard: PrivateEvent[] = [];
  const stop = trading.listen(event => heard.push(event));
  await timers.settle(1);
  stop();
  // Whether FIRST has won is asked of its market, which does not say.
  expect(heard).toMatchObject([
    { type: 'settled', address: SECOND, value: 10_000 },
    { type: 'redeemable', addresses: [FIRST, SECOND] },
  ]);
});

it('a value that is no price is not guessed at', async () => {
  expect(await accountWith(1.5).trading.balance()).toMatchObject({ ok: false });
});
