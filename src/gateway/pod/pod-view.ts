// The gateway's view of its pods for their operators: the holdings of actors, the latest order events, the age of each feed's last frame.
// Main thread.

import type { Config } from '../../config.ts';
import type { Actor } from '../../core/domain/identity.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { FeedCounters } from '../../core/metrics/feed-counters.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { ActorMetrics } from '../actor-metrics.ts';
import type { Streaming } from '../stream/streaming.ts';
import type { Trading } from '../trading/trading.ts';
import { PodEvents, type PodHandlerParts } from './pod-handlers.ts';
import { FeedAges, podStatus } from './pod-status.ts';

interface PodViewParts extends Pick<Config, 'mode' | 'venueNames'> {
  readonly counters: Readonly<Record<Venue, FeedCounters>>;
  readonly trading: Trading;
  readonly metrics: Metrics;
  /** A function, because the stream does not exist yet when this object is made. */
  readonly streaming: () => Streaming;
  readonly actors: () => readonly Actor[];
}

const LOOK_MS = 250;

export class PodView {
  readonly actorMetrics: ActorMetrics;
  /** The parts for the operations under /v1/pod. */
  readonly parts: Omit<PodHandlerParts, 'operations' | 'actorsOf'>;
  readonly #updateTimer: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor({ counters, trading, metrics, streaming, actors, mode, venueNames }: PodViewParts) {
    const actorMetrics = new ActorMetrics({ actors, openCounts: () => trading.openCounts }, metrics);
    const ages = new FeedAges(counters, performance.now());
    this.#updateTimer = setInterval(() => ages.update(performance.now()), LOOK_MS);
    this.actorMetrics = actorMetrics;
    const { history } = trading;
    const events = new PodEvents(wallTimers.now(), (...page) => history.events(...page));
    this.#stopListening = trading.listen(events.addNews);
    const status = podStatus({
      mode,
      venueNames,
      actors,
      trading,
      metrics,
      ages,
      isHeard: venue => streaming().feedProblem(venue) === null,
      booksOf: venue => streaming().books.of(venue),
      holdingsOf: fullId => actorMetrics.holdingsOf(fullId),
    });
    this.parts = { status, events, trading, actors, listOrders: query => trading.history.orders(query) };
  }

  close(): void {
    clearInterval(this.#updateTimer);
    this.#stopListening();
  }
}
