// Metrics of actors: the number of metrics is bounded, and a limit that is not set has no metric.

import { expect, it } from 'vitest';
import { type Actor, type ActorLimits, NO_LIMITS } from '../../src/core/domain/identity.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../src/core/domain/numbers.ts';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { ActorMetrics } from '../../src/gateway/actor-metrics.ts';
import { limits } from '../../src/limits.ts';

const actor = (actorId: string, ofActor: Partial<ActorLimits> = {}): Actor => ({
  actorId,
  podId: 'desk',
  limits: { ...NO_LIMITS, ...ofActor },
  createdAt: 0 as UnixMillis,
});

it('shows what an actor uses of its limits', () => {
  const metrics = new Metrics({ operations: [] });
  const ofMaker = { notionalMax: 2_500_000 as MicroDollars, positionMax: 0 as MicroShares, orderRateMax: 5 };
  const actors = [actor('taker'), actor('maker', ofMaker)];
  const actorMetrics = new ActorMetrics(
    { actors: () => actors, openCounts: () => new Map([['desk/maker', 3]]) },
    metrics,
  );
  actorMetrics.setHoldings(new Map([['desk/taker', { positions: 2, largest: 1_500_000 as MicroShares }]]));
  const row = (name: string, value: number) => ({ values: [`desk/${name}`], value });
  expect(metrics.rowsOf('actors')).toEqual([{ values: [], value: 2 }]);
  expect(metrics.rowsOf('actor_open_orders')).toEqual([row('maker', 3), row('taker', 0)]);
  expect(metrics.rowsOf('actor_positions')).toEqual([row('maker', 0), row('taker', 2)]);
  expect(metrics.rowsOf('actor_largest_position')).toEqual([row('maker', 0), row('taker', 1.5)]);
  expect(metrics.rowsOf('actor_limit')).toEqual([
    { values: ['desk/maker', 'notional'], value: 2.5 },
    { values: ['desk/maker', 'position'], value: 0 },
    { values: ['desk/maker', 'order_rate'], value: 5 },
  ]);
});

it('shows the first actorsMeasuredMax by id, and counts all', () => {
  const metrics = new Metrics({ operations: [] });
  const number = limits.actorsMeasuredMax + 1;
  const name = (index: number): string => `bot-${String(index).padStart(4, '0')}`;
  const actors = Array.from({ length: number }, (_, index) => actor(name(number - 1 - index)));
  new ActorMetrics({ actors: () => actors, openCounts: () => new Map() }, metrics);
  const shown = metrics.rowsOf('actor_open_orders').map(({ values }) => values[0]);
  expect(shown).toEqual(Array.from({ length: limits.actorsMeasuredMax }, (_, index) => `desk/${name(index)}`));
  expect(metrics.rowsOf('actors')).toEqual([{ values: [], value: number }]);
});
