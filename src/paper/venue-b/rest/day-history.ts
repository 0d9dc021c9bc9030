// Each market's last day by the hour. The market object states its volume, and the quotes and price of a day ago. Observes the exchange.
// Thread of the paper exchanges.

import { HOUR_MS } from '../../../core/domain/durations.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import type { VenueBMarket } from '../market.ts';
import type { VenueBEvent } from '../records.ts';

const DAY_HOURS = 24;
const ZERO = 0 as Ticks;

/** One hour: its volume, and the quotes at its end. */
interface Hour {
  readonly hour: number;
  yesBid: Ticks;
  yesAsk: Ticks;
  price: Ticks;
  volume: MicroShares;
}

interface LastDay {
  readonly volume: MicroShares;
  /** The quotes a day ago; null if the market was not listed then. */
  readonly before: Pick<Hour, 'yesBid' | 'yesAsk' | 'price'> | null;
}

export class DayHistory {
  /** Oldest first; without hours that have no change. */
  readonly #byMarket = new Map<VenueBMarket, Hour[]>();

  readonly hear = (event: VenueBEvent): void => {
    if (event.type === 'forgotten') this.#byMarket.delete(event.market);
    else if (event.type === 'level') this.#current(event.market, event.at);
    else if (event.type === 'trade') {
      const { market, at, price, size } = event.trade;
      const hour = this.#current(market, at);
      hour.price = price;
      hour.volume = (hour.volume + size) as MicroShares;
    }
  };

  lastDay(market: VenueBMarket, now: UnixMillis): LastDay {
    const start = hourOf(now) - DAY_HOURS;
    const hours = this.#byMarket.get(market) ?? [];
    const volume = hours.reduce((sum, it) => (it.hour > start ? sum + it.volume : sum), 0) as MicroShares;
    return { volume, before: hours.findLast(it => it.hour <= start) ?? null };
  }

  /** The hour of that time, with the present quotes. */
  #current(market: VenueBMarket, at: UnixMillis): Hour {
    const hours = this.#byMarket.get(market) ?? [];
    if (hours.length === 0) this.#byMarket.set(market, hours);
    const hour = hourOf(at);
    let current = hours.at(-1);
    if (current?.hour !== hour) {
      current = { hour, yesBid: ZERO, yesAsk: ZERO, price: current?.price ?? ZERO, volume: 0 as MicroShares };
      hours.push(current);
      // The last hour before the day stays: its quotes still stood at the start of the day.
      while (hours.length > 1 && hours[1]!.hour <= hour - DAY_HOURS) hours.shift();
    }
    current.yesBid = market.bestBid?.price ?? ZERO;
    current.yesAsk = market.bestAsk?.price ?? ZERO;
    return current;
  }
}

function hourOf(at: UnixMillis): number {
  return Math.floor(at / HOUR_MS);
}
