// Prunes expiring rows: answers to idempotency keys, and events of the private stream. Works in slices, so that other writers
// do not wait, and continues where the last slice ended. The owner of a store.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { Transaction } from '../tables.ts';
import { eventKey, eventsPrefix, following, type OrderTable, readAnswerAgeKey, readTextKey, timeKey } from './keys.ts';
import { OrderReader } from './order-reader.ts';
import { type EventSpan, eventCodec, eventSpanCodec, idempotencyCodec } from './records.ts';

/** Bounds that `limits` satisfies. */
export interface RetentionBounds {
  readonly answerKeptMs: number;
  readonly orderEventsKeptMax: number;
  readonly orderEventsKeptMs: number;
  readonly orderRowsPrunedMax: number;
}

/** The actor at which the next slice of events begins. Empty: the first. */
export type PrunePlace = Uint8Array;
export const PRUNE_FROM_START: PrunePlace = new Uint8Array(0);

interface PrunedSlice {
  /** Whether there is more to prune now. */
  readonly isMore: boolean;
  readonly next: PrunePlace;
}

export function pruneSlice(
  transaction: Transaction<OrderTable>,
  now: UnixMillis,
  place: PrunePlace,
  bounds: RetentionBounds,
): PrunedSlice {
  const { answerKeptMs, orderEventsKeptMs, orderRowsPrunedMax } = bounds;
  const answers = pruneAnswers(transaction, (now - answerKeptMs) as UnixMillis, orderRowsPrunedMax);
  if (answers === orderRowsPrunedMax) return { isMore: true, next: place };
  return pruneEvents(transaction, (now - orderEventsKeptMs) as UnixMillis, place, orderRowsPrunedMax - answers);
}

/** Returns their number. The key's entry itself stays for good. */
function pruneAnswers(transaction: Transaction<OrderTable>, before: UnixMillis, rowsMax: number): number {
  if (before <= 0) return 0;
  const ages = transaction.range('answerAges', { lt: timeKey(before), limit: rowsMax });
  for (const { key } of ages) {
    const { idempotencyKey } = readAnswerAgeKey(key);
    const found = transaction.get('idempotency', idempotencyKey);
    if (found !== undefined) {
      const entry = { ...idempotencyCodec.decode(found, idempotencyKey), answer: null };
      transaction.put('idempotency', idempotencyKey, idempotencyCodec.encode(entry));
    }
    transaction.delete('answerAges', key);
  }
  return ages.length;
}

function pruneEvents(
  transaction: Transaction<OrderTable>,
  before: UnixMillis,
  place: PrunePlace,
  rowsMax: number,
): PrunedSlice {
  let left = rowsMax;
  const spans = transaction.range('eventSpans', { gte: place, limit: rowsMax });
  for (const { key } of spans) {
    const gone = pruneActor(transaction, key, before, left);
    if (gone === left) return { isMore: true, next: key };
    // Examining an actor also counts.
    left -= gone + 1;
    if (left === 0) return { isMore: true, next: following(key) };
  }
  // All actors were examined: a full range of them would have used up `rowsMax`.
  return { isMore: false, next: PRUNE_FROM_START };
}

/** Deletes an actor's expired events, oldest first; returns their number. */
function pruneActor(
  transaction: Transaction<OrderTable>,
  spanKey: Uint8Array,
  before: UnixMillis,
  rowsMax: number,
): number {
  const actorId = readTextKey(spanKey);
  const { first, last } = new OrderReader(transaction).eventSpan(actorId);
  const ofBeforeLoss = { gte: eventsPrefix(actorId), lt: eventKey(actorId, first), limit: rowsMax };
  const lost = transaction.range('events', ofBeforeLoss);
  for (const { key } of lost) transaction.delete('events', key);
  return lost.length + pruneKept(transaction, spanKey, actorId, { first, last }, before, rowsMax - lost.length);
}

function pruneKept(
  transaction: Transaction<OrderTable>,
  spanKey: Uint8Array,
  actorId: string,
  { first, last }: EventSpan,
  before: UnixMillis,
  rowsMax: number,
): number {
  let kept = first;
  for (; kept <= last && kept - first < rowsMax; kept += 1) {
    const key = eventKey(actorId, kept);
    const event = transaction.get('events', key);
    if (event !== undefined && eventCodec.decode(event, key).at >= before) break;
    transaction.delete('events', key);
  }
  if (kept > first) transaction.put('eventSpans', spanKey, eventSpanCodec.encode({ first: kept, last }));
  return kept - first;
}
