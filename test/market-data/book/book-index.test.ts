// The index of books against a Map. The markets hash to neighbouring places, so that entries collide, move when one leaves, and wrap around
// the end of the table.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BookId, COMPLEMENT, PRIMARY, type View } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { BookIndexReader, homeOf, indexKey } from '../../../src/market-data/book/book-index.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf } from '../../../src/market-data/book/memory.ts';

const VENUE = 'venue_a';
const words = indexOf(createArena());
const reader = new BookIndexReader(words);

/** The tokens with hashes in six neighbouring slots: the last two and the first four of the table. */
const TOKENS = Array.from({ length: 400_000 }, (_, index) => String(index)).filter(token => {
  const home = homeOf(indexKey(VENUE, token)[0]!);
  return home < 4 || home >= limits.bookIndexSlotsMax - 2;
});

interface Put {
  readonly token: string;
  /** The binding that is set. Null means that the entry is removed. */
  readonly binding: { readonly book: BookId; readonly view: View } | null;
}

const anyBinding = fc.record({
  book: fc.integer({ min: 0, max: limits.booksPerVenueMax - 1 }) as fc.Arbitrary<number> as fc.Arbitrary<BookId>,
  view: fc.constantFrom(PRIMARY, COMPLEMENT),
});
const puts: fc.Arbitrary<Put[]> = fc.array(
  fc.record({ token: fc.constantFrom(...TOKENS), binding: fc.option(anyBinding, { freq: 2 }) }),
  { maxLength: 60 },
);

describe('the index of books', () => {
  it('is a Map under puts and removals', () => {
    expect(TOKENS.length).toBeGreaterThan(10);
    fc.assert(
      fc.property(puts, steps => {
        const writer = new BookIndexWriter(words);
        const twin = new Map<string, Put['binding']>();
        for (const { token, binding } of steps) {
          if (binding === null) writer.remove(VENUE, token);
          else writer.put(VENUE, token, binding);
          twin.set(token, binding);
          for (const other of TOKENS) expect(shown(other), other).toEqual(twin.get(other) ?? null);
        }
        for (const token of TOKENS) writer.remove(VENUE, token);
        for (const token of TOKENS) expect(shown(token)).toBeNull();
      }),
      { numRuns: 200 },
    );
  });

  it('says of every put that it is another one, and which venue is meant', () => {
    const writer = new BookIndexWriter(words);
    const key = indexKey('venue_b', 'KXA');
    writer.put('venue_b', 'KXA', { book: 3 as BookId, view: PRIMARY });
    const first = reader.findPatiently(key)!;
    writer.put('venue_b', 'KXA', { book: 3 as BookId, view: PRIMARY });
    expect(reader.findPatiently(key)!.stamp).not.toBe(first.stamp);
    expect(reader.find(indexKey('venue_a', 'KXA'))).toBeNull();
    writer.remove('venue_b', 'KXA');
  });

  it('reports `busy` while the writer is in the way', () => {
    const writer = new BookIndexWriter(words);
    writer.put('venue_b', 'KXA', { book: 3 as BookId, view: PRIMARY });
    Atomics.add(words, 0, 1);
    expect(reader.find(indexKey('venue_b', 'KXA'))).toBe('busy');
    Atomics.add(words, 0, 1);
    expect(reader.find(indexKey('venue_b', 'KXA'))).toMatchObject({ book: 3 });
    writer.remove('venue_b', 'KXA');
  });
});

function shown(token: string): Put['binding'] {
  const found = reader.findPatiently(indexKey(VENUE, token));
  return found === null ? null : { book: found.book, view: found.view };
}
