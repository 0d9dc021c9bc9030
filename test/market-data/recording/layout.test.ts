// docs/RECORDING.md has the offsets and codes of src/market-data/recording/format.ts.

import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOOK_STATES } from '../../../src/core/domain/market.ts';
import {
  BLOCK,
  BLOCK_HEAD_BYTES,
  FILE_NAME,
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
} from '../../../src/market-data/recording/format.ts';
import { documentedLayout } from '../../support/shared-file-view.ts';
import { RecorderRig, START } from './recorder-rig.ts';

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

// The names of files are times, and the oldest file was chosen by its name. A clock that was ahead had left files with later names than today's
// files. Then today's files were removed first, and no others: the folder grew without a bound.
describe('3312: files of a clock that was ahead', () => {
  const DAY_MS = 24 * 3_600_000;
  let rig: RecorderRig;
  beforeEach(() => {
    rig = new RecorderRig();
  });
  afterEach(() => rig.remove());

  const names = (): string[] =>
    readdirSync(rig.folder)
      .filter(name => FILE_NAME.test(name))
      .sort();

  async function recordFrom(now: number, recordingBytesMax: number): Promise<void> {
    await rig.recorder.close();
    rig.now = now;
    rig.recorder = rig.record({ recordingBytesMax });
  }

  it('go before those of today, beyond the bound of all files', async () => {
    await recordFrom(START + DAY_MS, 1e12);
    await recordFrom(START + 60_000, 1e12);
    await recordFrom(START + 120_000, 1);
    const [, , today] = names();
    expect(names()).toHaveLength(4);
    rig.now += 1_000;
    rig.follow();
    expect(names()).toEqual([today]);
    await rig.recorder.close();
  });
});
