// The points of the profit of the day, over time.

import { expect, it } from 'vitest';
import type { MicroDollars } from '../../../src/core/domain/numbers.ts';
import { totalOf, withPoint } from '../../../src/tools/page/pnl.ts';

const MINUTE_MS = 60_000;
const MIDNIGHT_MS = Date.UTC(2026, 10, 29);

it('is realized and unrealized profit, less fees', () => {
  const positions = ['1.5', '-0.25'].map(unrealizedPnlUsd => ({ position: { unrealizedPnlUsd } }));
  expect(totalOf({ positions, realizedPnlUsd: '-2', feesUsd: '0.1' })).toBe(-850_000);
});

it('has one point a minute, keeps the first of the day, and begins anew at midnight, UTC', () => {
  let day: Parameters<typeof withPoint>[0] = { date: '', points: [] };
  const take = (total: number, nowMs: number): void => {
    day = withPoint(day, total as MicroDollars, nowMs);
  };
  const at = MIDNIGHT_MS - 2 * MINUTE_MS;
  take(5, at);
  take(6, at + 1);
  take(7, at + 2);
  expect(day).toEqual({
    date: '2026-11-28',
    points: [
      [1_438, 5],
      [1_438, 7],
    ],
  });
  take(8, at + MINUTE_MS);
  take(9, at + MINUTE_MS + 1);
  expect(day.points).toEqual([
    [1_438, 5],
    [1_438, 7],
    [1_439, 9],
  ]);
  take(9, MIDNIGHT_MS);
  expect(day).toEqual({ date: '2026-11-29', points: [[0, 9]] });
});
