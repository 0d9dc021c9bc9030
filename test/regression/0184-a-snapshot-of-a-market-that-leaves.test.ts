// A late snapshot of venue B, just as its market was subscribed anew, made the book LIVE. It stayed so when the venue carried the market no
// more. If adding it again was refused for a while, the book stood still, and was LIVE.

import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { type FeedRig, LIVE, liveRig, MARKET, stateOf } from '../venues/venue-b/feed-rig.ts';

/** A market that is in need of a snapshot, which stays away until it is subscribed anew. */
async function renewed(): Promise<FeedRig> {
  const rig = await liveRig();
  rig.venue.withoutSnapshot.add('get_snapshot');
  rig.venue.delta(MARKET, 'yes', '0.4700', '-99.00');
  await rig.timers.settle();
  rig.venue.isAnswering = false;
  await rig.timers.settle(limits.upstreamSnapshotMs);
  return rig;
}

const last = (rig: FeedRig, kind: string) => rig.venue.commandsOf(kind, 'orderbook_delta').at(-1)!;

describe('a late snapshot of a market that is subscribed anew', () => {
  it('holds until the venue has deleted the market', async () => {
    const rig = await renewed();
    rig.venue.snapshot(MARKET, last(rig, 'get_snapshot').id);
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
    rig.venue.answer(last(rig, 'delete_markets'));
    rig.venue.error(27, { id: last(rig, 'add_markets').id });
    expect(stateOf(rig)).toBe('RESYNCING OPENING');
    rig.venue.isAnswering = true;
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
  });

  it('is enough where the market has not been deleted yet', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.venue.delta(MARKET, 'yes', '0.4700', '-99.00');
    await rig.timers.settle(limits.upstreamSnapshotMs - limits.venueBSweepMs);
    rig.venue.addMarket('KXA-1');
    await rig.want('KXA-1');
    await rig.timers.settle(2 * limits.venueBSweepMs);
    rig.venue.snapshot(MARKET);
    rig.venue.isAnswering = true;
    rig.venue.answer(last(rig, 'add_markets'));
    await rig.timers.settle(limits.venueBSweepMs);
    const deleted = rig.venue
      .commandsOf('delete_markets', 'orderbook_delta')
      .flatMap(({ params }) => params.market_tickers);
    expect([stateOf(rig), rig.levels(), deleted.includes(MARKET)]).toEqual(['LIVE SNAPSHOT', LIVE, false]);
  });
});
