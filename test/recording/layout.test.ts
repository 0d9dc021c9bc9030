// docs/RECORDING.md has the offsets and codes of src/recording/format.ts.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BOOK_STATES } from '../../src/domain/market.ts';
import {
  BLOCK,
  BLOCK_HEAD_BYTES,
  FORMAT_VERSION,
  GAP_REASONS,
  HEADER,
  HEADER_BYTES,
  KIND_BOOK,
  KIND_CHANGES,
  KIND_END,
  KIND_GAP,
  KIND_MARKET,
  KIND_STATE,
  KIND_TRADE,
  KIND_TRADES_MISSED,
  MAGIC,
  TAIL,
  TAIL_BYTES,
  TAIL_MAGIC,
} from '../../src/recording/format.ts';
import { documentedLayout } from '../support/shared-file-view.ts';

const TEXT = readFileSync('docs/RECORDING.md', 'utf8');
const LAYOUT = documentedLayout('docs/RECORDING.md');
const BYTES: Readonly<Record<string, number>> = { 'char[8]': 8, u32: 4, u64: 8 };

describe.each([
  ['Header', HEADER, HEADER_BYTES],
  ['Block', BLOCK, BLOCK_HEAD_BYTES],
  ['Tail', TAIL, TAIL_BYTES],
] as const)('the table of %s', (name, offsets, bytes) => {
  const fields = Object.entries(LAYOUT[name]!);

  it('has the offsets of the code', () => {
    expect(Object.fromEntries(fields.map(([field, { offset }]) => [field, offset]))).toEqual(offsets);
  });

  it('has fields that follow each other without a gap', () => {
    const ends = fields.map(([, { offset, type }]) => offset + BYTES[type]!);
    expect([0, ...ends]).toEqual([...fields.map(([, { offset }]) => offset), bytes]);
  });
});

it('the document has the version, the magic words and the codes of the code', () => {
  expect(TEXT).toContain(`\nVersion ${FORMAT_VERSION}. `);
  expect(TEXT).toContain(`\`${MAGIC}\``);
  expect(TEXT).toContain(`0x${TAIL_MAGIC.toString(16).toUpperCase()}`);
  expect(TEXT).toContain(BOOK_STATES.map((state, code) => `${code} \`${state}\``).join(', '));
  const gaps = [...TEXT.matchAll(/^\| (\d) `(\w+)` \|/gm)].map(([, code, name]) => [Number(code), name]);
  expect(gaps).toEqual([...GAP_REASONS.entries()]);
  const kinds = [...TEXT.matchAll(/^\| (\d) \| ([a-z ]+) \|/gm)].map(([, code, name]) => [name, Number(code)]);
  expect(Object.fromEntries(kinds.filter(([, code]) => code !== 0))).toMatchObject({
    changes: KIND_CHANGES,
    book: KIND_BOOK,
    state: KIND_STATE,
    trade: KIND_TRADE,
    'trades missed': KIND_TRADES_MISSED,
    'a market': KIND_MARKET,
    end: KIND_END,
    gap: KIND_GAP,
  });
});
