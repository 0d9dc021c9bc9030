// The catalog's state across restarts (contract §6), in an LMDB environment of its own. It keeps the ids of events for good, and the last
// listings, which the venues can list again. The catalog thread writes it; any process may read it meanwhile.

import { crc32 } from 'node:zlib';
import { parseJson } from '../core/domain/json.ts';
import { fail, ok, type Result } from '../core/domain/result.ts';
import { openEnvironment } from '../core/store/lmdb.ts';
import { StoreError } from '../core/store/store-error.ts';
import { limits } from '../limits.ts';
import type { VenueEvent } from '../venues/discovery.ts';
import type { EndedEvent } from './known-events.ts';

/** An entry that EventIds has reported. */
export type IdEntry = readonly [key: string, id: string];

export interface Listed {
  readonly events: readonly VenueEvent[];
  readonly ended: readonly EndedEvent[];
}

export interface StoredCatalog extends Listed {
  /** The entries of ids, oldest first. */
  readonly ids: readonly IdEntry[];
  /** The errors of listing records. A record with an error is left out, and written again after the venue's next listing. */
  readonly faults: readonly string[];
}

export interface CatalogStore {
  /** Writes durably before it returns. Throws a StoreError if the disk fails; the next call writes the unwritten ids. */
  write(newIds: readonly IdEntry[], listed: Listed): void;
  close(): Promise<void>;
}

const IDS = 'ids/';
const EVENTS = 'event/';
const ENDED = 'ended';
/** The digits of the number in an id record's name. With leading zeros, the order of names is the order of time. */
const DIGITS = 12;

/**
 * Opens the store, and returns its content at one moment. Makes the folder and an empty store if there is none. Throws a StoreError, also
 * if ids are damaged or of a newer program: without the ids no new id may be minted.
 */
export function openCatalogStore(folder: string): { readonly store: CatalogStore; readonly known: StoredCatalog } {
  const environment = openEnvironment(folder, limits.catalogStoreBytes);
  /** The contents of records, by record name. Null means that a record cannot be read. */
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

/**
 * The version of a record: `<version> <CRC-32> <JSON>`. Raise it with every change of the content of records. This program wrote each
 * record with the right checksum, so the fields of a record are not checked.
 */
const VERSION = '2';
const RECORD = /^(\d+) (\d+) (.*)$/s;

export function encodeRecord(value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  return Buffer.from(`${VERSION} ${crc32(json)} ${json}`);
}

/** Returns the content of a record. The error describes the fault of the record; the caller knows which record it is. */
export function decodeRecord(bytes: Uint8Array): Result<unknown, string> {
  const [, version, sum, json = ''] = RECORD.exec(Buffer.from(bytes).toString()) ?? [];
  if (version === undefined) return fail('is damaged');
  if (version !== VERSION) return fail(`has version ${version}, this program reads version ${VERSION}`);
  const value = String(crc32(json)) === sum ? parseJson(json) : undefined;
  // The JSON may be missing although the checksum is right, because the checksum of empty text is 0.
  return value === undefined ? fail('is damaged') : ok(value);
}
