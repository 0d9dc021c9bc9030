// What a file of a recording holds, counted while it is written or read. Pure.

import { isObject, objectsOf } from '../domain/json.ts';
import { VENUES } from '../domain/market.ts';
import type { FileContents, MarketContents, RecordedEvent, RecordedMarket } from './format.ts';

type Counts = { -readonly [Name in keyof MarketContents]: MarketContents[Name] };

const COUNTED = { book: 'books', changes: 'changes', trade: 'trades', gap: 'gaps' } as const;

export class ContentsCount {
  readonly #byMarket = new Map<RecordedMarket, Counts>();

  count({ market, kind }: RecordedEvent): void {
    let counts = this.#byMarket.get(market);
    if (counts === undefined) {
      counts = { venue: market.venue, address: market.address, books: 0, changes: 0, trades: 0, gaps: 0 };
      this.#byMarket.set(market, counts);
    }
    if (kind in COUNTED) counts[COUNTED[kind as keyof typeof COUNTED]] += 1;
  }

  get markets(): readonly MarketContents[] {
    return [...this.#byMarket.values()];
  }
}

/** Null: the value is no contents of a file. */
export function contentsOf(value: unknown): FileContents | null {
  if (!isObject(value) || typeof value.endedAt !== 'number') return null;
  const markets = objectsOf(value.markets) as unknown as readonly MarketContents[];
  return markets.every(({ venue }) => VENUES.includes(venue)) ? { endedAt: value.endedAt, markets } : null;
}
