// A recording with frames of an older form, or of another product, was played as far as it was readable. That gave a book of 0.34 where
// 0.36 was true, and an empty book that took orders. Now such a file is refused, by line and form, and skipped frames are counted.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFrames } from '../../src/paper/trading.ts';
import { RecordingError } from '../../src/replay/recorder-forms.ts';
import { noteWords, parseRecording, type Recording } from '../../src/replay/recording.ts';
import { readScript } from '../../src/replay/script.ts';
import { testKey } from '../replay/client.ts';

const BOOK_A = {
  event_type: 'book',
  market: '0x01',
  asset_id: '77',
  timestamp: '1',
  bids: [{ price: '0.34', size: '5' }],
  asks: [{ price: '0.4', size: '5' }],
};
const CHANGE_A = {
  event_type: 'price_change',
  market: '0x01',
  timestamp: '2',
  price_changes: [{ asset_id: '77', price: '0.36', side: 'BUY', size: '3' }],
};
const snapshotB = (msg: object, seq = 1) => ({
  type: 'orderbook_snapshot',
  sid: 1,
  seq,
  msg: { market_ticker: 'KXT-1', ...msg },
});
const deltaB = (msg: object, seq = 2) => ({
  type: 'orderbook_delta',
  sid: 1,
  seq,
  msg: { market_ticker: 'KXT-1', ...msg },
});
const SNAPSHOT_B = snapshotB({ yes_dollars_fp: [['0.4700', '3.00']] });
const CHANGE_B = { side: 'yes', price_dollars: '0.4700', delta_fp: '1.00' };

const lines = (...frames: readonly unknown[]): string => frames.map(frame => JSON.stringify(frame)).join('\n');
const read = (...frames: readonly unknown[]): Recording => parseRecording('capture', `${lines(...frames)}\n`);
const wordsFor = (...frames: readonly unknown[]): string => noteWords(read(...frames).note);

describe('a frame of an older or foreign form is refused, by line and form', () => {
  it.each([
    [
      '"changes" beside a book',
      [
        BOOK_A,
        {
          event_type: 'price_change',
          market: '0x01',
          asset_id: '77',
          changes: [{ price: '0.36', side: 'BUY', size: '3' }],
        },
      ],
      /line 2: .*"changes"/,
    ],
    [
      'one level in the message',
      [BOOK_A, { event_type: 'price_change', market: '0x01', asset_id: '77', price: '0.36', side: 'BUY', size: '3' }],
      /line 2: .*one level in the message/,
    ],
    [
      '"buys" and "sells"',
      [{ event_type: 'book', market: '0x01', asset_id: '77', buys: [], sells: [] }],
      /line 1: .*"buys" and "sells"/,
    ],
    [
      'no event_type in a list of messages',
      [BOOK_A, [CHANGE_A, { market: '0x01', price_changes: [] }]],
      /line 2: .*without "event_type"/,
    ],
    [
      'no event_type',
      [BOOK_A, { market: '0x01', price_changes: [] }],
      /line 2: an object with the keys market, price_changes/,
    ],
    [
      'numbers in place of texts',
      [{ ...BOOK_A, bids: [{ price: 0.34, size: 5 }] }],
      /line 1: a book of venue A with a level/,
    ],
    [
      'a side that is none',
      [BOOK_A, { ...CHANGE_A, price_changes: [{ asset_id: '77', price: '0.36', side: 'bid', size: '3' }] }],
      /line 2: a price change/,
    ],
    ['perpetuals, snapshot', [snapshotB({ bid: [['6.3329', '3.00']] })], /line 1: .*perpetuals.*"bid"/],
    [
      'perpetuals, change',
      [SNAPSHOT_B, deltaB({ side: 'bid', price: '6.3329', delta: '1.00' })],
      /line 2: .*perpetuals/,
    ],
    ['whole cents, snapshot', [snapshotB({ yes: [[47, 3]] })], /line 1: .*whole cents/],
    ['whole cents, change', [SNAPSHOT_B, deltaB({ side: 'yes', price: 47, delta: 1 })], /line 2: .*whole cents/],
    ['whole contracts, snapshot', [snapshotB({ yes_dollars: [['0.4700', 3]] })], /line 1: .*whole contracts/],
    [
      'a price above a dollar',
      [snapshotB({ yes_dollars_fp: [['6.3329', '3.00']] })],
      /line 1: a snapshot of venue B with a level/,
    ],
    [
      'a change without its market',
      [SNAPSHOT_B, { type: 'orderbook_delta', sid: 1, seq: 2, msg: CHANGE_B }],
      /line 2: a change of venue B/,
    ],
    ['two venues in one file', [BOOK_A, SNAPSHOT_B], /line 2: a frame of another venue/],
    ['no book at all', [CHANGE_A, { event_type: 'last_trade_price', market: '0x01', asset_id: '77' }], /no book in it/],
  ])('%s', (_, frames, why) => {
    expect(() => read(...frames)).toThrow(RecordingError);
    expect(() => read(...frames)).toThrow(why);
    expect(() => parseRecording('capture', JSON.stringify({ frames }))).toThrow(
      new RegExp(String(why).slice(1, -1).replace('line', 'entry')),
    );
  });
});

describe('what is skipped is counted, by its kind', () => {
  it('acknowledgements, private messages, keep-alives', () => {
    const text = `${lines({ type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } }, SNAPSHOT_B)}\nPONG\n${lines({ type: 'ok', sid: 1, seq: 2, msg: {} }, deltaB(CHANGE_B, 3))}\n`;
    expect(noteWords(parseRecording('capture', text).note)).toBe(
      'capture: 2 frames play; skipped: 1 subscribed, 1 PONG, 1 ok',
    );
    expect(wordsFor(BOOK_A, { event_type: 'order', market: '0x01' })).toBe(
      'capture: 1 frames play; skipped: 1 order of the user channel',
    );
  });

  it('changes before the first book of their market: they would be played into an empty one', () => {
    const other = { ...CHANGE_A, market: '0x02' };
    expect(wordsFor(CHANGE_A, BOOK_A, CHANGE_A, other)).toBe(
      'capture: 2 frames play; skipped: 2 a change before the first book of its market',
    );
    expect(wordsFor(deltaB(CHANGE_B, 1), snapshotB({}, 2))).toContain('skipped: 1 a change before');
  });

  it('a last line that is cut off, as a recorder leaves it that was killed', () => {
    const { frames, note } = parseRecording('capture', `${lines(SNAPSHOT_B)}\n{"type":"orderbook_de`);
    expect([frames.length, note.skipped]).toEqual([1, { 'a last line that is cut off': 1 }]);
    expect(() => parseRecording('capture', `{"type":"orderbook_de\n${lines(SNAPSHOT_B)}`)).toThrow(/line 1: no JSON/);
  });

  it('a number that jumps, since frames may be missing there', () => {
    const jumped = wordsFor(SNAPSHOT_B, deltaB(CHANGE_B, 2), deltaB(CHANGE_B, 5));
    expect(jumped).toContain('seq jumps 1 times, books may be wrong after it: line 3: 2 to 5');
    expect(wordsFor(SNAPSHOT_B, deltaB(CHANGE_B, 2), snapshotB({}, 1), deltaB(CHANGE_B, 2))).not.toContain('seq');
  });
});

describe('of a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'replay-3012-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('both ways of playing it print what they skip', async () => {
    const file = join(folder, 'capture.jsonl');
    const ticker = { type: 'ticker', sid: 2, msg: { market_ticker: 'KXT-1' } };
    writeFileSync(file, lines({ type: 'subscribed', id: 1, msg: {} }, SNAPSHOT_B, ticker, deltaB(CHANGE_B)));
    const [script, frames] = [await readScript([file]), await readFrames([file])];
    expect(script.recordings).toEqual([`${file}: 3 frames play; skipped: 1 subscribed`]);
    expect(frames.notes).toEqual([`${file}: 2 frames play; skipped: 1 subscribed, 1 ticker`]);
    expect(frames.frames).toHaveLength(2);
  });

  it('the thread ends with the words', async () => {
    const file = join(folder, 'older.jsonl');
    writeFileSync(file, lines(snapshotB({ bid: [['6.3329', '3.00']] })));
    const workerData = { recording: { files: [file], speed: 1, loop: false }, venueBKey: testKey };
    const worker = new Worker(new URL('../../src/replay/replay-worker.ts', import.meta.url), { workerData });
    const error = await new Promise<Error>(resolve => worker.once('error', resolve));
    expect(error.message).toContain('older.jsonl: line 1: the sister product’s (perpetuals) snapshot');
  });
});
