// Found by review: dollars in venue B's answers may have six decimals (venue-b.md §3), and a part payment was read as a price of four. A
// third was unreadable. It was booked at the whole cents of the account's list, or, if only the market states it, not at all.

import { expect, it } from 'vitest';
import { ok } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import { payoutOf } from '../../src/venues/venue-b/trading/settlements.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { scriptedRest, scriptedSettlements } from '../venues/venue-b/trading/scripted-rest.ts';

const ROW = { ticker: 'KXA', market_result: 'scalar', value: 33, settled_time: '2026-06-11T06:29:30Z' };
const marketOf = (settlement_value_dollars: string) => ({
  market: { ticker: 'KXA', status: 'finalized', result: 'scalar', settlement_value_dollars },
});

it.each([
  ['0.333333', 3_333],
  ['0.666667', 6_667],
  ['0.999999', 10_000],
  ['0.370500', 3_705],
  ['1.000000', 10_000],
  ['0.000000', 0],
])('a payment of %s is booked as %i ticks, from either source', async (said, value) => {
  const timers = new VirtualTimers();
  const answer = (target: string) =>
    target.includes('/markets/') ? marketOf(said) : { settlements: [ROW], cursor: '' };
  const rest = scriptedRest(answer, timers);
  const { settlements, reported } = scriptedSettlements(rest, timers);
  settlements.readSoon();
  await timers.settle(limits.venueBSettlementsPauseMs);
  expect(reported).toMatchObject([{ type: 'settled', address: 'KXA', value }]);
  expect(await payoutOf(rest, 'KXA')).toEqual(ok(value));
});

it.each(['1.000001', '-0.333333', '0.3333333', ''])('%j is no part of a dollar', async said => {
  const rest = scriptedRest(() => marketOf(said));
  expect(await payoutOf(rest, 'KXA')).toEqual(ok(null));
});
