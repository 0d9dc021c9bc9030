// What happened in each market, minute by minute: quotes at the top of its book, prices and contracts traded. Kept for a
// little more than a day, because the market object looks a day back. Listens to the exchange. Thread of the paper exchanges.

import { MINUTE_MS } from '../../../domain/durations.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import type { VenueBMarket } from '../market.ts';
import type { VenueBEvent } from '../records.ts';

const MICROS_PER_CENTI = 10_000;
/** An empty side, as the market object shows it. */
const NO_BID = 0 as Ticks;
const NO_ASK = 10_000 as Ticks;

/** Open, low, high and close of what came so far. */
export class Bar {
  readonly open: Ticks;
  low: Ticks;
  high: Ticks;
  close: Ticks;

  constructor(open: Ticks) {
    this.open = open;
    this.low = open;
    this.high = open;
    this.close = open;
  }

  add(value: Ticks): void {
    if (value < this.low) this.low = value;
    if (value > this.high) this.high = value;
    this.close = value;
  }

  join(later: Bar): void {
    this.add(later.low);
    this.add(later.high);
    this.close = later.close;
  }
}

export class Candle {
  /** Its end, in minutes since 1970: what happens at the very end of a minute is within it. */
  readonly endMinute: number;
  readonly yesBid: Bar;
  readonly yesAsk: Bar;
  /** Null: nothing traded. */
  price: Bar | null = null;
  /** Σ ticks × hundredths of contracts, for the mean. */
  turnover = 0;
  volume = 0 as MicroShares;
  openInterest = 0 as MicroShares;

  constructor(endMinute: number, bid: Ticks, ask: Ticks) {
    this.endMinute = endMinute;
    this.yesBid = new Bar(bid);
    this.yesAsk = new Bar(ask);
  }

  trade(price: Ticks, size: MicroShares): void {
    if (this.price === null) this.price = new Bar(price);
    else this.price.add(price);
    this.turnover += (price * size) / MICROS_PER_CENTI;
    this.volume = (this.volume + size) as MicroShares;
  }

  get mean(): Ticks {
    return Math.round((this.turnover * MICROS_PER_CENTI) / this.volume) as Ticks;
  }

  join(later: Candle): void {
    this.yesBid.join(later.yesBid);
    this.yesAsk.join(later.yesAsk);
    if (later.price !== null) {
      this.price ??= new Bar(later.price.open);
      this.price.join(later.price);
    }
    this.turnover += later.turnover;
    this.volume = (this.volume + later.volume) as MicroShares;
    this.openInterest = later.openInterest;
  }
}

export class MarketCandles {
  readonly #byMarket = new Map<VenueBMarket, Candle[]>();

  readonly hear = (event: VenueBEvent): void => {
    if (event.type === 'forgotten') this.#byMarket.delete(event.market);
    else if (event.type === 'level') this.#current(event.market, event.at);
    else if (event.type === 'trade') {
      const { market, at, price, size } = event.trade;
      this.#current(market, at).trade(price, size);
    }
  };

  /** Oldest first; minutes in which nothing happened are not among them. */
  of(market: VenueBMarket): readonly Candle[] {
    return this.#byMarket.get(market) ?? [];
  }

  /** The candle of that time, with the quotes of now. */
  #current(market: VenueBMarket, at: UnixMillis): Candle {
    let candles = this.#byMarket.get(market);
    if (candles === undefined) {
      candles = [];
      this.#byMarket.set(market, candles);
    }
    const bid = market.bestBid?.price ?? NO_BID;
    const ask = market.bestAsk?.price ?? NO_ASK;
    const endMinute = Math.ceil(at / MINUTE_MS);
    let candle = candles.at(-1);
    if (candle?.endMinute !== endMinute) {
      // Quotes open where they stood.
      candle = new Candle(endMinute, candle?.yesBid.close ?? bid, candle?.yesAsk.close ?? ask);
      candles.push(candle);
      forgetOld(candles, endMinute);
    }
    candle.yesBid.add(bid);
    candle.yesAsk.add(ask);
    candle.openInterest = market.openInterest;
    return candle;
  }
}

/** What is older than a day goes; of what is older the last stays, since its quotes stood then. */
function forgetOld(candles: Candle[], endMinute: number): void {
  const { paperCandlesPerMarketMax: minutesMax } = limits;
  // In pieces: cutting off one at a time would move all the others each minute.
  const piece = minutesMax >> 4;
  const isOld = (candles[piece]?.endMinute ?? endMinute) <= endMinute - minutesMax;
  if (isOld || candles.length > minutesMax + piece) candles.splice(0, piece);
}

/** Candles of whole periods out of those of minutes. */
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
