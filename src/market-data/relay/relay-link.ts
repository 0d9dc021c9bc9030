// The main thread's link to the publisher: tells the publisher's thread which market has which book, and keeps the markets that readers
// want. Main thread.

import { type MarketKey, marketAddress } from '../../core/domain/market.ts';
import type { Result } from '../../core/domain/result.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { SharedFigures } from '../../core/metrics/shared-figures.ts';
import type { NatsSettings } from '../../core/nats/settings.ts';
import { LastingThread } from '../../core/runtime/lasting-thread.ts';
import type { Log } from '../../core/runtime/log.ts';
import { pause, type Timers, wallTimers } from '../../core/runtime/timers.ts';
import type { Rejection } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import { THREADS } from '../../threads.ts';
import type { FeedRefusal } from '../../venues/feed.ts';
import type { TermsReading, TradingTerms } from '../../venues/trading-terms.ts';
import type { FactsRefusal } from '../../venues/venue.ts';
import { ListedBooks } from '../book/live-books.ts';
import type { Arena } from '../book/memory.ts';
import { DESCRIBED_MS, LEASE_MS } from './protocol.ts';
import {
  type FromRelay,
  type LeaseOutcome,
  RELAY_COUNTS,
  type RelayThreadData,
  type ToRelay,
} from './relay-messages.ts';

interface RelayLinkOptions {
  readonly nats: NatsSettings;
  readonly arena: Arena;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** The functions that serve readers’ requests. */
interface Origin {
  acquire(...market: Parameters<AcquireMarket>): ReturnType<AcquireMarket>;
  /** Never rejects. */
  terms(market: MarketKey): Promise<Result<TradingTerms, FactsRefusal>>;
}

export class RelayLink {
  readonly places = new ListedBooks(message => this.#post(message));
  readonly #thread: LastingThread;
  #leases: MarketLeases | null = null;
  #origin: Origin | null = null;

  constructor({ nats, arena, metrics, log }: RelayLinkOptions) {
    const counters = new SharedFigures(RELAY_COUNTS);
    const workerData: RelayThreadData = { arena, counters: counters.memory, nats, logLevel: log.level };
    this.#thread = new LastingThread({
      ...THREADS.relay,
      workerData,
      log,
      onMessage: message => this.#handle(message as FromRelay),
      onLost: () => counters.set('connected', 0),
      onRestart: () => this.places.sendAll(),
    }).countLosses(metrics, 'relay');
    metrics.gauge('relay_connected', () => counters.read('connected'));
    metrics.gauge('relay_markets', () => this.places.size);
    metrics.gauge('relay_leases', () => this.#leases?.count ?? 0);
    metrics.gauge('relay_messages_total', () => counters.read('messages'));
    metrics.gauge('relay_bytes_total', () => counters.read('bytes'));
    metrics.gauge('relay_pauses_total', () => counters.read('pauses'));
    metrics.gauge('relay_refused_total', () => counters.read('refused'));
  }

  /** Begins to serve readers' requests. */
  serve(origin: Origin): void {
    this.#leases = new MarketLeases(market => origin.acquire(market), wallTimers);
    this.#origin = origin;
  }

  /** Ends the publisher's thread, which notifies readers of the end. */
  async close(): Promise<void> {
    this.#leases?.close();
    await this.#thread.close();
  }

  /** Kills the thread, as a fault would. For tests. */
  kill(): Promise<void> {
    return this.#thread.kill();
  }

  #handle(message: FromRelay): void {
    if (message.op === 'lease') void this.#lease(message.id, message.markets);
    else void this.#readTerms(message.id, message.market);
  }

  async #lease(id: number, markets: readonly MarketKey[]): Promise<void> {
    const outcome = await this.#leases?.lease(markets);
    if (outcome !== undefined) this.#post({ op: 'leased', id, outcome });
  }

  async #readTerms(id: number, market: MarketKey): Promise<void> {
    const answer = await this.#origin?.terms(market);
    if (answer !== undefined)
      this.#post({
        op: 'terms',
        id,
        reading: answer.ok ? { type: 'terms', terms: answer.value } : readingOf(answer.error),
      });
  }

  #post(message: ToRelay): void {
    this.#thread.send(message);
  }
}

function readingOf(refusal: FactsRefusal): TermsReading {
  if (refusal.type === 'unknown-market') return { type: 'unknown', message: 'the venue has no such market' };
  return { type: 'faulty', message: refusal.message };
}

// Markets that readers want. Each stays subscribed at its feed until its lease ends; every request renews the lease. Main thread of a
// publisher.

/** Subscribes to a market at its feed. Never rejects. Call `release` once, when the market is not wanted any more. */
export type AcquireMarket = (
  market: MarketKey,
) => Promise<{ readonly release: () => void } | { readonly refusal: FeedRefusal }>;

interface Lease {
  /** The end of the lease, in monotonic milliseconds. */
  until: number;
  /** Ends the subscription at the feed. Null while the feed has not answered. */
  release: (() => void) | null;
  readonly answer: Promise<FeedRefusal | null>;
}

/** The most leases: one for each book that both venues can have. */
const LEASES_MAX = 2 * limits.booksPerVenueMax;
/** The interval between two looks for leases that have ended. */
const EXPIRY_INTERVAL_MS = 1_000;

export class MarketLeases {
  readonly #acquire: AcquireMarket;
  readonly #timers: Timers;
  readonly #byName = new Map<string, Lease>();
  #cancelExpiry: () => void = () => {};

  constructor(acquire: AcquireMarket, timers: Timers) {
    this.#acquire = acquire;
    this.#timers = timers;
    this.#scheduleExpiry();
  }

  get count(): number {
    return this.#byName.size;
  }

  /**
   * Takes or renews a lease for each market. Resolves when all markets are described, or after DESCRIBED_MS with the markets that are
   * described by then.
   */
  async lease(markets: readonly MarketKey[]): Promise<LeaseOutcome> {
    const [accepted, rejected]: [MarketKey[], Rejection[]] = [[], []];
    const answers = markets.map(async market => {
      const refusal = await this.#leaseOne(market);
      if (refusal === null) accepted.push(market);
      else rejected.push({ market, ...refusal });
    });
    await Promise.race([Promise.all(answers), pause(this.#timers, DESCRIBED_MS)]);
    return { accepted: [...accepted], rejected: [...rejected] };
  }

  /** Ends the looks for ended leases. The leases need no release here: feeds release their markets when they end. */
  close(): void {
    this.#cancelExpiry();
  }

  #leaseOne(market: MarketKey): Promise<FeedRefusal | null> {
    const name = `${market.venue} ${marketAddress(market)}`;
    const until = this.#timers.elapsed() + LEASE_MS;
    const known = this.#byName.get(name);
    if (known !== undefined) {
      known.until = until;
      return known.answer;
    }
    if (this.#byName.size >= LEASES_MAX) {
      return Promise.resolve({ code: 'BOOK_LIMIT', message: `the publisher has ${LEASES_MAX} markets for readers` });
    }
    const { promise, resolve } = Promise.withResolvers<FeedRefusal | null>();
    const lease: Lease = { until, release: null, answer: promise };
    this.#byName.set(name, lease);
    void this.#acquire(market).then(acquisition => {
      if ('refusal' in acquisition) {
        this.#byName.delete(name);
        resolve(acquisition.refusal);
      } else {
        lease.release = acquisition.release;
        resolve(null);
      }
    });
    return promise;
  }

  #scheduleExpiry(): void {
    this.#cancelExpiry = this.#timers.after(EXPIRY_INTERVAL_MS, () => {
      const now = this.#timers.elapsed();
      for (const [name, { until, release }] of this.#byName) {
        // A lease whose feed has not answered cannot be released yet; the next look tries again.
        if (now < until || release === null) continue;
        this.#byName.delete(name);
        release();
      }
      this.#scheduleExpiry();
    });
  }
}
