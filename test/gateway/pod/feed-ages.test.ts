// The age of a feed's last frame, by its counter.

import { expect, it } from 'vitest';
import { COUNTER, FeedCounters } from '../../../src/core/metrics/feed-counters.ts';
import { FeedAges } from '../../../src/gateway/pod/pod-status.ts';

it('is counted from the look that found another frame, for each venue', () => {
  const counters = { venue_a: new FeedCounters(), venue_b: new FeedCounters() };
  const ages = new FeedAges(counters, 1_000);
  expect([ages.ageMs('venue_a', 1_500), ages.ageMs('venue_b', 1_500)]).toEqual([500, 500]);
  counters.venue_a.count(COUNTER.frames, 3);
  ages.update(2_000);
  ages.update(2_250);
  expect([ages.ageMs('venue_a', 2_300), ages.ageMs('venue_b', 2_300)]).toEqual([300, 1_300]);
});
