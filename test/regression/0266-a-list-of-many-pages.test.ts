// Found by review: all pages of an account's list had to come within the five seconds of one read. An account with more pages than that, at
// the pace of the venue, was not read at all. It took no orders, or its settlements, a month of them, were never read. Now each page has
// that time. A list that somebody waits for still has it as a whole.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { Result } from '../../src/domain/result.ts';
import { limits } from '../../src/limits.ts';
import type { Listed } from '../../src/venues/venue.ts';
import {
  balance,
  fillsSince,
  ordersSince,
  positions,
  restingOrders,
} from '../../src/venues/venue-b/trading/account.ts';
import type { VenueBRest } from '../../src/venues/venue-b/trading/rest.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { FILL, ORDER, scriptedRest, scriptedSettlements } from '../venues/venue-b/trading/scripted-rest.ts';

const SINCE = 0 as UnixMillis;
const PAGES = 12;
const PAGE_MS = 600;
const ROWS = {
  orders: ORDER,
  fills: FILL,
  market_positions: { ticker: 'KXA', position_fp: '1.00' },
  settlements: { ticker: 'KXA', market_result: 'yes', settled_time: '2026-06-11T06:29:30Z' },
};

/** Lists of many pages, each of which takes its time. */
function slowVenue(): { readonly rest: VenueBRest; readonly timers: VirtualTimers } {
  const timers = new VirtualTimers();
  const page = (target: string): object => {
    if (target.includes('/balance')) return { balance_dollars: '1.0000' };
    const { searchParams, pathname } = new URL(target, 'http://venue.test');
    const name = pathname.split('/').at(-1)!.replace('positions', 'market_positions') as keyof typeof ROWS;
    const number = Number(searchParams.get('cursor') ?? 1);
    return { [name]: [ROWS[name]], cursor: number < PAGES ? String(number + 1) : '' };
  };
  const answer = (target: string) => new Promise(resolve => void timers.after(PAGE_MS, () => resolve(page(target))));
  return { rest: scriptedRest(answer, timers), timers };
}

/** Lets time pass until all is read: the live list, perhaps cutoffs, and an archived list. */
async function waitedFor<T>(timers: VirtualTimers, value: Promise<T>): Promise<T> {
  let isRead = false;
  const read = value.finally(() => {
    isRead = true;
  });
  for (let page = 0; page < 4 * PAGES && !isRead; page += 1) await timers.settle(PAGE_MS);
  expect(isRead).toBe(true);
  return read;
}

it.each<[string, (rest: VenueBRest) => Promise<Result<readonly unknown[] | Listed<unknown>, string>>]>([
  ['what rests', rest => restingOrders(rest)],
  ['orders', rest => ordersSince(rest, SINCE)],
  ['fills', rest => fillsSince(rest, SINCE)],
  ['positions', rest => positions(rest)],
])('%s: all pages are read, in any time that they take together', async (_what, list) => {
  const { rest, timers } = slowVenue();
  expect(PAGES * PAGE_MS).toBeGreaterThan(limits.upstreamRestTimeoutMs);
  const read = await waitedFor(timers, list(rest));
  expect(read.ok && ('rows' in read.value ? read.value.rows : read.value)).toHaveLength(PAGES);
});

it('settlements, too', async () => {
  const { rest, timers } = slowVenue();
  const { settlements, reported } = scriptedSettlements(rest, timers);
  settlements.readSoon();
  await timers.settle(limits.venueBSettlementsPauseMs);
  for (let page = 0; page < 2 * PAGES; page += 1) await timers.settle(PAGE_MS);
  settlements.stop();
  expect(reported).toHaveLength(PAGES);
});

it('a balance is waited for no longer than a read', async () => {
  const { rest, timers } = slowVenue();
  const asked = balance(rest, false);
  const ended = asked.then(() => true);
  for (let ms = 0; ms <= limits.upstreamRestTimeoutMs; ms += PAGE_MS) await timers.settle(PAGE_MS);
  expect(await Promise.race([ended, Promise.resolve(false)])).toBe(true);
  expect(await asked).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
});
