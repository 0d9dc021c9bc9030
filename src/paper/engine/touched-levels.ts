// The levels that the request at hand has changed. Each is said once, at its end, with the size that is left there.

import type { EngineEvent } from './engine-types.ts';
import type { PriceLevel } from './order-book.ts';

export class TouchedLevels {
  readonly #levels: PriceLevel[] = [];

  add(level: PriceLevel): void {
    const levels = this.#levels;
    // A sweep takes order after order from one level.
    if (levels.length === 0 || levels[levels.length - 1] !== level) levels.push(level);
  }

  flush(emit: (event: EngineEvent) => void): void {
    const levels = this.#levels;
    if (levels.length > 1) levels.sort(byPlace);
    for (let index = 0; index < levels.length; index++) {
      const level = levels[index]!;
      if (index > 0 && levels[index - 1] === level) continue;
      const { market, side, price, size } = level;
      emit({ type: 'level', market, side, price, size });
      level.forgetIfEmpty();
    }
    levels.length = 0;
  }
}

function byPlace(a: PriceLevel, b: PriceLevel): number {
  return a.market - b.market || a.side - b.side || a.price - b.price;
}
