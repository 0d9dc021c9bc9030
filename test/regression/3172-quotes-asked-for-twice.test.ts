// Found by review: a connection subscribed to the quotes of a market again, with the same interval. It got the answer, and no quote before the
// next change. docs/PROTOCOL.md says that a later subscription begins anew.

import { expect, it } from 'vitest';
import { ASK, BID } from '../../src/domain/market.ts';
import type { MicroShares, Ticks } from '../../src/domain/numbers.ts';
import { MemoryStream, named } from '../support/memory-stream.ts';

const TICKER = 'KXTEST-26NOV21AAABBB-AAA';

it('a second subscription to the same quotes begins with the latest one, and goes on', async () => {
  const rig = new MemoryStream();
  void rig.books.acquire(named(TICKER).market);
  const book = rig.open(TICKER);
  const write = (size: number): void => {
    rig.writer.begin(book);
    rig.writer.set(book, BID, 4_900 as Ticks, size as MicroShares);
    rig.writer.set(book, ASK, 5_100 as Ticks, 1_000_000 as MicroShares);
    rig.writer.commitSnapshot(book, rig.timers.now());
    rig.drain();
  };
  write(1_000_000);
  const client = rig.connect();
  for (const id of ['1', '2']) {
    await client.say({ op: 'subscribe', id, channel: 'quote', markets: [named(TICKER)] });
    expect(client.take()).toMatchObject([
      { type: 'subscribed', id },
      { type: 'quote', bid: { size: 1_000_000 } },
    ]);
  }
  write(2_000_000);
  expect(client.take()).toMatchObject([{ type: 'quote', bid: { size: 2_000_000 } }]);
  await client.say({ op: 'unsubscribe', id: '3', channel: 'quote', markets: [named(TICKER)] });
  expect(rig.stream.tops.isUnused).toBe(true);
  rig.close();
});
