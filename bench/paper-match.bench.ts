// The matching engine of the paper exchanges: 60 % resting orders, 30 % cancels, 10 % crossing orders that take about three resting orders. The
// requests come from many accounts in many markets. The engine's naive twin gets the same requests. Only effective requests count: a cancel that
// comes too late is repeated with another order.

import { BID, type Side } from '../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../src/core/domain/numbers.ts';
import { Engine } from '../src/paper/engine/engine.ts';
import type {
  AccountId,
  EngineEvent,
  FeeSchedule,
  MarketId,
  NewOrder,
  OrderId,
} from '../src/paper/engine/engine-types.ts';
import { NaiveExchange } from '../test/support/naive-exchange.ts';
import {
  alternate,
  type BenchRow,
  type BenchSuite,
  measure,
  median,
  randomNumbers,
  timesLess,
  type Work,
} from './harness.ts';

type Exchange = Pick<Engine, 'addAccount' | 'addMarket' | 'place' | 'cancel'>;

/** The number of accounts and markets, and of resting orders in each market. */
interface Scene {
  readonly accounts: number;
  readonly markets: number;
  readonly depth: number;
}

const CENT = 100;
const CONTRACT = 1_000_000;
const NOW = 1_780_000_000_000 as UnixMillis;
const PLACES_IN_100 = 60;
const CANCELS_IN_100 = 30;

export const suite: BenchSuite = {
  name: 'paper/match',
  async run(options) {
    const small = options.smoke ? { accounts: 5, markets: 2, depth: 10 } : { accounts: 50, markets: 20, depth: 50 };
    const large = options.smoke ? { accounts: 5, markets: 20, depth: 10 } : { accounts: 200, markets: 500, depth: 50 };
    const [ours, naive] = alternate(
      [requests(small, emit => new Engine({ emit })), requests(small, emit => new NaiveExchange({ emit }))],
      options,
    ) as [number[], number[]];
    const ratio = timesLess(ours, naive);
    const alone = measure(
      requests(large, emit => new Engine({ emit })),
      options,
    );
    return [row('', median(ours), ratio), row('-500-markets', alone, null)];
  },
};

function row(suffix: string, ns: number, ratio: number | null): BenchRow {
  const baseline = ratio === null ? '' : 'naive twin';
  return { name: `paper/match${suffix}`, value: 1e3 / ns, unit: 'M ops/s', baseline, ratio };
}

/** Returns an exchange with full books, and a stream of requests that keeps them full. */
function requests(scene: Scene, open: (emit: (event: EngineEvent) => void) => Exchange): Work {
  let sum = 0;
  const exchange = open(event => {
    sum += event.type === 'fill' ? 2 : 1;
  });
  const bot = new Bot(exchange, scene);
  while (bot.orderCount < scene.markets * scene.depth) bot.place();
  return times => {
    for (let done = 0; done < times; done++) bot.act();
    return sum;
  };
}

/** All callers in one object. It places orders around the middle of each market, cancels, and crosses. */
class Bot {
  readonly #exchange: Exchange;
  readonly #scene: Scene;
  readonly #random = randomNumbers(0x5eed);
  /** The orders that were left resting. Some have been filled since. */
  readonly #orders: OrderId[] = [];
  readonly #owners: AccountId[] = [];

  constructor(exchange: Exchange, scene: Scene) {
    this.#exchange = exchange;
    this.#scene = scene;
    const spec = { isOnGrid: (price: Ticks) => price % CENT === 0, sizeStep: 10_000 as MicroShares, fees: linearFees };
    for (let index = 0; index < scene.accounts; index++) exchange.addAccount(1e12 as MicroDollars);
    for (let index = 0; index < scene.markets; index++) exchange.addMarket(spec);
  }

  get orderCount(): number {
    return this.#orders.length;
  }

  act(): void {
    const dice = this.#below(100);
    const isThin = this.#orders.length < (this.#scene.markets * this.#scene.depth) / 2;
    if (dice < PLACES_IN_100 || isThin) this.place();
    else if (dice < PLACES_IN_100 + CANCELS_IN_100) this.#cancel();
    else this.#cross();
  }

  /** Places an order, mostly near the best price and never across it. */
  place(): void {
    const side = this.#below(2) as Side;
    const market = this.#below(this.#scene.markets) as MarketId;
    const away = 1 + Math.min(15, Math.floor(-Math.log(1 - this.#random()) * 4));
    this.#send(market, side, middleOf(market) + (side === BID ? -away : away), 1 + this.#below(100), 'GTC');
  }

  #cross(): void {
    const side = this.#below(2) as Side;
    const market = this.#below(this.#scene.markets) as MarketId;
    this.#send(market, side, middleOf(market) + (side === BID ? 16 : -16), 101 + this.#below(100), 'IOC');
  }

  #cancel(): void {
    for (let isDone = false; !isDone && this.#orders.length > 0; ) {
      const at = this.#below(this.#orders.length);
      isDone = this.#exchange.cancel(this.#owners[at]!, this.#orders[at]!, NOW).ok;
      const [order, owner] = [this.#orders.pop()!, this.#owners.pop()!];
      if (at === this.#orders.length) continue;
      this.#orders[at] = order;
      this.#owners[at] = owner;
    }
  }

  #send(market: MarketId, side: Side, cents: number, contracts: number, type: 'GTC' | 'IOC'): void {
    const account = this.#below(this.#scene.accounts) as AccountId;
    const order: NewOrder = {
      account,
      market,
      side,
      effect: 'net',
      price: (cents * CENT) as Ticks,
      size: (contracts * CONTRACT) as MicroShares,
      timeInForce: { type },
      postOnly: false,
      reduceOnly: false,
      selfTrade: 'maker',
    };
    const placed = this.#exchange.place(order, NOW);
    if (!placed.ok) throw new Error(`the workload is refused: ${placed.error}`);
    if (placed.value.resting === 0) return;
    this.#orders.push(placed.value.order);
    this.#owners.push(account);
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }
}

/** Returns the middle in cents. */
function middleOf(market: MarketId): number {
  return 20 + ((market * 7) % 60);
}

/** The fees, which are 2 % for takers. */
const linearFees: FeeSchedule = {
  maxCharge: (_price, size) => Math.floor(size / 50) as MicroDollars,
  meter: () => ({
    charge: (role, _price, size) => (role === 'taker' ? Math.floor(size / 50) : 0) as MicroDollars,
  }),
};
