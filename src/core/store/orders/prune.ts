// Prunes events of the private stream. Works in slices, so that other writers do not wait, and continues where the last slice ended.
// History thread.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { Transaction } from '../tables.ts';
import { eventKey, eventsPrefix, NOTHING, type OrderTable, prefixEnd } from './keys.ts';
import { OrderReader } from './order-reader.ts';
import { eventCodec } from './records.ts';

/** The bounds of the pruning; `limits` has them. */
export interface RetentionBounds {
  readonly orderEventsKeptMax: number;
  readonly orderEventsKeptMs: number;
  readonly orderRowsPrunedMax: number;
}

/** The key in `events` from which the next slice goes on. Empty means from the first key. */
export type PrunePlace = Uint8Array;
export const PRUNE_FROM_START: PrunePlace = new Uint8Array(0);

interface PrunedSlice {
  /** Whether more events can be pruned now. */
  readonly isMore: boolean;
  readonly next: PrunePlace;
}

export function pruneSlice(
  transaction: Transaction<OrderTable>,
  now: UnixMillis,
  place: PrunePlace,
  bounds: RetentionBounds,
): PrunedSlice {
  let left = bounds.orderRowsPrunedMax;
  for (const actorId of new OrderReader(transaction).eventActors(place)) {
    const gone = pruneActor(transaction, actorId, now, { ...bounds, orderRowsPrunedMax: left });
    if (gone === left) return { isMore: true, next: eventsPrefix(actorId) };
    // Examining an actor counts as one deletion.
    left -= gone + 1;
    if (left === 0) return { isMore: true, next: prefixEnd(eventsPrefix(actorId)) };
  }
  return { isMore: false, next: PRUNE_FROM_START };
}

/**
 * Deletes an actor's expired events, oldest first, and returns their number. The key of the last event stays, so that its cursor is never
 * reused.
 */
function pruneActor(
  transaction: Transaction<OrderTable>,
  actorId: string,
  now: UnixMillis,
  { orderEventsKeptMax, orderEventsKeptMs, orderRowsPrunedMax }: RetentionBounds,
): number {
  const reader = new OrderReader(transaction);
  const { first, last } = reader.eventSpan(actorId);
  const end = first > last && last > reader.eventFloor() ? last : first;
  const ofBefore = { gte: eventsPrefix(actorId), lt: eventKey(actorId, end), limit: orderRowsPrunedMax };
  const lost = transaction.range('events', ofBefore);
  for (const { key } of lost) transaction.delete('events', key);
  const rowsMax = orderRowsPrunedMax - lost.length;
  let kept = first;
  for (; kept <= last && kept - first < rowsMax; kept += 1) {
    const key = eventKey(actorId, kept);
    const event = transaction.get('events', key);
    const isWithin = last - kept < orderEventsKeptMax;
    if (isWithin && event !== undefined && eventCodec.decode(event, key).at >= now - orderEventsKeptMs) break;
    if (kept < last) transaction.delete('events', key);
    else transaction.put('events', key, NOTHING);
  }
  return lost.length + kept - first;
}
