// Found by review: when a venue's feed thread died, subscribers of the channel quote heard nothing. Their quotes stayed LIVE until the next
// thread had found the market, which a venue out of reach puts off without end. The channel outcome took such a book for LIVE, too.

import { expect, it } from 'vitest';
import { ASK, BID } from '../../src/domain/market.ts';
import type { MicroShares, Ticks } from '../../src/domain/numbers.ts';
import { MemoryStream, named } from '../support/memory-stream.ts';

const TICKER = 'KXTEST-26NOV21AAABBB-AAA';

async function quoted() {
  const rig = new MemoryStream();
  const client = rig.connect();
  const subscribing = client.say({ op: 'subscribe', id: 's', channel: 'quote', markets: [named(TICKER)] });
  await Promise.resolve();
  const book = rig.open(TICKER);
  await subscribing;
  rig.writer.begin(book);
  rig.writer.set(book, BID, 4_900 as Ticks, 1_000_000 as MicroShares);
  rig.writer.set(book, ASK, 5_100 as Ticks, 1_000_000 as MicroShares);
  rig.writer.commitSnapshot(book, rig.timers.now());
  rig.drain();
  const watched = rig.books.find(named(TICKER).market)!;
  return { rig, client, watched };
}

it('a quote of a book whose feed has died says so, although that feed writes nothing any more', async () => {
  const { rig, client } = await quoted();
  expect(client.take()).toMatchObject([
    { type: 'subscribed' },
    { type: 'quote', state: 'RESYNCING' },
    { state: 'LIVE' },
  ]);
  for (const lost of rig.books.unbind('venue_b')) rig.stream.announceState(lost, 'RESYNCING', 'FEED_RESTARTED');
  rig.turn();
  expect(client.take()).toMatchObject([{ type: 'quote', state: 'RESYNCING', bid: null, ask: null }]);
  rig.close();
});

it('the best levels of a book whose feed has died are none', async () => {
  const { rig, watched } = await quoted();
  const states: string[] = [];
  const stop = rig.stream.tops.watch(watched, () => states.push(rig.stream.tops.best(watched)!.state));
  for (const lost of rig.books.unbind('venue_b')) rig.stream.announceState(lost, 'RESYNCING', 'FEED_RESTARTED');
  rig.turn();
  expect(states).toEqual(['LIVE', 'RESYNCING']);
  stop();
  rig.close();
});
