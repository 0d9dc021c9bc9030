// Recordings in older forms, as users keep them, and packed captures.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { RecordingError } from '../../../src/paper/replay/recorder-forms.ts';
import { noteText, parseRecording, type Recording, readRecording } from '../../../src/paper/replay/recording.ts';
import { readFrames } from '../../../src/paper/trading.ts';

// A recording with frames of an older form, or of another product, was played as far as it was readable. That gave a book of 0.34 where
// 0.36 was true, and an empty book that took orders. Now such a file is refused, by line and form, and skipped frames are counted.
describe('3012: a recording of an older form', () => {
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
  const wordsFor = (...frames: readonly unknown[]): string => noteText(read(...frames).note);

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
      [
        'no book at all',
        [CHANGE_A, { event_type: 'last_trade_price', market: '0x01', asset_id: '77' }],
        /no book in it/,
      ],
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
      expect(noteText(parseRecording('capture', text).note)).toBe(
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

    it('the exchanges print what they skip', async () => {
      const file = join(folder, 'capture.jsonl');
      const ticker = { type: 'ticker', sid: 2, msg: { market_ticker: 'KXT-1' } };
      writeFileSync(file, lines({ type: 'subscribed', id: 1, msg: {} }, SNAPSHOT_B, ticker, deltaB(CHANGE_B)));
      const frames = await readFrames([file]);
      expect(frames.notes).toEqual([`${file}: 2 frames play; skipped: 1 subscribed, 1 ticker`]);
      expect(frames.frames).toHaveLength(2);
    });
  });
});

// Common forms of recordings were refused, or half of one was dropped in silence: a frame as a text beside a frame as an object. Now every
// form is one row of a table, and its frame may be JSON or text.
describe('3013: recordings as people keep them', () => {
  const FIRST = '{"type":"orderbook_snapshot","sid":1,"seq":1,"msg":{"market_ticker":"KXT-1"}}';
  const SECOND =
    '{"type":"orderbook_delta", "sid":1, "seq":2, "msg":{"market_ticker":"KXT-1","side":"yes","price_dollars":"0.4700","delta_fp":"1.00"}}';
  const START = 1_786_845_512_000;

  const textsOf = (text: string) => parseRecording('x', text).frames.map(({ text: frame }) => frame);
  const timesOf = (text: string) => parseRecording('x', text).frames.map(({ atMs }) => atMs);
  const asText = (frame: string) => JSON.stringify(`${frame}\n`);

  /** The name of a form, and an entry in this form: `frame` is JSON text, `afterMs` is the time since the start. */
  const FORMS: [form: string, entry: (frame: string, afterMs: number) => string][] = [
    ['recv_ts_ns and raw', (frame, ms) => `{"recv_ts_ns":${START + ms}000000,"raw":${frame}}`],
    ['recv_ts_ns as text', (frame, ms) => `{"recv_ts_ns":"${START + ms}000000","raw":${frame}}`],
    ['recv_ms and raw', (frame, ms) => `{"recv_ms":${START + ms},"raw":${frame}}`],
    ['received_ms and frame', (frame, ms) => `{"received_ms":${START + ms},"frame":${frame}}`],
    ['ts_local_ms and text', (frame, ms) => `{"dir":"in","text":${frame},"ts_local_ms":${START + ms}}`],
    ['ts in milliseconds', (frame, ms) => `{"dir":"in","text":${frame},"ts":${START + ms}}`],
    ['ts in seconds', (frame, ms) => `{"dir":"recv","text":${frame},"ts":${(START + ms) / 1_000}}`],
    ['ts in microseconds', (frame, ms) => `{"dir":"in","text":${frame},"ts":${START + ms}000}`],
    ['ts in nanoseconds', (frame, ms) => `{"dir":"in","text":${frame},"ts":${START + ms}000000}`],
    ['ts as RFC 3339', (frame, ms) => `{"dir":"in","text":${frame},"ts":"${new Date(START + ms).toISOString()}"}`],
  ];

  describe.each(FORMS)('%s', (_, entry) => {
    it.each([
      ['text', asText(FIRST), asText(SECOND)],
      ['JSON', FIRST, SECOND],
      ['JSON beside text', FIRST, asText(SECOND)],
      ['text beside JSON', asText(FIRST), SECOND],
    ])('frames as %s, in lines and in every list', (_kind, first, second) => {
      const entries = [entry(first, 0), entry(second, 40)];
      const expected = [JSON.parse(FIRST), JSON.parse(SECOND)];
      for (const text of [
        entries.join('\n'),
        `${entries.join('\r\n\r\n')}\r\n`,
        `[${entries.join(',')}]`,
        ...['frames', 'messages', 'events'].map(key => `{"note":"x","${key}":[${entries.join(',')}]}`),
      ]) {
        expect(textsOf(text).map(frame => JSON.parse(frame))).toEqual(expected);
        expect(timesOf(text).map(Math.round)).toEqual([0, 40]);
      }
    });

    it('a frame as text is kept byte for byte', () => {
      expect(textsOf(`${entry(asText(FIRST), 0)}\n${entry(asText(SECOND), 1)}`)).toEqual([FIRST, SECOND]);
    });
  });

  describe('bare frames', () => {
    it.each([
      ['objects beside texts in lines', `${FIRST}\n${asText(SECOND)}\n`],
      ['texts beside objects in lines', `${asText(FIRST)}\n${SECOND}\n`],
      ['a list of objects', `[${FIRST},${SECOND}]`],
      ['a list of texts', `[${asText(FIRST)},${asText(SECOND)}]`],
      ['an object beside a text in a list', `{"frames":[${FIRST},${asText(SECOND)}]}`],
    ])('%s', (_, text) => {
      expect(textsOf(text).map(frame => JSON.parse(frame))).toEqual([JSON.parse(FIRST), JSON.parse(SECOND)]);
      expect(timesOf(text)).toEqual([0, limits.replayFrameSpacingMs]);
    });

    it('a frame without a time among those that have one follows the frame before', () => {
      const timed = (frame: string, ms: number) => `{"recv_ms":${START + ms},"raw":${frame}}`;
      expect(timesOf([FIRST, timed(FIRST, 0), FIRST, timed(FIRST, 70), FIRST].join('\n'))).toEqual([0, 0, 0, 70, 70]);
    });
  });

  describe('what the recorder sent itself', () => {
    const line = (direction: string, text: string) => JSON.stringify({ dir: direction, text, ts: START });

    it.each(['out', 'send', 'sent'])('%s: is counted, never played', direction => {
      const { frames, note } = parseRecording('x', [line(direction, FIRST), line('in', FIRST)].join('\n'));
      expect([frames.length, note.skipped]).toEqual([1, { 'sent by the client': 1 }]);
    });

    it('says how NO is priced in what came back', () => {
      const command = (more: object) => line('out', JSON.stringify({ cmd: 'subscribe', params: { ...more } }));
      const pricedOf = (sent: string) => parseRecording('x', `${sent}\n${line('in', FIRST)}`).facts.yesPriced;
      expect([pricedOf(command({ use_yes_price: true })), pricedOf(command({}))]).toEqual([true, false]);
    });
  });

  describe('refused in words that name the line', () => {
    it.each([
      [
        'no known keys',
        `{"time":5,"payload":${FIRST}}`,
        /line 2: an object with the keys time, payload is not a frame of a known form; expected .*"recv_ts_ns","raw"/,
      ],
      ['a time that is none', `{"recv_ms":"soon","raw":${FIRST}}`, /line 2: recv_ms is not a time: "soon"/],
      [
        'a direction that is none',
        `{"dir":"up","text":${asText(FIRST)},"ts":5}`,
        /line 2: the direction "up" is none of in, recv/,
      ],
      ['a text that is no JSON', '{"recv_ms":5,"raw":"hello"}', /line 2: no JSON/],
      ['no JSON', 'hello', /line 2: no JSON/],
      ['a number', '5', /line 2: 5 is not a frame/],
    ])('%s', (_, line, why) => {
      expect(() => parseRecording('x', `${FIRST}\n${line}\n`)).toThrow(why);
    });
  });

  describe('a file', () => {
    let folder = '';
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'replay-3013-'));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it('may be packed, with the note of its recorder beside it', async () => {
      const file = join(folder, 'capture.jsonl.gz');
      writeFileSync(file, gzipSync(`${FIRST}\n${SECOND}\n`));
      writeFileSync(join(folder, 'capture.meta.json'), '{"subscribe_cmd":{"params":{"use_yes_price":true}}}');
      const { frames, facts } = await readRecording(file);
      expect([frames.length, facts.yesPriced]).toEqual([2, true]);
    });

    it('that unpacks to more than is allowed is refused', async () => {
      const file = join(folder, 'bomb.gz');
      writeFileSync(file, gzipSync(Buffer.alloc(limits.replayFileBytesMax + 1)));
      await expect(readRecording(file)).rejects.toThrow(/bomb\.gz: cannot be read/);
    });

    it('may begin with a byte order mark', async () => {
      const file = join(folder, 'marked.jsonl');
      writeFileSync(file, `\uFEFF${FIRST}\n`);
      expect((await readRecording(file)).frames).toHaveLength(1);
    });
  });
});
