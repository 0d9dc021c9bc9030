// Orders as the ledger gets them in production: a signed body of venue A, UUIDs as idempotency keys, several markets. Each order is recorded as an
// intent and settled a moment later. For benchmarks of the engine, its journal and the history.

import type { MicroShares, Ticks, UnixMillis } from '../src/core/domain/numbers.ts';
import { createOrder, type Order, type OrderId, type OrderStatus, transition } from '../src/core/domain/order.ts';
import { wallTimers } from '../src/core/runtime/timers.ts';
import { nodeFiles } from '../src/core/store/files.ts';
import type { LedgerWrites, LiveReads, StoredOrder } from '../src/core/store/order-records.ts';
import { limits } from '../src/limits.ts';
import { Journal } from '../src/orders/journal/journal.ts';
import type { OnRecord } from '../src/orders/journal/segments.ts';

/** The part that an engine's step and a history transaction have in common for orders. */
type Changed = Pick<LiveReads, 'order'> & Pick<LedgerWrites, 'putOrder' | 'putIdempotency'>;
type Appended = Changed & Pick<LedgerWrites, 'appendEvent'>;

export const ACTOR = 'market-maker-1';
export const POD = 'pod-1';
const KEY = 'key_0123456789abcdef';
const MARKETS = 100;
/** The time of the first order. Each order is slightly later than the order before. */
const BEGAN = 1_790_000_000_000;
const SPACING_MS = 250;
/** A signed order of venue A, as JSON. */
const PAYLOAD = Buffer.alloc(900, '{"order":{"salt":4711,"maker":"0x0123456789abcdef"}}');
const BODY_SHA256 = '5e'.repeat(32);

/** Opens the journal as the engine does. */
export function openJournal(folder: string, from: number, onRecord: OnRecord): Journal {
  const { storeSegmentBytes: segmentBytes, storeSyncDelayMs: syncDelayMs } = limits;
  return Journal.open({ folder, files: nodeFiles, timers: wallTimers, segmentBytes, syncDelayMs }, from, onRecord);
}

/** Returns the status. One order in a thousand stays open, as in a typical long list. */
export function statusOf(number: number): OrderStatus {
  if (number % 1_000 === 0) return 'OPEN';
  return number % 10 < 6 ? 'CANCELLED' : number % 10 < 9 ? 'FILLED' : 'REJECTED';
}

/** Returns a token id of 77 digits. */
export function tokenOf(number: number): string {
  return String(1_000 + (number % MARKETS)).padEnd(77, '4');
}

export function timeOf(number: number): UnixMillis {
  return (BEGAN + number * SPACING_MS) as UnixMillis;
}

/** Returns an order id. The orders spread over all ids, as hashes do. */
export function orderIdOf(number: number): OrderId {
  const [high, low] = [Math.imul(number, 0x9e37_79b1) >>> 0, Math.imul(number, 0x85eb_ca6b) >>> 0];
  const hex = `${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13)}-8000-${number.toString(16).padStart(12, '0')}` as OrderId;
}

/** Records an order with its outcome in one call, for long lists. */
export function recordOrder(to: Changed, number: number): void {
  const stored = submitted(number);
  to.putOrder({ ...stored, ...outcomeOf(stored.order, number) });
}

/** Writes the records of a submission before its first byte leaves. */
export function recordIntent(to: Changed, number: number): StoredOrder {
  const key = keyOf(number);
  const orderId = orderIdOf(number);
  to.order(orderId);
  const stored = submitted(number);
  to.putOrder(stored);
  to.putIdempotency(ACTOR, 'venue_a', key, { orderId, bodySha256Hex: BODY_SHA256, answer: null });
  return stored;
}

/** Records the venue's answer: status, event, and the answer under its key. */
export function recordOutcome(to: Appended, number: number): void {
  recordAnswer(to, number, statusOf(number));
}

/** Records that the venue has accepted the order. */
export function recordOpen(to: Appended, number: number): void {
  recordAnswer(to, number, 'OPEN');
}

function recordAnswer(to: Appended, number: number, status: OrderStatus): void {
  const orderId = orderIdOf(number);
  const stored = to.order(orderId)!;
  const at = timeOf(number);
  const { order, refusedAs } = outcomeOf(stored.order, number, status);
  to.putOrder({ ...stored, order, refusedAs });
  to.appendEvent({ actorId: ACTOR, event: 'STATUS', order, fill: null, at });
  const answer = { outcome: refusedAs ?? 'made', status: order.status, message: '', at } as const;
  to.putIdempotency(ACTOR, 'venue_a', keyOf(number), { orderId, bodySha256Hex: BODY_SHA256, answer });
}

function submitted(number: number): StoredOrder {
  const orderId = orderIdOf(number);
  return {
    order: transition(pending(number), { type: 'sent', at: timeOf(number) }),
    intent: { payload: PAYLOAD, venueOrderId: venueOrderIdOf(orderId), clientOrderId: orderId },
    refusedAs: null,
  };
}

function outcomeOf(order: Order, number: number, status = statusOf(number)): Pick<StoredOrder, 'order' | 'refusedAs'> {
  const closedAt = status === 'OPEN' ? null : timeOf(number);
  const refusedAs = status === 'REJECTED' ? 'invalid' : null;
  return { order: { ...order, status, venueOrderId: venueOrderIdOf(order.orderId), closedAt }, refusedAs };
}

function pending(number: number): Order<'PENDING'> {
  return createOrder({
    orderId: orderIdOf(number),
    podId: POD,
    actorId: ACTOR,
    keyId: KEY,
    idempotencyKey: keyOf(number),
    request: {
      venue: 'venue_a',
      type: 'LIMIT',
      tokenId: tokenOf(number),
      side: 'BUY',
      size: 25_000_000 as MicroShares,
      price: 5_300 as Ticks,
      postOnly: false,
      timeInForce: 'GTC',
    },
    at: timeOf(number),
  });
}

export function keyOf(number: number): string {
  return `0199a0b4-c0de-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

function venueOrderIdOf(orderId: OrderId): string {
  return `0x${orderId.replaceAll('-', '').repeat(2)}`;
}
