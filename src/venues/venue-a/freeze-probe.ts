// Tells a stream that stands still from quiet markets. The venue's stream is known to freeze: the socket stays open and answers
// every PING, but no book event comes for hours (py-clob-client #292), of all markets or of one; neither hashes nor the
// silence watchdog can notice what is not sent. A market nobody trades looks the same, so REST is asked: a market without a
// book event for a while has its book compared with the venue's. One probe per connection at a time. Venue A's feed thread.

import { limits } from '../../limits.ts';
import { COUNTER } from '../../runtime/counters.ts';
import type { FeedParts } from '../feed.ts';
import type { BookDocument } from './book-document.ts';
import type { MarketBook } from './market-book.ts';
import { fetchBook } from './market-facts.ts';

export interface FreezeProbeOptions {
  readonly parts: FeedParts;
  /** Base of the REST interface, without a slash at the end. */
  readonly restUrl: string;
  /** Those of the connection, as they come and go. */
  readonly markets: ReadonlyMap<MarketBook, unknown>;
  /** The stream is behind REST at `market`, and tells nothing of any other. Nothing more is probed until the next `start`. */
  onFrozen(market: MarketBook): void;
  /** The stream is behind REST at `market`, and tells of others. */
  onStalled(market: MarketBook): void;
  /** REST has no book of it, or an empty one. */
  onNoBook(market: MarketBook): void;
}

/** What has been seen of one market on this connection; times by the clock that is never set. */
interface Sighting {
  eventTime: number;
  /** When a look found a new event time, at most `venueAProbeMs` after it was told. */
  heardAt: number;
  probedAt: number;
  /** Whether REST had a book when it was asked last. */
  hasBook: boolean;
}

export class FreezeProbe {
  readonly #options: FreezeProbeOptions;
  #sightings = new WeakMap<MarketBook, Sighting>();
  /** Tells the answer to an earlier connection's probe. */
  #run = 0;
  #cancelTimer: () => void = () => {};

  constructor(options: FreezeProbeOptions) {
    this.#options = options;
  }

  /** The connection is up. */
  start(): void {
    this.stop();
    this.#sightings = new WeakMap();
    this.#look();
  }

  /** The connection is gone; an answer under way concerns nobody. */
  stop(): void {
    this.#run += 1;
    this.#cancelTimer();
  }

  /** Events are not counted as they come: a market's last event time is compared with what it was. */
  #look(): void {
    const quiet = this.#note().filter(([market, { probedAt }]) => market.isProven && this.#isLongAgo(probedAt));
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
      const sighting = known ?? { eventTime, heardAt, probedAt: Number.NEGATIVE_INFINITY, hasBook: true };
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
    if (document === null || isEmpty(document)) this.#options.onNoBook(market);
    const isUpToDate = document === null ? null : market.isUpToDate(document);
    if (isUpToDate === null && sighting.hasBook)
      log.warn('no book from venue to compare a quiet one with', { market: market.facts.conditionId });
    else if (isUpToDate) counters.count(COUNTER.quietProbes);
    sighting.hasBook = isUpToDate !== null;
    return isUpToDate === false;
  }

  #judge(market: MarketBook, lastEventTime: number): void {
    const { markets, onFrozen, onStalled } = this.#options;
    const isStill = markets.has(market) && market.isProven && market.lastEventTime === lastEventTime;
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

/** Those not probed since their last event first, of them the one that was active last: there a freeze shows soonest. */
function byTurn([, one]: [MarketBook, Sighting], [, other]: [MarketBook, Sighting]): number {
  const isNew = ({ heardAt, probedAt }: Sighting) => probedAt < heardAt;
  if (isNew(one) !== isNew(other)) return isNew(one) ? -1 : 1;
  return isNew(one) ? other.eventTime - one.eventTime : one.probedAt - other.probedAt;
}
