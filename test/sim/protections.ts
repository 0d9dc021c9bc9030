// Protections over a ledger's records, beside a naive twin. The twin looks at all fills that were booked since a protection was armed, and
// at each window that begins with one.

import type { Fill } from '../../src/core/domain/fill.ts';
import { isTerminal, type Order, type OrderId } from '../../src/core/domain/order.ts';
import { addressOf } from '../../src/core/domain/order-frame.ts';
import { type Protection, type ProtectionScope, protectionLimits } from '../../src/core/domain/protection.ts';
import type { LiveReads } from '../../src/core/store/order-records.ts';
import type { LedgerEvent } from '../../src/orders/ledger/events.ts';

interface Watched {
  protection: Protection;
  fills: Fill[];
  /** Whether a window exceeds the maximum. Then the protection must trigger in the same step. */
  isExceeded: boolean;
}

/**
 * Returns protections that triggered without a reason, or had a reason and did not trigger. `tripped` has the names of protections that a
 * group at the venue has triggered.
 */
export function protectionFaults(events: readonly LedgerEvent[], tripped: ReadonlySet<string>): readonly string[] {
  const orders = new Map<OrderId, Order>();
  const watched = new Map<string, Watched>();
  const faults: string[] = [];
  for (const event of events) {
    switch (event.type) {
      case 'order-made':
        orders.set(event.stored.order.orderId, event.stored.order);
        break;
      case 'fill-booked':
      case 'fill-claimed': {
        for (const [name, { isExceeded }] of watched) if (isExceeded) faults.push(`${name} was not triggered`);
        const { fill, orderId } = event.stored;
        const order = orderId === null ? undefined : orders.get(orderId);
        if (order !== undefined && fill.settlement !== 'FAILED') count(watched, order, fill);
        break;
      }
      case 'protection-set': {
        const { protection } = event;
        const known = watched.get(nameOf(protection));
        const wasArmed = known !== undefined && known.protection.triggered === null;
        if (protection.triggered !== null && wasArmed && !known.isExceeded && !tripped.has(nameOf(protection)))
          faults.push(`${nameOf(protection)} was triggered without a reason`);
        const fills = protection.counted.length === 0 || known === undefined ? [] : keptOf(known);
        watched.set(nameOf(protection), { protection, fills, isExceeded: false });
        break;
      }
      case 'protection-ended':
        watched.delete(nameOf(event.scope));
        break;
      default:
        break;
    }
  }
  for (const [name, { isExceeded }] of watched) if (isExceeded) faults.push(`${name} was not triggered`);
  return faults;
}

/** Orders that rest although a protection that covers them is triggered. */
export function leftByProtections(reads: Pick<LiveReads, 'protections' | 'ordersOf'>): readonly string[] {
  const triggered = reads.protections(null).filter(protection => protection.triggered !== null);
  return triggered.flatMap(protection => {
    const { actorId, venue, address } = protection;
    const left = [...reads.ordersOf(actorId, venue, address)].filter(({ order }) => !isTerminal(order.status));
    return left.map(({ order }) => `${order.orderId} is ${order.status}, and ${nameOf(protection)} is triggered`);
  });
}

/** Returns the fills that the terms so far may still need. A wider window does not bring the other fills back. */
function keptOf({ protection: { windowMs }, fills }: Watched): Fill[] {
  const latest = Math.max(...fills.map(({ executedAt }) => executedAt));
  return fills.filter(({ executedAt }) => executedAt >= latest - 2 * windowMs - protectionLimits.protectionLateMs);
}

function count(watched: ReadonlyMap<string, Watched>, { actorId, request }: Order, fill: Fill): void {
  for (const it of watched.values()) {
    const { protection, fills } = it;
    const isCovered = protection.address === null || protection.address === addressOf(request);
    if (protection.triggered !== null || protection.actorId !== actorId || !isCovered) continue;
    const { windowMs, fillsMax, sharesMax } = protection;
    const latest = Math.max(...fills.map(({ executedAt }) => executedAt), fill.executedAt);
    if (fill.executedAt < latest - windowMs - protectionLimits.protectionLateMs) continue;
    fills.push(fill);
    // Terms that were lowered meanwhile apply only to the windows of later fills.
    const near = fills.filter(({ executedAt }) => Math.abs(executedAt - fill.executedAt) < windowMs);
    it.isExceeded = near.some(first => {
      const window = near.filter(({ executedAt: at }) => at >= first.executedAt && at < first.executedAt + windowMs);
      const size = window.reduce((sum, other) => sum + other.size, 0);
      const isMore = window.length > (fillsMax ?? protectionLimits.protectionFillsMax) || size > (sharesMax ?? size);
      return isMore && window.includes(fill);
    });
  }
}

export function nameOf({ actorId, venue, address }: ProtectionScope): string {
  return `the protection of ${actorId} at ${venue} ${address ?? ''}`;
}
