// The sums of redeems without a request, beside a naive twin that adds up all actions of a day.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../src/core/domain/durations.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { addAmount, subtract } from '../../../src/orders/life/redeem-bounds.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';

const BOUNDS = { action: 10 as MicroDollars, day: 25 as MicroDollars };

const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('spend' as const), amount: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('fail' as const), place: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('clock' as const), days: fc.integer({ min: -3, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
);

it.each([
  ['are those of the twin while the clock stays within a week', 6, true],
  ['never pass a bound, wherever the clock goes', 1_000, false],
] as const)('%s', (_what, daysMax, isExact) => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), happenings => {
      let store = new MemoryLedger();
      let day = 500;
      const made: { readonly amount: MicroDollars; readonly createdAt: UnixMillis; readonly podId: string }[] = [];
      const sumOf = (wanted: number): number =>
        made.reduce((sum, it) => sum + (Math.floor(it.createdAt / DAY_MS) === wanted ? it.amount : 0), 0);
      for (const it of happenings) {
        if (it.type === 'restart') store = new MemoryLedger(store.log);
        else if (it.type === 'clock') day = Math.min(500 + daysMax, Math.max(500, day + it.days));
        else if (it.type === 'fail') {
          const [failed] = made.splice(it.place % Math.max(1, made.length), 1);
          if (failed !== undefined) store.change(transaction => subtract(transaction, failed));
        } else {
          const action = {
            podId: 'pod',
            amount: it.amount as MicroDollars,
            createdAt: (day * DAY_MS + 5) as UnixMillis,
          };
          const passed = store.change(transaction => addAmount(transaction, action, BOUNDS));
          const isTooMuch = sumOf(day) + it.amount > BOUNDS.day;
          const expected = it.amount > BOUNDS.action ? 'over-action' : isTooMuch ? 'over-day' : null;
          if (isExact || expected !== null) expect(passed).toBe(expected);
          if (passed === null) made.push(action);
        }
      }
    }),
  );
});

it('those of another pod are others', () => {
  const store = new MemoryLedger();
  const at = (500 * DAY_MS) as UnixMillis;
  const spent = ['one', 'one', 'one', 'two'].map(podId =>
    store.change(transaction => addAmount(transaction, { podId, amount: 10 as MicroDollars, createdAt: at }, BOUNDS)),
  );
  expect(spent).toEqual([null, null, 'over-day', null]);
});

it('a day whose sum is forgotten takes nothing more', () => {
  const store = new MemoryLedger();
  const spendOn = (day: number) => {
    const action = { podId: 'pod', amount: 10 as MicroDollars, createdAt: (day * DAY_MS) as UnixMillis };
    return store.change(transaction => addAmount(transaction, action, BOUNDS));
  };
  for (let day = 500; day < 510; day += 1) for (let times = 0; times < 2; times += 1) expect(spendOn(day)).toBeNull();
  expect(spendOn(500)).toBe('over-day');
});
