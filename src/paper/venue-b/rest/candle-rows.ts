// Minutes of one market, a little more than a day: the last one is still open, earlier ones are packed. A day takes 44 KB, plus its trades.
// Thread of the paper exchanges.

import type { MicroShares, Ticks } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { PackedRows } from '../../packed-rows.ts';

/** Open, low, high and close so far. */
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

/** Trades within one candle. */
interface Traded {
  /** Null without trades. */
  price: Bar | null;
  /** Σ ticks × hundredths of contracts, for the mean. */
  turnover: number;
  volume: MicroShares;
}

const MICROS_PER_CENTI = 10_000;

export class Candle implements Traded {
  /** End of the minute, in minutes since 1970; its last instant belongs to it. */
  readonly endMinute: number;
  readonly yesBid: Bar;
  readonly yesAsk: Bar;
  price: Bar | null = null;
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

/** A row: the minute, four prices of each bar, the open interest. */
const [BID_OFFSET, ASK_OFFSET, INTEREST_OFFSET, ROW_BYTES] = [4, 12, 20, 28];
const PRICE_BYTES = 2;
/** Rows that are dropped together: dropping single minutes would move all the others. */
const ROWS_PER_CHUNK = limits.paperCandlesPerMarketMax >> 4;

export class CandleRows {
  readonly #rows = new PackedRows(ROW_BYTES, ROWS_PER_CHUNK);
  /** By minute; most have no trades. */
  readonly #traded = new Map<number, Traded>();
  #last: Candle | null = null;

  get last(): Candle | null {
    return this.#last;
  }

  /** Closes the last candle. */
  open(candle: Candle): void {
    if (this.#last !== null) this.#pack(this.#last);
    this.#last = candle;
    this.#forgetOld(candle.endMinute);
  }

  /** Oldest first. */
  all(): Candle[] {
    const packed = Array.from({ length: this.#rows.count }, (_, row) => this.#unpacked(row));
    return this.#last === null ? packed : [...packed, this.#last];
  }

  /** Trades after that minute, and the last candle up to it. */
  since(minute: number): { readonly volume: MicroShares; readonly before: Candle | null } {
    const last = this.#last;
    let volume = last === null || last.endMinute <= minute ? 0 : last.volume;
    for (const [endMinute, traded] of this.#traded) if (endMinute > minute) volume += traded.volume;
    const before = last !== null && last.endMinute <= minute ? last : this.#unpackedUpTo(minute);
    return { volume: volume as MicroShares, before };
  }

  #unpackedUpTo(minute: number): Candle | null {
    let row = 0;
    while (row < this.#rows.count && this.#minuteOf(row) <= minute) row += 1;
    return row === 0 ? null : this.#unpacked(row - 1);
  }

  #pack({ endMinute, yesBid, yesAsk, price, turnover, volume, openInterest }: Candle): void {
    this.#rows.append((chunk, offset) => {
      chunk.setInt32(offset, endMinute);
      writeBar(chunk, offset + BID_OFFSET, yesBid);
      writeBar(chunk, offset + ASK_OFFSET, yesAsk);
      chunk.setFloat64(offset + INTEREST_OFFSET, openInterest);
    });
    if (price !== null) this.#traded.set(endMinute, { price, turnover, volume });
  }

  #unpacked(row: number): Candle {
    return this.#rows.at(row, (chunk, offset) => {
      const endMinute = chunk.getInt32(offset);
      const [bid, ask] = [readBar(chunk, offset + BID_OFFSET), readBar(chunk, offset + ASK_OFFSET)];
      const candle = new Candle(endMinute, bid.open, ask.open);
      candle.openInterest = chunk.getFloat64(offset + INTEREST_OFFSET) as MicroShares;
      Object.assign(candle.yesBid, bid);
      Object.assign(candle.yesAsk, ask);
      return Object.assign(candle, this.#traded.get(endMinute));
    });
  }

  #minuteOf(row: number): number {
    return this.#rows.at(row, (chunk, offset) => chunk.getInt32(offset));
  }

  /** Drops minutes older than a day, except the last of them: its quotes were still valid then. */
  #forgetOld(endMinute: number): void {
    const { paperCandlesPerMarketMax: minutesMax } = limits;
    const { count } = this.#rows;
    const isOld = count > ROWS_PER_CHUNK && this.#minuteOf(ROWS_PER_CHUNK) <= endMinute - minutesMax;
    if (!isOld && count < minutesMax + ROWS_PER_CHUNK) return;
    for (let row = 0; row < ROWS_PER_CHUNK; row += 1) this.#traded.delete(this.#minuteOf(row));
    this.#rows.forgetOldestChunk();
  }
}

function writeBar(chunk: DataView, offset: number, { open, low, high, close }: Bar): void {
  for (const [at, price] of [open, low, high, close].entries()) chunk.setUint16(offset + at * PRICE_BYTES, price);
}

function readBar(chunk: DataView, offset: number): Bar {
  const [open, low, high, close] = [0, 1, 2, 3].map(at => chunk.getUint16(offset + at * PRICE_BYTES) as Ticks);
  return Object.assign(new Bar(open!), { low, high, close });
}
