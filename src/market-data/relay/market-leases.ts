// Markets that readers want: each stays subscribed at its feed until its lease ends, which every request renews. Main thread of a publisher.

import { type MarketKey, marketAddress } from '../../core/domain/market.ts';
import { pause, type Timers } from '../../core/runtime/timers.ts';
import type { Rejection } from '../../core/wire/messages.ts';
import { limits } from '../../limits.ts';
import type { FeedRefusal } from '../../venues/feed.ts';
import type { LeaseOutcome } from './relay-messages.ts';
import { DESCRIBED_MS, LEASE_MS } from './times.ts';

/** Subscribes a market at its feed. Never rejects. Call `release` once. */
export type AcquireMarket = (
  market: MarketKey,
) => Promise<{ readonly release: () => void } | { readonly refusal: FeedRefusal }>;

interface Lease {
  /** The end in monotonic milliseconds. */
  until: number;
  /** Null while the feed has not answered. */
  release: (() => void) | null;
  readonly answer: Promise<FeedRefusal | null>;
}

/** As many as both venues can have books. */
const LEASES_MAX = 2 * limits.booksPerVenueMax;
/** Between two looks for leases that have ended. */
const LOOK_MS = 1_000;

export class MarketLeases {
  readonly #acquire: AcquireMarket;
  readonly #timers: Timers;
  readonly #byName = new Map<string, Lease>();
  #cancelLook: () => void = () => {};

  constructor(acquire: AcquireMarket, timers: Timers) {
    this.#acquire = acquire;
    this.#timers = timers;
    this.#lookLater();
  }

  get count(): number {
    return this.#byName.size;
  }

  /** Resolves when all markets are described, or after DESCRIBED_MS with those that are. */
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

  /** Feeds release their markets by themselves when they end. */
  close(): void {
    this.#cancelLook();
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

  #lookLater(): void {
    this.#cancelLook = this.#timers.after(LOOK_MS, () => {
      const now = this.#timers.elapsed();
      for (const [name, { until, release }] of this.#byName) {
        // A market whose feed has not answered is looked at again.
        if (now < until || release === null) continue;
        this.#byName.delete(name);
        release();
      }
      this.#lookLater();
    });
  }
}
