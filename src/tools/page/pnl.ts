// The points of the profit of the day, realized and unrealized, after fees. Pure.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import type { PodPositions } from '../../core/generated/api-types.ts';
import { signedMicros } from './texts.ts';

/** A point: the minute of the day (UTC), and the profit since the ledger began. */
type Point = readonly [minute: number, total: MicroDollars];

export interface Day {
  /** The date, such as `2026-11-28`. */
  readonly date: string;
  readonly points: readonly Point[];
}

const MINUTE_MS = 60_000;

/**
 * Adds a reading. There is one point for each minute, which the last reading of the minute sets. The first point of the day stays, because
 * all other points are shown in comparison with it.
 */
export function withPoint({ date, points }: Day, total: MicroDollars, nowMs: number): Day {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const point: Point = [Math.floor((nowMs % (1_440 * MINUTE_MS)) / MINUTE_MS), total];
  if (date !== today || points.length === 0) return { date: today, points: [point] };
  const isSame = points.length > 1 && points.at(-1)![0] === point[0];
  return { date, points: [...(isSame ? points.slice(0, -1) : points), point] };
}

/** The fields of `PodPositions` that make up the profit. */
interface Profits extends Pick<PodPositions, 'realizedPnlUsd' | 'feesUsd'> {
  readonly positions: readonly { readonly position: { readonly unrealizedPnlUsd: string } }[];
}

export function totalOf({ positions, realizedPnlUsd, feesUsd }: Profits): MicroDollars {
  const unrealized = positions.map(({ position }) => signedMicros(position.unrealizedPnlUsd));
  return unrealized.reduce<number>(
    (sum, it) => sum + it,
    signedMicros(realizedPnlUsd) - signedMicros(feesUsd),
  ) as MicroDollars;
}
