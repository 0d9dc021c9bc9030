// Common forms of recordings were refused, or half of one was dropped in silence: a frame as a text beside a frame as an object. Now every
// form is one row of a table, and its frame may be JSON or text.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { parseRecording, readRecording } from '../../src/replay/recording.ts';

const FIRST = '{"type":"orderbook_snapshot","sid":1,"seq":1,"msg":{"market_ticker":"KXT-1"}}';
const SECOND =
  '{"type":"orderbook_delta", "sid":1, "seq":2, "msg":{"market_ticker":"KXT-1","side":"yes","price_dollars":"0.4700","delta_fp":"1.00"}}';
const START = 1_786_845_512_000;

const textsOf = (text: string) => parseRecording('x', text).frames.map(({ bytes }) => Buffer.from(bytes).toString());
const timesOf = (text: string) => parseRecording('x', text).frames.map(({ atMs }) => atMs);
const asText = (frame: string) => JSON.stringify(`${frame}\n`);

/** Form, and an entry of it: `frame` as JSON text, `afterMs` the start. */
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
      /line 2: an object with the keys time, payload is no frame of a known form; expected .*"recv_ts_ns","raw"/,
    ],
    ['a time that is none', `{"recv_ms":"soon","raw":${FIRST}}`, /line 2: recv_ms is no time: "soon"/],
    [
      'a direction that is none',
      `{"dir":"up","text":${asText(FIRST)},"ts":5}`,
      /line 2: the direction "up" is none of in, recv/,
    ],
    ['a text that is no JSON', '{"recv_ms":5,"raw":"hello"}', /line 2: no JSON/],
    ['no JSON', 'hello', /line 2: no JSON/],
    ['a number', '5', /line 2: 5 is no frame/],
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
