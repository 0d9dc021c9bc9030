// All answers of a ledger to questions by the names in its events. The picture serves to compare two ledgers: one has everything in memory,
// and parts have left the memory of the other.

import { isTerminal, type OrderId } from '../../src/core/domain/order.ts';
import type { Account, LiveReads, StoredOrder } from '../../src/core/store/order-records.ts';
import type { LedgerEvent } from '../../src/orders/ledger/events.ts';
import { ACTORS } from './gateway.ts';

const ALL = Number.MAX_SAFE_INTEGER;

export function pictureOf(reads: LiveReads, account: Account, events: readonly LedgerEvent[]): object {
  const { venue } = account;
  const names = namesIn(events);
  const isOpen = ({ order }: StoredOrder) => !isTerminal(order.status);
  return {
    open: sorted(reads.openOrders(account)),
    unclear: sorted(reads.unclearOrders(account)),
    unreported: sorted(reads.unreportedOrders(account)),
    ofActors: ACTORS.map(actorId => [
      reads.openCount(actorId, venue),
      sorted([...reads.ordersOf(actorId, venue, null)].filter(isOpen)),
      reads.lastCursor(actorId),
    ]),
    positions: names.positions.map(([owner, address]) => [
      reads.position(owner, venue, address),
      reads.movements(owner, venue, address, ALL),
    ]),
    totals: names.positions.map(([owner]) => reads.totals(owner, venue)),
    orders: names.orderIds.map(orderId => {
      const stored = reads.order(orderId)!;
      return [stored, ofVenue(reads, account, stored), reads.fills(orderId, 0, ALL)];
    }),
    fills: names.fillIds.map(fillId => reads.fill(account, fillId)),
    keys: names.keys.map(([actorId, key]) => reads.idempotency(actorId, venue, key)),
    marks: names.marks.map(name => reads.mark(name)),
    protections: ACTORS.map(actorId =>
      reads.protections(actorId).toSorted((one, other) => ((one.address ?? '') < (other.address ?? '') ? -1 : 1)),
    ),
    switches: [...reads.cancelAfters()].sort((one, other) => (one.keyId < other.keyId ? -1 : 1)),
  };
}

function namesIn(events: readonly LedgerEvent[]) {
  const orderIds = new Set<OrderId>();
  const fillIds = new Set<string>();
  const marks = new Set<string>();
  const keys = new Map<string, readonly [string, string]>();
  const positions = new Map<string, readonly [string, string]>();
  for (const event of events) {
    if (event.type === 'order-made') {
      const { orderId, actorId, idempotencyKey } = event.stored.order;
      orderIds.add(orderId);
      if (event.key !== null) keys.set(`${actorId} ${idempotencyKey}`, [actorId, idempotencyKey]);
    }
    if (event.type === 'fill-booked') fillIds.add(event.stored.fill.fillId);
    else if (event.type === 'mark-set') marks.add(event.name);
    else if (event.type === 'key-kept') keys.set(`${event.actorId} ${event.key}`, [event.actorId, event.key]);
    else if (event.type === 'position-moved')
      positions.set(`${event.owner} ${event.position.address}`, [event.owner, event.position.address]);
  }
  return {
    ...{ orderIds: [...orderIds], fillIds: [...fillIds], marks: [...marks] },
    ...{ keys: [...keys.values()], positions: [...positions.values()] },
  };
}

function ofVenue(reads: LiveReads, account: Account, { order, intent }: StoredOrder): OrderId | null {
  const name = order.venueOrderId ?? intent?.venueOrderId;
  return name == null ? null : reads.orderOfVenue(account, name);
}

/** Sorts the orders, because a start loads them in another sequence. */
function sorted(orders: Iterable<StoredOrder>): readonly StoredOrder[] {
  return [...orders].sort((one, other) => (one.order.orderId < other.order.orderId ? -1 : 1));
}
