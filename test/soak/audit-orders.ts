// Every order exactly once. Each of the gateway's is at its venue as it says, and each of the venue's belongs to one order of the gateway.

import { limits } from '../../src/limits.ts';
import type { AccountSeen } from './account.ts';
import { total } from './decimals.ts';
import type { OrderKept } from './gateway-view.ts';
import type { VenueOrderSeen } from './venue-view.ts';

interface OrdersAudit {
  readonly accounts: readonly AccountSeen[];
  /** The ids of orders that were never the gateway's: client order ids at venue B, venue order ids at venue A. */
  readonly strangers: ReadonlySet<string>;
  /** The orders that were answered with 201. */
  readonly made: ReadonlySet<string>;
  readonly nowMs: number;
}

export async function faultsOfOrders({ accounts, strangers, made, nowMs }: OrdersAudit): Promise<string[]> {
  const faults: string[] = [];
  for (const account of accounts) {
    const { podId, venue, at, orders } = account;
    const found = matched(account, strangers);
    const twice = orders.filter(order => (found.seen.get(order)?.length ?? 0) > 1);
    const missing = await denied(
      account,
      orders.filter(({ orderId }) => made.has(orderId)),
    );
    faults.push(
      ...found.strange.map(it => `${podId} ${venue}: nobody here has made ${it.venueOrderId}`),
      ...twice.map(({ orderId }) => `${podId} ${venue}: ${orderId} is there twice`),
      ...missing.map(({ orderId }) => `${podId} ${venue}: ${orderId} was answered 201 and never was there`),
      ...orders.flatMap(order =>
        differences(order, found.seen.get(order)?.[0] ?? null, failedOf(order, account), nowMs).map(
          it => `${podId} ${venue}: ${order.orderId} ${it}`,
        ),
      ),
      ...unlikeItsFills(account).map(it => `${podId} ${venue}: ${it}`),
    );
    if (new Set(at.orders.map(({ venueOrderId }) => venueOrderId)).size < at.orders.length)
      faults.push(`${podId} ${venue}: lists an order twice`);
  }
  return faults;
}

interface Matched {
  /** The orders that the venue lists under the ids of each order of the gateway. */
  readonly seen: ReadonlyMap<OrderKept, readonly VenueOrderSeen[]>;
  readonly strange: readonly VenueOrderSeen[];
}

function matched({ venue, at, orders }: AccountSeen, strangers: ReadonlySet<string>): Matched {
  const byName = new Map(orders.map(order => [nameOf(order), order]));
  const [seen, strange] = [new Map<OrderKept, VenueOrderSeen[]>(), [] as VenueOrderSeen[]];
  for (const it of at.orders) {
    const name = venue === 'venue_b' ? it.clientOrderId! : it.venueOrderId;
    const order = byName.get(name);
    if (order !== undefined) seen.set(order, [...(seen.get(order) ?? []), it]);
    else if (!strangers.has(name)) strange.push(it);
  }
  return { seen, strange };
}

/** Returns the id under which the venue lists the order, and no other order. */
function nameOf({ venue, clientOrderId, venueOrderId, expectedVenueOrderId }: OrderKept): string | null {
  return venue === 'venue_b' ? clientOrderId : (venueOrderId ?? expectedVenueOrderId);
}

/** Returns the matched size that failed to settle. It is subtracted from the order in the gateway (contract §4.5), but not at the venue. */
function failedOf(order: OrderKept, { fills }: AccountSeen): bigint {
  return total(fills.filter(fill => fill.order === order && fill.settlement === 'FAILED').map(({ size }) => size));
}

function differences(order: OrderKept, seen: VenueOrderSeen | null, failed: bigint, nowMs: number): string[] {
  const { status, venueOrderId, sentAtMs, filled } = order;
  const rests = seen?.isResting === true;
  const isYoung = nowMs - sentAtMs < limits.absenceProvenMs + 2 * limits.lookPauseMsMax;
  // Nobody can know yet that the order is absent.
  if (status === 'SUBMITTED' && seen === null && isYoung) return [];
  if (status === 'SUBMITTED' || status === 'PENDING') return [`is ${status} still`];
  if (rests !== (status === 'OPEN')) return [`is ${status} and ${rests ? 'rests' : 'does not rest'} there`];
  if (seen === null) return [];
  if (venueOrderId !== null && venueOrderId !== seen.venueOrderId) return [`is ${seen.venueOrderId} there`];
  if (filled + failed === seen.filled || status === 'REJECTED') return [];
  return [`has filled ${filled}${failed === 0n ? '' : ` and failed ${failed}`}, there ${seen.filled}`];
}

function unlikeItsFills({ orders, fills }: AccountSeen): string[] {
  const counted = Map.groupBy(
    fills.filter(({ settlement }) => settlement !== 'FAILED'),
    ({ order }) => order,
  );
  return orders
    .map(order => ({ order, sum: total((counted.get(order) ?? []).map(({ size }) => size)) }))
    .filter(({ order, sum }) => order.filled !== sum)
    .map(({ order, sum }) => `${order.orderId} has filled ${order.filled}, and fills of ${sum}`);
}

/** Returns the orders that the venue denies to have ever had. */
async function denied({ at }: AccountSeen, orders: readonly OrderKept[]): Promise<readonly OrderKept[]> {
  const shown = new Set([...at.orders, ...at.fills].map(({ venueOrderId }) => venueOrderId));
  const unshown = orders.filter(({ venueOrderId }) => venueOrderId === null || !shown.has(venueOrderId));
  const missing: OrderKept[] = [];
  for (const order of unshown) {
    const id = order.venueOrderId ?? order.expectedVenueOrderId;
    if (id === null || !(await at.knows(id))) missing.push(order);
  }
  return missing;
}
