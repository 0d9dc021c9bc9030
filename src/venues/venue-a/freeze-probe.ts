// Distinguishes a frozen stream from quiet markets. The venue's stream sometimes freezes, for all markets or for one
// (py-clob-client #292). The socket stays open and answers PING, but no book event comes for hours. Hashes and the silence
// watchdog cannot detect that, and a market without trades looks the same. So REST is asked: a book without events for a while
// is compared with the venue's, and one that has never come with none. One probe per connection at a time. Venue A's feed thread.

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
  /** Markets of the connection; the set changes over time. */
  readonly markets: ReadonlyMap<MarketBook, unknown>;
  /** The stream is behind REST at `market`, and sends nothing for any other market. No more probes until the next `start`. */
  onFrozen(market: MarketBook): void;
  /** The stream is behind REST at `market`, and sends events of others. */
  onStalled(market: MarketBook): void;
  /** REST has no book of it, or an empty one. */
  onNoBook(market: MarketBook): void;
}

/** Observations of one market on this connection; times by the monotonic clock. */
interface Sighting {
  readonly since: number;
  eventTime: number;
  /** When a check found a new event time, at most `venueAProbeMs` after the event. */
  heardAt: number;
  probedAt: number;
  /** Whether REST had a book at the last request. */
  hasBook: boolean;
}

export class FreezeProbe {
  readonly #options: FreezeProbeOptions;
  #sightings = new WeakMap<MarketBook, Sighting>();
  /** Identifies the answer to an earlier connection's probe. */
  #run = 0;
  #cancelTimer: () => void = () => {};

  constructor(options: FreezeProbeOptions) {
    this.#options = options;
  }

  /** Starts when the connection is up. */
  start(): void {
    this.stop();
    this.#sightings = new WeakMap();
    this.#look();
  }

  /** The connection is gone; an answer in flight is ignored. */
  stop(): void {
    this.#run += 1;
    this.#cancelTimer();
  }

  /** Events are not counted on arrival: a market's last event time is compared with its earlier value. */
  #look(): void {
    const quiet = this.#note().filter(
      ([market, { since, probedAt }]) =>
        this.#isLongAgo(probedAt) && (market.isProven || (market.isAwaitingBook && this.#isLongAgo(since))),
    );
    const [next] = quiet.filter(([, { heardAt }]) => this.#isLongAgo(heardAt)).sort(byTurn);
    if (next === undefined) this.#lookAgain();
    else void this.#probe(...next);
  }

  #lookAgain(): void {
    this.#cancelTimer = this.#options.parts.timers.after(limits.venueAProbeMs, () => this.#look());
  }

  #note(): [MarketBook, Sighting][] {
    const now = this.#options.parts.timers.elapsed();
    return [...this.#options.markets.keys()].map(market => {
      const eventTime = market.lastEventTime;
      const known = this.#sightings.get(market);
      const heardAt = eventTime === 0 ? Number.NEGATIVE_INFINITY : now;
      const sighting = known ?? { since: now, eventTime, heardAt, probedAt: Number.NEGATIVE_INFINITY, hasBook: true };
      if (known === undefined) this.#sightings.set(market, sighting);
      else if (known.eventTime !== eventTime) Object.assign(known, { eventTime, heardAt: now });
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
    } else this.#lookAgain();
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
    if (isStill && this.#note().every(([, { heardAt }]) => this.#isLongAgo(heardAt))) {
      onFrozen(market);
      return;
    }
    if (isStill) onStalled(market);
    this.#lookAgain();
  }
}

function isEmpty({ bids, asks }: BookDocument): boolean {
  return bids.length + asks.length === 0;
}

/** Markets without a probe since their last event first, among them the most recently active: a freeze shows there soonest. */
function byTurn([, one]: [MarketBook, Sighting], [, other]: [MarketBook, Sighting]): number {
  const isNew = ({ heardAt, probedAt }: Sighting) => probedAt < heardAt;
  if (isNew(one) !== isNew(other)) return isNew(one) ? -1 : 1;
  return isNew(one) ? other.eventTime - one.eventTime : one.probedAt - other.probedAt;
}
