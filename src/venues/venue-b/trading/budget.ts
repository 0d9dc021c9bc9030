// A local mirror of venue B's rate limits (venue-b.md §6, §9). We wait here instead of being refused there, and new orders leave room for
// cancels. A bucket is one number, the moment at which it is full again (generic cell rate algorithm). It is in memory that several threads
// may share; each takes from the whole bucket. Engine and guard thread; main reads the rest.

import { countOf, isObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { RequestBudget, VenueBudget } from '../../../core/domain/venue-budget.ts';
import { limits } from '../../../limits.ts';
import { BATCHES, ORDERS } from './order-body.ts';

const READS = 0;
const BUCKETS = 1 + limits.venueBShardsMax;
const TERMS = 8;

/** The cells of one account: a bucket of reads, one of writes per shard, and the terms. */
export function createBudgetMemory(): BigInt64Array {
  const memory = new BigInt64Array(new SharedArrayBuffer((BUCKETS + TERMS) * BigInt64Array.BYTES_PER_ELEMENT));
  putTerms(memory, SMALLEST_TIER);
  return memory;
}
const US_PER_MS = 1_000;
const US_PER_S = 1_000_000;
/** Rates have the decimals of an HTTP structured field. */
const RATE_SCALE = 1_000;

interface Charge {
  readonly cost: number;
  /** Tokens that it leaves for other requests. */
  readonly keep: number;
  /** Longest wait in milliseconds that the caller accepts. */
  readonly waitMsMax: number;
}

export class VenueBBudget {
  readonly #memory: BigInt64Array;
  readonly #now: () => UnixMillis;
  #terms: BudgetTerms;

  constructor(memory: BigInt64Array, now: () => UnixMillis) {
    this.#memory = memory;
    this.#now = now;
    this.#terms = termsIn(memory);
  }

  /** Sets the venue's limits of the account. Other threads get them with their next object. */
  set terms(terms: BudgetTerms) {
    this.#terms = terms;
    putTerms(this.#memory, terms);
  }

  /** Milliseconds until a new order fits; 0: it fits, and its tokens are taken. */
  takeOrder(shard: number): number {
    const { write, orderCost } = this.#terms;
    return this.#take(writes(shard), write, { cost: orderCost, keep: cancelReserve(write), waitMsMax: 0 });
  }

  /** The requests that can be sent now to the shard. */
  now(shard: number): VenueBudget {
    const { write, read, orderCost, cancelCost, readCost } = this.#terms;
    const keep = cancelReserve(write);
    return {
      venue: 'venue_b',
      orders: this.#left(writes(shard), write, { cost: orderCost, keep }),
      cancels: this.#left(writes(shard), write, { cost: cancelCost, keep: 0 }),
      reads: this.#left(READS, read, { cost: readCost, keep: 0 }),
    };
  }

  /** Milliseconds to wait before the cancel. Its tokens are taken if that is at most `waitMsMax`. */
  takeCancel(shard: number, waitMsMax: number): number {
    const { write, cancelCost } = this.#terms;
    return this.#take(writes(shard), write, { cost: cancelCost, keep: 0, waitMsMax });
  }

  /** How many cancels fit into a full bucket: the venue takes no larger batch. */
  get cancelsMax(): number {
    const { write, cancelCost } = this.#terms;
    return Math.max(1, Math.floor(write.tokensMax / cancelCost));
  }

  /** Like `takeCancel`, for a read. */
  takeRead(kind: 'order' | 'other', waitMsMax: number): number {
    const { read, orderReadCost, readCost } = this.#terms;
    return this.#take(READS, read, { cost: kind === 'order' ? orderReadCost : readCost, keep: 0, waitMsMax });
  }

  /** The venue says that the bucket is empty: the account has another user. */
  emptyWrites(shard: number): void {
    this.#empty(writes(shard), this.#terms.write);
  }

  emptyReads(): void {
    this.#empty(READS, this.#terms.read);
  }

  #left(cell: number, terms: BucketTerms, charge: Omit<Charge, 'waitMsMax'>): RequestBudget {
    const spentUs = Math.max(0, Number(Atomics.load(this.#memory, cell)) - this.#now() * US_PER_MS);
    const [room, step] = [roomUs(terms, charge), stepUs(terms, charge)];
    return {
      left: Math.max(0, Math.floor((room - spentUs) / step)),
      burst: Math.floor(room / step),
      perSecond: Math.floor((terms.refillPerS * RATE_SCALE) / charge.cost) / RATE_SCALE,
    };
  }

  #take(cell: number, terms: BucketTerms, charge: Charge): number {
    const { refillPerS, tokensMax } = terms;
    const nowUs = this.#now() * US_PER_MS;
    const [room, step] = [roomUs(terms, charge), stepUs(terms, charge)];
    // After the clock was set back, the bucket must not block for that long.
    const latestUs = nowUs + Math.floor((tokensMax * US_PER_S) / refillPerS) + limits.upstreamRestTimeoutMs * US_PER_MS;
    for (;;) {
      const before = Atomics.load(this.#memory, cell);
      if (before > latestUs) {
        Atomics.compareExchange(this.#memory, cell, before, BigInt(latestUs));
        continue;
      }
      const fullAtUs = Math.max(Number(before), nowUs) + step;
      const waitMs = Math.max(0, Math.ceil((fullAtUs - nowUs - room) / US_PER_MS));
      if (waitMs > charge.waitMsMax) return waitMs;
      if (Atomics.compareExchange(this.#memory, cell, before, BigInt(fullAtUs)) === before) return waitMs;
    }
  }

  #empty(cell: number, { refillPerS, tokensMax }: BucketTerms): void {
    const emptyUs = BigInt(this.#now() * US_PER_MS + Math.floor((tokensMax * US_PER_S) / refillPerS));
    const before = Atomics.load(this.#memory, cell);
    // If the exchange fails, another thread has just taken tokens; that is harmless.
    if (before < emptyUs) Atomics.compareExchange(this.#memory, cell, before, emptyUs);
  }
}

/** Time in which the tokens that a request may take come back. A full bucket is enough for any request. */
function roomUs({ refillPerS, tokensMax }: BucketTerms, { cost, keep }: Omit<Charge, 'waitMsMax'>): number {
  return Math.floor((Math.max(tokensMax - keep, cost) * US_PER_S) / refillPerS);
}

/** Time in which the tokens of one request come back. */
function stepUs({ refillPerS }: BucketTerms, { cost }: Pick<Charge, 'cost'>): number {
  return Math.ceil((cost * US_PER_S) / refillPerS);
}

/** Tokens that new orders leave for cancels. */
function cancelReserve({ tokensMax }: BucketTerms): number {
  return (tokensMax * limits.venueBCancelReservePercentMax) / 100;
}

function writes(shard: number): number {
  return 1 + Math.min(shard, limits.venueBShardsMax - 1);
}

interface BucketTerms {
  readonly refillPerS: number;
  readonly tokensMax: number;
}

interface BudgetTerms {
  readonly read: BucketTerms;
  readonly write: BucketTerms;
  readonly orderCost: number;
  /** Tokens of a batch with one item: the venue bills each item. */
  readonly cancelCost: number;
  /** Tokens to read one order; to read anything else. */
  readonly orderReadCost: number;
  readonly readCost: number;
}

/** The terms until the venue answers: too small a budget only waits, too large a one is refused. */
export const SMALLEST_TIER: BudgetTerms = {
  read: { refillPerS: 200, tokensMax: 200 },
  write: { refillPerS: 100, tokensMax: 100 },
  orderCost: 10,
  cancelCost: 2,
  orderReadCost: 10,
  readCost: 10,
};

function putTerms(memory: BigInt64Array, { read, write, ...costs }: BudgetTerms): void {
  const { orderCost, cancelCost, orderReadCost, readCost } = costs;
  const buckets = [read.refillPerS, read.tokensMax, write.refillPerS, write.tokensMax];
  for (const [index, value] of [...buckets, orderCost, cancelCost, orderReadCost, readCost].entries())
    Atomics.store(memory, BUCKETS + index, BigInt(value));
}

function termsIn(memory: BigInt64Array): BudgetTerms {
  const of = (index: number): number => Number(Atomics.load(memory, BUCKETS + index));
  const [read, write] = [0, 2].map(at => ({ refillPerS: of(at), tokensMax: of(at + 1) })) as [BucketTerms, BucketTerms];
  return { read, write, orderCost: of(4), cancelCost: of(5), orderReadCost: of(6), readCost: of(7) };
}

/** Unreadable parts keep their earlier values. */
export function budgetTermsOf(limits: unknown, costs: unknown, before: BudgetTerms): BudgetTerms {
  const costOf = costsOf(costs);
  return {
    read: (isObject(limits) ? bucketOf(limits.read) : null) ?? before.read,
    write: (isObject(limits) ? bucketOf(limits.write) : null) ?? before.write,
    orderCost: costOf('POST', ORDERS) ?? before.orderCost,
    cancelCost: costOf('DELETE', BATCHES) ?? before.cancelCost,
    orderReadCost: costOf('GET', '/portfolio/orders/:order_id') ?? before.orderReadCost,
    readCost: costOf('GET', '/portfolio/orders') ?? before.readCost,
  };
}

function bucketOf(bucket: unknown): BucketTerms | null {
  if (!isObject(bucket)) return null;
  const [refillPerS, tokensMax] = [countOf(bucket.refill_rate), countOf(bucket.bucket_capacity)];
  return refillPerS && tokensMax ? { refillPerS, tokensMax } : null;
}

/** Null if the answer lacks the costs. */
function costsOf(costs: unknown): (method: string, path: string) => number | null {
  if (!isObject(costs)) return () => null;
  const byDefault = countOf(costs.default_cost);
  const listed = objectsOf(costs.endpoint_costs);
  return (method, path) => {
    const entry = listed.find(it => it.method === method && textOf(it.path).endsWith(`/trade-api/v2${path}`));
    const cost = entry === undefined ? byDefault : countOf(entry.cost);
    return cost !== null && cost > 0 ? cost : null;
  };
}
