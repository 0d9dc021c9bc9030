// A pod at a glance (GET /v1/pod): its feeds, how far its actors use their limits, faults, and the latencies of the process. Main thread.

import type { Config } from '../../config.ts';
import { type Actor, fullActorId } from '../../core/domain/identity.ts';
import { BOOK_STATES, type BookState, perVenue, VENUES, type Venue } from '../../core/domain/market.ts';
import { formatMicroShares, type MicroShares, type UnixMillis } from '../../core/domain/numbers.ts';
import { isOfPod, type StopScope } from '../../core/domain/operation.ts';
import type { FeedCounters } from '../../core/metrics/feed-counters.ts';
import type { GaugeName } from '../../core/metrics/metric-table.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { type ActorLimitsView, actorLimitsView } from '../../core/wire/account-views.ts';
import type { Faults } from '../../core/wire/reports.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { Holdings } from '../../orders/life/markets-in-use.ts';
import type { Trading } from '../trading/trading.ts';
import { type Latency, latencies, submissionsCounted } from './latencies.ts';

interface PodStatusParts extends Pick<Config, 'mode' | 'venueNames'> {
  readonly actors: () => readonly Actor[];
  readonly trading: Pick<Trading, 'isTradable' | 'recordFault' | 'openCounts' | 'stops'>;
  /** Whether the gateway streams the venue's books, or would stream them if a market were subscribed. */
  readonly isHeard: (venue: Venue) => boolean;
  readonly booksOf: (venue: Venue) => readonly { readonly state: BookState }[];
  readonly ages: Pick<FeedAges, 'ageMs'>;
  readonly holdingsOf: (fullId: string) => Holdings | undefined;
  readonly metrics: Metrics;
}

interface FeedView {
  readonly venue: Venue;
  readonly name: string | null;
  /** Whether orders can be placed at the venue now. */
  readonly tradable: boolean;
  readonly marketData: boolean;
  readonly frameAgeMs: number;
  readonly books: Readonly<Record<BookState, number>>;
}

interface ActorView {
  readonly actorId: string;
  readonly openOrders: number;
  readonly positions: number;
  readonly largestPosition: string;
  readonly limits: ActorLimitsView;
}

interface PodStatusView {
  readonly podId: string;
  readonly version: string;
  readonly mode: Config['mode'];
  readonly startedAt: string;
  readonly recordFault: string | null;
  readonly stopped: readonly StopScope[];
  readonly feeds: readonly FeedView[];
  readonly actors: readonly ActorView[];
  readonly faults: Faults;
  readonly submissions: number;
  readonly latencies: readonly Latency[];
}

const GAUGES = {
  accountsUnread: 'accounts_unread',
  privateStreamsDown: 'private_streams_down',
  rowsHeld: 'rows_held',
  engineStalled: 'engine_stalled',
  protectionsTriggered: 'protections_triggered',
  recordingFailed: 'recording_failed',
} as const satisfies Readonly<Record<Exclude<keyof Faults, 'divergences'>, GaugeName>>;

/** Returns a function that reads the status of a pod. */
export function podStatus(parts: PodStatusParts): (podId: string) => PodStatusView {
  const { actors, trading, metrics } = parts;
  const startedAt = formatTime(Math.round(performance.timeOrigin) as UnixMillis);
  return podId => ({
    podId,
    version: metrics.rowsOf('build_info')[0]?.values[0] ?? '',
    mode: parts.mode,
    startedAt,
    recordFault: trading.recordFault,
    stopped: trading.stops.filter(scope => isOfPod(scope, podId)),
    feeds: VENUES.map(venue => feedView(parts, podId, venue)),
    actors: actorViews(
      parts,
      actors().filter(actor => actor.podId === podId),
    ),
    faults: faultsOf(metrics),
    submissions: submissionsCounted(metrics),
    latencies: latencies(metrics),
  });
}

function feedView(parts: PodStatusParts, podId: string, venue: Venue): FeedView {
  const { trading, venueNames, isHeard, booksOf, ages } = parts;
  const states = booksOf(venue).map(({ state }) => state);
  const counts = BOOK_STATES.map(state => [state, states.filter(it => it === state).length] as const);
  return {
    venue,
    name: venueNames[venue],
    tradable: trading.isTradable(podId, venue),
    marketData: isHeard(venue),
    frameAgeMs: Math.round(ages.ageMs(venue, performance.now())),
    books: Object.fromEntries(counts) as Record<BookState, number>,
  };
}

function actorViews({ trading, holdingsOf }: PodStatusParts, actors: readonly Actor[]): readonly ActorView[] {
  const { openCounts } = trading;
  return actors.map(actor => {
    const name = fullActorId(actor);
    const { positions = 0, largest = 0 as MicroShares } = holdingsOf(name) ?? {};
    return {
      actorId: actor.actorId,
      openOrders: openCounts.get(name) ?? 0,
      positions,
      largestPosition: formatMicroShares(largest),
      limits: actorLimitsView(actor.limits),
    };
  });
}

/** The faults of the whole process. */
export function faultsOf(metrics: Metrics): Faults {
  const gauges = Object.entries(GAUGES).map(([name, gauge]) => [name, metrics.rowsOf(gauge)[0]?.value ?? 0] as const);
  const diverged = metrics.counters.get('order_divergences_total')!.map(({ slot }) => metrics.read(slot));
  return {
    ...(Object.fromEntries(gauges) as Record<keyof typeof GAUGES, number>),
    divergences: diverged.reduce((sum, it) => sum + it, 0),
  };
}

interface Seen {
  frames: number;
  /** The time at which `frames` last changed, by the monotonic clock. */
  atMs: number;
}

/**
 * Measures how long each venue's feed has sent nothing. No time is written for each frame, so the counters of frames are looked at often.
 */
export class FeedAges {
  readonly #counters: Readonly<Record<Venue, Pick<FeedCounters, 'read'>>>;
  readonly #seen: Readonly<Record<Venue, Seen>>;

  constructor(counters: Readonly<Record<Venue, Pick<FeedCounters, 'read'>>>, nowMs: number) {
    this.#counters = counters;
    this.#seen = perVenue(venue => ({ frames: counters[venue].read('frames'), atMs: nowMs }));
  }

  /** Must be called often: an age is exact to the time between two calls. */
  update(nowMs: number): void {
    for (const venue of VENUES) {
      const frames = this.#counters[venue].read('frames');
      const seen = this.#seen[venue];
      if (frames === seen.frames) continue;
      seen.frames = frames;
      seen.atMs = nowMs;
    }
  }

  /** The milliseconds since the last frame, or since the start if there was no frame. */
  ageMs(venue: Venue, nowMs: number): number {
    return nowMs - this.#seen[venue].atMs;
  }
}
