// The book of a market without trading, with moving prices: a random walk in steps of half a second, computed when read. The same seed
// gives the same walk from the start. Also ids of tokens. Thread of the paper exchanges.

import { createHash } from 'node:crypto';
import {
  MICROS_PER_SHARE,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';

/** Sides that have orders. */
export type Sides = 'both' | 'bids' | 'asks' | 'none';

export interface SideLevel {
  readonly price: Ticks;
  readonly size: MicroShares;
}

/** Levels of YES, best first. */
interface SideBook {
  readonly bids: readonly SideLevel[];
  readonly asks: readonly SideLevel[];
}

/** Both venues quote in tenths of a cent. */
const GRID_TICKS = 10;
const PRICE_MIN = 50;
const STEP_MS = 500;
/** Maximum steps to catch up; more would make no visible difference. */
const STEPS_MAX = 1_000;
const LEVELS = 5;
const SHARES_MAX = 500;
const HALF_SPREADS = [1, 1, 2, 2, 3, 5];

export class LivingBook {
  readonly #random: Random;
  readonly #timers: Timers;
  readonly #sides: Sides;
  #centre: Ticks;
  #halfSpread = 1;
  #steppedAt: number;

  /** `centre` is the initial price. */
  constructor(seed: number, timers: Timers, centre: Ticks, sides: Sides) {
    this.#random = new Random(seed);
    this.#timers = timers;
    this.#centre = centre;
    this.#sides = sides;
    this.#steppedAt = timers.now();
  }

  /** The middle of both sides. */
  get centre(): Ticks {
    this.#step(this.#timers.now());
    return this.#centre;
  }

  get book(): SideBook {
    this.#step(this.#timers.now());
    return {
      bids: this.#sides === 'both' || this.#sides === 'bids' ? this.#levels(-1) : [],
      asks: this.#sides === 'both' || this.#sides === 'asks' ? this.#levels(1) : [],
    };
  }

  #step(now: UnixMillis): void {
    const steps = Math.floor((now - this.#steppedAt) / STEP_MS);
    this.#steppedAt += Math.max(0, steps) * STEP_MS;
    for (let step = 0; step < Math.min(steps, STEPS_MAX); step += 1) {
      const moved = this.#centre + (this.#random.below(3) - 1) * GRID_TICKS;
      this.#centre = Math.min(Math.max(moved, PRICE_MIN), TICKS_PER_DOLLAR - PRICE_MIN) as Ticks;
      this.#halfSpread = this.#random.pick(HALF_SPREADS);
    }
  }

  #levels(direction: 1 | -1): SideLevel[] {
    const levels: SideLevel[] = [];
    for (let index = 0; index < LEVELS; index += 1) {
      const price = (this.#centre + direction * GRID_TICKS * (this.#halfSpread + index)) as Ticks;
      // Sizes depend on prices alone, so that an unchanged level keeps its size.
      const shares = 1 + ((price * 7_919) % SHARES_MAX);
      if (price > 0 && price < TICKS_PER_DOLLAR)
        levels.push({ price, size: (shares * MICROS_PER_SHARE) as MicroShares });
    }
    return levels;
  }
}

/** Id of an outcome token, 256 bits in decimal as on a chain; determined by the name. */
export function tokenIdOf(name: string): string {
  return BigInt(`0x${createHash('sha256').update(name).digest('hex')}`).toString();
}
