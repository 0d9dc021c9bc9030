// Only answers to the latest subscription request of a market count.

import { expect, it } from 'vitest';
import { LatestRequests } from '../../../src/market-data/feeds/feed-link.ts';

it('an answer of the feed is out of date once the market was unsubscribed, or subscribed again', () => {
  const requests = new LatestRequests();
  const [first, other] = [requests.make('KXA'), requests.make('KXB')];
  expect(requests.isLatest({ address: 'KXA', request: first })).toBe(true);
  requests.forget('KXA');
  expect(requests.isLatest({ address: 'KXA', request: first })).toBe(false);
  const second = requests.make('KXA');
  expect(requests.isLatest({ address: 'KXA', request: first })).toBe(false);
  expect(requests.isLatest({ address: 'KXA', request: second })).toBe(true);
  expect(requests.isLatest({ address: 'KXB', request: other })).toBe(true);
});
