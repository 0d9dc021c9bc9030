// Candles of each market by minute: best quotes, prices and contracts traded. Kept for a little more than a day, because the
// market object looks a day back. Observes the exchange. Thread of the paper exchanges.

import { MINUTE_MS } from '../../../domain/durations.ts';
import type { Ticks, UnixMillis } from '../../../domain/numbers.ts';
import type { VenueBMarket } from '../market.ts';
import type { VenueBEvent } from '../records.ts';
import { Candle, CandleRows } from './candle-rows.ts';

/** Price of an empty side, as in the market object. */
const NO_BID = 0 as Ticks;
const NO_ASK = 10_000 as Ticks;

export class MarketCandles {
  readonly #byMarket = new Map<VenueBMarket, CandleRows>();

  readonly hear = (event: VenueBEvent): void => {
    if (event.type === 'forgotten') this.#byMarket.delete(event.market);
    else if (event.type === 'level') this.#current(event.market, event.at);
    else if (event.type === 'trade') {
      const { market, at, price, size } = event.trade;
      this.#current(market, at).trade(price, size);
    }
  };

  /** Oldest first; without minutes that have no change. */
  of(market: VenueBMarket): readonly Candle[] {
    return this.#byMarket.get(market)?.all() ?? [];
  }

  /** Trades after that minute, and the last candle up to it. */
  since(market: VenueBMarket, minute: number): ReturnType<CandleRows['since']> {
    return (this.#byMarket.get(market) ?? new CandleRows()).since(minute);
  }

  /** The candle of that time, with the present quotes. */
  #current(market: VenueBMarket, at: UnixMillis): Candle {
    let rows = this.#byMarket.get(market);
    if (rows === undefined) {
      rows = new CandleRows();
      this.#byMarket.set(market, rows);
    }
    const bid = market.bestBid?.price ?? NO_BID;
    const ask = market.bestAsk?.price ?? NO_ASK;
    const endMinute = Math.ceil(at / MINUTE_MS);
    let candle = rows.last;
    if (candle?.endMinute !== endMinute) {
      // Quotes open at their last values.
      candle = new Candle(endMinute, candle?.yesBid.close ?? bid, candle?.yesAsk.close ?? ask);
      rows.open(candle);
    }
    candle.yesBid.add(bid);
    candle.yesAsk.add(ask);
    candle.openInterest = market.openInterest;
    return candle;
  }
}

/** Merges candles of minutes into whole periods. */
export function merged(candles: readonly Candle[], periodMinutes: number): readonly Candle[] {
  const periods: Candle[] = [];
  for (const candle of candles) {
    const endMinute = Math.ceil(candle.endMinute / periodMinutes) * periodMinutes;
    let period = periods.at(-1);
    if (period?.endMinute !== endMinute) {
      period = new Candle(endMinute, candle.yesBid.open, candle.yesAsk.open);
      periods.push(period);
    }
    period.join(candle);
  }
  return periods;
}
