// Sizes of price levels as observers know them, and the levels that the current request has changed. Each level is reported once, with its
// total change, however many events the engine has for it. Thread of the paper exchanges.

import type { Side } from '../../domain/market.ts';
import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../domain/numbers.ts';
import type { EngineEvent } from '../engine/engine-types.ts';
import type { VenueBMarket } from './market.ts';

type EngineLevel = Extract<EngineEvent, { type: 'level' }>;

interface TrackedLevel {
  readonly market: VenueBMarket;
  readonly side: Side;
  readonly price: Ticks;
  reported: MicroShares;
  size: MicroShares;
}

type LevelReporter = (level: Omit<TrackedLevel, 'reported'>, change: MicroShares) => void;

export class LevelChanges {
  /** Occupied levels by market, then side and price. */
  readonly #levels: (Map<number, TrackedLevel> | undefined)[] = [];
  readonly #touched: TrackedLevel[] = [];

  forget(market: VenueBMarket): void {
    this.#levels[market.id] = undefined;
  }

  add(market: VenueBMarket, { side, price, size }: EngineLevel): void {
    const levels = this.#levels[market.id] ?? new Map<number, TrackedLevel>();
    this.#levels[market.id] = levels;
    const place = placeOf(side, price);
    let level = levels.get(place);
    if (level === undefined) {
      const reported = 0 as MicroShares;
      level = { market, side, price, reported, size };
      levels.set(place, level);
    }
    level.size = size;
    this.#touched.push(level);
  }

  /** Shrinking levels first: a client that follows level by level then never sees a crossed book. */
  report(reporter: LevelReporter): void {
    this.#touched.sort((a, b) => Number(a.size > a.reported) - Number(b.size > b.reported));
    for (const level of this.#touched) {
      const change = (level.size - level.reported) as MicroShares;
      level.reported = level.size;
      if (level.size === 0) this.#levels[level.market.id]?.delete(placeOf(level.side, level.price));
      // The level may be listed twice, or have its old size again.
      if (change !== 0) reporter(level, change);
    }
    this.#touched.length = 0;
  }
}

function placeOf(side: Side, price: Ticks): number {
  return side * TICKS_PER_DOLLAR + price;
}
