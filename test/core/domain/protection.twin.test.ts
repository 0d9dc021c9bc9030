// The window of a protection beside a naive twin: it keeps every fill, and looks at each window that begins with one.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MICROS_PER_SHARE, type MicroShares, type UnixMillis } from '../../../src/core/domain/numbers.ts';
import {
  backUpLimit,
  type CountedFill,
  countedWith,
  droppedFor,
  exceededBy,
  type Protection,
  protectionLimits,
  windowAt,
} from '../../../src/core/domain/protection.ts';

const START = 1_790_000_000_000;
const { protectionFillsMax, protectionLateMs } = protectionLimits;
const fillAt = (ms: number, size = 1): CountedFill => ({
  executedAt: (START + ms) as UnixMillis,
  size: size as MicroShares,
});

function armed(terms: Partial<Protection>): Protection {
  const scope = { actorId: 'a', podId: 'p', venue: 'venue_b', address: null } as const;
  const rest = { fillsMax: null, sharesMax: null, windowMs: 1_000, setAt: START as UnixMillis };
  return { ...scope, ...rest, triggered: null, counted: [], ...terms };
}

/** Counts the fills one after the other, as the ledger does. Returns the number of the fill that exceeds the protection, or null. */
function triggeredBy(protection: Protection, fills: readonly CountedFill[]): number | null {
  let it = protection;
  for (const [number, fill] of fills.entries()) {
    const dropped = droppedFor(it, fill);
    if (dropped === null) continue;
    it = { ...it, counted: countedWith(it.counted, fill, dropped) };
    if (exceededBy(it, fill) !== null) return number;
  }
  return null;
}

function naivelyTriggeredBy({ fillsMax, sharesMax, windowMs }: Protection, fills: readonly CountedFill[]) {
  const seen: CountedFill[] = [];
  for (const [number, fill] of fills.entries()) {
    const latest = Math.max(fill.executedAt, ...seen.map(it => it.executedAt));
    if (fill.executedAt < latest - windowMs - protectionLateMs) continue;
    seen.push(fill);
    const windows = seen.map(first =>
      seen.filter(it => it.executedAt >= first.executedAt && it.executedAt < first.executedAt + windowMs),
    );
    const isExceeded = windows.some(window => {
      const size = window.reduce((sum, it) => sum + it.size, 0);
      return window.length > (fillsMax ?? Number.POSITIVE_INFINITY) || size > (sharesMax ?? Number.POSITIVE_INFINITY);
    });
    if (isExceeded) return number;
  }
  return null;
}

const terms = fc
  .record({ isFills: fc.boolean(), max: fc.nat(12), windowMs: fc.integer({ min: 1, max: 3_000 }) })
  .map(({ isFills, max, windowMs }) =>
    armed(isFills ? { fillsMax: max, windowMs } : { sharesMax: (max * 3) as MicroShares, windowMs }),
  );
/** Most fills are reported at once, and some are reported much later. */
const fills = fc
  .array(
    fc.record({
      passedMs: fc.nat(900),
      lateMs: fc.constantFrom(0, 0, 0, 200, 4_000, 11_000, 30_000),
      size: fc.integer({ min: 1, max: 9 }),
    }),
    {
      maxLength: 60,
    },
  )
  .map(list => {
    let nowMs = 0;
    return list.map(({ passedMs, lateMs, size }) => {
      nowMs += passedMs;
      return fillAt(nowMs - lateMs, size);
    });
  });

it('exceeds with the same fill as its twin', () => {
  fc.assert(
    fc.property(terms, fills, (protection, list) => {
      expect(triggeredBy(protection, list)).toBe(naivelyTriggeredBy(protection, list));
    }),
    { numRuns: 1_000 },
  );
});

describe('the limit of the venue’s own window', () => {
  const venue = { windowMs: 15_000, sharesMax: 1_000_000 };
  const limitOf = (shares: number, windowMs: number) =>
    backUpLimit({ fillsMax: null, sharesMax: (shares * MICROS_PER_SHARE) as MicroShares, windowMs }, venue);

  it.each([
    [10, 15_000, 10],
    [10, 600_000, 10],
    [10, 5_000, 30],
    [10, 4_999, 40],
    [10, 100, 1_500],
    [1.5, 15_000, 2],
    [0, 15_000, 1],
    [1_000_000, 15_000, 1_000_000],
    [1_000_000.5, 15_000, null],
    [500_001, 14_999, null],
  ])('for %d shares within %d ms is %d', (shares, windowMs, limit) => {
    expect(limitOf(shares, windowMs)).toBe(limit);
  });

  it('counts no fills', () => {
    expect(backUpLimit({ fillsMax: 3, sharesMax: null, windowMs: 15_000 }, venue)).toBeNull();
  });

  it('is exceeded only if a window of the protection is', () => {
    const inTurn = fc
      .array(fc.record({ passedMs: fc.nat(2_000), tenths: fc.integer({ min: 1, max: 20 }) }), { maxLength: 80 })
      .map(list => {
        let nowMs = 0;
        return list.map(({ passedMs, tenths }) => {
          nowMs += passedMs;
          return fillAt(nowMs, (tenths * MICROS_PER_SHARE) / 10);
        });
      });
    let exceeded = 0;
    fc.assert(
      fc.property(fc.nat(3), fc.integer({ min: 100, max: 20_000 }), inTurn, (shares, windowMs, list) => {
        const limit = limitOf(shares, windowMs)! * MICROS_PER_SHARE;
        const isExceeded = list.some(({ executedAt: from }) => {
          const within = list.filter(it => it.executedAt >= from && it.executedAt < from + venue.windowMs);
          return within.reduce((sum, { size }) => sum + size, 0) > limit;
        });
        if (!isExceeded) return;
        exceeded += 1;
        const protection = armed({ sharesMax: (shares * MICROS_PER_SHARE) as MicroShares, windowMs });
        expect(naivelyTriggeredBy(protection, list)).not.toBeNull();
      }),
      { numRuns: 1_000 },
    );
    expect(exceeded).toBeGreaterThan(0);
  });
});

describe('a window', () => {
  it('ends before a fill that is windowMs later', () => {
    const protection = armed({ fillsMax: 1, windowMs: 1_000 });
    expect(triggeredBy(protection, [fillAt(0), fillAt(1_000), fillAt(2_000)])).toBeNull();
    expect(triggeredBy(protection, [fillAt(0), fillAt(999)])).toBe(1);
  });

  it('of 0 fills or shares is exceeded by the first', () => {
    expect(triggeredBy(armed({ fillsMax: 0 }), [fillAt(0)])).toBe(0);
    expect(triggeredBy(armed({ sharesMax: 0 as MicroShares }), [fillAt(0)])).toBe(0);
  });

  it('has the fills that exceed it, in any order of the reports', () => {
    const counted = [fillAt(0, 2), fillAt(400, 3), fillAt(1_200, 5)];
    const protection = armed({ sharesMax: 4 as MicroShares, counted });
    expect(exceededBy(protection, counted[0]!)).toEqual({ fills: 2, size: 5 });
    expect(exceededBy(protection, counted[2]!)).toEqual({ fills: 2, size: 8 });
    expect(windowAt(protection, (START + 1_200) as UnixMillis)).toEqual({ fills: 2, size: 8 });
    expect(windowAt(protection, (START + 9_000) as UnixMillis)).toEqual({ fills: 0, size: 0 });
  });

  it('keeps no more fills than protectionFillsMax, and more of them exceed it', () => {
    const many = Array.from({ length: protectionFillsMax + 1 }, (_, number) => fillAt(number));
    const largest = { sharesMax: 1_000_000 as MicroShares };
    expect(triggeredBy(armed({ ...largest, windowMs: 2_000 }), many)).toBe(protectionFillsMax);
    const slow = Array.from({ length: 3 * protectionFillsMax }, (_, number) => fillAt(number * 5));
    let protection = armed({ ...largest, windowMs: 2_000 });
    for (const fill of slow) {
      protection = { ...protection, counted: countedWith(protection.counted, fill, droppedFor(protection, fill)!) };
      expect(exceededBy(protection, fill)).toBeNull();
    }
    expect(protection.counted.length).toBeLessThanOrEqual(protectionFillsMax + 1);
  });

  it('counts a fill that is reported protectionLateMs too late, and none later', () => {
    const protection = armed({ fillsMax: 9, windowMs: 1_000, counted: [fillAt(0)] });
    expect(droppedFor(protection, fillAt(-1_000 - protectionLateMs))).toBe(0);
    expect(droppedFor(protection, fillAt(-1_001 - protectionLateMs))).toBeNull();
    expect(droppedFor(protection, fillAt(2_001 + protectionLateMs))).toBe(1);
  });
});
