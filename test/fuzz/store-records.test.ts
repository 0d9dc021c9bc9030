// Files on the disk, with bytes changed. A record is read as a value that is written as these bytes, or is a StoreError. A journal returns the
// written records from its beginning, or is a StoreError. A row of the history is the written row, or a StoreError.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import {
  decodeRecord as decodeCatalogRecord,
  encodeRecord as encodeCatalogRecord,
} from '../../src/catalog/catalog-store.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../src/core/domain/numbers.ts';
import { noPosition } from '../../src/core/domain/position.ts';
import { nodeFiles } from '../../src/core/store/files.ts';
import {
  decodeRecord as decodeKeyRecord,
  encodeRecord as encodeKeyRecord,
  recordName,
} from '../../src/core/store/key-record.ts';
import { openRowEnvironment } from '../../src/core/store/lmdb.ts';
import { ByteWriter, RecordFault } from '../../src/core/store/orders/bytes.ts';
import { ORDER_TABLES } from '../../src/core/store/orders/keys.ts';
import { StoreError } from '../../src/core/store/store-error.ts';
import { stateKey } from '../../src/core/store/tables.ts';
import { HistoryTables } from '../../src/orders/history/tables.ts';
import { RecordFramer } from '../../src/orders/journal/record.ts';
import { readJournal, segmentName } from '../../src/orders/journal/segments.ts';
import { JournalTail } from '../../src/orders/journal/tail.ts';
import { LEDGER_EVENTS_VERSION, type LedgerEvent, readEvents, writeEvent } from '../../src/orders/ledger/events.ts';
import { keyRecord } from '../core/store/identities.ts';
import { at, fillOf, orderIdOf, storedOrder } from '../core/store/orders/order-rig.ts';
import { STORED_FORMS } from '../core/store/orders/stored-forms.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { fuzz } from './fuzz.ts';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the value, or null for a StoreError, which is the expected result of damage. */
function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return null;
  }
}

const NAME = Buffer.from('name');
const MARK_KEY = stateKey(ORDER_TABLES.marks, NAME);

fuzz({
  name: 'order records',
  inputs: fc
    .constantFrom(...STORED_FORMS)
    .chain(({ codec, value, hex }) =>
      fc.tuple(
        fc.constant(codec),
        damagedBytes(fc.constantFrom(codec.encode(value as never), Buffer.from(hex, 'hex'))),
      ),
    ),
  runs: 400,
  check([codec, bytes]) {
    const value = unlessDamaged(() => codec.decode(bytes, NAME) as never);
    if (value === null) return;
    expect(Buffer.from(codec.encode(value))).toEqual(bytes);
  },
});

fuzz({
  name: 'key records',
  inputs: keyRecord.chain(record =>
    fc.tuple(
      fc.constant(record),
      damagedBytes(fc.constant(encodeKeyRecord(record)), ['"read"', 'null', '"v":1', '"sum":0']),
    ),
  ),
  runs: 150,
  check([record, bytes]) {
    const read = decodeKeyRecord(recordName(record), bytes);
    if (!read.ok) expect(read.error).not.toBe('');
    else {
      // The record has that name, and states nothing beyond its text.
      expect(recordName(read.value)).toBe(recordName(record));
      const text = bytes.toString();
      for (const value of Object.values(read.value.value).flat()) {
        if (typeof value === 'string') expect(JSON.stringify(JSON.parse(text))).toContain(JSON.stringify(value));
      }
    }
  },
});

fuzz({
  name: 'catalog records',
  inputs: fc
    .jsonValue()
    .chain(value => fc.tuple(fc.constant(value), damagedBytes(fc.constant(encodeCatalogRecord(value)), ['1 ', '2 ']))),
  runs: 150,
  check([value, bytes]) {
    const read = decodeCatalogRecord(bytes);
    if (read.ok) expect(read.value).toEqual(JSON.parse(JSON.stringify(value)));
    else expect(read.error).not.toBe('');
  },
});

const SALT = 0xdead_beef;
const FIRST = 41;
const payloads = fc.array(
  fc.uint8Array({ maxLength: 60 }).map(it => Buffer.from(it)),
  { minLength: 1, maxLength: 6 },
);

fuzz({
  name: 'journal segments',
  inputs: fc
    .tuple(payloads, fc.nat(6))
    .chain(([all, synced]) => fc.tuple(fc.constant(all), damagedBytes(fc.constant(segmentOf(all, synced)), [], 3))),
  runs: 150,
  check([all, bytes]) {
    writeFileSync(segmentName(folder, FIRST, SALT).path, bytes);
    const heard: Buffer[] = [];
    const end = unlessDamaged(() =>
      readJournal(nodeFiles, folder, FIRST, (sequence, payload) => {
        heard.push(Buffer.from(payload));
        expect(sequence).toBe(FIRST + heard.length - 1);
      }),
    );
    // A record that was written twice is out of place.
    expect(heard).toEqual(all.slice(0, heard.length));
    if (end !== null)
      expect([end.bytes + end.tornBytes, end.sequence]).toEqual([bytes.length, FIRST + heard.length - 1]);
    // A follower does not request bytes behind the sound part.
    const tail = new JournalTail(nodeFiles, folder, FIRST - 1);
    const followed: Buffer[] = [];
    unlessDamaged(() =>
      tail.read(FIRST + all.length - 1, all.length, (_, payload) => followed.push(Buffer.from(payload))),
    );
    tail.close();
    expect(followed).toEqual(all.slice(0, followed.length));
    expect(followed.length).toBeGreaterThanOrEqual(heard.length);
  },
});

/** Returns a segment. `synced` is the distance between a record's own number and the last number that it knows to be on the disk. */
function segmentOf(all: readonly Buffer[], synced: number): Uint8Array {
  const framer = new RecordFramer();
  return Buffer.concat(
    all.map((payload, index) =>
      Uint8Array.from(framer.frame(payload, SALT, FIRST + index, Math.max(0, FIRST + index - 1 - synced))),
    ),
  );
}

/** Returns events of every kind. */
function someEvents(): readonly LedgerEvent[] {
  const ledger = new MemoryLedger();
  const account = { podId: 'pod', venue: 'venue_b' } as const;
  const stored = storedOrder({ number: 1 });
  const before = noPosition('venue_b', 'TICKER', at(1));
  const movement = {
    fillId: 'f',
    change: 1 as MicroShares,
    addressPrice: 5_000 as Ticks,
    fee: 1 as MicroDollars,
    before,
  };
  const answer = { outcome: 'made', status: 'OPEN', message: '', at: at(1) } as const;
  const entry = { orderId: orderIdOf(1), bodySha256Hex: '0a'.repeat(32), answer };
  ledger.change(step => {
    step.putOrder(stored);
    step.putIdempotency('alice', 'venue_b', 'key 1', entry);
    step.putIdempotency('alice', 'venue_b', 'k', entry);
    step.addFill(account, { fill: fillOf('f'), orderId: null });
    step.claimFill(account, { fill: fillOf('f'), orderId: orderIdOf(1) });
    step.amendFill(account, 'f', { settlement: 'MINED', price: 4_000 as Ticks });
    step.putPosition('alice', before);
    step.addBooked('alice', movement);
    step.appendEvent({ actorId: 'alice', event: 'FILL', order: stored.order, fill: fillOf('f'), at: at(2) });
    step.putMark('m', 'v');
    step.putCancelAfter({ keyId: 'key', actorId: 'alice', podId: 'pod', deadline: at(3) });
  });
  ledger.change(step => {
    const order = { ...stored.order, status: 'OPEN', venueOrderId: 'v' } as const;
    step.putOrder({ ...stored, order });
    step.appendEvent({ actorId: 'alice', event: 'STATUS', order, fill: null, at: order.updatedAt });
    step.deleteBooked('alice', { ...movement, number: 1 });
    step.deleteCancelAfter('key');
  });
  return [...ledger.log.events(), { type: 'cursors-leapt', floor: 7 }];
}
const EVENTS = someEvents();

it('events of every kind are damaged', () => {
  expect(new Set(EVENTS.map(({ type }) => type)).size).toBe(14);
});

fuzz({
  name: 'events of a step',
  inputs: fc
    .array(fc.constantFrom(...EVENTS), { minLength: 1, maxLength: 3 })
    .chain(events => damagedBytes(fc.constant(written(events)))),
  runs: 400,
  check(bytes) {
    try {
      const events = readEvents(bytes);
      // The reading has exactly the content of these bytes.
      expect(readEvents(written(events))).toEqual(events);
    } catch (error) {
      expect(error).toBeInstanceOf(RecordFault);
    }
  },
});

function written(events: readonly LedgerEvent[]): Buffer {
  const writer = new ByteWriter();
  writer.begin();
  writer.byte(LEDGER_EVENTS_VERSION);
  for (const event of events) writeEvent(writer, event);
  return Buffer.from(writer.copy());
}

const rowsFolder = join(folder, 'rows');
const tables = HistoryTables.open(rowsFolder);
const raw = openRowEnvironment(rowsFolder, 64 * 1024 * 1024);
afterAll(async () => {
  await raw.close();
  await tables.close();
});

fuzz({
  name: 'rows of the history',
  inputs: fc.uint8Array({ maxLength: 60 }).chain(value => {
    const row = Buffer.alloc(value.length + 4);
    row.set(value);
    row.writeUInt32LE(crc32(Buffer.concat([MARK_KEY, value])), value.length);
    return fc.tuple(fc.constant(Buffer.from(value)), damagedBytes(fc.constant(row)), fc.constant(row));
  }),
  runs: 100,
  check([value, damaged, row]) {
    raw.transact(() => raw.put(MARK_KEY, damaged));
    tables.refresh();
    const read = unlessDamaged(() => tables.get('marks', NAME));
    tables.release();
    expect(read === null).toBe(!damaged.equals(row));
    if (read !== null) expect(Buffer.from(read!)).toEqual(value);
  },
});
