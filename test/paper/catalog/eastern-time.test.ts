// Dates in New York: across midnight, across the year, in summer and in winter.

import { describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { dateOfCompact, easternInstant, easternTime } from '../../../src/paper/catalog/eastern-time.ts';

describe('dates as the venues write them', () => {
  it.each([
    ['2026-11-22T00:30:00Z', '2026-11-21', '26NOV21', '1930'],
    ['2026-07-06T04:05:00Z', '2026-07-06', '26JUL06', '0005'],
    ['2027-01-01T04:59:00Z', '2026-12-31', '26DEC31', '2359'],
    ['2026-06-01T16:00:00Z', '2026-06-01', '26JUN01', '1200'],
  ])('%s is %s in New York', (iso, date, compactDate, clock) => {
    const at = Date.parse(iso) as UnixMillis;
    expect(easternTime(at)).toMatchObject({ date, compactDate, clock });
    expect([dateOfCompact(compactDate), easternInstant(date, clock)]).toEqual([date, at]);
  });

  it.each(['26NOW21', '26NOV32', '6NOV21', ''])('%j is no day', text => {
    expect(dateOfCompact(text)).toBe(null);
  });

  it('have no hour 25', () => {
    expect(easternInstant('2026-11-21', '2500')).toBeNaN();
  });
});
