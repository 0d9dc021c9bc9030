// Venue B's rate limits of an account: `GET /account/limits` and `GET /account/endpoint_costs` (venue-b.md §6, §9). Pure.

import { countOf, isObject, objectsOf, textOf } from '../../../domain/json.ts';
import { CANCELS, ORDERS } from './order-body.ts';

export interface BucketTerms {
  readonly refillPerS: number;
  readonly tokensMax: number;
}

export interface BudgetTerms {
  readonly read: BucketTerms;
  readonly write: BucketTerms;
  readonly orderCost: number;
  /** Tokens of a batch with one item: the venue bills each item. */
  readonly cancelCost: number;
  /** Tokens to read one order; to read anything else. */
  readonly orderReadCost: number;
  readonly readCost: number;
}

/** Until the venue answers: too small a budget only waits, too large a one is refused. */
export const SMALLEST_TIER: BudgetTerms = {
  read: { refillPerS: 200, tokensMax: 200 },
  write: { refillPerS: 100, tokensMax: 100 },
  orderCost: 10,
  cancelCost: 2,
  orderReadCost: 10,
  readCost: 10,
};

/** Unreadable parts keep their earlier values. */
export function budgetTermsOf(limits: unknown, costs: unknown, before: BudgetTerms): BudgetTerms {
  const costOf = costsOf(costs);
  return {
    read: (isObject(limits) ? bucketOf(limits.read) : null) ?? before.read,
    write: (isObject(limits) ? bucketOf(limits.write) : null) ?? before.write,
    orderCost: costOf('POST', ORDERS) ?? before.orderCost,
    cancelCost: costOf('DELETE', CANCELS) ?? before.cancelCost,
    orderReadCost: costOf('GET', '/portfolio/orders/:order_id') ?? before.orderReadCost,
    readCost: costOf('GET', '/portfolio/orders') ?? before.readCost,
  };
}

function bucketOf(bucket: unknown): BucketTerms | null {
  if (!isObject(bucket)) return null;
  const [refillPerS, tokensMax] = [countOf(bucket.refill_rate), countOf(bucket.bucket_capacity)];
  return refillPerS && tokensMax ? { refillPerS, tokensMax } : null;
}

/** Null: not in the answer. */
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
