// Metrics of actors: how much of their limits they use. The labels are ids that the operator has chosen, so their number is bounded. Main
// thread.

import { type Actor, fullActorId } from '../core/domain/identity.ts';
import type { GaugeRow, Metrics } from '../core/metrics/metrics.ts';
import { limits } from '../limits.ts';
import type { Holdings } from '../orders/life/markets-in-use.ts';

interface ActorMetricsParts {
  readonly actors: () => readonly Actor[];
  /** The number of open orders by the full id of the actor. An actor without an entry has no open order. */
  readonly openCounts: () => ReadonlyMap<string, number>;
}

const MICRO = 1_000_000;

export class ActorMetrics {
  readonly #parts: ActorMetricsParts;
  #holdings: ReadonlyMap<string, Holdings> = new Map();

  constructor(parts: ActorMetricsParts, metrics: Metrics) {
    this.#parts = parts;
    metrics.gauge('actors', () => parts.actors().length);
    metrics.gaugeRows('actor_open_orders', () => {
      const counts = parts.openCounts();
      return this.#rows(name => counts.get(name) ?? 0);
    });
    metrics.gaugeRows('actor_positions', () => this.#rows(name => this.#holdings.get(name)?.positions ?? 0));
    metrics.gaugeRows('actor_largest_position', () =>
      this.#rows(name => (this.#holdings.get(name)?.largest ?? 0) / MICRO),
    );
    metrics.gaugeRows('actor_limit', () => this.#measuredActors().flatMap(limitRows));
  }

  /** Takes in the present holdings of all owners. They replace the former ones. */
  setHoldings(holdings: ReadonlyMap<string, Holdings>): void {
    this.#holdings = holdings;
  }

  /** The holdings of an owner, as of some seconds ago. */
  holdingsOf(name: string): Holdings | undefined {
    return this.#holdings.get(name);
  }

  #rows(read: (name: string) => number): readonly GaugeRow[] {
    return this.#measuredActors().map(actor => ({ values: [fullActorId(actor)], value: read(fullActorId(actor)) }));
  }

  #measuredActors(): readonly Actor[] {
    const byId = (one: Actor, other: Actor): number => (fullActorId(one) < fullActorId(other) ? -1 : 1);
    return this.#parts.actors().toSorted(byId).slice(0, limits.actorsMeasuredMax);
  }
}

function limitRows(actor: Actor): readonly GaugeRow[] {
  const { notionalMax, openOrdersMax, positionMax, sizeMax, exposureMax, ...own } = actor.limits;
  const values: readonly (readonly [limit: string, value: number | null])[] = [
    ['notional', notionalMax === null ? null : notionalMax / MICRO],
    ['open_orders', openOrdersMax],
    ['position', positionMax === null ? null : positionMax / MICRO],
    ['size', sizeMax === null ? null : sizeMax / MICRO],
    ['exposure', exposureMax === null ? null : exposureMax / MICRO],
    ['collar_ticks', own.collarTicks],
    ['collar_percent', own.collarPercent],
    ['order_rate', own.orderRateMax],
    ['cancel_rate', own.cancelRateMax],
  ];
  return values.flatMap(([limit, value]) => (value === null ? [] : [{ values: [fullActorId(actor), limit], value }]));
}
