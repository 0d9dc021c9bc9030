// The paper exchanges on a recording. A book that no exchange can have is refused. A book that becomes crossed by its changes is given up.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordingError } from '../../src/paper/replay/recorder-forms.ts';
import { readFrames } from '../../src/paper/trading.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'paper-recording-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function fileOf(...frames: readonly object[]): string {
  files += 1;
  const file = join(folder, `${files}.jsonl`);
  writeFileSync(file, frames.map(frame => `${JSON.stringify(frame)}\n`).join(''));
  return file;
}

const b = (type: string, seq: number, msg: object): object => ({
  ...{ type, sid: 1, seq },
  msg: { market_ticker: 'KXTEST-26SEP-H0', ...msg },
});
const snapshot = (no: readonly (readonly [string, string])[], seq = 1): object =>
  b('orderbook_snapshot', seq, { yes_dollars_fp: [['0.4900', '5.00']], no_dollars_fp: no });
const SOUND = snapshot([['0.5000', '3.00']]);
const CROSSED = snapshot([
  ['0.9900', '7.00'],
  ['0.5200', '3.00'],
]);
const bid = (seq: number, price: string): object =>
  b('orderbook_delta', seq, { side: 'yes', price_dollars: price, delta_fp: '1.00' });

describe('a stated book that is crossed', () => {
  it('4009: is refused, with its place and what may be the reason', async () => {
    const file = fileOf(SOUND, CROSSED);
    await expect(readFrames([file])).rejects.toThrow(RecordingError);
    await expect(readFrames([file])).rejects.toThrow(
      `${file}: a book is crossed: perhaps the NO side is in YES prices (use_yes_price): line 2: KXTEST-26SEP-H0, bid 0.49 and ask 0.01`,
    );
  });

  it('4009: is refused where the bid only reaches the ask', async () => {
    await expect(readFrames([fileOf(snapshot([['0.5100', '1.00']]))])).rejects.toThrow('bid 0.49 and ask 0.49');
  });

  it('4009: is refused at venue A, whose books have no NO side', async () => {
    const level = (price: string) => [{ price, size: '5' }];
    const book = { event_type: 'book', market: '0x01', asset_id: '77', bids: level('0.60'), asks: level('0.40') };
    await expect(readFrames([fileOf([book], {})])).rejects.toThrow(RecordingError);
    await expect(readFrames([fileOf([book])])).rejects.toThrow(/a book is crossed: line 1: 77, bid 0\.6 and ask 0\.4:/);
  });

  it('4009: is sound in YES prices if the recorder has asked for those', async () => {
    const asks = { dir: 'out', text: JSON.stringify({ cmd: 'subscribe', params: { use_yes_price: true } }), ts: 1 };
    const frame = { dir: 'in', text: JSON.stringify(snapshot([['0.9900', '7.00']])), ts: 2 };
    const { frames } = await readFrames([fileOf({ ...asks, ts: 1_790_000_000 }, { ...frame, ts: 1_790_000_001 })]);
    expect(frames).toHaveLength(1);
  });
});

describe('changes that cross a book', () => {
  it('4009: lose it until it is stated again, and are named', async () => {
    const file = fileOf(SOUND, bid(2, '0.4800'), bid(5, '0.5000'), bid(6, '0.5100'), snapshot([], 7), bid(8, '0.9000'));
    const { frames, notes } = await readFrames([file]);
    expect(frames.map(({ lost }) => lost)).toEqual([[], [], ['KXTEST-26SEP-H0'], [], [], []]);
    expect(notes[0]).toContain('; changes cross a book in 1 frames, first after 40 ms (KXTEST-26SEP-H0)');
  });
});
