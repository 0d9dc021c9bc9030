// Packed captures that are cut off.

import { constants, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordedEntry, RecordingError } from '../../../../src/paper/replay/recorder-forms.ts';
import { noteText, readRecording } from '../../../../src/paper/replay/recording.ts';
import { captureEntries } from '../../../../src/tools/conversion/captures/capture-entries.ts';
import { ImportRig } from './import-rig.ts';

// Such a capture was refused as a whole, though a plain capture that is cut off loses only its last line.
describe('3144: a packed capture that is cut off', () => {
  const START = 1_786_845_512_000;
  const TICKER = 'KXT-26NOV21-YES';

  let rig: ImportRig;
  beforeAll(() => {
    rig = new ImportRig();
  });
  afterAll(() => rig.remove());

  /** A snapshot, then changes of one contract each. The bytes of every line differ from the line before. */
  const LINES = Array.from({ length: 400 }, (_, index) => {
    const levels = { yes_dollars_fp: [['0.4700', '3.00']], no_dollars_fp: [['0.4800', '2.00']] };
    const change = {
      side: 'yes',
      price_dollars: '0.4700',
      delta_fp: '1.00',
      ts_ms: START + index,
      note: noiseOf(index),
    };
    const frame = {
      ...{ type: index === 0 ? 'orderbook_snapshot' : 'orderbook_delta', sid: 1, seq: index + 1 },
      msg: { market_ticker: TICKER, ...(index === 0 ? levels : change) },
    };
    return `${JSON.stringify({ recv_ms: START + index, raw: frame })}\n`;
  });
  const TEXT = LINES.join('');
  const PACKED = gzipSync(TEXT);

  function noiseOf(index: number): string {
    return ((index * 2_654_435_761) >>> 0).toString(36);
  }

  /** Returns the text that is readable in these bytes of a file that is cut off. */
  function wholeOf(bytes: Uint8Array): string {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  }

  let files = 0;
  async function entriesOf(bytes: Uint8Array): Promise<RecordedEntry[]> {
    files += 1;
    const entries: RecordedEntry[] = [];
    for await (const part of captureEntries(rig.write(`cut-${files}.gz`, bytes), () => {})) entries.push(...part);
    return entries;
  }

  describe('a packed capture that is cut off', () => {
    it('is imported as far as it is whole, and says how far', async () => {
      const cut = PACKED.subarray(0, Math.floor(PACKED.length / 2));
      const text = wholeOf(cut);
      const frames = text.split('\n').length - 1;
      const file = rig.write('capture.jsonl.gz', cut);
      const imported = await rig.import(file);
      expect(frames).toBeGreaterThan(100);
      expect(imported.picture(TICKER)).toBe(`0.47:${2 + frames} | 0.52:2`);
      expect(imported.words[0]).toBe(
        `${file}: ${frames} frames play; skipped: 1 a last line that is cut off; ${file} is cut off: ${text.length} bytes of it could be unpacked and are read, its end is missing`,
      );
    });

    it('plays and is read as far as it is whole, too', async () => {
      const cut = PACKED.subarray(0, Math.floor(PACKED.length / 3));
      const file = rig.write('replayed.jsonl.gz', cut);
      const { frames, note } = await readRecording(file);
      const text = wholeOf(cut);
      expect(frames).toHaveLength(text.split('\n').length - 1);
      expect(noteText(note)).toContain(`; ${file} is cut off: ${text.length} bytes of it could be unpacked`);
    });

    it('has the entries of its text, wherever it is cut', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 2, max: PACKED.length - 1 }), async length => {
          const cut = PACKED.subarray(0, length);
          const text = wholeOf(cut);
          const entries = await entriesOf(cut);
          const said = entries.filter(({ type }) => type === 'received').length;
          expect(said).toBe(
            LINES.filter((_, index) =>
              text.startsWith(
                LINES.slice(0, index + 1)
                  .join('')
                  .trimEnd(),
              ),
            ).length,
          );
          expect(entries.at(-1)).toMatchObject({
            type: 'cut',
            text: expect.stringContaining(` ${text.length} bytes `),
          });
        }),
        { numRuns: 40, examples: [[2], [9], [PACKED.length - 8], [PACKED.length - 1]] },
      );
    });
  });

  describe('a packed capture that is whole', () => {
    it('says nothing of an end: alone, several in one file, or before zeros', async () => {
      const twice = Buffer.concat([gzipSync(LINES.slice(0, 200).join('')), gzipSync(LINES.slice(200).join(''))]);
      for (const bytes of [PACKED, twice, Buffer.concat([PACKED, Buffer.alloc(512)])]) {
        const entries = await entriesOf(bytes);
        expect(entries.map(({ type }) => type)).toEqual(LINES.map(() => 'received'));
      }
    });
  });

  describe('a packed capture with damage', () => {
    it('is refused', async () => {
      const damaged = Buffer.from(PACKED);
      damaged.fill(0xff, 2_000, 2_100);
      await expect(entriesOf(damaged)).rejects.toThrow(RecordingError);
      const file = rig.write('damaged.gz', damaged);
      await expect(readRecording(file)).rejects.toThrow(/cannot be read/);
    });
  });
});
