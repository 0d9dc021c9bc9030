// Damaged captures. An import refuses with a message and leaves no files, or makes a sound recording. In a sound recording each book and each change
// has the checksum of its levels, in an order that a bot could follow.

import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { RecordingError } from '../../src/paper/replay/recorder-forms.ts';
import { ImportRig } from '../tools/conversion/captures/import-rig.ts';
import { SHARE, TwinMarket } from '../venues/venue-a/twin-market.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { fuzz } from './fuzz.ts';

let rig: ImportRig;
beforeAll(() => {
  rig = new ImportRig();
});
afterAll(() => rig.remove());

const START = 1_786_845_512_000;

function captureA(): string[] {
  const twin = new TwinMarket(3).seed([
    [0, 5_100, 10 * SHARE],
    [1, 5_400, 30 * SHARE],
  ]);
  return [
    [twin.bookEvent(0), twin.bookEvent(1)],
    ...[5_200, 5_000, 5_100].map(price => twin.change(0, price, 3 * SHARE)),
    twin.tickSizeEvent('0.001'),
    twin.tradeEvent(0, '0.54', '3', 'BUY'),
    twin.change(1, 5_400, 0),
  ].map(frame => JSON.stringify(frame));
}

function captureB(): string[] {
  const msg = { market_ticker: 'KXT-26NOV21-YES', market_id: 'x' };
  const change = (seq: number, price: string, size: string): object => ({
    ...{ type: 'orderbook_delta', sid: 1, seq },
    msg: { ...msg, price_dollars: price, delta_fp: size, side: 'yes', ts_ms: START + seq },
  });
  return [
    {
      type: 'orderbook_snapshot',
      sid: 1,
      seq: 1,
      msg: { ...msg, yes_dollars_fp: [['0.4700', '3.00']], no_dollars_fp: [['0.4800', '2.00']] },
    },
    change(2, '0.4600', '2.00'),
    change(3, '0.4700', '-3.00'),
    {
      type: 'trade',
      sid: 2,
      seq: 1,
      msg: { ...msg, trade_id: 't', yes_price_dollars: '0.4700', count_fp: '3.00', taker_side: 'no', ts_ms: START },
    },
    change(4, '0.4650', '1.00'),
  ].map(frame => JSON.stringify(frame));
}

const captures = [captureA(), captureB()].flatMap(frames => [
  frames.map((frame, index) => `{"recv_ms":${START + index},"raw":${frame}}\n`).join(''),
  frames.map((frame, index) => `${JSON.stringify({ dir: 'in', text: frame, ts: START + index })}\n`).join(''),
  `{"frames":[${frames.join(',')}]}`,
]);

const WORDS = [
  '"recv_ms":',
  '"seq":',
  '"price":"0.47"',
  '"size":"1"',
  '\n',
  '{"event_type":"book"}',
  '[',
  '"type":"orderbook_snapshot"',
];

fuzz({
  name: 'captures',
  inputs: damagedBytes(
    fc.constantFrom(...captures).map(it => Buffer.from(it)),
    WORDS,
    3,
  ),
  runs: 60,
  async check(bytes) {
    const file = rig.write('capture', bytes);
    try {
      const imported = await rig.import(file);
      expect(imported.words.length).toBeGreaterThan(0);
    } catch (error) {
      expect(error).toBeInstanceOf(RecordingError);
      expect((error as Error).message).toContain('capture: ');
      expect(rig.left()).toEqual([]);
    }
  },
});
