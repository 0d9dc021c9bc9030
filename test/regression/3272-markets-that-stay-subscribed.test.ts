// A seeded run of subscriptions that come and go left markets subscribed at venue B that nobody wanted. One was wanted and dropped while its
// subscription ended: the end of it subscribed the market again. Others had been dropped by a command that the venue did not answer: it
// was taken for done. Their messages went on, each read in full, for as long as the connection lasted.

import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { type FeedRig, liveRig, MARKET, OTHER } from '../venues/venue-b/feed-rig.ts';

const CHANNELS = ['orderbook_delta', 'trade'] as const;

/** The venue's answer is late: commands sent until then have none. */
async function answersLate(rig: FeedRig): Promise<void> {
  rig.venue.isAnswering = true;
  for (const command of rig.venue.commands.splice(0)) rig.venue.answer(command);
  await rig.timers.settle();
}

const giveUp = (rig: FeedRig) => rig.timers.settle(limits.upstreamSnapshotMs + limits.venueBSweepMs);

describe('a market that nobody wants any more', () => {
  it('is not subscribed again by the end of the subscription, during which it was wanted for a moment', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    for (const ticker of [MARKET, OTHER]) rig.feed.unsubscribe(ticker);
    await rig.timers.settle();
    await rig.want(MARKET);
    rig.feed.unsubscribe(MARKET);
    await answersLate(rig);
    await rig.timers.settle(limits.venueBSweepMs);
    expect(CHANNELS.map(channel => rig.venue.carried(channel))).toEqual([[], []]);
  });

  it.each(['the last one', 'one of two'])('is dropped once more if the venue did not hear it: %s', async which => {
    const rig = await liveRig();
    if (which === 'the last one') rig.feed.unsubscribe(OTHER);
    await rig.timers.settle();
    rig.venue.isAnswering = false;
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle();
    rig.venue.isAnswering = true;
    await giveUp(rig);
    const left = which === 'the last one' ? [] : [OTHER];
    expect(CHANNELS.map(channel => rig.venue.carried(channel))).toEqual([left, left]);
  });

  it('is dropped also if it was added by a command that was answered too late', async () => {
    const rig = await liveRig();
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle();
    rig.venue.isAnswering = false;
    await rig.want(MARKET);
    await rig.timers.settle();
    rig.feed.unsubscribe(MARKET);
    await giveUp(rig);
    await answersLate(rig);
    await giveUp(rig);
    expect(CHANNELS.map(channel => rig.venue.carried(channel))).toEqual([[OTHER], [OTHER]]);
  });
});
