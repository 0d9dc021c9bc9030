// GET /v1/sports/events/{eventId}/best: the best routes of all questions of an event, read once. Main thread.

import { fail, ok, type Result } from '../../domain/result.ts';
import { renderBestRoutes } from '../../wire/outcome-json.ts';
import { type Refusal, refusal } from '../api/api-refusals.ts';
import type { OutcomeHub } from './outcome-hub.ts';

export type BestOfEvent = (eventId: string) => Promise<Result<readonly object[], Refusal>>;

/** Markets in the order of their ids. Subscribes their books for as long as books linger. */
export async function bestOfEvent(hub: OutcomeHub, eventId: string): Promise<Result<readonly object[], Refusal>> {
  const ids = hub.marketsOf(eventId);
  if (!ids.ok) return fail(refusal('unavailable', ids.error));
  if (ids.value === null) return fail(refusal('notFound', 'eventId: no such event'));
  const followed = ids.value.flatMap(id => {
    const market = hub.follow(id);
    return market.ok ? [market.value] : [];
  });
  await Promise.all(followed.map(({ market }) => market.ready));
  const markets = followed.map(({ market }) => {
    const { catalogMarket: id, ...best } = market.latest();
    return { id, title: market.title, ...renderBestRoutes(best) };
  });
  for (const { release } of followed) release();
  return ok(markets);
}
