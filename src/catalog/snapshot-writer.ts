// Writes catalogs into two shared memories in turn. So readers of the last catalog are not disturbed while the next one is written. A
// slower reader learns by `generation` that its catalog is overwritten. A memory is replaced only when a catalog outgrows it: shared memory
// is freed only when the garbage collectors of all its threads run. Catalog thread.

import { VENUES } from '../core/domain/market.ts';
import type { CatalogSnapshot } from '../core/domain/operation.ts';
import { unreachable } from '../core/domain/result.ts';
import { type CatalogListing, type CatalogMarket, isTraded } from './catalog.ts';
import type { CatalogRows, EventRow, MarketRow } from './catalog-rows.ts';
import {
  HOLE,
  NO_EVENT,
  NO_GENERATION,
  type SnapshotCounts,
  type SnapshotSections,
  sectionsOf,
  setCounts,
  setGeneration,
  snapshotBytes,
} from './snapshot-layout.ts';

/** The factor of spare room, so that a longer list does not need new memory every time. */
const ROOM_FACTOR = 1.125;

export class SnapshotWriter {
  #memories: readonly [SharedArrayBuffer, SharedArrayBuffer] = [new SharedArrayBuffer(0), new SharedArrayBuffer(0)];
  #generation = NO_GENERATION;
  #last: WrittenMarkets | null = null;

  write(rows: CatalogRows): CatalogSnapshot {
    const { events, markets } = rows;
    const { wordTexts, wordStart, firstPosting, postings } = rows.words;
    const index = indexEvents(rows);
    const texts = new MarketTexts(markets, this.#last);
    const counts: SnapshotCounts = {
      markets: markets.length,
      listings: sum(markets, ({ listingCount }) => listingCount),
      words: wordStart.length - 1,
      postings: postings.length,
      events: events.length,
      eventMarkets: index.marketList.length,
      names: index.names.length,
      idBytes: sum(markets, ({ market }) => market.id.length),
      textBytes: texts.bytes,
      wordBytes: wordTexts.length,
      eventIdBytes: sum(events, ({ id }) => id.length),
      eventTextBytes: sum(events, ({ textBytes }) => textBytes),
      nameBytes: sum(index.names, name => name.length),
    };
    const memory = this.#takeMemory(snapshotBytes(counts));
    setCounts(memory, counts);
    const sections = sectionsOf(memory);
    sections.wordStart.set(wordStart);
    sections.wordTexts.set(wordTexts);
    sections.firstPosting.set(firstPosting);
    sections.postingList.set(postings);
    texts.write(sections);
    writeMarkets(markets, sections);
    writeEvents(events, index, sections);
    this.#last = { markets, sections };
    this.#generation += 1;
    setGeneration(memory, this.#generation);
    return { memory, generation: this.#generation };
  }

  /** Returns the memory of the catalog before the last one, and marks it as being written. */
  #takeMemory(bytes: number): SharedArrayBuffer {
    const [last, other] = this.#memories;
    const memory = other.byteLength >= bytes ? other : new SharedArrayBuffer(Math.ceil(bytes * ROOM_FACTOR));
    this.#memories = [memory, last];
    setGeneration(memory, NO_GENERATION);
    return memory;
  }
}

function writeMarkets(markets: readonly MarketRow[], sections: SnapshotSections): void {
  writeTexts(markets, ({ market }) => market.id, sections.idStart, sections.ids);
  const { firstListing, opensAt, closesAt, venues } = sections;
  let at = 0;
  for (let place = 0; place < markets.length; place++) {
    firstListing[place] = at;
    for (const { listings } of markets[place]!.market.outcomes) {
      for (const listing of listings) {
        if (!isTraded(listing)) continue;
        opensAt[at] = listing.opensAt;
        closesAt[at] = listing.closesAt;
        venues[at] = VENUES.indexOf(listing.route.venue);
        at += 1;
      }
    }
  }
  firstListing[markets.length] = at;
}

function writeEvents(events: readonly EventRow[], index: EventIndex, sections: SnapshotSections): void {
  writeTexts(events, ({ id }) => id, sections.eventIdStart, sections.eventIds);
  writeTexts(events, ({ text }) => text, sections.eventStart, sections.eventTexts);
  writeTexts(index.names, name => name, sections.nameStart, sections.names);
  sections.named.set(index.named);
  sections.eventOf.set(index.eventOf);
  sections.firstMarket.set(index.firstMarket);
  sections.marketList.set(index.marketList);
  for (const [place, { startsAt, competition, isOver }] of events.entries()) {
    sections.startsAt[place] = startsAt;
    sections.competitions[place] = competition;
    sections.isOver[place] = Number(isOver);
  }
}

function writeTexts<Row>(rows: readonly Row[], textOf: (row: Row) => string, starts: Uint32Array, to: Buffer): void {
  let end = 0;
  for (let place = 0; place < rows.length; place++) {
    starts[place] = end;
    end += to.write(textOf(rows[place]!), end);
  }
  starts[rows.length] = end;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

interface EventIndex {
  /** The event of each market. */
  readonly eventOf: Uint32Array;
  /** The start of each event's markets in `marketList`, and the end of the last event's. */
  readonly firstMarket: Uint32Array;
  readonly marketList: Uint32Array;
  /** The ids that events have or had, in order, and in `named` the event of each id. */
  readonly names: readonly string[];
  readonly named: Uint32Array;
}

function indexEvents({ events, markets, lostIds }: CatalogRows): EventIndex {
  const places = new Map(events.map(({ id }, place) => [id, place]));
  const eventOf = Uint32Array.from(
    markets,
    ({ market: { eventId } }) => (eventId === null ? null : places.get(eventId)) ?? NO_EVENT,
  );
  const inEvents = eventOf.filter(event => event !== NO_EVENT);
  const firstMarket = new Uint32Array(events.length + 1);
  for (const event of inEvents) firstMarket[event + 1]! += 1;
  for (let event = 0; event < events.length; event++) firstMarket[event + 1]! += firstMarket[event]!;
  const next = firstMarket.slice();
  const marketList = new Uint32Array(inEvents.length);
  for (let market = 0; market < eventOf.length; market++) {
    const event = eventOf[market]!;
    if (event === NO_EVENT) continue;
    marketList[next[event]!] = market;
    next[event]! += 1;
  }
  // A lost id leads to an event of this catalog, or to an event that is gone.
  const lost = lostIds.filter(([, current]) => places.has(current));
  const byName = new Map([...lost.map(([id, current]) => [id, places.get(current)!] as const), ...places]);
  const names = [...byName.keys()].sort();
  return { eventOf, firstMarket, marketList, names, named: Uint32Array.from(names, name => byName.get(name)!) };
}

/** A written catalog and the rows that it was made of. */
interface WrittenMarkets {
  readonly markets: readonly MarketRow[];
  readonly sections: SnapshotSections;
}

/** The texts of markets. Texts of unchanged markets are copied from the last catalog. All others are made, and not kept as strings. */
class MarketTexts {
  readonly bytes: number;
  readonly #markets: readonly MarketRow[];
  readonly #last: WrittenMarkets | null;
  /** For each market its place in the last catalog, or its text. */
  readonly #sources: readonly (number | string)[];

  /** Both lists must be sorted by id. */
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

/** Returns the market's JSON up to the event, with a HOLE for each listing that can take orders. */
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
    case 'venue_a': {
      const no = route.noTokenId === undefined ? '' : `,"noTokenId":"${route.noTokenId}"`;
      return `{"venue":"VENUE_A","tokenId":"${route.tokenId}"${no},"executable":${HOLE}}`;
    }
    case 'venue_b':
      return `{"venue":"VENUE_B","ticker":"${route.ticker}","side":"${route.side}","executable":${HOLE}}`;
    case 'venue_c':
      return `{"venue":"VENUE_C","strikeId":"${route.strikeId}","executable":false}`;
    default:
      return unreachable(route);
  }
}
