// Found by review: a connection subscribed to the trades of a market again. It got the answer, and not the state of the book, with which a
// subscription to trades alone begins. docs/PROTOCOL.md says that a later subscription begins anew.

import { expect, it } from 'vitest';
import { BID } from '../../src/domain/market.ts';
import type { MicroShares, Ticks } from '../../src/domain/numbers.ts';
import { MemoryStream, named } from '../support/memory-stream.ts';

const TICKER = 'KXTEST-26NOV21AAABBB-AAA';

function opened() {
  const rig = new MemoryStream();
  void rig.books.acquire(named(TICKER).market);
  const book = rig.open(TICKER);
  rig.writer.begin(book);
  rig.writer.set(book, BID, 4_900 as Ticks, 1_000_000 as MicroShares);
  rig.writer.commitSnapshot(book, rig.timers.now());
  rig.drain();
  return rig;
}

it('a second subscription to the same trades begins with the state, too', async () => {
  const rig = opened();
  const client = rig.connect();
  for (const id of ['1', '2', '3']) {
    await client.say({ op: 'subscribe', id, channel: 'trade', markets: [named(TICKER)] });
    expect(client.take()).toMatchObject([
      { type: 'subscribed', id },
      { type: 'state', state: 'LIVE' },
    ]);
  }
  rig.close();
});

it('a second subscription to trades beside the book has no state: the snapshot had it', async () => {
  const rig = opened();
  const client = rig.connect();
  await client.say({ op: 'subscribe', id: '1', channel: 'book', markets: [named(TICKER)] });
  client.take();
  for (const id of ['2', '3']) {
    await client.say({ op: 'subscribe', id, channel: 'trade', markets: [named(TICKER)] });
    expect(client.take()).toMatchObject([{ type: 'subscribed', id }]);
  }
  rig.close();
});
