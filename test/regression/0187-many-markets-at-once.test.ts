// A thousand markets of venue A, subscribed at once or after their feed thread was replaced, became a thousand requests at once. Each had
// its own connection.

import { expect, it } from 'vitest';
import { PRIMARY } from '../../src/domain/market.ts';
import { limits } from '../../src/limits.ts';
import type { HttpAnswer } from '../../src/net/http.ts';
import { FeedRig } from '../venues/venue-a/feed-rig.ts';
import { TwinMarket } from '../venues/venue-a/twin-market.ts';

const { venueADescribedAtOnceMax: AT_ONCE } = limits;

/** Markets of a venue that answers no question before a command. */
function heldRig(count: number) {
  const twins = Array.from({ length: count }, (_, number) => new TwinMarket(number));
  const rig = new FeedRig(...twins);
  const held = new Map<string, (answer: HttpAnswer) => void>();
  for (const { tokens } of twins) {
    const url = `rest/markets-by-token/${tokens[PRIMARY]}`;
    rig.answers.set(url, new Promise(resolve => held.set(url, resolve)));
  }
  const answer = (twin: TwinMarket) => {
    const [primary_token_id, secondary_token_id] = twin.tokens;
    const body = JSON.stringify({ condition_id: twin.conditionId, primary_token_id, secondary_token_id });
    held.get(`rest/markets-by-token/${primary_token_id}`)!({ status: 200, body });
  };
  return { twins, rig, answer };
}

it('markets are described a few at a time, each as soon as there is room', async () => {
  const { twins, rig, answer } = heldRig(100);
  const outcomes = twins.map(twin => rig.feed.subscribe(twin.tokens[PRIMARY]));
  await rig.timers.settle();
  expect(rig.requests).toHaveLength(AT_ONCE);
  answer(twins[0]!);
  await rig.timers.settle();
  // The second question about the first market, and the first about another.
  expect(rig.requests).toHaveLength(AT_ONCE + 2);
  twins.forEach(answer);
  await rig.timers.settle();
  const books = await Promise.all(outcomes);
  expect(books.map(outcome => 'book' in outcome && outcome.book).sort((a, b) => Number(a) - Number(b))).toEqual(
    twins.map((_, place) => place),
  );
});

it('markets that are not wanted any more by then are not requested', async () => {
  const { twins, rig, answer } = heldRig(AT_ONCE + 2);
  const outcomes = twins.map(twin => rig.feed.subscribe(twin.tokens[PRIMARY]));
  await rig.timers.settle();
  rig.feed.unsubscribe(twins[AT_ONCE]!.tokens[PRIMARY]);
  twins.forEach(answer);
  await rig.timers.settle();
  expect(await outcomes[AT_ONCE]).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
  expect(await outcomes[AT_ONCE + 1]).toMatchObject({ view: PRIMARY });
  expect(rig.requests.some(url => url.endsWith(twins[AT_ONCE]!.tokens[PRIMARY]))).toBe(false);
});

it('hear in time that the venue has not come to them', async () => {
  const { twins, rig } = heldRig(AT_ONCE + 1);
  const outcomes = twins.map(twin => rig.feed.subscribe(twin.tokens[PRIMARY]));
  await rig.timers.settle(limits.subscribeAnswerMs);
  expect(await outcomes[AT_ONCE]).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
  expect(rig.requests).toHaveLength(AT_ONCE);
});
