// One market of the synthetic session, of either venue: an aggregated book on which orders arrive, are cancelled and trade around a fair
// price. The book is never crossed. For tests.

import type { Ticks } from '../../../src/core/domain/numbers.ts';
import { TICKS_PER_DOLLAR } from '../../../src/core/domain/numbers.ts';
import type { Random } from '../../../src/core/runtime/random.ts';

type QuoteSide = 'bid' | 'ask';

/** One change of one level. Sizes are in hundredths of a share. */
export interface LevelChange {
  readonly side: QuoteSide;
  readonly price: Ticks;
  readonly change: number;
  readonly after: number;
  /** Whether a taker caused the change. Otherwise an order arrived or was cancelled. */
  readonly isTrade: boolean;
}

const TRADE_SHARE = 0.12;
/** The most levels of a side. The more levels a side has, the likelier is a cancel; at this number no order arrives. */
const LEVELS_MAX = 40;
/** The mean distance of a new order, in steps, from the best price that it may have. */
const MEAN_DISTANCE = 6;

export class SyntheticBook {
  readonly step: Ticks;
  readonly #levels: Readonly<Record<QuoteSide, Map<Ticks, number>>> = { bid: new Map(), ask: new Map() };

  constructor(step: Ticks) {
    this.step = step;
  }

  /** Makes the next change while the outcome is worth `fair` ticks (a real number: an opinion, not a price). */
  next(random: Random, fair: number): LevelChange {
    const stale = this.#staleSide(fair);
    if (stale !== null) return random.chance(0.7) ? this.#trade(random, stale) : this.#cancel(random, stale);
    const side: QuoteSide = random.chance(0.5) ? 'bid' : 'ask';
    const { size } = this.#levels[side];
    if (size > 0 && random.chance(TRADE_SHARE)) return this.#trade(random, side);
    if (random.chance(size / LEVELS_MAX)) return this.#cancel(random, side);
    return this.#place(random, side, fair) ?? this.#trade(random, side === 'bid' ? 'ask' : 'bid');
  }

  best(side: QuoteSide): Ticks | null {
    const prices = [...this.#levels[side].keys()];
    if (prices.length === 0) return null;
    return (side === 'bid' ? Math.max(...prices) : Math.min(...prices)) as Ticks;
  }

  /** Returns the levels of a side, by ascending price. */
  levels(side: QuoteSide): readonly (readonly [Ticks, number])[] {
    return [...this.#levels[side]].sort(([a], [b]) => a - b);
  }

  /**
   * Returns the side whose best quote is on the wrong side of the fair price. Somebody will take the quote, or its owner will cancel it.
   */
  #staleSide(fair: number): QuoteSide | null {
    const bid = this.best('bid');
    if (bid !== null && bid > fair) return 'bid';
    const ask = this.best('ask');
    return ask !== null && ask < fair ? 'ask' : null;
  }

  /** Places an order. Returns null if that side has no room. */
  #place(random: Random, side: QuoteSide, fair: number): LevelChange | null {
    const distance = Math.floor(random.exponential(MEAN_DISTANCE)) * this.step;
    const opposite = this.best(side === 'bid' ? 'ask' : 'bid');
    const [lowest, highest] = [this.step, TICKS_PER_DOLLAR - this.step];
    let price: Ticks;
    if (side === 'bid') {
      const innermost = Math.min(this.#floor(fair), (opposite ?? TICKS_PER_DOLLAR) - this.step);
      if (innermost < lowest) return null;
      price = Math.max(lowest, innermost - distance) as Ticks;
    } else {
      const innermost = Math.max(this.#floor(fair) + this.step, (opposite ?? 0) + this.step);
      if (innermost > highest) return null;
      price = Math.min(highest, innermost + distance) as Ticks;
    }
    return this.#change(side, price, orderSize(random), false);
  }

  #floor(fair: number): number {
    return Math.floor(fair / this.step) * this.step;
  }

  #cancel(random: Random, side: QuoteSide): LevelChange {
    const [price, size] = random.pick([...this.#levels[side]]);
    return this.#change(side, price, random.chance(0.6) ? -size : -(1 + random.below(size)), false);
  }

  /** Takes from the best level of a side that is not empty. */
  #trade(random: Random, side: QuoteSide): LevelChange {
    const price = this.best(side)!;
    const size = this.#levels[side].get(price)!;
    return this.#change(side, price, -Math.min(size, orderSize(random)), true);
  }

  #change(side: QuoteSide, price: Ticks, change: number, isTrade: boolean): LevelChange {
    const after = (this.#levels[side].get(price) ?? 0) + change;
    if (after > 0) this.#levels[side].set(price, after);
    else this.#levels[side].delete(price);
    return { side, price, change, after, isTrade };
  }
}

/** Draws a size: log-normal, mostly whole shares, some with hundredths. */
function orderSize(random: Random): number {
  const shares = Math.ceil(Math.exp(random.normal() * 1.2 + 3.5));
  return shares * 100 + (random.chance(0.2) ? random.below(100) : 0);
}
