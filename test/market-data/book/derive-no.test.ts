// The NO book against numbers by hand, and against the rule of a market. To take YES from the best ask is to give NO to the best bid.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Level } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import { deriveNo } from '../../../src/market-data/book/derive-no.ts';

const level = (price: number, size: number): Level => ({ price: price as Ticks, size: size as MicroShares });

it('the NO book has a bid for each ask of YES, and an ask for each bid, at one dollar less', () => {
  const yes = { bids: [level(4_700, 3), level(4_600, 5)], asks: [level(5_200, 2), level(6_000, 7), level(9_900, 1)] };
  expect(deriveNo(yes)).toEqual({
    bids: [level(4_800, 2), level(4_000, 7), level(100, 1)],
    asks: [level(5_300, 3), level(5_400, 5)],
  });
  expect(deriveNo({ bids: [], asks: [level(1, 4)] })).toEqual({ bids: [level(9_999, 4)], asks: [] });
});

it('the NO book is no more crossed than the YES book, has its best levels first, and is YES seen from there', () => {
  const prices = fc.uniqueArray(fc.integer({ min: 1, max: 9_999 }), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(prices, fc.nat(), (all, cut) => {
      const sorted = all.toSorted((a, b) => a - b).map(price => level(price, price));
      const at = cut % (sorted.length + 1);
      const yes = { bids: sorted.slice(0, at).toReversed(), asks: sorted.slice(at) };
      const no = deriveNo(yes);
      const [bids, asks] = [no.bids, no.asks].map(side => side.map(({ price }) => price));
      expect([...bids!].sort((a, b) => b - a)).toEqual(bids);
      expect([...asks!].sort((a, b) => a - b)).toEqual(asks);
      expect((bids![0] ?? 0) < (asks![0] ?? 10_000)).toBe(true);
      expect([no.bids.length, no.asks.length]).toEqual([yes.asks.length, yes.bids.length]);
      expect(deriveNo(no)).toEqual(yes);
    }),
  );
});
