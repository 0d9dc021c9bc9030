// docs/SHARED-MEMORY.md has the offsets of src/market-data/shm/layout.ts, and the codes of states and reasons.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BOOK_STATES, STATE_REASONS } from '../../../src/core/domain/market.ts';
import {
  ADDRESS_BYTES_MAX,
  BOOK,
  BOOK_BYTES,
  HEADER,
  LAYOUT_VERSION,
  LEVELS,
  RECORD,
  RECORD_BYTES,
  SYMBOL,
  SYMBOL_BYTES,
} from '../../../src/market-data/shm/layout.ts';
import { documentedLayout, type Field } from '../../support/shared-file-view.ts';

const LAYOUT = documentedLayout();
const TEXT = readFileSync('docs/SHARED-MEMORY.md', 'utf8');

const offsetsOf = (fields: Readonly<Record<string, Field>>): Record<string, number> =>
  Object.fromEntries(Object.entries(fields).map(([name, { offset }]) => [name, offset]));

const bytesOf = (type: string): number => {
  const [, unit = '', count = '1'] = /^(u8|u32|u64|i32|char)(?:\[(\d+)\])?$/.exec(type) ?? [];
  return Number(count) * { u8: 1, char: 1, u32: 4, i32: 4, u64: 8 }[unit]!;
};

describe.each([
  ['Header', HEADER, 4_096],
  ['Symbol', SYMBOL, SYMBOL_BYTES],
  ['Book', BOOK, BOOK_BYTES],
  ['Record', RECORD, RECORD_BYTES],
] as const)('the table of %s', (name, offsets, bytes) => {
  const fields = Object.entries(LAYOUT[name]!);

  it('has the offsets of the code', () => {
    expect(offsetsOf(LAYOUT[name]!)).toEqual(offsets);
  });

  it('has fields that are aligned, do not overlap, and end in time', () => {
    const faults = fields.flatMap(([field, { offset, type }], index) => {
      const unit = bytesOf(type.replace(/\[.*/, ''));
      const next = fields[index + 1]?.[1].offset ?? bytes;
      const end = offset + bytesOf(type);
      // A trade has its id in the place of the checksum of other records.
      return offset % unit === 0 && (end <= next || field === 'checksum') ? [] : [field];
    });
    expect(faults).toEqual([]);
  });
});

it('has the version, the counts and the codes of the code', () => {
  expect(TEXT).toContain(`\nVersion ${LAYOUT_VERSION}. `);
  expect(LAYOUT.Book!.bidSizes!.type).toBe(`u64[${LEVELS}]`);
  expect(LAYOUT.Symbol!.address!.type).toBe(`char[${ADDRESS_BYTES_MAX}]`);
  expect(TEXT).toContain(BOOK_STATES.map((state, code) => `${code} \`${state}\``).join(', '));
  const [, reasons = ''] = /^Reasons, from 0: ([^.]+)\./m.exec(TEXT)!;
  expect(reasons.split(/,\s+/)).toEqual(STATE_REASONS.map(reason => `\`${reason}\``));
});
