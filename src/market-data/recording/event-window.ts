// Cuts out the part of a recording between two times, for some markets. Earlier events are applied to books, so that the part begins with
// the whole book of each market, as every recording does. Pure.

import { ASK, BID, type Level, type Side } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { RecordedBook, RecordedEvent, RecordedMarket } from './format.ts';

interface Window {
  /** Events before this time are left out. Null means no bound. */
  readonly from: UnixMillis | null;
  /** Events at this time or later are left out. Null means no bound. */
  readonly to: UnixMillis | null;
  readonly has: (market: RecordedMarket) => boolean;
}

/**
 * Returns the events within the window. An event may be earlier than the one before it, because a file of the recording may begin before
 * another ends.
 */
export function* eventsIn(events: Iterable<RecordedEvent>, { from, to, has }: Window): Generator<RecordedEvent> {
  const before = new Map<RecordedMarket, Folded>();
  let hasBegun = false;
  for (const event of events) {
    if ((to !== null && event.at >= to) || !has(event.market)) continue;
    if (from !== null && event.at < from) {
      fold(before, event);
      if (hasBegun && (event.kind === 'gap' || event.kind === 'end')) yield { ...event, at: from };
      continue;
    }
    if (from !== null) yield* openings(before, from);
    before.clear();
    hasBegun = true;
    yield event;
  }
  // If the window has no event, the books are still returned.
  if (from !== null) yield* openings(before, from);
}

interface Folded {
  /** State, position and times of the book; its levels are in `sides`. */
  book: RecordedBook;
  readonly sides: readonly [Map<Ticks, MicroShares>, Map<Ticks, MicroShares>];
}

/** Applies an event to the books. A market's book is known from its first whole book until a gap or the market's end. */
function fold(books: Map<RecordedMarket, Folded>, event: RecordedEvent): void {
  const { market } = event;
  if (event.kind === 'gap' || event.kind === 'end') books.delete(market);
  else if (event.kind === 'book') books.set(market, { book: event, sides: [sizesOf(event.bids), sizesOf(event.asks)] });
  const known = books.get(market);
  if (known === undefined) return;
  const { book, sides } = known;
  if (event.kind === 'changes') {
    for (const { side, price, size } of event.changes) {
      if (size === 0) sides[side].delete(price);
      else sides[side].set(price, size);
    }
    const { epoch, seq, venueTime, receivedAt, checksum } = event;
    known.book = { ...book, epoch, seq, venueTime, receivedAt, checksum };
  } else if (event.kind === 'trade') known.book = { ...book, lastTrade: event.price };
  else if (event.kind === 'state') {
    const { state, reason } = event;
    const isEmptied = state === 'RESYNCING';
    if (isEmptied) for (const sizes of sides) sizes.clear();
    known.book = { ...book, state, reason, ...(isEmptied ? { checksum: 0 } : {}) };
  }
}

function* openings(books: Map<RecordedMarket, Folded>, at: UnixMillis): Generator<RecordedEvent> {
  for (const [market, { book, sides }] of books) {
    yield { kind: 'gap', market, at, why: 'START' };
    yield { ...book, market, at, bids: levelsOf(sides[BID], BID), asks: levelsOf(sides[ASK], ASK) };
  }
}

function sizesOf(levels: readonly Level[]): Map<Ticks, MicroShares> {
  return new Map(levels.map(({ price, size }) => [price, size]));
}

/** Returns the levels, best first. */
function levelsOf(sizes: ReadonlyMap<Ticks, MicroShares>, side: Side): Level[] {
  const sorted = [...sizes].sort(([a], [b]) => (side === BID ? b - a : a - b));
  return sorted.map(([price, size]) => ({ price, size }));
}
