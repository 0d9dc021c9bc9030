// What the catalog must know when it starts again (contract §6), in an LMDB environment of its own: ids of events, which are kept for
// good, and what was listed last, which venues would tell again. The catalog thread writes it; anybody may read it meanwhile.

import { limits } from '../limits.ts';
import { openEnvironment } from '../store/lmdb.ts';
import { StoreError } from '../store/store-error.ts';
import type { VenueEvent } from '../venues/discovery.ts';
import { decodeRecord, encodeRecord } from './catalog-record.ts';
import type { EndedEvent } from './ended-events.ts';

/** As EventIds told it. */
export type IdEntry = readonly [key: string, id: string];

export interface Listed {
  readonly events: readonly VenueEvent[];
  readonly ended: readonly EndedEvent[];
}

export interface StoredCatalog extends Listed {
  /** Oldest first. */
  readonly ids: readonly IdEntry[];
  /** What is wrong with records of what was listed, which are left out: they are written anew when a venue has told them again. */
  readonly faults: readonly string[];
}

export interface CatalogStore {
  /** On disk when it returns. Throws a StoreError when the disk fails: ids that could not be written are written the next time. */
  write(newIds: readonly IdEntry[], listed: Listed): void;
  close(): Promise<void>;
}

const IDS = 'ids/';
const EVENTS = 'event/';
const ENDED = 'ended';
/** Of the number of a record of ids: the order of names is that of time. */
const DIGITS = 12;

/**
 * With what is in it, as of one moment. Makes the folder, and an empty store in it, if there is none. Throws a StoreError, also if ids
 * are damaged or of a newer program: without them none may be minted.
 */
export function openCatalogStore(folder: string): { readonly store: CatalogStore; readonly known: StoredCatalog } {
  const environment = openEnvironment(folder, limits.catalogStoreBytes);
  /** What is in the store by the names of its records; null: something that cannot be read. */
  const stored = new Map<string, unknown>();
  const unwritten: IdEntry[] = [];
  let idRecords = 0;

  function read(): StoredCatalog {
    const ids: IdEntry[] = [];
    const faults: string[] = [];
    for (const { key, value } of environment.entries()) {
      const record = decodeRecord(value);
      if (!record.ok) {
        const fault = `catalog store ${folder}: record ${JSON.stringify(key)}: ${record.error}`;
        if (key.startsWith(IDS)) throw new StoreError(fault);
        faults.push(fault);
      }
      if (record.ok && key.startsWith(IDS)) {
        for (const entry of record.value as readonly IdEntry[]) ids.push(entry);
        idRecords = Number(key.slice(IDS.length));
      } else stored.set(key, record.ok ? record.value : null);
    }
    const events = [...stored].filter(([name, event]) => name.startsWith(EVENTS) && event !== null);
    return {
      ids,
      events: events.map(([, event]) => event as VenueEvent),
      ended: (stored.get(ENDED) ?? []) as readonly EndedEvent[],
      faults,
    };
  }

  function write(newIds: readonly IdEntry[], { events, ended }: Listed): void {
    for (const entry of newIds) unwritten.push(entry);
    const wanted = new Map<string, unknown>(events.map(event => [nameOf(event), event]));
    wanted.set(ENDED, isSameList(stored.get(ENDED), ended) ? stored.get(ENDED) : ended);
    const changed = [...wanted].filter(([name, value]) => stored.get(name) !== value);
    const gone = [...stored.keys()].filter(name => !wanted.has(name));
    if (changed.length + gone.length + unwritten.length === 0) return;
    environment.transact(transaction => {
      if (unwritten.length > 0) {
        transaction.put(IDS + String(idRecords + 1).padStart(DIGITS, '0'), encodeRecord(unwritten));
      }
      for (const [name, value] of changed) transaction.put(name, encodeRecord(value));
      for (const name of gone) transaction.remove(name);
    });
    if (unwritten.length > 0) idRecords += 1;
    unwritten.length = 0;
    for (const [name, value] of changed) stored.set(name, value);
    for (const name of gone) stored.delete(name);
  }

  return { store: { write, close: () => environment.close() }, known: read() };
}

function nameOf({ venue, eventId }: VenueEvent): string {
  return `${EVENTS}${venue}/${eventId}`;
}

function isSameList(known: unknown, list: readonly unknown[]): boolean {
  return Array.isArray(known) && known.length === list.length && list.every((item, index) => item === known[index]);
}
