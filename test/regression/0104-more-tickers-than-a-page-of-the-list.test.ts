// Found by review: the bytes of their tickers alone bounded lists of markets. A thousand short ones are more than a page of venue B, which
// it refuses with 400 (venue-b.md §4). All other requests of that moment were then made one by one, behind them.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { FeedRig } from '../venues/venue-b/feed-rig.ts';

/** Venue-b.md §4.2. */
const LIMIT_MAX = 1_000;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const SHORT = LETTERS.flatMap(one => LETTERS.map(other => one + other));

it('requests name no more tickers than a page has rows', async () => {
  const rig = new FeedRig();
  const tickers = [...SHORT, ...LETTERS, ...SHORT.map(it => it.toLowerCase())].slice(0, LIMIT_MAX + 20);
  for (const ticker of tickers) rig.venue.addMarket(ticker);
  rig.connect();
  for (const ticker of tickers) void rig.feed.subscribe(ticker);
  await rig.timers.settle();
  await rig.timers.settle(limits.venueBFactsGapMs);
  const pages = rig.venue.asked.map(url => Number(new URL(url).searchParams.get('limit')));
  expect(pages[0]).toBeGreaterThan(LIMIT_MAX / 2);
  expect(Math.max(...pages)).toBeLessThanOrEqual(LIMIT_MAX);
});
