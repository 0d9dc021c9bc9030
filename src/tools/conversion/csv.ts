// Writes recordings as CSV (RFC 4180): one line for each row, prices and sizes as exact decimals, times as Unix milliseconds. The command
// line's process.

import { formatMicroShares, formatTicks } from '../../core/domain/numbers.ts';
import type { RecordedEvent } from '../../market-data/recording/format.ts';
import { type EventRow, type EventWriter, rowsOf } from './event-rows.ts';
import { PartialFile } from './partial-file.ts';

const COLUMNS: readonly (readonly [name: string, value: (row: EventRow) => string | number | null])[] = [
  ['venue', row => row.venue],
  ['market', row => row.address],
  ['kind', row => row.kind],
  ['at_ms', row => row.at],
  ['received_ms', row => row.receivedAt],
  ['venue_ms', row => row.venueTime],
  ['epoch', row => row.epoch],
  ['seq', row => row.seq],
  ['side', row => row.side],
  ['price', row => (row.price === null ? null : formatTicks(row.price))],
  ['size', row => (row.size === null ? null : formatMicroShares(row.size))],
  ['state', row => row.state],
  ['reason', row => row.reason],
  ['checksum', row => row.checksum],
  ['trade_id', row => row.tradeId],
];
const HEADER = COLUMNS.map(([name]) => name).join(',');

export class CsvWriter implements EventWriter {
  readonly #out: (text: string) => void;
  readonly #file: PartialFile | null;

  /** If `path` is null, the rows go to `out`. Throws if the file exists, or cannot be created. */
  constructor(path: string | null, out: (text: string) => void) {
    const file = path === null ? null : new PartialFile(path);
    this.#file = file;
    this.#out = file === null ? out : text => file.write(text);
    this.#out(`${HEADER}\n`);
  }

  write(event: RecordedEvent): void {
    this.#out(rowsOf(event).map(lineOf).join(''));
  }

  async close(): Promise<readonly string[]> {
    this.#file?.close();
    return this.#file === null ? [] : [this.#file.path];
  }

  abandon(): void {
    this.#file?.abandon();
  }
}

function lineOf(row: EventRow): string {
  return `${csvLine(COLUMNS.map(([, value]) => value(row)))}\n`;
}

export function csvLine(values: readonly (string | number | null)[]): string {
  return values.map(fieldOf).join(',');
}

/** The text of a field. Ids of trades are the venue's text, and may have any printable ASCII character. */
function fieldOf(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
