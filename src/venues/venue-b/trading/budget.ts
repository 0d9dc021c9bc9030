// Venue B's rate limits, mirrored (venue-b.md §9), so that we wait here instead of being refused there, and new orders leave room
// for cancels. A bucket is one number, the moment at which it is full again (generic cell rate algorithm), in memory that the
// threads which use the account may share: each takes from all that there is. Engine thread.

import type { UnixMillis } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { type BucketTerms, type BudgetTerms, SMALLEST_TIER } from './budget-terms.ts';

/** Of one account: a bucket of reads, and one of writes for each shard. */
export function createBudgetMemory(): BigInt64Array {
  return new BigInt64Array(new SharedArrayBuffer((1 + limits.venueBShardsMax) * BigInt64Array.BYTES_PER_ELEMENT));
}

const READS = 0;
const US_PER_MS = 1_000;
const US_PER_S = 1_000_000;

interface Charge {
  readonly cost: number;
  /** Tokens that it leaves to others. */
  readonly keep: number;
  /** How long the caller would wait for it. */
  readonly waitMsMax: number;
}

export class VenueBBudget {
  readonly #memory: BigInt64Array;
  readonly #now: () => UnixMillis;
  #terms: BudgetTerms = SMALLEST_TIER;

  constructor(memory: BigInt64Array, now: () => UnixMillis) {
    this.#memory = memory;
    this.#now = now;
  }

  /** What the venue says of the account. */
  set terms(terms: BudgetTerms) {
    this.#terms = terms;
  }

  /** Milliseconds until there is room for a new order; 0: there was, and it is taken. */
  takeOrder(shard: number): number {
    const { write, orderCost } = this.#terms;
    const keep = (write.tokensMax * limits.venueBCancelReservePercentMax) / 100;
    return this.#take(writes(shard), write, { cost: orderCost, keep, waitMsMax: 0 });
  }

  /** Milliseconds after which a cancel may be made: it is taken already if they are not more than `waitMsMax`. */
  takeCancel(shard: number, waitMsMax: number): number {
    const { write, cancelCost } = this.#terms;
    return this.#take(writes(shard), write, { cost: cancelCost, keep: 0, waitMsMax });
  }

  /** As `takeCancel`, for a read. */
  takeRead(kind: 'order' | 'other', waitMsMax: number): number {
    const { read, orderReadCost, readCost } = this.#terms;
    return this.#take(READS, read, { cost: kind === 'order' ? orderReadCost : readCost, keep: 0, waitMsMax });
  }

  /** The venue says that a bucket is empty: somebody else uses the account too. */
  emptyWrites(shard: number): void {
    this.#empty(writes(shard), this.#terms.write);
  }

  emptyReads(): void {
    this.#empty(READS, this.#terms.read);
  }

  #take(cell: number, { refillPerS, tokensMax }: BucketTerms, { cost, keep, waitMsMax }: Charge): number {
    const nowUs = this.#now() * US_PER_MS;
    // A full bucket is enough for anything.
    const roomUs = Math.floor((Math.max(tokensMax - keep, cost) * US_PER_S) / refillPerS);
    // A clock that was set back must not keep us out for as long.
    const latestUs = nowUs + Math.floor((tokensMax * US_PER_S) / refillPerS) + limits.upstreamRestTimeoutMs * US_PER_MS;
    for (;;) {
      const before = Atomics.load(this.#memory, cell);
      if (before > latestUs) {
        Atomics.compareExchange(this.#memory, cell, before, BigInt(latestUs));
        continue;
      }
      const fullAtUs = Math.max(Number(before), nowUs) + Math.ceil((cost * US_PER_S) / refillPerS);
      const waitMs = Math.max(0, Math.ceil((fullAtUs - nowUs - roomUs) / US_PER_MS));
      if (waitMs > waitMsMax) return waitMs;
      if (Atomics.compareExchange(this.#memory, cell, before, BigInt(fullAtUs)) === before) return waitMs;
    }
  }

  #empty(cell: number, { refillPerS, tokensMax }: BucketTerms): void {
    const emptyUs = BigInt(this.#now() * US_PER_MS + Math.floor((tokensMax * US_PER_S) / refillPerS));
    const before = Atomics.load(this.#memory, cell);
    // Whoever comes in between has taken from it: no matter.
    if (before < emptyUs) Atomics.compareExchange(this.#memory, cell, before, emptyUs);
  }
}

function writes(shard: number): number {
  return 1 + Math.min(shard, limits.venueBShardsMax - 1);
}
