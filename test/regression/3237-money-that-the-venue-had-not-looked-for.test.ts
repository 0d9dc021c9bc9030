// Found by review: venue A's CLOB knows of a deposit once a client has its cache updated (venue-a.md §3.7). A bot that deposited and bought was
// refused for want of money, again and again, unless somebody read the balance in between.

import { expect, it } from 'vitest';
import { submitted } from '../venues/venue-a/trading/scripted-line.ts';
import { FIRST, limit } from '../venues/venue-a/trading/trading-rig.ts';

const REFUSED = { '/order': () => ({ status: 400, body: { error: 'not enough balance / allowance' } }) };
const DOLLARS = '/balance-allowance/update?asset_type=COLLATERAL&signature_type=0';
const SHARES = `/balance-allowance/update?asset_type=CONDITIONAL&token_id=${FIRST}&signature_type=0`;

it.each([
  ['BUY', DOLLARS],
  ['SELL', SHARES],
] as const)(
  'a %s that is refused for want of funds has the venue look at the chain, every two seconds',
  async (side, update) => {
    const { trading, line, timers, order, intent } = await submitted(REFUSED, limit(side, 50, 10));
    const updates = () => line.requests.map(({ target }) => target).filter(target => target.includes('/update'));
    const again = () => trading.submit(order, intent, (timers.now() + 1_000) as never);
    expect(updates()).toEqual([update]);
    expect(await again()).toMatchObject({ type: 'refused', kind: 'insufficientBalance' });
    expect(updates()).toEqual([update]);
    timers.advance(2_000);
    await again();
    expect(updates()).toEqual([update, update]);
  },
);

it('an order that is refused for another reason does not', async () => {
  const { line } = await submitted({ '/order': () => ({ status: 400, body: { error: 'invalid expiration' } }) });
  expect(line.requests.filter(({ target }) => target.includes('/update'))).toEqual([]);
});
