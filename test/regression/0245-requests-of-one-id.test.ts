// Found by review: clients choose the ids of snapshot requests, and two may have the same. The earlier one was forgotten if it had to wait
// for room. Its snapshot never came, and a book that needed it after a gap stayed empty.

import { expect, it } from 'vitest';
import { marketKey } from '../../src/domain/market.ts';
import { StreamBook } from '../../src/gateway/stream/book.ts';
import { OwedSnapshots } from '../../src/gateway/stream/market-subscriptions.ts';
import { limits } from '../../src/limits.ts';

const [first, second] = ['KXTEST-A', 'KXTEST-B'].map(
  (ticker, at) => new StreamBook(marketKey('venue_b', ticker), at, []),
);

it('requests of one id are each answered', () => {
  const owed = new OwedSnapshots();
  owed.owe('1', [first!]);
  owed.owe('1', [second!]);
  expect([owed.has(first!), owed.has(second!)]).toEqual([true, true]);
  expect(owed.settle(first!)).toEqual(['1']);
  expect(owed.settle(second!)).toEqual(['1']);
});

it('requests of one id each count in snapshotsOwedMax', () => {
  const owed = new OwedSnapshots();
  for (let count = 0; count < limits.snapshotsOwedMax; count += 1) {
    expect(owed.hasRoom).toBe(true);
    owed.owe('1', [first!]);
  }
  expect(owed.hasRoom).toBe(false);
});
