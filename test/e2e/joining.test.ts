// A client that joins at the one moment in which the book's writer is in the middle of a change. With real threads this happens once in some thousand
// joins on a busy machine. Here the batch is simply left open.

import { afterEach, expect, it } from 'vitest';
import { BID } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { MARKET, type Rig, startRig, TICKER } from '../support/stream-rig.ts';
import { Subscriber } from './subscriber.ts';

let rig: Rig;
afterEach(() => rig.close());

it('a client gets its first book, and no delta before it, when the book is being written as it joins', async () => {
  rig = await startRig();
  const [first, late] = [await Subscriber.connect(rig), await Subscriber.connect(rig)];
  await first.subscribe('book', [MARKET]);
  rig.snapshot(TICKER, 5_000, 5_200);
  await first.until(() => first.book(MARKET).isSynced);

  const book = rig.bookOf(TICKER);
  rig.writer.begin(book);
  rig.writer.set(book, BID, 4_900 as Ticks, 1_000_000 as MicroShares);
  await late.subscribe('book', [MARKET]);
  rig.writer.commit(book, 1_790_000_000_002 as UnixMillis);
  rig.change(TICKER, 'bid', 4_800, 3);

  for (const subscriber of [first, late]) {
    await subscriber.until(() => subscriber.book(MARKET).seq === 3);
    expect(subscriber.picture(MARKET)).toBe('5000:10000000 4900:1000000 4800:3000000 | 5200:10000000');
    subscriber.close();
  }
});
