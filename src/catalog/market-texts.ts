// Texts of a catalog's markets. Texts of unchanged markets are copied from the last catalog; the others are made, and not kept. Catalog
// thread.

import { unreachable } from '../core/domain/result.ts';
import type { CatalogListing, CatalogMarket } from './catalog.ts';
import type { MarketRow } from './catalog-rows.ts';
import { HOLE, type SnapshotSections } from './snapshot-layout.ts';

/** A written catalog and the rows that it was made of. */
export interface WrittenMarkets {
  readonly markets: readonly MarketRow[];
  readonly sections: SnapshotSections;
}

export class MarketTexts {
  readonly bytes: number;
  readonly #markets: readonly MarketRow[];
  readonly #last: WrittenMarkets | null;
  /** Each market's place in the last catalog, or its text. */
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

/** JSON up to the event, with a HOLE for each listing that can take orders. */
function marketText({ id, title, outcomes, line, notes }: CatalogMarket): string {
  const outcomeTexts = outcomes.map(
    it => `{"name":${JSON.stringify(it.name)},"listings":[${it.listings.map(listingText).join(',')}]}`,
  );
  const head = `{"id":${JSON.stringify(id)},"title":${JSON.stringify(title)}`;
  const lineText = line === null ? '' : `,"line":${JSON.stringify(line)}`;
  const notesText = notes.length === 0 ? '' : `,"notes":${JSON.stringify(notes)}`;
  return `${head},"outcomes":[${outcomeTexts.join(',')}]${lineText}${notesText}`;
}

function listingText({ route }: CatalogListing): string {
  switch (route.venue) {
    case 'venue_a':
      return `{"venue":"VENUE_A","tokenId":"${route.tokenId}","executable":${HOLE}}`;
    case 'venue_b':
      return `{"venue":"VENUE_B","ticker":"${route.ticker}","side":"${route.side}","executable":${HOLE}}`;
    case 'venue_c':
      return `{"venue":"VENUE_C","strikeId":"${route.strikeId}","executable":false}`;
    default:
      return unreachable(route);
  }
}
