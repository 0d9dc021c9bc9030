// Venue B's pings kept a connection on which it answered no command. Books stayed RESYNCING for as long as it pinged, and commands
// were repeated every ten seconds. Such a connection is made anew now. One that is quiet is not, and neither is one that answers.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { BOOK, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from '../venues/venue-b/feed-rig.ts';

const STEP_MS = 5_000;

async function pinging(rig: FeedRig, forMs: number, besides: () => void = () => {}): Promise<void> {
  for (let passedMs = 0; passedMs < forMs && rig.venue.isOpen; passedMs += STEP_MS) {
    await rig.timers.settle(STEP_MS);
    rig.venue.ping();
    besides();
  }
}

it('a connection without answers is made anew', async () => {
  const rig = new FeedRig();
  rig.venue.isAnswering = false;
  rig.venue.addMarket(MARKET, BOOK);
  rig.connect();
  await rig.want(MARKET);
  await pinging(rig, limits.upstreamSilenceMs - STEP_MS);
  expect(rig.venue.isOpen).toBe(true);
  await pinging(rig, 3 * STEP_MS);
  expect([rig.venue.isOpen, rig.counters.read('silences'), stateOf(rig)]).toEqual([false, 1, 'RESYNCING OPENING']);
  rig.venue.isAnswering = true;
  rig.reconnect();
  expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
});

it('books that it had are STALE before', async () => {
  const rig = await liveRig();
  rig.venue.isAnswering = false;
  rig.feed.unsubscribe(OTHER);
  await pinging(rig, limits.upstreamSilenceMs + 2 * STEP_MS);
  const states = rig.sink.events.flatMap(event => (event.kind === 'state' && event.book === 0 ? [event.state] : []));
  expect([states, rig.venue.isOpen]).toEqual([['STALE', 'RESYNCING'], false]);
});

it('a quiet connection stays, and so does one that sends other things', async () => {
  const quiet = await liveRig();
  await pinging(quiet, 4 * limits.upstreamSilenceMs);
  expect([quiet.venue.isOpen, stateOf(quiet), quiet.venue.handshakes.length]).toEqual([true, 'LIVE SNAPSHOT', 1]);
  const busy = await liveRig();
  busy.venue.isAnswering = false;
  busy.feed.unsubscribe(OTHER);
  await pinging(busy, 4 * limits.upstreamSilenceMs, () => busy.venue.delta(MARKET, 'yes', '0.4700', '1.00'));
  expect([busy.venue.isOpen, stateOf(busy), busy.venue.handshakes.length]).toEqual([true, 'LIVE SNAPSHOT', 1]);
});
