// The ticker table against a Map, over random insertions and removals. Some tickers differ only in places that a weak hash or a careless
// comparison would skip.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookId } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { mixTickerHash, TICKER_HASH_SEED, TickerTable } from '../../../src/venues/venue-b/ticker-table.ts';

/** Finds a ticker as the scanner does: in bytes that go on after the ticker. */
function find(table: TickerTable, ticker: string, behind = '","market_id"'): number {
  const bytes = Buffer.alloc(ticker.length + behind.length + 8);
  bytes.write(`"${ticker}${behind}`, 'latin1');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hash = TICKER_HASH_SEED;
  for (let at = 0; at < ticker.length; at += 4) {
    const left = ticker.length - at;
    const word = view.getInt32(1 + at, true);
    hash = mixTickerHash(hash, left >= 4 ? word : word & ((1 << (left * 8)) - 1));
  }
  return table.find(view, 1, ticker.length, hash);
}

const ticker = fc
  .array(fc.constantFrom(...'KXABC019-'), { minLength: 1, maxLength: limits.venueBTickerBytesMax })
  .map(characters => `K${characters.join('')}`.slice(0, limits.venueBTickerBytesMax));

describe('TickerTable', () => {
  it('agrees with a Map over any insertions and removals', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(ticker, { minLength: 1, maxLength: 60 }),
        fc.array(fc.nat(59), { maxLength: 200 }),
        (tickers, toggles) => {
          const table = new TickerTable();
          const twin = new Map<string, number>();
          for (const toggle of toggles) {
            const book = toggle % tickers.length;
            const name = tickers[book] ?? '';
            if (twin.delete(name)) table.remove(book as BookId);
            else {
              twin.set(name, book);
              table.insert(name, book as BookId);
            }
          }
          for (const name of tickers) expect(find(table, name)).toBe(twin.get(name) ?? -1);
        },
      ),
    );
  });

  it('holds as many markets as there may be books, and forgets them all again', () => {
    const names = Array.from({ length: limits.booksPerVenueMax }, (_, index) => `KXMLBGAME-26AUG07${index}ATLNYY-NYY`);
    const table = new TickerTable();
    for (const [book, name] of names.entries()) table.insert(name, book as BookId);
    expect(names.every((name, book) => find(table, name) === book)).toBe(true);
    for (const book of names.keys()) if (book % 2 === 0) table.remove(book as BookId);
    expect(names.every((name, book) => find(table, name) === (book % 2 === 0 ? -1 : book))).toBe(true);
  });

  it('tells apart what differs in its length, its last character, or what follows it', () => {
    const table = new TickerTable();
    const names = ['KXABC', 'KXABCD', 'KXABCDE', 'KXABCDF'];
    for (const [book, name] of names.entries()) table.insert(name, book as BookId);
    const found = [...names, 'KXAB', 'KXABCDEF', 'KXABCDG'].map(name => find(table, name));
    expect(found).toEqual([0, 1, 2, 3, -1, -1, -1]);
    expect(find(table, 'KXABCD', 'E')).toBe(1);
  });

  it('gives the row of a removed market to the next one', () => {
    const table = new TickerTable();
    table.insert('KXLONG-0123456789', 3 as BookId);
    table.remove(3 as BookId);
    table.insert('KXA', 3 as BookId);
    expect([find(table, 'KXLONG-0123456789'), find(table, 'KXA')]).toEqual([-1, 3]);
  });

  it.each(['', '-KX', 'KX"', 'KX\\u0041', 'KX A', 'KX/..', 'KÜ', `K${'X'.repeat(limits.venueBTickerBytesMax)}`])(
    'does not take %j for a ticker',
    text => {
      expect(TickerTable.accepts(text)).toBe(false);
    },
  );
});
