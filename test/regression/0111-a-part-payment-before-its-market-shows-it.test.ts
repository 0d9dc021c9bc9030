// Found through lines that no test ran. A market that pays in part may not show its exact value yet, as in a read from before the payment.
// It was then settled at the whole cents of the account's list. A booking is final.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { scriptedRest, scriptedSettlements } from '../venues/venue-b/trading/scripted-rest.ts';

const ROW = { ticker: 'KXA', market_result: 'scalar', value: 37, settled_time: '2026-06-11T06:29:30Z' };

it.each(['initialized', 'inactive', 'active', 'closed'])(
  'a market that is shown as %s is asked again',
  async status => {
    const timers = new VirtualTimers();
    let market: object = { ticker: 'KXA', status, settlement_value_dollars: '' };
    const answer = (target: string) => (target.includes('/markets/') ? { market } : { settlements: [ROW], cursor: '' });
    const rest = scriptedRest(answer, timers);
    const { settlements, reported } = scriptedSettlements(rest, timers);
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    expect(reported).toEqual([]);
    market = { ticker: 'KXA', status: 'finalized', settlement_value_dollars: '0.3705' };
    await timers.settle(limits.venueBSettlementsReadMs);
    expect(reported).toMatchObject([{ type: 'settled', address: 'KXA', value: 3_705 }]);
  },
);
