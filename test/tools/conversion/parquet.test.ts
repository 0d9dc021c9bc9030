// Parquet, read back by hyparquet: every row, in its order, with whole numbers for prices and sizes; also across row groups.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordedEvent } from '../../../src/market-data/recording/format.ts';
import { type EventRow, rowsOf } from '../../../src/tools/conversion/event-rows.ts';
import { ParquetEvents } from '../../../src/tools/conversion/parquet.ts';
import { inventedRecording, MARKETS, START } from './invented-recording.ts';

let folder = '';
let runs = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parquet-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function exported(events: readonly RecordedEvent[]): Promise<string> {
  runs += 1;
  const path = join(folder, `${runs}.parquet`);
  const writer = new ParquetEvents(path);
  for (const event of events) writer.write(event);
  expect(await writer.close()).toEqual([path]);
  return path;
}

async function rowsIn(path: string): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: await asyncBufferFromFile(path) });
}

/** Returns the row as the file should have it. */
function expected(row: EventRow): Record<string, unknown> {
  const whole = (value: number | null): bigint | null => (value === null ? null : BigInt(value));
  const time = (value: number | null): Date | null => (value === null ? null : new Date(value));
  return {
    ...{ venue: row.venue, market: row.address, kind: row.kind, side: row.side, state: row.state, reason: row.reason },
    ...{ recorded_at: time(row.at), received_at: time(row.receivedAt), venue_time: time(row.venueTime) },
    ...{ epoch: whole(row.epoch), seq: whole(row.seq), checksum: whole(row.checksum), trade_id: row.tradeId },
    ...{ price_ticks: row.price, size_micros: whole(row.size) },
  };
}

it('has the rows of the recording', async () => {
  await fc.assert(
    fc.asyncProperty(inventedRecording, async events => {
      const rows = await rowsIn(await exported(events));
      expect(rows.map(nulled)).toEqual(events.flatMap(rowsOf).map(expected));
    }),
    { numRuns: 40 },
  );
});

it('has the scales of its numbers, and row groups that a reader can take one by one', async () => {
  const market = MARKETS[1]!;
  const change = { market, at: START, receivedAt: START, venueTime: 0, epoch: 1, checksum: 5 };
  const events = Array.from({ length: 100_001 }, (_, seq) => ({
    ...{ ...change, kind: 'changes', seq },
    changes: [{ side: 0, price: 1 + (seq % 9_999), size: seq }],
  })) as unknown as RecordedEvent[];
  const path = await exported(events);
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
  expect(metadata.row_groups.map(group => Number(group.num_rows))).toEqual([100_000, 1]);
  expect(metadata.key_value_metadata).toEqual([
    { key: 'crossbook.price_scale', value: '4' },
    { key: 'crossbook.size_scale', value: '6' },
  ]);
  const rows = await rowsIn(path);
  expect(rows.map(({ size_micros }) => Number(size_micros))).toEqual(events.map((_, seq) => seq));
});

it('4021: states its times in UTC, in columns whose names need no quotes', async () => {
  const { schema } = await parquetMetadataAsync(await asyncBufferFromFile(await exported([])));
  const times = schema.filter(({ name }) => /_(at|time)$/.test(name));
  expect(times.map(({ name, type, logical_type }) => [name, type, logical_type])).toEqual(
    ['recorded_at', 'received_at', 'venue_time'].map(name => [
      name,
      'INT64',
      { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    ]),
  );
  expect(schema.map(({ name }) => name)).not.toContain('at');
});

it('a file that is there is not overwritten, and a failed export leaves none', async () => {
  const path = await exported([]);
  expect(() => new ParquetEvents(path)).toThrow(`${path}: exists already`);
  const before = readdirSync(folder);
  new ParquetEvents(join(folder, 'failed')).abandon();
  expect(readdirSync(folder)).toEqual(before);
  expect(existsSync(path)).toBe(true);
});

/** Returns the row with null for absent values. */
function nulled(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null]));
}
