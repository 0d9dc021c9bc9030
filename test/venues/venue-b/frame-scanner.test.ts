// The byte scanner against JSON.parse. The cold reader reads each frame that the scanner accepts in the same way. The scanner accepts every
// frame in the venue's own form. The tests have real frames, every layout, and frames that are damaged at random.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookId } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { BookFrame, type LevelList } from '../../../src/venues/venue-b/book-updates.ts';
import { readColdFrame } from '../../../src/venues/venue-b/cold-frames.ts';
import { DELTA, FrameScanner, SNAPSHOT } from '../../../src/venues/venue-b/frame-scanner.ts';
import { TickerTable } from '../../../src/venues/venue-b/ticker-table.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';

const TICKERS = ['KXNBAGAME-26NOV21BOSLAL-BOS', 'KXA-1', 'K', `KX${'M'.repeat(limits.venueBTickerBytesMax - 2)}`];

const MARKET_ID = 'f5ed38e2-0991-4c8f-817e-08c4fd9cbfdb';
const DELTA_FRAME = {
  ...{ type: 'orderbook_delta', sid: 1, seq: 1_234_567 },
  msg: {
    ...{ market_ticker: 'KXNBAGAME-26NOV21BOSLAL-BOS', market_id: MARKET_ID },
    ...{ price_dollars: '0.4700', delta_fp: '-3.05', side: 'yes' },
    ...{ ts: '2026-06-11T06:31:29.957081Z', ts_ms: 1_781_159_489_957 },
  },
};
const LEVELS = ['0.0100 966425.00', '0.4700 3.00'].map(level => level.split(' '));
const SNAPSHOT_FRAME = {
  ...{ type: 'orderbook_snapshot', sid: 1, seq: 2 },
  msg: { market_ticker: 'KXA-1', market_id: MARKET_ID, yes_dollars_fp: LEVELS, no_dollars_fp: [['0.4800', '2.5']] },
};

class Bench {
  readonly frame = new BookFrame();
  readonly tickers: string[];
  readonly #scanner: FrameScanner;

  constructor(tickers: readonly string[]) {
    this.tickers = [...tickers];
    const table = new TickerTable();
    for (const [book, ticker] of this.tickers.entries()) table.insert(ticker, book as BookId);
    this.#scanner = new FrameScanner(table, this.frame);
  }

  /** Returns the scanner's result in the form of the cold reader. Null means that the scanner leaves the frame to the cold reader. */
  scan(bytes: Uint8Array): object | null {
    const kind = this.#scanner.scan(bytes);
    const { sid, seq, book, isYes, price, change, time } = this.frame;
    const ticker = this.tickers[book];
    if (kind === DELTA) return { sid, seq, message: { kind: 'DELTA', ticker, isYes, price, change, time } };
    if (kind !== SNAPSHOT) return null;
    const { yes, no } = this.frame;
    return { sid, seq, message: { kind: 'SNAPSHOT', ticker, yes: levelsOf(yes), no: levelsOf(no) } };
  }

  /** Returns whether a delta is read on the shorter path, which does not touch the lists of levels. */
  isShort(bytes: Uint8Array): boolean {
    this.frame.yes.count = 1;
    return this.#scanner.scan(bytes) === DELTA && this.frame.yes.count === 1;
  }

  /** Checks the common property: the scanner reads the same as JSON.parse, or nothing. Returns whether the scanner accepted the frame. */
  check(bytes: Uint8Array): boolean {
    const scanned = this.scan(bytes);
    if (scanned === null) return false;
    const cold = readColdFrame(bytes);
    expect(scanned).toEqual({ sid: cold?.sid, seq: cold?.seq, message: cold?.message });
    return true;
  }
}

function levelsOf(list: LevelList): object[] {
  return Array.from({ length: list.count }, (_, index) => ({ price: list.prices[index], size: list.sizes[index] }));
}

/** Returns the frame with the ending that the venue has written since autumn 2026. */
function sentAt(frame: object, time = 1_781_159_489_960): object {
  return { ...frame, sending_ts_ms: time };
}

function bytesOf(frame: object): Buffer {
  return Buffer.from(`${JSON.stringify(frame)}\n`);
}

/** Returns JSON text with a sequence of members and white space that `random` chooses. */
function anyLayout(value: unknown, random: () => number): string {
  const space = (): string => [' ', '\n', '\t', '\r', '', '', '', ''][Math.floor(random() * 8)] ?? '';
  const around = (text: string): string => space() + text + space();
  if (Array.isArray(value)) return around(`[${value.map(item => anyLayout(item, random)).join(',') || space()}]`);
  if (typeof value !== 'object' || value === null) return around(JSON.stringify(value));
  const members = Object.entries(value).map(
    ([key, item]) => `${around(JSON.stringify(key))}:${anyLayout(item, random)}`,
  );
  for (let index = members.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [members[index], members[other]] = [members[other] ?? '', members[index] ?? ''];
  }
  return around(`{${members.join(',')}}`);
}

const decimal = (places: number, whole: number): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(whole), fc.nat(10 ** places - 1), fc.nat(places)).map(([high, low, shown]) => {
    const fraction = String(low).padStart(places, '0').slice(0, shown);
    return fraction === '' ? String(high) : `${high}.${fraction}`;
  });
const price = fc.oneof(
  fc.nat(10_000).map(ticks => (ticks / 10_000).toFixed(4)),
  decimal(4, 1),
);
const size = fc.oneof(decimal(2, 2_000_000), decimal(6, 999_999_999));
const level = fc.tuple(price, size);
const extra = fc.oneof(
  fc.constant({}),
  fc.record({
    client_order_id: fc.constantFrom('', 'b0b', 'ü', 'a"b', 'back\\slash'),
    subaccount: fc.nat(),
    is_x: fc.boolean(),
    none: fc.constant(null),
  }),
  fc.constant({ list: [1, { a: 'b' }] }),
);
const delta = fc.record({
  type: fc.constant('orderbook_delta'),
  sid: fc.nat(1_000_000),
  seq: fc.nat({ max: 2 ** 31 }),
  msg: fc
    .tuple(
      fc.record({
        market_ticker: fc.constantFrom(...TICKERS),
        market_id: fc.constantFrom('', MARKET_ID, 'x'.repeat(36), 'not quite a uuid of 36 characters!!!'),
        price_dollars: price,
        delta_fp: fc.tuple(fc.constantFrom('', '-'), size).map(([sign, text]) => sign + text),
        side: fc.constantFrom('yes', 'no'),
        ts: fc.constantFrom('2026-06-11T06:31:29.957081Z', '2026-06-11T06:31:29Z', ''),
        ts_ms: fc.integer({ min: 0, max: 2 ** 46 }),
      }),
      extra,
    )
    .map(([known, more]) => ({ ...known, ...more })),
});
const snapshot = fc.record({
  type: fc.constant('orderbook_snapshot'),
  sid: fc.nat(1_000_000),
  seq: fc.nat(),
  msg: fc.record(
    {
      market_ticker: fc.constantFrom(...TICKERS),
      market_id: fc.string(),
      yes_dollars_fp: fc.array(level),
      no_dollars_fp: fc.array(level),
    },
    { requiredKeys: ['market_ticker'] },
  ),
});

describe('FrameScanner', () => {
  const bench = new Bench(TICKERS);

  it('reads a delta as the venue writes it', () => {
    const read = { ticker: TICKERS[0], isYes: true, price: 4700, change: -3_050_000, time: 1_781_159_489_957 };
    const message = { kind: 'DELTA', ...read };
    expect(bench.scan(bytesOf(DELTA_FRAME))).toEqual({ sid: 1, seq: 1_234_567, message });
  });

  it('reads a snapshot as the venue writes it', () => {
    const yes = [
      { price: 100, size: 966_425_000_000 },
      { price: 4700, size: 3_000_000 },
    ];
    const message = { kind: 'SNAPSHOT', ticker: 'KXA-1', yes, no: [{ price: 4800, size: 2_500_000 }] };
    expect(bench.scan(bytesOf(SNAPSHOT_FRAME))).toEqual({ sid: 1, seq: 2, message });
  });

  it('accepts any order of keys and any white space, with the same result', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), stream => {
        const random = (): number => stream.next().value ?? 0;
        for (const frame of [DELTA_FRAME, SNAPSHOT_FRAME, sentAt(DELTA_FRAME), sentAt(SNAPSHOT_FRAME)]) {
          expect(bench.check(Buffer.from(anyLayout(frame, random)))).toBe(true);
        }
      }),
    );
  });

  it.each<[string, fc.Arbitrary<object>, number]>([
    ['delta', delta, 2_000],
    ['snapshot', snapshot, 500],
  ])('agrees with JSON.parse on any %s', (_, frames, numRuns) => {
    fc.assert(
      fc.property(frames, frame => void bench.check(bytesOf(frame))),
      { numRuns },
    );
  });

  it.each([DELTA_FRAME, SNAPSHOT_FRAME])('4022: reads a frame with its time of sending as without: $type', frame => {
    const bare = bench.scan(bytesOf(frame));
    expect(bare).not.toBeNull();
    for (const time of [1_781_159_489_960, 1, 999_999_999_999_999])
      expect(bench.scan(bytesOf(sentAt(frame, time)))).toEqual(bare);
  });

  it('4022: takes the shorter path for a delta in the venue’s own layout, with its time of sending and without', () => {
    expect(bench.isShort(bytesOf(DELTA_FRAME))).toBe(true);
    expect(bench.isShort(bytesOf(sentAt(DELTA_FRAME)))).toBe(true);
    expect(bench.isShort(bytesOf({ sending_ts_ms: 1_781_159_489_960, ...DELTA_FRAME }))).toBe(false);
  });

  it('4022: agrees with JSON.parse on any delta with a time of sending', () => {
    const time = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.double(), fc.constantFrom(null, '1', [], true));
    fc.assert(
      fc.property(delta, time, (frame, sent) => void bench.check(bytesOf({ ...frame, sending_ts_ms: sent }))),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a time of sending that is cut', '"sending_ts_ms":}'],
    ['a time of sending with a point', '"sending_ts_ms":1781159489960.5}'],
    ['a time of sending with leading zeros', '"sending_ts_ms":01}'],
    ['a member behind the time of sending that is no value', '"sending_ts_ms":1781159489960,"x":}'],
    ['something behind the time of sending', '"sending_ts_ms":1781159489960}x'],
    ['two braces behind the time of sending', '"sending_ts_ms":1781159489960}}'],
  ])('4022: leaves %s to the cold reader', (_, end) => {
    const text = `${JSON.stringify(DELTA_FRAME).slice(0, -1)},${end}`;
    expect(bench.scan(Buffer.from(text))).toBeNull();
  });

  it('accepts no frame that is cut, wherever it is cut', () => {
    for (const frame of [DELTA_FRAME, SNAPSHOT_FRAME, sentAt(DELTA_FRAME)].map(bytesOf)) {
      for (let length = 0; length < frame.length - 1; length += 1) {
        // A longer frame before this frame must leave no trace in the result.
        bench.scan(bytesOf(SNAPSHOT_FRAME));
        expect([length, bench.scan(frame.subarray(0, length))]).toEqual([length, null]);
      }
    }
  });

  it.each([
    ['an escape in the ticker', JSON.stringify(DELTA_FRAME).replace('KXNBA', '\\u004bXNBA')],
    ['an escape in a key', JSON.stringify(DELTA_FRAME).replace('"side"', '"\\u0073ide"')],
    ['a repeated key', JSON.stringify(DELTA_FRAME).replace('"side":"yes"', '"side":"yes","side":"no"')],
    ['a repeated envelope key', JSON.stringify(DELTA_FRAME).replace('"sid":1', '"sid":1,"sid":2')],
    ['a missing price', JSON.stringify(DELTA_FRAME).replace('price_dollars', 'price_dollarz')],
    ['a missing number', JSON.stringify(DELTA_FRAME).replace('"seq"', '"sek"')],
    ['a price beyond a dollar', JSON.stringify(DELTA_FRAME).replace('0.4700', '1.0001')],
    ['a price with a fifth decimal', JSON.stringify(DELTA_FRAME).replace('0.4700', '0.47001')],
    ['a price that is a number', JSON.stringify(DELTA_FRAME).replace('"0.4700"', '0.47')],
    ['a price in cents', JSON.stringify(DELTA_FRAME).replace('"0.4700"', '47')],
    ['an unknown market', JSON.stringify(DELTA_FRAME).replace('LAL-BOS', 'LAL-LAL')],
    ['a third side', JSON.stringify(DELTA_FRAME).replace('"yes"', '"bid"')],
    ['a time of 0, which the other field says', JSON.stringify(DELTA_FRAME).replace('1781159489957', '0')],
    ['leading zeros of a number', JSON.stringify(DELTA_FRAME).replace('"sid":1', '"sid":01')],
    ['a fraction of a sequence number', JSON.stringify(DELTA_FRAME).replace('1234567', '1.5')],
    ['a control character', JSON.stringify(DELTA_FRAME).replace('T06:31', '\u000106:31')],
    ['something behind the frame', `${JSON.stringify(DELTA_FRAME)}x`],
    ['two frames', JSON.stringify(DELTA_FRAME) + JSON.stringify(DELTA_FRAME)],
    ['another type', JSON.stringify(DELTA_FRAME).replace('orderbook_delta', 'orderbook_delts')],
    ['a trailing comma', JSON.stringify(DELTA_FRAME).replace('}}', ',}}')],
    ['a snapshot without sides', JSON.stringify(SNAPSHOT_FRAME).replaceAll('_dollars_fp', '')],
    ['a level of three', JSON.stringify(SNAPSHOT_FRAME).replace('"2.5"', '"2.5","1"')],
    ['a level without brackets', JSON.stringify(SNAPSHOT_FRAME).replace('["0.4800","2.5"]', '"0.4800","2.5"')],
  ])('leaves %s to the cold reader', (_, text) => {
    expect(bench.scan(Buffer.from(text))).toBeNull();
  });

  it('leaves a frame that is longer than its buffer to the cold reader', () => {
    const padded = `${JSON.stringify(DELTA_FRAME)}${' '.repeat(limits.venueBScanBytesMax)}`;
    expect(bench.scan(Buffer.from(padded))).toBeNull();
  });

  it('leaves a snapshot with more levels than there are prices to the cold reader', () => {
    const yes_dollars_fp = Array.from({ length: limits.venueBLevelsPerSideMax + 1 }, () => ['0.1', '1']);
    expect(bench.scan(bytesOf({ ...SNAPSHOT_FRAME, msg: { market_ticker: 'K', yes_dollars_fp } }))).toBeNull();
  });

  it('never throws and never differs from JSON.parse on damaged frames', () => {
    const plain = [DELTA_FRAME, SNAPSHOT_FRAME, sentAt(DELTA_FRAME), sentAt(SNAPSHOT_FRAME)].map(bytesOf);
    const originals = [...plain, Buffer.from(anyLayout(DELTA_FRAME, () => 0.3))];
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...originals), damages, (original, list) => {
        if (bench.check(damaged(original, list))) accepted += 1;
      }),
      { numRuns: 20_000 },
    );
    // Damage within a value often leaves a readable frame. Without such cases the property would prove nothing.
    expect(accepted).toBeGreaterThan(1_000);
  });
});

type Damage = {
  readonly at: number;
  readonly kind: 'flip' | 'set' | 'drop' | 'repeat' | 'swap';
  readonly value: number;
};

const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({
    at: fc.nat(400),
    kind: fc.constantFrom('flip', 'set', 'drop', 'repeat', 'swap'),
    value: fc.oneof(fc.constantFrom(...Buffer.from('"\\,:{}[]0129.-eE \n\0tyn')), fc.integer({ min: 0, max: 255 })),
  }),
  { minLength: 1, maxLength: 3 },
);

function damaged(original: Uint8Array, list: readonly Damage[]): Uint8Array {
  let bytes = [...original];
  for (const { at, kind, value } of list) {
    const place = at % bytes.length;
    const here = bytes[place] ?? 0;
    if (kind === 'flip') bytes[place] = here ^ (1 << (value & 7));
    if (kind === 'set') bytes[place] = value;
    if (kind === 'drop') bytes.splice(place, 1 + (value & 3));
    if (kind === 'repeat') bytes.splice(place, 0, ...bytes.slice(place, place + 1 + (value & 31)));
    if (kind === 'swap') bytes = [...bytes.slice(place), ...bytes.slice(0, place)];
  }
  return Uint8Array.from(bytes);
}

describe.skipIf(!recordingsPresent)('FrameScanner on recorded frames (needs CROSSBOOK_DATA)', () => {
  const { tickers, frames } = JSON.parse(
    recordingsPresent
      ? readFileSync(recordingPath('venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json'), 'utf8')
      : '{"tickers":[],"frames":[]}',
  ) as { tickers: string[]; frames: { frame: { type: string } }[] };
  const bench = new Bench(tickers);

  it('accepts every delta and snapshot of production, and nothing else', () => {
    for (const { frame } of frames) {
      const isBook = frame.type === 'orderbook_delta' || frame.type === 'orderbook_snapshot';
      expect([frame.type, bench.check(bytesOf(frame))]).toEqual([frame.type, isBook]);
    }
  });

  it('4022: accepts every delta and snapshot of production with a time of sending, deltas on the shorter path', () => {
    for (const { frame } of frames) {
      const isDelta = frame.type === 'orderbook_delta';
      const bytes = bytesOf(sentAt(frame));
      expect([frame.type, bench.check(bytes)]).toEqual([frame.type, isDelta || frame.type === 'orderbook_snapshot']);
      expect([frame.type, bench.isShort(bytes)]).toEqual([frame.type, isDelta]);
    }
  });

  it('never differs from JSON.parse on damaged frames of production', () => {
    const originals = frames.flatMap(({ frame }) => [bytesOf(frame), bytesOf(sentAt(frame))]);
    fc.assert(
      fc.property(
        fc.constantFrom(...originals),
        damages,
        (original, list) => void bench.check(damaged(original, list)),
      ),
      { numRuns: 10_000 },
    );
  });
});
