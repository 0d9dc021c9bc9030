// Random histories of books, recorded over any number of files, against the books themselves and two Maps.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ASK, BID, type BookId, COMPLEMENT, PRIMARY, type Side, type View } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { levelsOf } from '../../../src/market-data/book/reader.ts';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { RecorderRig } from './recorder-rig.ts';

const HOUR_MS = 3_600_000;

let rig: RecorderRig;
beforeEach(() => {
  rig = new RecorderRig();
});
afterEach(() => rig.remove());

it('has every change of any life of books, with its checksum, over any number of files', async () => {
  const level = fc.tuple(fc.constantFrom<Side>(BID, ASK), fc.integer({ min: 1, max: 24 }), fc.nat(3));
  const batch = fc.record({
    at: fc.nat(2),
    levels: fc.array(level, { minLength: 1, maxLength: 6 }),
    isSnapshot: fc.boolean(),
    follows: fc.boolean(),
    passesMs: fc.constantFrom(0, 7, 1_500, HOUR_MS),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 60 }), async batches => {
      rig.remove();
      rig = new RecorderRig();
      const books = [0, 1, 2].map(() => rig.openBook());
      for (const [at, book] of books.entries())
        for (const view of [PRIMARY, COMPLEMENT]) rig.list(`${at} ${view}`, book, view as View);
      // The checksum at each position of the book, by market.
      const truth = new Map<string, number>();
      const begun = new Set<BookId>();
      for (const { at, levels, isSnapshot, follows, passesMs } of batches) {
        const book = books[at]!;
        rig.write(
          book,
          levels.map(([side, cents, size]) => [side, side === BID ? 2_500 - cents * 100 : 2_500 + cents * 100, size]),
          isSnapshot || !begun.has(book),
        );
        begun.add(book);
        for (const view of [PRIMARY, COMPLEMENT] as const) {
          const { epoch, seq, checksum } = rig.copyOf(book, view);
          truth.set(`${at} ${view} ${epoch} ${seq}`, checksum);
        }
        rig.now += passesMs;
        if (follows) rig.follow();
      }
      rig.follow();
      const ends = books.flatMap((book, at) =>
        ([PRIMARY, COMPLEMENT] as const).map(view => ({ address: `${at} ${view}`, copy: rig.copyOf(book, view) })),
      );
      const events = await rig.recorded();
      const seen = new Set<string>();
      const afterGap = new Set<string>();
      for (const event of events) {
        const { address } = event.market;
        if (event.kind === 'gap') afterGap.add(address);
        if (event.kind === 'book' && afterGap.delete(address)) {
          for (let seq = 1; seq <= event.seq; seq++) seen.add(`${address} ${event.epoch} ${seq}`);
        }
        if (event.kind !== 'changes') continue;
        const name = `${address} ${event.epoch} ${event.seq}`;
        expect(truth.get(name)).toBe(event.checksum);
        expect(seen.has(name)).toBe(false);
        seen.add(name);
      }
      // A book that was read before the next epoch belongs to that epoch; no file has the epochs before it.
      const epochs = new Set(
        events.flatMap(event => (event.kind === 'book' ? [`${event.market.address} ${event.epoch}`] : [])),
      );
      for (const name of truth.keys()) {
        if (epochs.has(name.slice(0, name.lastIndexOf(' ')))) expect(seen).toContain(name);
      }
      for (const { address, copy } of ends) {
        const folded = foldOf(events.filter(({ market }) => market.address === address));
        expect(folded).toEqual({ bids: levelsOf(copy.bids), asks: levelsOf(copy.asks) });
      }
    }),
    { numRuns: 40 },
  );
});

/** Folds the events of one market into two Maps. */
function foldOf(events: readonly RecordedEvent[]) {
  const sides = [new Map<Ticks, MicroShares>(), new Map<Ticks, MicroShares>()] as const;
  for (const event of events) {
    if (event.kind === 'book' || (event.kind === 'state' && event.state === 'RESYNCING'))
      for (const side of sides) side.clear();
    if (event.kind === 'book') {
      for (const { price, size } of event.bids) sides[BID].set(price, size);
      for (const { price, size } of event.asks) sides[ASK].set(price, size);
    }
    if (event.kind !== 'changes') continue;
    for (const { side, price, size } of event.changes) {
      if (size === 0) sides[side].delete(price);
      else sides[side].set(price, size);
    }
  }
  const sorted = (side: Side) =>
    [...sides[side]]
      .map(([price, size]) => ({ price, size }))
      .sort((a, b) => (side === BID ? b.price - a.price : a.price - b.price));
  return { bids: sorted(BID), asks: sorted(ASK) };
}
