// Fills an engine's state with open orders, as a start replays them from the journal, then with their idempotency keys. A second state gets a tenth
// as many orders. They end, and leave memory once the history has them. Reports the heap growth for each kind.

import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { UnixMillis } from '../src/core/domain/numbers.ts';
import { limits } from '../src/limits.ts';
import { NO_ARCHIVE } from '../src/orders/ledger/archive.ts';
import { type LedgerEvent, readEvents } from '../src/orders/ledger/events.ts';
import { type Appender, EngineLedger } from '../src/orders/ledger/state/engine-ledger.ts';
import { LedgerState } from '../src/orders/ledger/state/state.ts';
import { collectGarbage } from './harness.ts';
import { ACTOR, keyOf, orderIdOf, recordIntent, recordOpen, recordOutcome, timeOf } from './order-workload.ts';

/** The bytes for each order, key or ended order. */
export interface EngineMemory {
  readonly openOrder: number;
  /** The bytes for the idempotency key of an open order, with its answer. */
  readonly key: number;
  /** The bytes that remain of an ended order. */
  readonly endedOrder: number;
}

type Events = readonly LedgerEvent[];
type Answered = typeof recordOpen;

const BATCH = 1_000;
const ENDED_PART = 10;
const count = workerData as number;

/** Returns the engine's records of these orders, read again. */
function eventsOf(first: number, record: Answered): Events {
  const records: Buffer[] = [];
  const appender: Appender = { next: 1, append: it => records.push(Buffer.from(it)) };
  const ledger = new EngineLedger(NO_ARCHIVE).appendTo(appender);
  for (let number = first; number < first + BATCH; number++) {
    ledger.change(step => void recordIntent(step, number));
    ledger.change(step => record(step, number));
  }
  return records.flatMap(it => [...readEvents(it)]);
}

/** Applies the events of `orders` orders. The history follows at once, so that ended orders leave memory. */
function grow(state: LedgerState, orders: number, events: (first: number) => Iterable<LedgerEvent>): void {
  const now = (timeOf(orders) + limits.accountFirstReadMs) as UnixMillis;
  let sequence = 0;
  for (let first = 0; first < orders; first += BATCH) {
    for (const event of events(first)) state.apply(event, ++sequence);
    state.evict(sequence, now, Number.POSITIVE_INFINITY);
  }
}

function withoutKeys(first: number): Events {
  return eventsOf(first, recordOpen).map(event =>
    'key' in event && event.type === 'order-made' ? { ...event, key: null } : event,
  );
}

/** Yields the events as read from the journal, so that they share no text. */
function* keysOf(first: number): Iterable<LedgerEvent> {
  const at = timeOf(first);
  for (let number = first; number < first + BATCH; number++) {
    const answer = { outcome: 'made', status: 'OPEN', message: '', at } as const;
    const entry = {
      orderId: orderIdOf(number),
      bodySha256Hex: createHash('sha256').update(`${number}`).digest('hex'),
      answer,
    };
    yield { type: 'key-kept', actorId: ACTOR, venue: 'venue_a', key: keyOf(number), entry };
  }
}

function keptBytes(): number {
  collectGarbage();
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

const [open, ended] = [new LedgerState(NO_ARCHIVE), new LedgerState(NO_ARCHIVE)];
// The first batch fills code and tables, which stay.
grow(ended, BATCH, first => eventsOf(first, recordOutcome));
const bytes = [keptBytes()];
grow(open, count, withoutKeys);
bytes.push(keptBytes());
grow(open, count, keysOf);
bytes.push(keptBytes());
grow(ended, count / ENDED_PART, first => eventsOf(first, recordOutcome));
bytes.push(keptBytes());
const { orders, keys } = open.sizes;
if (orders !== count || keys !== count) throw new Error(`${orders} orders and ${keys} keys of ${count}`);
const [openOrder, key, endedPart] = bytes.slice(1).map((it, index) => (it - bytes[index]!) / count) as [
  number,
  number,
  number,
];
parentPort!.postMessage({ openOrder, key, endedOrder: endedPart * ENDED_PART } satisfies EngineMemory);
