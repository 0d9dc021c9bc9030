// Random traffic of two users at venue B's exchange, seeded: orders that rest and that cross, cancels, decreases.

import { Random } from '../../../src/core/runtime/random.ts';
import { micros } from '../../support/amounts.ts';
import { BOSTON, LAKERS, type MarketRig, ownerOf, TOTAL } from './market-rig.ts';

export const TICKERS = [BOSTON, LAKERS, TOTAL] as const;
const OWNERS = [ownerOf('alice'), ownerOf('alice', 1), ownerOf('bob')] as const;

export class RandomTraffic {
  readonly #rig: MarketRig;
  readonly random: Random;
  readonly #orders: { readonly owner: (typeof OWNERS)[number]; readonly id: string }[] = [];

  constructor(rig: MarketRig, seed: number) {
    this.#rig = rig;
    this.random = new Random(seed);
  }

  step(): void {
    const { random } = this;
    const order = this.#orders.length > 0 ? random.pick(this.#orders) : null;
    if (order === null || random.chance(0.6)) this.#place();
    // A cancel of an ended order is refused, which is as useful a step.
    else if (random.chance(0.7)) this.#rig.exchange.orders.cancel(order.owner, order.id);
    else this.#rig.exchange.orders.decrease(order.owner, order.id, { by: micros('0.5') });
  }

  #place(): void {
    const { random } = this;
    const owner = random.pick(OWNERS);
    const cents = 30 + random.below(40);
    const { order } = this.#rig.place({
      who: owner,
      ticker: random.pick(TICKERS),
      side: random.chance(0.5) ? 'buy' : 'sell',
      price: `0.${cents}`,
      count: `${1 + random.below(9)}.${random.below(10)}0`,
    });
    this.#orders.push({ owner, id: order.orderId });
  }
}
