// Writes recordings as Parquet, with one row group for every 100 000 rows. Prices and sizes are whole numbers of ticks and micro-shares,
// and the file's metadata has their scales. The only importer of hyparquet-writer. The command line's process.

import { renameSync, rmSync } from 'node:fs';
import { type BasicType, fileWriter, ParquetWriter, parquetWriteFile, schemaFromColumnData } from 'hyparquet-writer';
import type { RecordedEvent } from '../../market-data/recording/format.ts';
import { type EventRow, type EventWriter, rowsOf } from './event-rows.ts';
import { mustBeNew, partialOf } from './partial-file.ts';
import type { ReportTable } from './report-page.ts';

type SchemaElement = ReturnType<typeof schemaFromColumnData>[number];
type Value = string | number | bigint | Date | null;

const ROWS_PER_GROUP = 100_000;

const COLUMNS: readonly (readonly [name: string, type: BasicType, value: (row: EventRow) => Value])[] = [
  ['venue', 'STRING', row => row.venue],
  ['market', 'STRING', row => row.address],
  ['kind', 'STRING', row => row.kind],
  ['recorded_at', 'TIMESTAMP', row => new Date(row.at)],
  ['received_at', 'TIMESTAMP', row => timeOf(row.receivedAt)],
  ['venue_time', 'TIMESTAMP', row => timeOf(row.venueTime)],
  ['epoch', 'INT64', row => wholeOf(row.epoch)],
  ['seq', 'INT64', row => wholeOf(row.seq)],
  ['side', 'STRING', row => row.side],
  ['price_ticks', 'INT32', row => row.price],
  ['size_micros', 'INT64', row => wholeOf(row.size)],
  ['state', 'STRING', row => row.state],
  ['reason', 'STRING', row => row.reason],
  ['checksum', 'INT64', row => wholeOf(row.checksum)],
  ['trade_id', 'STRING', row => row.tradeId],
];
const SCALES = [
  { key: 'crossbook.price_scale', value: '4' },
  { key: 'crossbook.size_scale', value: '6' },
];

export class ParquetEvents implements EventWriter {
  readonly #path: string;
  readonly #writer: ParquetWriter;
  #rows: EventRow[] = [];

  /** Throws if the file exists, or cannot be created. */
  constructor(path: string) {
    mustBeNew(path);
    this.#path = path;
    const schema = schemaFromColumnData({ columnData: columnsOf([]) }).map(inUtc);
    this.#writer = new ParquetWriter({ writer: fileWriter(partialOf(path)), schema, kvMetadata: SCALES });
  }

  write(event: RecordedEvent): void {
    for (const row of rowsOf(event)) this.#rows.push(row);
    if (this.#rows.length >= ROWS_PER_GROUP) this.#flush();
  }

  async close(): Promise<readonly string[]> {
    this.#flush();
    await this.#writer.finish();
    renameSync(partialOf(this.#path), this.#path);
    return [this.#path];
  }

  abandon(): void {
    rmSync(partialOf(this.#path), { force: true });
  }

  #flush(): void {
    if (this.#rows.length === 0) return;
    void this.#writer.write({ columnData: columnsOf(this.#rows), rowGroupSize: this.#rows.length });
    this.#rows = [];
  }
}

/** Writes a table of a report. Columns of numbers and decimals hold doubles, the column `time` holds times. An empty cell is null. */
export function writeParquet(filename: string, { head, rows }: ReportTable): void {
  const columnData = head.map((name, index) => {
    const cells = rows.map(row => (row[index] === '' ? null : row[index]!));
    if (name === 'time') return { name, type: 'TIMESTAMP' as const, data: cells.map(it => new Date(it ?? 0)) };
    const isNumber = cells.every(it => it === null || Number.isFinite(Number(it)));
    const data = cells.map(it => (it === null ? null : isNumber ? Number(it) : String(it)));
    return { name, type: isNumber ? ('DOUBLE' as const) : ('STRING' as const), nullable: true, data };
  });
  parquetWriteFile({ filename, columnData });
}

function columnsOf(rows: readonly EventRow[]) {
  return COLUMNS.map(([name, type, value]) => ({ name, type, nullable: true, data: rows.map(value) }));
}

/** Marks a time as UTC. Some readers would take a time without this mark as local time. */
function inUtc(element: SchemaElement): SchemaElement {
  if (element.converted_type !== 'TIMESTAMP_MILLIS') return element;
  return { ...element, logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } };
}

function timeOf(millis: number | null): Date | null {
  return millis === null ? null : new Date(millis);
}

function wholeOf(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
