// The account's list of settlements, which is read after each event that may have been missed. The paper exchange never shows these cases.

import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/core/domain/durations.ts';
import { ok } from '../../../../src/core/domain/result.ts';
import { type LogFields, silentLog } from '../../../../src/core/runtime/log.ts';
import { limits } from '../../../../src/limits.ts';
import { payoutOf } from '../../../../src/venues/venue-b/trading/settlements.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { scriptedRest, scriptedSettlements } from './scripted-rest.ts';

const ROW = { ticker: 'KXA', market_result: 'scalar', value: 37, settled_time: '2026-06-11T06:29:30Z' };
const PAID = { type: 'settled', address: 'KXA', value: 3_700, at: Date.parse(ROW.settled_time) };
const GONE = { status: 404, error: { code: 'not_found', message: 'not found' } };
const listed = (...settlements: object[]) => ({ settlements, cursor: '' });

/** Returns the account's settlements. `market` gives the market at each look, and `list` the list at each reading. */
function watching(market: () => unknown, list: () => unknown = () => listed(ROW)) {
  const timers = new VirtualTimers();
  const lists: string[] = [];
  const logged: object[] = [];
  const log = { ...silentLog, warn: (event: string, fields?: LogFields) => void logged.push({ event, ...fields }) };
  const rest = scriptedRest(target => {
    if (!target.includes('/portfolio/settlements')) return market();
    lists.push(target);
    return list();
  }, timers);
  const { settlements, reported } = scriptedSettlements(rest, timers, log);
  const read = async (): Promise<void> => {
    settlements.readSoon();
    await timers.settle(limits.venueBSettlementsPauseMs);
  };
  /** Waits until the next reading, which comes by itself. */
  const later = () => timers.settle(limits.venueBSettlementsReadMs);
  return { timers, lists, logged, settlements, reported, rest, read, later };
}

describe('a market that is paid in part', () => {
  it.each<[string, unknown, number]>([
    ['that the venue has forgotten pays what the list says, in whole cents', GONE, 3_700],
    ['that does not say it pays what the list says', { market: { ticker: 'KXA', status: 'finalized' } }, 3_700],
    ['that says it with words pays what the list says', { market: { settlement_value_dollars: 'a third' } }, 3_700],
    ['pays what the market says, which does not round', { market: { settlement_value_dollars: '0.3705' } }, 3_705],
  ])('%s', async (_what, market, value) => {
    const { reported, read } = watching(() => market);
    await read();
    expect(reported).toEqual([{ ...PAID, value }]);
  });

  it.each([
    ...[undefined, 101, -1, 37.5, '37'].map(value => ({ value })),
    ...[{ market_result: '' }, { ticker: '' }, { settled_time: 'soon' }],
  ])('is not reported with %j: from the same time on the list is read again', async change => {
    const { reported, lists, read, later } = watching(
      () => GONE,
      () => listed({ ...ROW, ...change }),
    );
    await read();
    await later();
    expect(reported).toEqual([]);
    expect([lists.length, new Set(lists).size]).toEqual([2, 1]);
  });
});

describe('the list', () => {
  const yes = { ...ROW, market_result: 'yes' };
  const watchingList = (list: () => unknown = () => listed(yes)) => watching(() => GONE, list);

  it('that cannot be read is logged with its venue, in its words', async () => {
    const { logged, read } = watchingList(() => GONE);
    await read();
    expect(logged).toEqual([{ event: 'settlements cannot be read', venue: 'venue_b', message: 'not found' }]);
  });

  it('goes on from before its last reading, where all of it was reported: rows come late', async () => {
    const { timers, reported, lists, read, later } = watchingList();
    await read();
    const readAt = timers.now();
    await later();
    expect(reported).toHaveLength(2);
    expect(new Set(lists).size).toBe(2);
    const since = Math.floor((readAt - limits.venueBSettlementsOverlapMs) / 1_000);
    expect(lists.at(-1)).toContain(`min_ts=${since}&`);
  });

  it('is reported from the oldest on', async () => {
    const { reported, read } = watchingList(() => listed({ ...yes, ticker: 'KXC' }, { ...yes, ticker: 'KXB' }));
    await read();
    expect(reported).toMatchObject([{ address: 'KXB' }, { address: 'KXC' }]);
  });

  it('is read from before the report of a market that has paid, while it is not in it', async () => {
    const { timers, lists, settlements } = watchingList();
    const since = Math.floor((timers.now() - limits.venueBSettlementsOverlapMs) / 1_000);
    settlements.handle({ event_type: 'settled', market_ticker: 'KXLATE' });
    for (const pauses of [1, 2, 4]) await timers.settle(pauses * limits.venueBSettlementsPauseMs);
    expect(lists).toHaveLength(3);
    for (const list of lists.slice(1)) expect(list).toContain(`min_ts=${since}&`);
  });

  it('is read again after a reading that was under way when something was missed', async () => {
    const first = Promise.withResolvers<unknown>();
    const answers: unknown[] = [first.promise];
    const { timers, reported, lists, read } = watchingList(() => answers.shift() ?? listed(yes));
    await read();
    await read();
    expect(lists).toHaveLength(1);
    first.resolve(listed());
    await timers.settle(0);
    await timers.settle(limits.venueBSettlementsPauseMs);
    expect([lists.length, reported.length]).toEqual([2, 1]);
  });

  it('tells nobody who has gone', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { reported, settlements, read, later } = watchingList(() => answer.promise);
    await read();
    settlements.stop();
    answer.resolve(listed(yes));
    await later();
    expect(reported).toEqual([]);
  });
});

// Found through lines that no test ran. A market that pays in part may not show its exact value yet, for example in a read from before the
// payment. It was then settled at the whole cents of the account's list. A booking is final.
it.each(['initialized', 'inactive', 'active', 'closed'])(
  '0111: a part payment is asked for again while its market is shown as %s',
  async status => {
    let market: object = { ticker: 'KXA', status, settlement_value_dollars: '' };
    const { reported, read, later } = watching(() => ({ market }));
    await read();
    expect(reported).toEqual([]);
    market = { ticker: 'KXA', status: 'finalized', settlement_value_dollars: '0.3705' };
    await later();
    expect(reported).toMatchObject([{ type: 'settled', address: 'KXA', value: 3_705 }]);
  },
);

// The stream reported a market as settled, and the list showed the settlement two hours later, with its original time. The settlement was
// not paid out until a restart.
it('0114: a settlement that is listed hours late is heard of when it is listed', async () => {
  const timers = new VirtualTimers();
  const settledMs = Math.floor(timers.now() / 1_000) * 1_000;
  const row = { ticker: 'KXA', market_result: 'yes', value: 100, settled_time: new Date(settledMs).toISOString() };
  let isListed = false;
  const rest = scriptedRest(target => {
    const since = Number(new URL(target, 'http://venue').searchParams.get('min_ts')) * 1_000;
    return isListed && settledMs >= since ? listed(row) : listed();
  }, timers);
  const { settlements, reported } = scriptedSettlements(rest, timers, silentLog, () => reported.length === 0);
  settlements.handle({ event_type: 'settled', market_ticker: 'KXA' });
  for (let hour = 0; hour < 3; hour += 1) {
    for (let ms = 0; ms < HOUR_MS; ms += limits.venueBSettlementsReadMs) {
      await timers.settle(limits.venueBSettlementsReadMs);
    }
    isListed = hour === 1;
  }
  expect(reported).toEqual([{ type: 'settled', address: 'KXA', value: 10_000, at: settledMs }]);
  settlements.stop();
});

// A part payment of a third was unreadable. It was booked at the whole cents of the account's list, or not at all if only the market states
// it.
describe('0261: a part payment of a third', () => {
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
    const { reported, rest, read } = watching(
      () => marketOf(said),
      () => listed({ ...ROW, value: 33 }),
    );
    await read();
    expect(reported).toMatchObject([{ type: 'settled', address: 'KXA', value }]);
    expect(await payoutOf(rest, 'KXA')).toEqual(ok(value));
  });

  it.each(['1.000001', '-0.333333', '0.3333333', ''])('%j is no part of a dollar', async said => {
    const rest = scriptedRest(() => marketOf(said));
    expect(await payoutOf(rest, 'KXA')).toEqual(ok(null));
  });
});

// A read of the market may be from before the amendment. The account's list had the amended payment, and the market's older value was
// booked in its place. A booking is final.
describe('3221: a part payment that was amended', () => {
  const DISPUTED = { ticker: 'KXA', status: 'disputed', settlement_value_dollars: '0.5000' };

  /** Returns the reports for this row and market: the first report, and the next report once the market shows its final state. */
  async function reports(row: object, first: object): Promise<readonly unknown[]> {
    let market = first;
    const { reported, read, later } = watching(
      () => ({ market }),
      () => listed(row),
    );
    await read();
    const before = reported.length;
    market = { ...DISPUTED, status: 'finalized', settlement_value_dollars: '0.3705' };
    await later();
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
});
