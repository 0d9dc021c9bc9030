// What the store has to take when an order is submitted: its record, its entries in five indexes, and its idempotency
// entry; actors and markets take turns, ids follow time as UUIDs of version 7 do.

import type { Durability } from '../src/config.ts';
import { wallTimers } from '../src/runtime/timers.ts';
import { type DurableStore, type DurableStoreOptions, openDurableStore } from '../src/store/durable/durable-store.ts';
import type { Transaction } from '../src/store/tables.ts';

export const INTENT_TABLES = {
  orders: 1,
  byTime: 2,
  byState: 3,
  byMarket: 4,
  byVenue: 5,
  byOwner: 6,
  idempotency: 7,
} as const;
export type IntentTable = keyof typeof INTENT_TABLES;

const ACTORS = 8;
const MARKETS = 50;
const KEY_BYTES = 60;
const RECORD = new Uint8Array(500).fill(0x5a);
const ENTRY = new Uint8Array(60).fill(0x5b);
const NOTHING = new Uint8Array();

export interface Row {
  readonly table: IntentTable;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export function openIntentStore(
  folder: string,
  mode: Durability,
  role: DurableStoreOptions<IntentTable>['role'],
): Promise<DurableStore<IntentTable>> {
  const schema = { version: 1, migrate: () => {} };
  return openDurableStore({ folder, mode, role, tables: INTENT_TABLES, schema, timers: wallTimers });
}

/** The rows of order `number`. */
export function intentRows(number: number): Row[] {
  const id = number.toString(16).padStart(32, '0');
  // Knuth's multiplicative hash: keys of callers come in any order.
  const scattered = Math.imul(number, 2_654_435_761) >>> 0;
  const actor = `actor-${scattered % ACTORS}`;
  const index = (table: IntentTable, prefix: string): Row => ({ table, key: keyOf(prefix + id), value: NOTHING });
  return [
    { table: 'orders', key: keyOf(id), value: RECORD },
    index('byTime', actor),
    index('byState', `${actor}/open/`),
    index('byMarket', `market-${scattered % MARKETS}/`),
    index('byVenue', 'venue-b/'),
    index('byOwner', `pod-1/${actor}/`),
    { table: 'idempotency', key: keyOf(`${actor}/${scattered.toString(16)}`), value: ENTRY },
  ];
}

export function putRows(transaction: Transaction<IntentTable>, rows: readonly Row[]): void {
  for (const { table, key, value } of rows) transaction.put(table, key, value);
}

function keyOf(text: string): Uint8Array {
  return Buffer.from(text.padEnd(KEY_BYTES, '.'), 'latin1');
}
