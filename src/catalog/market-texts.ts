// Texts of a catalog's markets. Texts of unchanged markets are copied from the last catalog; the others are made, and not kept. Catalog
// thread.

import type { MarketRow } from './catalog-rows.ts';
import { marketText } from './market-text.ts';
import type { SnapshotSections } from './snapshot-layout.ts';

/** A written catalog and the rows that it was made of. */
export interface WrittenMarkets {
  readonly markets: readonly MarketRow[];
  readonly sections: SnapshotSections;
}

export class MarketTexts {
  readonly bytes: number;
  readonly #markets: readonly MarketRow[];
  readonly #last: WrittenMarkets | null;
  /** For each market its place in the last catalog, or its text. */
  readonly #sources: readonly (number | string)[];

  /** Both lists are sorted by id. */
  constructor(markets: readonly MarketRow[], last: WrittenMarkets | null) {
    this.#markets = markets;
    this.#last = last;
    this.#sources = sourcesOf(markets, last?.markets ?? []);
    this.bytes = this.#sources.reduce<number>((sum, source) => sum + this.#bytesOf(source), 0);
  }

  write({ textStart, texts }: SnapshotSections): void {
    let end = 0;
    for (let place = 0; place < this.#sources.length; place++) {
      const source = this.#sources[place]!;
      textStart[place] = end;
      end += typeof source === 'string' ? texts.write(source, end) : this.#copy(source, texts, end);
    }
    textStart[this.#markets.length] = end;
  }

  #bytesOf(source: number | string): number {
    if (typeof source === 'string') return Buffer.byteLength(source);
    const { textStart } = this.#last!.sections;
    return textStart[source + 1]! - textStart[source]!;
  }

  #copy(place: number, to: Buffer, at: number): number {
    const { texts, textStart } = this.#last!.sections;
    return texts.copy(to, at, textStart[place]!, textStart[place + 1]!);
  }
}

function sourcesOf(markets: readonly MarketRow[], last: readonly MarketRow[]): readonly (number | string)[] {
  let at = 0;
  return markets.map(row => {
    while (at < last.length && last[at]!.market.id < row.market.id) at += 1;
    return last[at] === row ? at : marketText(row.market);
  });
}
