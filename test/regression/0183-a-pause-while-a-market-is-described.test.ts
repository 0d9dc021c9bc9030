// A market of venue B was paused, or resolved, while its description was being read. It was LIVE until the next connection: the stream
// reports a market's state once, and that report found no known market.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { BOOK, FeedRig, LIVE, MARKET, OTHER, stateOf } from '../venues/venue-b/feed-rig.ts';

it.each([
  ['deactivated', 'inactive', 'HALTED MARKET_PAUSED'],
  ['determined', 'determined', 'CLOSED MARKET_RESOLVED'],
])('a market that is %s while it is described is %s', async (event, status, state) => {
  const rig = await FeedRig.withMarkets({ [OTHER]: BOOK });
  rig.venue.addMarket(MARKET, BOOK);
  const onTheWay = Promise.withResolvers<void>();
  rig.venue.restDelay = onTheWay.promise;
  const wanted = rig.feed.subscribe(MARKET);
  await rig.timers.settle(limits.venueBFactsGapMs);
  rig.venue.addMarket(MARKET, BOOK, { status });
  rig.venue.lifecycle(MARKET, event);
  onTheWay.resolve();
  await wanted;
  await rig.timers.settle(limits.venueBSweepMs);
  expect([stateOf(rig, 0), stateOf(rig, 1), rig.levels(1)]).toEqual(['LIVE SNAPSHOT', state, LIVE]);
  expect(rig.venue.asked).toHaveLength(2);
});
