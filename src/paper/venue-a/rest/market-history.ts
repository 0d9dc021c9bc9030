// Market history of venue A's public REST: the last trade, and the middle price of each minute for /prices-history. It
// observes the exchange. Thread of the paper exchanges.

import { MINUTE_MS } from '../../../domain/durations.ts';
import { complementTicks, TICKS_PER_DOLLAR, type Ticks, type UnixMillis } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { PackedRows } from '../../packed-rows.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex, TradeRecord, VenueAEvent } from '../records.ts';

const MINUTE_S = 60;

interface PricePoint {
  /** Unix seconds. */
  readonly at: number;
  /** Bid plus ask of the token: twice the middle, which may lie between ticks. */
  readonly bidPlusAsk: Ticks;
}

/** A row: minutes since 1970, and bid plus ask of the first token. */
const [SUM_OFFSET, ROW_BYTES] = [4, 8];
/** Rows that are dropped together. */
const ROWS_PER_CHUNK = limits.paperPriceMinutesMax >> 4;

class MarketMemory {
  lastTrade: TradeRecord | null = null;
  /** Oldest first; only minutes with a change. */
  readonly #rows = new PackedRows(ROW_BYTES, ROWS_PER_CHUNK);
  #lastMinute = -1;

  set(minute: number, sum: Ticks): void {
    if (minute !== this.#lastMinute) this.#append(minute);
    this.#rows.at(this.#rows.count - 1, (chunk, offset) => chunk.setInt32(offset + SUM_OFFSET, sum));
  }

  *minutes(): Generator<{ readonly minute: number; readonly bidPlusAsk: Ticks }> {
    for (let row = 0; row < this.#rows.count; row += 1) {
      yield this.#rows.at(row, (chunk, offset) => {
        return { minute: chunk.getInt32(offset), bidPlusAsk: chunk.getInt32(offset + SUM_OFFSET) as Ticks };
      });
    }
  }

  #append(minute: number): void {
    this.#rows.append((chunk, offset) => chunk.setInt32(offset, minute));
    this.#lastMinute = minute;
    if (this.#rows.count > limits.paperPriceMinutesMax + ROWS_PER_CHUNK) this.#rows.forgetOldestChunk();
  }
}

export class MarketHistory {
  readonly #memories = new Map<VenueAMarket, MarketMemory>();
  readonly #stop: () => void;

  constructor(exchange: Pick<VenueAExchange, 'observe'>) {
    this.#stop = exchange.observe(event => this.#take(event));
  }

  close(): void {
    this.#stop();
  }

  /** For the requested token: price, and whether its taker bought. */
  lastTrade(market: VenueAMarket, token: TokenIndex): { readonly price: Ticks; readonly isBuy: boolean } | null {
    const trade = this.#memories.get(market)?.lastTrade ?? null;
    if (trade === null) return null;
    const isOwn = trade.token === token;
    return { price: isOwn ? trade.price : complementTicks(trade.price), isBuy: trade.isBuy === isOwn };
  }

  /** The last of each `stepMinutes`, oldest first. Times in Unix seconds. */
  prices(market: VenueAMarket, token: TokenIndex, fromS: number, toS: number, stepMinutes: number): PricePoint[] {
    const points: PricePoint[] = [];
    let lastStep = -1;
    for (const { minute, bidPlusAsk: sum } of this.#memories.get(market)?.minutes() ?? []) {
      const at = minute * MINUTE_S;
      if (at < fromS - MINUTE_S || at > toS) continue;
      const step = Math.floor(minute / stepMinutes);
      if (step === lastStep) points.pop();
      points.push({ at, bidPlusAsk: token === 0 ? sum : ((2 * TICKS_PER_DOLLAR - sum) as Ticks) });
      lastStep = step;
    }
    return points;
  }

  #take(event: VenueAEvent): void {
    if (event.type === 'level') this.#setPrice(event.market, event.at);
    else if (event.type === 'trade') this.#memoryOf(event.trade.market).lastTrade = event.trade;
    else if (event.type === 'forgotten') this.#memories.delete(event.market);
  }

  #setPrice(market: VenueAMarket, at: UnixMillis): void {
    this.#memoryOf(market).set(Math.floor(at / MINUTE_MS), bidPlusAsk(market, 0));
  }

  #memoryOf(market: VenueAMarket): MarketMemory {
    let memory = this.#memories.get(market);
    if (memory === undefined) {
      memory = new MarketMemory();
      this.#memories.set(market, memory);
    }
    return memory;
  }
}

/** Best bid of a token; 0 without one. */
export function bidOf(market: VenueAMarket, token: TokenIndex): Ticks {
  if (token === 0) return market.bestBid?.price ?? (0 as Ticks);
  return complementTicks(market.bestAsk?.price ?? (TICKS_PER_DOLLAR as Ticks));
}

/** Best ask of a token; a dollar without one. */
export function askOf(market: VenueAMarket, token: TokenIndex): Ticks {
  if (token === 0) return market.bestAsk?.price ?? (TICKS_PER_DOLLAR as Ticks);
  return complementTicks(market.bestBid?.price ?? (0 as Ticks));
}

/** Twice the middle, which may lie between ticks. */
export function bidPlusAsk(market: VenueAMarket, token: TokenIndex): Ticks {
  return (bidOf(market, token) + askOf(market, token)) as Ticks;
}
