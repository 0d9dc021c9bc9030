// The account's list of settlements, read whenever something may have been missed: cases that the paper exchange never shows.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/limits.ts';
import { type LogFields, silentLog } from '../../../../src/runtime/log.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { scriptedRest, scriptedSettlements } from './scripted-rest.ts';

const ROW = { ticker: 'KXA', market_result: 'scalar', value: 37, settled_time: '2026-06-11T06:29:30Z' };
const PAID = { type: 'settled', address: 'KXA', value: 3_700, at: Date.parse(ROW.settled_time) };
const GONE = { status: 404, error: { code: 'not_found', message: 'not found' } };

function watching(row: object, market: unknown, list: () => unknown = () => ({ settlements: [row], cursor: '' })) {
  const timers = new VirtualTimers();
  const lists: string[] = [];
  const logged: object[] = [];
  const log = { ...silentLog, warn: (event: string, fields?: LogFields) => void logged.push({ event, ...fields }) };
  const rest = scriptedRest(target => {
    if (!target.includes('/portfolio/settlements')) return market;
    lists.push(target);
    return list();
  }, timers);
  return { timers, lists, logged, ...scriptedSettlements(rest, timers, log) };
}

describe('a market that is paid in part', () => {
  it.each<[string, unknown]>([
    ['that the venue has forgotten', GONE],
    ['that does not say it', { market: { ticker: 'KXA', status: 'finalized' } }],
    ['that says it with words', { market: { settlement_value_dollars: 'a third' } }],
  ])('%s pays what the list says, in whole cents', async (_what, market) => {
    const { timers, reported, settlements } = watching(ROW, market);
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    expect(reported).toEqual([PAID]);
  });

  it('pays what the market says, which does not round', async () => {
    const { timers, reported, settlements } = watching(ROW, { market: { settlement_value_dollars: '0.3705' } });
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    expect(reported).toEqual([{ ...PAID, value: 3_705 }]);
  });

  it.each([
    { value: undefined },
    { value: 101 },
    { value: -1 },
    { value: 37.5 },
    { value: '37' },
    { market_result: '' },
    { ticker: '' },
    { settled_time: 'soon' },
  ])('is not reported with %j: from the same time on the list is read again', async change => {
    const { timers, reported, lists, settlements } = watching({ ...ROW, ...change }, GONE);
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    await timers.settle(limits.venueBSettlementsReadMs);
    expect(reported).toEqual([]);
    expect([lists.length, new Set(lists).size]).toEqual([2, 1]);
  });
});

describe('the list', () => {
  const yes = { ...ROW, market_result: 'yes' };

  it('that cannot be read is logged with its venue, in its words', async () => {
    const { timers, logged, settlements } = watching(yes, GONE, () => GONE);
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    expect(logged).toEqual([{ event: 'settlements not read', venue: 'venue_b', message: 'not found' }]);
  });

  it('goes on from its last reading, where all of it was reported', async () => {
    const { timers, reported, lists, settlements } = watching(yes, GONE);
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    await timers.settle(limits.venueBSettlementsReadMs);
    expect(reported).toHaveLength(2);
    expect(new Set(lists).size).toBe(2);
  });

  it('is reported from the oldest on', async () => {
    const rows = ['KXC', 'KXB'].map(ticker => ({ ...yes, ticker }));
    const { timers, reported, settlements } = watching(yes, GONE, () => ({ settlements: rows, cursor: '' }));
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    expect(reported).toMatchObject([{ address: 'KXB' }, { address: 'KXC' }]);
  });

  it('is read from before the report of a market that has paid, while it is not in it', async () => {
    const { timers, lists, settlements } = watching(yes, GONE);
    const since = Math.floor((timers.now() - limits.venueBSettlementsOverlapMs) / 1_000);
    settlements.heard({ event_type: 'settled', market_ticker: 'KXLATE' });
    for (const pauses of [1, 2, 4]) await timers.settle(pauses * limits.venueBSettlementsPauseMs);
    expect(lists).toHaveLength(3);
    for (const list of lists.slice(1)) expect(list).toContain(`min_ts=${since}&`);
  });

  it('is read from before its last reading on: rows come late', async () => {
    const { timers, lists, settlements } = watching(yes, GONE);
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    const readAt = timers.now();
    await timers.settle(limits.venueBSettlementsReadMs);
    const since = Math.floor((readAt - limits.venueBSettlementsOverlapMs) / 1_000);
    expect(lists.at(-1)).toContain(`min_ts=${since}&`);
  });

  it('is read again after a reading that was under way when something was missed', async () => {
    let answer = (_: unknown): void => {};
    let isFirst = true;
    const { timers, reported, lists, settlements } = watching(yes, GONE, () => {
      if (!isFirst) return { settlements: [yes], cursor: '' };
      isFirst = false;
      return new Promise(resolve => {
        answer = resolve;
      });
    });
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    expect(lists).toHaveLength(1);
    answer({ settlements: [], cursor: '' });
    await timers.settle(0);
    await timers.settle(limits.venueBSettlementsPauseMs);
    expect([lists.length, reported.length]).toEqual([2, 1]);
  });

  it('tells nobody who has gone', async () => {
    let answer = (_: unknown): void => {};
    const { timers, reported, settlements } = watching(yes, GONE, () => {
      return new Promise(resolve => {
        answer = resolve;
      });
    });
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
    settlements.stop();
    answer({ settlements: [yes], cursor: '' });
    await timers.settle(limits.venueBSettlementsReadMs);
    expect(reported).toEqual([]);
  });
});
