// A local mirror of venue B's rate limits (venue-b.md §6, §9). Requests wait here instead of being refused by the venue, and new orders
// leave room for cancels. A bucket is one number: the moment at which the bucket is full again (generic cell rate algorithm). The numbers
// are in memory that several threads may share; each thread takes from the whole bucket. Engine and guard thread; the main thread reads
// what is left.

import { countOf, isObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import type { UnixMillis } from '../../../core/domain/numbers.ts';
import type { RequestBudget, VenueBudget } from '../../../core/domain/venue-budget.ts';
import { limits } from '../../../limits.ts';
import { BATCHES, ORDERS } from './order-body.ts';

const READS = 0;
const BUCKETS = 1 + limits.venueBShardsMax;
const TERMS = 8;

/** Creates the memory of one account: a bucket of reads, a bucket of writes for each shard, and the terms. */
export function createBudgetMemory(): BigInt64Array {
  const memory = new BigInt64Array(new SharedArrayBuffer((BUCKETS + TERMS) * BigInt64Array.BYTES_PER_ELEMENT));
  putTerms(memory, SMALLEST_TIER);
  return memory;
}
const US_PER_MS = 1_000;
const US_PER_S = 1_000_000;
/** The scale of rates, which have three decimals as in an HTTP structured field. */
const RATE_SCALE = 1_000;

/** The tokens that a kind of request takes from its bucket. */
interface Charge {
  /** The time in which the tokens of one request come back. */
  readonly stepUs: number;
  /** The time in which all tokens come back that requests of this kind may take. */
  readonly roomUs: number;
  /** The time in which an empty bucket fills. */
  readonly fillUs: number;
  /** The number of requests whose tokens come back each second. */
  readonly perSecond: number;
}

/**
 * Returns the charge of a kind of request. `keep` is the number of tokens that it leaves for other requests. A full bucket is always enough
 * for one request.
 */
function chargeOf({ refillPerS, tokensMax }: BucketTerms, cost: number, keep = 0): Charge {
  return {
    stepUs: Math.ceil((cost * US_PER_S) / refillPerS),
    roomUs: Math.floor((Math.max(tokensMax - keep, cost) * US_PER_S) / refillPerS),
    fillUs: Math.floor((tokensMax * US_PER_S) / refillPerS),
    perSecond: Math.floor((refillPerS * RATE_SCALE) / cost) / RATE_SCALE,
  };
}

type Charges = Readonly<Record<'order' | 'cancel' | 'orderRead' | 'read' | 'queueRead', Charge>>;

/** The kind of a read: of one order, of places in queues, or any other read. */
export type ReadKind = 'order' | 'queue' | 'other';
const READ_CHARGES = { order: 'orderRead', queue: 'queueRead', other: 'read' } as const;

function chargesOf({ write, read, orderCost, cancelCost, orderReadCost, readCost }: BudgetTerms): Charges {
  return {
    order: chargeOf(write, orderCost, (write.tokensMax * limits.venueBCancelReservePercentMax) / 100),
    cancel: chargeOf(write, cancelCost),
    orderRead: chargeOf(read, orderReadCost),
    read: chargeOf(read, readCost),
    queueRead: chargeOf(read, readCost, read.tokensMax / 2),
  };
}

type Budget = VenueBudget & { readonly reads: RequestBudget };

export class VenueBBudget {
  readonly #memory: BigInt64Array;
  readonly #now: () => UnixMillis;
  #charges: Charges;
  #cancelsMax: number;
  /** What `now` gave last. */
  #latest: Budget | null = null;

  constructor(memory: BigInt64Array, now: () => UnixMillis) {
    this.#memory = memory;
    this.#now = now;
    const terms = termsIn(memory);
    this.#charges = chargesOf(terms);
    this.#cancelsMax = cancelsMaxOf(terms);
  }

  /** Sets the venue's limits of the account. Other threads read them when they create their next object of this class. */
  set terms(terms: BudgetTerms) {
    this.#charges = chargesOf(terms);
    this.#cancelsMax = cancelsMaxOf(terms);
    this.#latest = null;
    putTerms(this.#memory, terms);
  }

  /**
   * Takes the tokens of a new order and returns 0; or, if they are not there, takes nothing and returns the milliseconds until they are.
   */
  takeOrder(shard: number): number {
    return this.#take(writeCell(shard), this.#charges.order, 0);
  }

  /** The requests that can be sent now to the shard. Every answer asks: it is the same object as before while no number in it changes. */
  now(shard: number): VenueBudget {
    const { order, cancel, read } = this.#charges;
    const nowUs = this.#now() * US_PER_MS;
    const writtenUs = this.#spentUs(writeCell(shard), nowUs);
    const readUs = this.#spentUs(READS, nowUs);
    const orders = requestsLeft(order, writtenUs);
    const cancels = requestsLeft(cancel, writtenUs);
    const reads = requestsLeft(read, readUs);
    const latest = this.#latest;
    if (latest?.orders.left === orders && latest.cancels.left === cancels && latest.reads.left === reads) return latest;
    this.#latest = {
      venue: 'venue_b',
      orders: budgetOf(order, orders),
      cancels: budgetOf(cancel, cancels),
      reads: budgetOf(read, reads),
    };
    return this.#latest;
  }

  /** Returns the milliseconds to wait before a cancel. The tokens of the cancel are taken if the wait is at most `waitMsMax`. */
  takeCancel(shard: number, waitMsMax: number): number {
    return this.#take(writeCell(shard), this.#charges.cancel, waitMsMax);
  }

  /** The number of cancels that fit into a full bucket: the venue takes no larger batch. */
  get cancelsMax(): number {
    return this.#cancelsMax;
  }

  /** Like `takeCancel`, for a read. */
  takeRead(kind: ReadKind, waitMsMax: number): number {
    return this.#take(READS, this.#charges[READ_CHARGES[kind]], waitMsMax);
  }

  /** Empties a bucket, because the venue says that it is empty: the account has another user. */
  emptyWrites(shard: number): void {
    this.#empty(writeCell(shard), this.#charges.order);
  }

  emptyReads(): void {
    this.#empty(READS, this.#charges.read);
  }

  /** Returns the time until all tokens that are taken now have come back. */
  #spentUs(cell: number, nowUs: number): number {
    return Math.max(0, Number(Atomics.load(this.#memory, cell)) - nowUs);
  }

  #take(cell: number, { roomUs, stepUs, fillUs }: Charge, waitMsMax: number): number {
    const nowUs = this.#now() * US_PER_MS;
    // The latest moment at which a bucket may be full. A later one is from before the clock was set back, and must not block the bucket.
    const latestUs = nowUs + fillUs + limits.upstreamRestTimeoutMs * US_PER_MS;
    for (;;) {
      const before = Atomics.load(this.#memory, cell);
      if (before > latestUs) {
        Atomics.compareExchange(this.#memory, cell, before, BigInt(latestUs));
        continue;
      }
      const fullAtUs = Math.max(Number(before), nowUs) + stepUs;
      const waitMs = Math.max(0, Math.ceil((fullAtUs - nowUs - roomUs) / US_PER_MS));
      if (waitMs > waitMsMax) return waitMs;
      if (Atomics.compareExchange(this.#memory, cell, before, BigInt(fullAtUs)) === before) return waitMs;
    }
  }

  #empty(cell: number, { fillUs }: Charge): void {
    const emptyUs = BigInt(this.#now() * US_PER_MS + fillUs);
    const before = Atomics.load(this.#memory, cell);
    // If the exchange fails, another thread has just taken tokens; that is harmless.
    if (before < emptyUs) Atomics.compareExchange(this.#memory, cell, before, emptyUs);
  }
}

/** How many requests can be sent. */
function requestsLeft({ roomUs, stepUs }: Charge, spentUs: number): number {
  return Math.max(0, Math.floor((roomUs - spentUs) / stepUs));
}

function budgetOf({ roomUs, stepUs, perSecond }: Charge, left: number): RequestBudget {
  return { left, burst: Math.floor(roomUs / stepUs), perSecond };
}

function cancelsMaxOf({ write, cancelCost }: BudgetTerms): number {
  return Math.max(1, Math.floor(write.tokensMax / cancelCost));
}

function writeCell(shard: number): number {
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
  /** The tokens of a batch of cancels with one item: the venue bills each item. */
  readonly cancelCost: number;
  /** The tokens of a read of one order; `readCost` has those of any other read. */
  readonly orderReadCost: number;
  readonly readCost: number;
}

/** The terms that apply until the venue answers. With too small a budget requests only wait; with too large a budget they are refused. */
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

/** Reads the terms from the venue's answers. Unreadable parts keep their earlier values. */
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

/** Returns a function that finds the cost of a request. It returns null if the answer does not state the cost. */
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
