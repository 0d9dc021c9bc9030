// What happened last on an exchange, of all markets and of each: one bound for all of it. What is forgotten among those of all markets is
// forgotten of its own market too; else each of a thousand markets would keep its own past. Pure.

import { RecordRing, type Young } from './record-ring.ts';

interface MarketRecordsOptions<T, Market> {
  /** Of all markets together. */
  readonly max: number;
  /** Stay, however many. */
  readonly young: Young;
  readonly marketOf: (record: T) => Market;
}

export class MarketRecords<T, Market> {
  readonly #marketOf: (record: T) => Market;
  readonly #all: RecordRing<T>;
  readonly #byMarket = new Map<Market, RecordRing<T>>();

  constructor({ max, young, marketOf }: MarketRecordsOptions<T, Market>) {
    this.#marketOf = marketOf;
    this.#all = new RecordRing(max, young);
  }

  push(record: T): void {
    const market = this.#marketOf(record);
    let ofMarket = this.#byMarket.get(market);
    if (ofMarket === undefined) {
      ofMarket = new RecordRing(Number.POSITIVE_INFINITY);
      this.#byMarket.set(market, ofMarket);
    }
    ofMarket.push(record);
    for (const gone of this.#all.push(record)) this.#byMarket.get(this.#marketOf(gone))?.forgetOldest(gone);
  }

  /** Of all markets, newest first. */
  all(): Iterable<T> {
    return this.#all.newestFirst();
  }

  /** Of one market, newest first. */
  of(market: Market): Iterable<T> {
    return this.#byMarket.get(market)?.newestFirst() ?? [];
  }

  /** Those of the market are found among all of them still. */
  forget(market: Market): void {
    this.#byMarket.delete(market);
  }
}
