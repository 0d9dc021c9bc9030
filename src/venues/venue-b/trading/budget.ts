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

/** The tokens that a kind of request takes from its bucket. */
interface Charge {
  /** Time in which the tokens of one request come back. */
  readonly stepUs: number;
  /** Time in which all tokens come back that such requests may take. */
  readonly roomUs: number;
  /** Time in which an empty bucket fills. */
  readonly fillUs: number;
  /** Requests whose tokens come back each second. */
  readonly perSecond: number;
}

/** `keep`: the tokens that it leaves for other requests. A full bucket is enough for any request. */
function chargeOf({ refillPerS, tokensMax }: BucketTerms, cost: number, keep = 0): Charge {
  return {
    stepUs: Math.ceil((cost * US_PER_S) / refillPerS),
    roomUs: Math.floor((Math.max(tokensMax - keep, cost) * US_PER_S) / refillPerS),
    fillUs: Math.floor((tokensMax * US_PER_S) / refillPerS),
    perSecond: Math.floor((refillPerS * RATE_SCALE) / cost) / RATE_SCALE,
  };
}

type Charges = Readonly<Record<'order' | 'cancel' | 'orderRead' | 'read' | 'queueRead', Charge>>;

/** A read of one order, of places in queues, or any other. */
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

export class VenueBBudget {
  readonly #memory: BigInt64Array;
  readonly #now: () => UnixMillis;
  #charges: Charges;
  #cancelsMax: number;

  constructor(memory: BigInt64Array, now: () => UnixMillis) {
    this.#memory = memory;
    this.#now = now;
    const terms = termsIn(memory);
    this.#charges = chargesOf(terms);
    this.#cancelsMax = cancelsMaxOf(terms);
  }

  /** Sets the venue's limits of the account. Other threads get them with their next object. */
  set terms(terms: BudgetTerms) {
    this.#charges = chargesOf(terms);
    this.#cancelsMax = cancelsMaxOf(terms);
    putTerms(this.#memory, terms);
  }

  /** Milliseconds until a new order fits; 0: it fits, and its tokens are taken. */
  takeOrder(shard: number): number {
    return this.#take(writes(shard), this.#charges.order, 0);
  }

  /** The requests that can be sent now to the shard. */
  now(shard: number): VenueBudget {
    const { order, cancel, read } = this.#charges;
    const nowUs = this.#now() * US_PER_MS;
    const writtenUs = this.#spentUs(writes(shard), nowUs);
    const readUs = this.#spentUs(READS, nowUs);
    return {
      venue: 'venue_b',
      orders: left(order, writtenUs),
      cancels: left(cancel, writtenUs),
      reads: left(read, readUs),
    };
  }

  /** Milliseconds to wait before the cancel. Its tokens are taken if that is at most `waitMsMax`. */
  takeCancel(shard: number, waitMsMax: number): number {
    return this.#take(writes(shard), this.#charges.cancel, waitMsMax);
  }

  /** How many cancels fit into a full bucket: the venue takes no larger batch. */
  get cancelsMax(): number {
    return this.#cancelsMax;
  }

  /** Like `takeCancel`, for a read. */
  takeRead(kind: ReadKind, waitMsMax: number): number {
    return this.#take(READS, this.#charges[READ_CHARGES[kind]], waitMsMax);
  }

  /** The venue says that the bucket is empty: the account has another user. */
  emptyWrites(shard: number): void {
    this.#empty(writes(shard), this.#charges.order);
  }

  emptyReads(): void {
    this.#empty(READS, this.#charges.read);
  }

  /** Time in which the tokens that are taken now come back. */
  #spentUs(cell: number, nowUs: number): number {
    return Math.max(0, Number(Atomics.load(this.#memory, cell)) - nowUs);
  }

  #take(cell: number, { roomUs, stepUs, fillUs }: Charge, waitMsMax: number): number {
    const nowUs = this.#now() * US_PER_MS;
    // After the clock was set back, the bucket must not block for that long.
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

function left({ roomUs, stepUs, perSecond }: Charge, spentUs: number): RequestBudget {
  return { left: Math.max(0, Math.floor((roomUs - spentUs) / stepUs)), burst: Math.floor(roomUs / stepUs), perSecond };
}

function cancelsMaxOf({ write, cancelCost }: BudgetTerms): number {
  return Math.max(1, Math.floor(write.tokensMax / cancelCost));
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
