// Days of time zones, and the states of a loss limit.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  begunAt,
  isZone,
  type LossLimit,
  lossLimitAt,
  lossLimitsOf,
  lossLimitsText,
  lossOf,
  nextDay,
} from '../../../src/core/domain/loss-limit.ts';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';

const at = (text: string): UnixMillis => Date.parse(text) as UnixMillis;
const dollars = (amount: number): MicroDollars => (amount * 1e6) as MicroDollars;
const exact = (amount: number): bigint => BigInt(amount * 1e6) * 10n ** 10n;

describe('a day', () => {
  it.each([
    ['UTC', '2026-11-28T23:59:59.999Z', '2026-11-29T00:00:00Z'],
    ['UTC', '2026-11-29T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['America/New_York', '2026-11-29T04:59:00Z', '2026-11-29T05:00:00Z'],
    // These days are 23 and 25 hours long.
    ['Europe/Vienna', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['Europe/Vienna', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['Asia/Kathmandu', '2026-11-29T12:00:00Z', '2026-11-29T18:15:00Z'],
  ])('of %s at %s ends at %s', (zone, now, end) => {
    expect(nextDay(at(now), zone)).toBe(at(end));
  });

  it('has a known time zone', () => {
    expect(['UTC', 'Europe/Vienna', 'Europe/Wien', ''].map(isZone)).toEqual([true, true, false, false]);
  });
});

describe('a limit', () => {
  const begun = (lossMax: number): LossLimit =>
    begunAt(
      { scope: 'pod/one', lossMax: dollars(lossMax), cancels: true },
      exact(7),
      at('2026-11-29T12:00:00Z'),
      'UTC',
    );

  it('is reached by the loss that it allows at most, and stays reached until the day ends', () => {
    const limit = begun(2);
    const noon = limit.since;
    expect(lossLimitAt(limit, exact(5) + 1n, noon, 'UTC')).toBe(limit);
    const reached = lossLimitAt(limit, exact(5), noon, 'UTC');
    expect(reached).toEqual({ ...limit, reached: { at: noon, loss: dollars(2) } });
    expect(lossLimitAt(reached, exact(9), (limit.until - 1) as UnixMillis, 'UTC')).toBe(reached);
    const next = lossLimitAt(reached, exact(1), limit.until, 'UTC');
    expect(next).toMatchObject({ since: limit.until, base: exact(1), reached: null });
    expect(lossOf(next, exact(-1))).toBe(dollars(2));
  });

  it('5604: ends with the day when a clock that was ahead is set back', () => {
    const [before, ahead] = [at('2026-11-29T23:59:00Z'), at('2026-11-30T00:01:00Z')];
    const limit = lossLimitAt(begun(2), exact(7), ahead, 'UTC');
    expect(limit.until).toBe(at('2026-12-01T00:00:00Z'));
    const reached = lossLimitAt(limit, exact(5), before, 'UTC');
    expect(reached).toMatchObject({ since: before, until: at('2026-11-30T00:00:00Z'), reached: { at: before } });
    expect(lossLimitAt(reached, exact(5), reached.until, 'UTC')).toMatchObject({ base: exact(5), reached: null });
    // A step within the day changes nothing.
    expect(lossLimitAt(limit, exact(7), at('2026-11-30T00:00:59Z'), 'UTC')).toBe(limit);
  });

  it('of 0 is reached at once, and each day again', () => {
    const limit = begun(0);
    expect(lossLimitAt(limit, limit.base, limit.since, 'UTC').reached?.at).toBe(limit.since);
    expect(lossLimitAt(limit, limit.base, limit.until, 'UTC').reached?.at).toBe(limit.until);
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.bigInt(), fc.nat(), fc.boolean())), rows => {
        const limits = rows.map(([base, loss, isReached]) => ({
          ...begun(loss),
          ...{ base, reached: isReached ? { at: at('2026-11-29T13:00:00Z'), loss: loss as MicroDollars } : null },
        }));
        expect(lossLimitsOf(lossLimitsText(limits))).toEqual(limits);
      }),
    );
  });
});
