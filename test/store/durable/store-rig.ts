// Durable stores in a temporary folder for tests: small segments, so that there are many; a boot that can be changed; and
// a crash, which is a copy of the folder at any moment while the store is open.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Durability } from '../../../src/config.ts';
import {
  type DurableStore,
  type DurableStoreOptions,
  openDurableStore,
} from '../../../src/store/durable/durable-store.ts';
import type { Reader } from '../../../src/store/durable/tables.ts';
import { OWNER_NAME } from '../../../src/store/owner-lock.ts';

export const TABLES = { left: 1, right: 2, last: 126 } as const;
export type Table = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as Table[];

export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');
export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

export const realTimers = {
  after(delayMs: number, task: () => void): () => void {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'crossbook-store-'));
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

function storeOptions(folder: string, changes: Partial<DurableStoreOptions<Table>> = {}): DurableStoreOptions<Table> {
  return {
    folder,
    mode: 'process-safe' satisfies Durability,
    role: 'owner',
    tables: TABLES,
    schema: { version: 1, migrate: () => {} },
    timers: realTimers,
    bounds: { storeSegmentBytes: 2_000, storeSyncDelayMs: 4 },
    ...changes,
  };
}

export function openStore(
  folder: string,
  changes: Partial<DurableStoreOptions<Table>> = {},
): Promise<DurableStore<Table>> {
  return openDurableStore(storeOptions(folder, changes));
}

/** As a process that is killed now would leave it; nobody may be writing. */
export function crashCopy(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  rmSync(join(copy, OWNER_NAME), { force: true });
  return copy;
}

/** Everything in the store, as text; nobody may be writing. */
export function contentOf(reader: Reader<Table>): Record<string, [key: string, value: string][]> {
  return Object.fromEntries(
    TABLE_NAMES.map(table => [
      table,
      reader.range(table, { limit: 10_000 }).map(({ key, value }) => [textOf(key), textOf(value)]),
    ]),
  );
}
