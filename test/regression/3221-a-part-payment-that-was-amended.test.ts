// Found by review for the simulation: venue B may amend a disputed result before it pays (venue-b.md §4.2). A read of the market may be from
// before that. The account's list had the payment, and the market's older value was booked in its place. A booking is final.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { scriptedRest, scriptedSettlements } from '../venues/venue-b/trading/scripted-rest.ts';

const ROW = { ticker: 'KXA', market_result: 'scalar', value: 37, settled_time: '2026-06-11T06:29:30Z' };
const DISPUTED = { ticker: 'KXA', status: 'disputed', settlement_value_dollars: '0.5000' };

/** What is reported first by this row and market, and what next once the market shows its end. */
async function reports(row: object, first: object): Promise<readonly unknown[]> {
  const timers = new VirtualTimers();
  let market = first;
  const answer = (target: string) => (target.includes('/markets/') ? { market } : { settlements: [row], cursor: '' });
  const { settlements, reported } = scriptedSettlements(scriptedRest(answer, timers), timers);
  settlements.readSoon();
  await timers.settle(limits.venueBSettlementsPauseMs);
  const before = reported.length;
  market = { ...DISPUTED, status: 'finalized', settlement_value_dollars: '0.3705' };
  await timers.settle(limits.venueBSettlementsReadMs);
  return [before, ...reported.map(event => (event.type === 'settled' ? event.value : event.type))];
}

it.each(['determined', 'disputed', 'amended'])(
  'a value that the list contradicts is read again while %s',
  async status => {
    expect(await reports(ROW, { ...DISPUTED, status })).toEqual([0, 3_705]);
  },
);

it('a value without one in the list is read again until the market has paid', async () => {
  expect(await reports({ ...ROW, value: undefined }, DISPUTED)).toEqual([0, 3_705]);
});

it('a value that the list rounds is the one that was paid, in any state that the market shows', async () => {
  expect(await reports(ROW, { ...DISPUTED, settlement_value_dollars: '0.3705' })).toEqual([1, 3_705, 3_705]);
});
