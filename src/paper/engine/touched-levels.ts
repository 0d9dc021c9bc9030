// The levels that the current request has changed. Each is reported once, at its end, with its final size.

import type { EngineEvent } from './engine-types.ts';
import type { Order } from './order.ts';
import type { PriceLevel } from './order-book.ts';

export class TouchedLevels {
  readonly #levels: PriceLevel<Order>[] = [];

  add(level: PriceLevel<Order>): void {
    const levels = this.#levels;
    // A sweep changes the same level order by order.
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

function byPlace(a: PriceLevel<Order>, b: PriceLevel<Order>): number {
  return a.market - b.market || a.side - b.side || a.price - b.price;
}
