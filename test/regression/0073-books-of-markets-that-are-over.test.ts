// A market closed while its book was being recovered, or before it was subscribed. It gave its subscribers no snapshot, or one with seq 0
// of 1970. A market of venue A whose resolution the stream did not report stayed LIVE.

import { describe, expect, it } from 'vitest';
import { BID } from '../../src/domain/market.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { limits } from '../../src/limits.ts';
import { closeBook } from '../../src/venues/feed.ts';
import { RigClient, startRig, TICKER } from '../support/stream-rig.ts';
import { FeedRig as VenueARig, liveRig as venueARig } from '../venues/venue-a/feed-rig.ts';
import { SHARE, TwinMarket } from '../venues/venue-a/twin-market.ts';
import { BOOK, FeedRig, LIVE, liveRig, MARKET, stateOf } from '../venues/venue-b/feed-rig.ts';

/** An empty book that says when it became so. */
const EMPTY_EPOCH = { state: 'CLOSED', epoch: 1, seq: 1 };

describe('venue B', () => {
  it.each([
    ['closed', 'MARKET_CLOSED'],
    ['finalized', 'MARKET_RESOLVED'],
  ])('a market that is %s when it is subscribed has an empty epoch', async (status, reason) => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK, { status });
    rig.connect();
    await rig.want(MARKET);
    expect(rig.book()).toMatchObject({ ...EMPTY_EPOCH, reason });
    expect(rig.sink.receivedAt).toBe(rig.timers.now());
  });

  it('a market that closes while it is RESYNCING has an empty epoch, too', async () => {
    const rig = await liveRig();
    rig.venue.addMarket(MARKET, BOOK, { status: 'determined' });
    rig.venue.withoutSnapshot.add('subscribe');
    rig.venue.drop('reset');
    rig.reconnect();
    await rig.timers.settle();
    expect(rig.book()).toMatchObject({ state: 'CLOSED', reason: 'MARKET_RESOLVED', epoch: 2, seq: 1 });
    expect(rig.levels()).toEqual({ bids: [], asks: [] });
  });

  it('a market that closes while it is LIVE keeps its levels, also once it is resolved', async () => {
    const rig = await liveRig();
    rig.venue.lifecycle(MARKET, 'determined');
    rig.venue.lifecycle(MARKET, 'settled');
    expect([stateOf(rig), rig.book().epoch, rig.levels()]).toEqual(['CLOSED MARKET_RESOLVED', 1, LIVE]);
  });
});

describe('venue A', () => {
  const closed = { status: 200, body: JSON.stringify({ closed: true }) };

  it('a market that is resolved before its first book has an empty epoch', async () => {
    const twin = new TwinMarket(0);
    const rig = new VenueARig(twin);
    await rig.feed.subscribe(twin.tokens[0]);
    await rig.timers.settle();
    rig.socket.open();
    rig.socket.send({ event_type: 'market_resolved', market: twin.conditionId, assets_ids: twin.tokens });
    expect(rig.book()).toMatchObject({ ...EMPTY_EPOCH, reason: 'MARKET_RESOLVED' });
  });

  it('a market that sends no book is looked up, and closed if it is over', async () => {
    const twin = new TwinMarket(0);
    const rig = new VenueARig(twin);
    rig.answers.set(`rest/markets/${twin.conditionId}`, closed);
    await rig.feed.subscribe(twin.tokens[0]);
    await rig.timers.settle();
    rig.socket.open();
    await rig.timers.settle(limits.upstreamSnapshotMs);
    expect(rig.book()).toMatchObject({ ...EMPTY_EPOCH, reason: 'MARKET_RESOLVED' });
    const subscriptions = rig.socket.subscriptions.length;
    await rig.timers.settle(limits.upstreamSnapshotMs);
    expect(rig.socket.subscriptions).toHaveLength(subscriptions);
  });

  it.each([
    ['that is not over', { status: 200, body: '{"closed":false}' }, 'LIVE'],
    ['that cannot be looked up', { status: 503, body: '' }, 'LIVE'],
    ['that is over', closed, 'CLOSED'],
  ])('a quiet market %s, and that REST has no book of, is looked up', async (_which, answer, state) => {
    const { twin, rig, restUrl } = await venueARig();
    rig.answers.set(restUrl, { status: 404, body: '{"error":"No orderbook exists for the requested token id"}' });
    rig.answers.set(`rest/markets/${twin.conditionId}`, answer);
    for (let passed = 0; passed <= limits.venueAQuietMs; passed += limits.upstreamPingMs) {
      rig.socket.sendText('PONG');
      await rig.timers.settle(limits.upstreamPingMs);
    }
    expect(rig.book()).toMatchObject({ state, epoch: 1 });
    rig.socket.send(twin.change(BID, 5_200, 7 * SHARE));
    expect(rig.book().state).toBe(state);
  });
});

it('subscribers of a book that closes before it has levels have its snapshot, late ones too', async () => {
  const rig = await startRig();
  const client = await RigClient.connect(rig);
  client.subscribe('s', 'book', TICKER);
  await client.hear('subscribed');
  const now = 1_790_000_000_005 as UnixMillis;
  closeBook(rig.writer, rig.bookOf(TICKER), 'MARKET_CLOSED', now);
  await client.hear('snapshotsDone');
  const late = await RigClient.connect(rig);
  late.subscribe('late', 'book', TICKER);
  await late.hear('snapshotsDone');
  for (const one of [client, late]) {
    const closed = { seq: 1, state: 'CLOSED', bids: [], asks: [], checksum: 0, receivedAt: now };
    expect(await one.hear('snapshot')).toMatchObject(closed);
    one.close();
  }
  rig.close();
});
