// The entries of a capture, read in parts. They equal the entries of the whole text, in each form that recorders write, wherever the parts end.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf, type RecordedEntry, RecordingError } from '../../../../src/paper/replay/recorder-forms.ts';
import { captureEntries, EntrySplitter } from '../../../../src/tools/conversion/captures/capture-entries.ts';

const SNAPSHOT = '{"type":"orderbook_snapshot","sid":1,"seq":1,"msg":{"market_ticker":"KXT-1","note":"é\\n[{,"}}';
const CHANGE = '{"event_type":"price_change","market":"0x01","price_changes":[{"price":"0.4","size":"5"}]}';
const asText = (frame: string): string => JSON.stringify(frame);

/** The name of a form, and an entry of this form around a frame. */
const FORMS: readonly (readonly [form: string, entry: (frame: string, index: number) => string])[] = [
  ['bare', frame => frame],
  ['bare texts', asText],
  ['recv_ms and raw', (frame, index) => `{"recv_ms":${1_790_000_000_000 + index},"raw":${frame}}`],
  [
    'recv_ts_ns and raw as text',
    (frame, index) => `{"recv_ts_ns":${1_790_000_000_000 + index}000000,"raw":${asText(frame)}}`,
  ],
  ['dir, text and ts', (frame, index) => JSON.stringify({ dir: 'in', text: frame, ts: 1_790_000_000 + index })],
  ['received_ms and frame', (frame, index) => `{"received_ms":${1_790_000_000_000 + index},"frame":${frame}}`],
];
const SHAPES: readonly (readonly [shape: string, text: (entries: readonly string[]) => string])[] = [
  ['lines', entries => `${entries.join('\n')}\n`],
  ['lines of Windows, some blank', entries => `\uFEFF${entries.join('\r\n\r\n')}`],
  ['a list', entries => `[${entries.join(',')}]`],
  ['a list over lines', entries => `[\n  ${entries.join(',\n  ')}\n]\n`],
  [
    'a list within an object',
    entries => `{"note":"x","counts":{"frames":[1]},"frames":[${entries.join(',')}],"more":1}`,
  ],
];

/** These bounds are small, so that the text is never parsed as a whole. */
const BOUNDS = { wholeCharactersMax: 0, entryCharactersMax: 10_000 };

function inParts(text: string, cuts: readonly number[]): RecordedEntry[] {
  // The decoder removes the byte order mark.
  const plain = text.replace(/^\uFEFF/, '');
  const splitter = new EntrySplitter(BOUNDS);
  // The form is known after the first line, or at once if the text has no line breaks.
  const first = plain.includes('\n') ? plain.indexOf('\n') + 2 : 2;
  const places = [...new Set(cuts.map(it => first + (it % (plain.length + 1))))].sort((a, b) => a - b);
  const found: RecordedEntry[] = [];
  for (const [index, place] of [0, ...places].entries())
    found.push(...splitter.push(plain.slice(place, places[index])));
  return [...found, ...splitter.end()];
}

/** Returns the entries without their texts, which differ if a list is parsed as a whole. */
function saidOf(entries: Iterable<RecordedEntry>): unknown[] {
  return [...entries].map(({ place, type, atMs, value }) => ({ place, type, atMs, value }));
}

describe.each(FORMS)('%s', (_form, entry) => {
  it.each(SHAPES)('in %s', (_shape, textOf) => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(SNAPSHOT, CHANGE), { minLength: 2, maxLength: 12 }),
        fc.array(fc.nat(4_000), { maxLength: 8 }),
        (frames, cuts) => {
          const text = textOf(frames.map(entry));
          const whole = saidOf(entriesOf(text.replace(/^\uFEFF/, '')));
          expect(whole.map(it => (it as RecordedEntry).value)).toEqual(frames.map(it => JSON.parse(it)));
          expect(saidOf(inParts(text, cuts))).toEqual(whole);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('in words', () => {
  it.each([
    ['a line that is no JSON', `${SNAPSHOT}\nhello\n${SNAPSHOT}\n`, /^line 2: no JSON/],
    ['an item that is no JSON', `[\n${SNAPSHOT},\n{"a":tru}\n]`, /^entry 2: no JSON/],
    ['a list that is cut off', `[\n${SNAPSHOT},\n{"a":`, /^entry 2: the file ends within its JSON: it is cut off/],
    ['a first line that is cut off', `{"type":"orderbook_de\n${SNAPSHOT}\n`, /^entry 1: no JSON/],
  ])('%s', (_, text, why) => {
    expect(() => inParts(text, [])).toThrow(RecordingError);
    expect(() => inParts(text, [])).toThrow(why);
  });

  it('a last line that is cut off is a note', () => {
    const entries = inParts(`${SNAPSHOT}\n${SNAPSHOT}\n{"type":"orderb`, [5]);
    expect(entries.map(({ type }) => type)).toEqual(['received', 'received', 'note']);
  });

  it('a line that is longer than is allowed', () => {
    expect(() => inParts(`${SNAPSHOT}\n${'x'.repeat(20_000)}`, [])).toThrow(/^line 2: longer than 10000 characters/);
  });
});

describe('a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'entries-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function read(name: string, bytes: string | Buffer): Promise<{ entries: RecordedEntry[]; reached: number }> {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    const entries: RecordedEntry[] = [];
    let reached = 0;
    for await (const part of captureEntries(file, at => (reached = at))) entries.push(...part);
    return { entries, reached };
  }

  it('is read to its end, plain or packed', async () => {
    const text = `${SNAPSHOT}\n`.repeat(300);
    const [plain, packed] = [Buffer.from(text), gzipSync(text)];
    const [one, other] = [await read('plain', plain), await read('packed', packed)];
    expect([one.entries.length, one.reached]).toEqual([300, plain.length]);
    expect([other.entries.length, other.reached]).toEqual([300, packed.length]);
  });

  it('longer than is parsed whole has the same entries', async () => {
    const line = `{"recv_ms":1790000000000,"raw":${JSON.stringify({ ...JSON.parse(SNAPSHOT), filler: 'x'.repeat(50_000) })}}\n`;
    const { entries } = await read('long', line.repeat(500));
    expect(entries.length).toBe(500);
    expect(entries.at(-1)!.place).toBe('line 500');
  });

  it('that is not there is refused', async () => {
    const none = captureEntries(join(folder, 'none'), () => {});
    await expect(none.next()).rejects.toThrow(/none: cannot be read \(ENOENT/);
  });
});
