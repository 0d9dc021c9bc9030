// Recent records of an exchange, of all markets and by market, under one bound. A record that leaves the common list leaves its market's
// list too: else each of a thousand markets would keep a past of its own. Pure.

import { RecordRing, type Young } from './record-ring.ts';

interface MarketRecordsOptions<T, Market> {
  /** Of all markets together. */
  readonly max: number;
  /** Records of this age or younger stay, however many. */
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

  /** Records of the market that are still in the common list. */
  forget(market: Market): void {
    this.#byMarket.delete(market);
  }
}
