// Distinguishes a frozen stream from quiet markets. The venue's stream sometimes freezes, for all markets or for one (py-clob-client #292).
// The socket then stays open and answers PING, but no book event comes for hours. Hashes and the silence watchdog cannot detect that, and
// markets without trades look the same. So REST is asked. A book without events for a while is compared with the venue's book. If the
// stream has sent no book at all, the question is whether REST has one. One probe per connection at a time. Venue A's feed thread.

import { COUNTER } from '../../core/metrics/feed-counters.ts';
import { limits } from '../../limits.ts';
import type { FeedParts } from '../feed.ts';
import type { BookDocument } from './book-document.ts';
import type { MarketBook } from './market-book.ts';
import { fetchBook } from './market-facts.ts';

interface FreezeProbeOptions {
  readonly parts: FeedParts;
  /** Base of the REST interface, without a trailing slash. */
  readonly restUrl: string;
  /** The markets of the connection, which change over time. */
  readonly markets: ReadonlyMap<MarketBook, unknown>;
  /**
   * Called when the stream is behind REST at `market`, and sends nothing for any other market. No more probes are sent until the next
   * `start`.
   */
  onFrozen(market: MarketBook): void;
  /** Called when the stream is behind REST at `market`, and sends events of other markets. */
  onStalled(market: MarketBook): void;
  /** Called when REST has no book of the market, or an empty one. */
  onNoBook(market: MarketBook): void;
}

/** The observations of one market on this connection, with times of the monotonic clock. */
interface Sighting {
  readonly since: number;
  eventTime: number;
  /** The time at which a check found a new event time, at most `venueAProbeMs` after the event. */
  changedAt: number;
  probedAt: number;
  /** Whether REST had a book at the last request. */
  hasBook: boolean;
}

export class FreezeProbe {
  readonly #options: FreezeProbeOptions;
  #sightings = new WeakMap<MarketBook, Sighting>();
  /** The number of this run, by which an answer to an earlier connection's probe is recognised. */
  #run = 0;
  #cancelTimer: () => void = () => {};

  constructor(options: FreezeProbeOptions) {
    this.#options = options;
  }

  /** Starts the probe; call this when the connection is up. */
  start(): void {
    this.stop();
    this.#sightings = new WeakMap();
    this.#probeNext();
  }

  /** Stops the probe, because the connection is gone. An answer in flight is ignored. */
  stop(): void {
    this.#run += 1;
    this.#cancelTimer();
  }

  /** Looks for a market to probe. Events are not counted on arrival: a market's last event time is compared with its earlier value. */
  #probeNext(): void {
    const quiet = this.#updateSightings().filter(
      ([market, { since, probedAt }]) =>
        this.#isLongAgo(probedAt) && (market.isProven || (market.isAwaitingBook && this.#isLongAgo(since))),
    );
    const [next] = quiet.filter(([, { changedAt }]) => this.#isLongAgo(changedAt)).sort(byTurn);
    if (next === undefined) this.#scheduleProbe();
    else void this.#probe(...next);
  }

  #scheduleProbe(): void {
    this.#cancelTimer = this.#options.parts.timers.after(limits.venueAProbeMs, () => this.#probeNext());
  }

  #updateSightings(): [MarketBook, Sighting][] {
    const now = this.#options.parts.timers.elapsed();
    return [...this.#options.markets.keys()].map(market => {
      const eventTime = market.lastEventTime;
      const known = this.#sightings.get(market);
      const changedAt = eventTime === 0 ? Number.NEGATIVE_INFINITY : now;
      const sighting = known ?? { since: now, eventTime, changedAt, probedAt: Number.NEGATIVE_INFINITY, hasBook: true };
      if (known === undefined) this.#sightings.set(market, sighting);
      else if (known.eventTime !== eventTime) Object.assign(known, { eventTime, changedAt: now });
      return [market, sighting];
    });
  }

  #isLongAgo(at: number): boolean {
    return this.#options.parts.timers.elapsed() - at >= limits.venueAQuietMs;
  }

  async #probe(market: MarketBook, sighting: Sighting): Promise<void> {
    const { parts, restUrl } = this.#options;
    const run = this.#run;
    sighting.probedAt = parts.timers.elapsed();
    const { lastEventTime } = market;
    const document = await fetchBook(parts.get, restUrl, market.facts.primaryToken);
    if (this.#run !== run) return;
    if (this.#isBehind(market, sighting, document)) {
      this.#cancelTimer = parts.timers.after(limits.venueAFreezeGraceMs, () => this.#judge(market, lastEventTime));
    } else this.#scheduleProbe();
  }

  #isBehind(market: MarketBook, sighting: Sighting, document: BookDocument | null): boolean {
    const { counters, log } = this.#options.parts;
    const isThere = document !== null && !isEmpty(document);
    if (!isThere) this.#options.onNoBook(market);
    if (market.isAwaitingBook) return isThere;
    const isUpToDate = document === null ? null : market.isUpToDate(document);
    if (isUpToDate === null && sighting.hasBook)
      log.warn('venue sends no book to check a quiet market', { market: market.facts.conditionId });
    else if (isUpToDate) counters.count(COUNTER.quietProbes);
    sighting.hasBook = isUpToDate !== null;
    return isUpToDate === false;
  }

  #judge(market: MarketBook, lastEventTime: number): void {
    const { markets, onFrozen, onStalled } = this.#options;
    const isWaiting = market.isProven || market.isAwaitingBook;
    const isStill = markets.has(market) && isWaiting && market.lastEventTime === lastEventTime;
    if (isStill && this.#updateSightings().every(([, { changedAt }]) => this.#isLongAgo(changedAt))) {
      onFrozen(market);
      return;
    }
    if (isStill) onStalled(market);
    this.#scheduleProbe();
  }
}

function isEmpty({ bids, asks }: BookDocument): boolean {
  return bids.length + asks.length === 0;
}

/**
 * Sorts markets by their turn. Markets without a probe since their last event come first, among them the most recently active ones: a
 * freeze shows there soonest.
 */
function byTurn([, one]: [MarketBook, Sighting], [, other]: [MarketBook, Sighting]): number {
  const isNew = ({ changedAt, probedAt }: Sighting) => probedAt < changedAt;
  if (isNew(one) !== isNew(other)) return isNew(one) ? -1 : 1;
  return isNew(one) ? other.eventTime - one.eventTime : one.probedAt - other.probedAt;
}
