// Which outcomes of a feed still count: those of the latest wish for their market.

import { expect, it } from 'vitest';
import { FeedWishes } from '../../src/threads/feed-wishes.ts';

it('what a feed says of a wish is out of date once the market was given up, or wished for anew', () => {
  const wishes = new FeedWishes();
  const [first, other] = [wishes.make('KXA'), wishes.make('KXB')];
  expect(wishes.isLatest({ address: 'KXA', wish: first })).toBe(true);
  wishes.forget('KXA');
  expect(wishes.isLatest({ address: 'KXA', wish: first })).toBe(false);
  const second = wishes.make('KXA');
  expect(wishes.isLatest({ address: 'KXA', wish: first })).toBe(false);
  expect(wishes.isLatest({ address: 'KXA', wish: second })).toBe(true);
  expect(wishes.isLatest({ address: 'KXB', wish: other })).toBe(true);
});
