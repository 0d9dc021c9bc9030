// Captures in the forms in which people keep them become the recording that a gateway would have made. An import refuses a capture that cannot be
// played, with a message, and leaves no files then.

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASK, BID, COMPLEMENT, PRIMARY, TAKER_BUY } from '../../../../src/core/domain/market.ts';
import { SHARE, TwinMarket } from '../../../venues/venue-a/twin-market.ts';
import { ImportRig } from './import-rig.ts';

const START = 1_786_845_512_000;
const TICKER = 'KXT-26NOV21-YES';
const OTHER = 'KXT-26NOV21-NO';

let rig: ImportRig;
beforeAll(() => {
  rig = new ImportRig();
});
afterAll(() => rig.remove());

const b = (type: string, seq: number, msg: object, ticker = TICKER): object => ({
  ...{ type, sid: 1, seq },
  msg: { market_ticker: ticker, ...msg },
});
const snapshot = (seq: number, ticker = TICKER): object =>
  b('orderbook_snapshot', seq, { yes_dollars_fp: [['0.4700', '3.00']], no_dollars_fp: [['0.4800', '2.00']] }, ticker);
const snapshotOf = (seq: number, bid: string): object =>
  b('orderbook_snapshot', seq, { yes_dollars_fp: [[bid, '3.00']], no_dollars_fp: [['0.4800', '2.00']] });
const delta = (seq: number, change: string, price = '0.4700', ticker = TICKER): object =>
  b('orderbook_delta', seq, { side: 'yes', price_dollars: price, delta_fp: change, ts_ms: START + seq }, ticker);
const trade = {
  type: 'trade',
  sid: 2,
  seq: 1,
  msg: {
    market_ticker: TICKER,
    trade_id: 't-1',
    yes_price_dollars: '0.4700',
    count_fp: '1.00',
    taker_side: 'yes',
    ts_ms: START + 2,
  },
};

const FRAMES_B = [
  { type: 'subscribed', id: 1, msg: { channel: 'orderbook_delta', sid: 1 } },
  snapshot(1),
  { type: 'ok', id: 2, sid: 1, seq: 2, msg: {} },
  delta(3, '2.00'),
  trade,
  delta(4, '1.50', '0.4650'),
].map(frame => JSON.stringify(frame));
const FINAL_B = '0.47:5 0.465:1.5 | 0.52:2';

function framesA(): { twin: TwinMarket; frames: string[] } {
  const twin = new TwinMarket(1).seed([
    [BID, 5_100, 10 * SHARE],
    [ASK, 5_400, 30 * SHARE],
  ]);
  const frames = [
    [twin.bookEvent(PRIMARY), twin.bookEvent(COMPLEMENT)],
    twin.change(BID, 5_200, 7 * SHARE),
    twin.tradeEvent(PRIMARY, '0.54', '30', 'BUY'),
    twin.change(ASK, 5_400, 0),
    twin.change(ASK, 5_500, 2_500_000),
  ];
  return { twin, frames: frames.map(frame => JSON.stringify(frame)) };
}
const FINAL_A = '0.52:7 0.51:10 | 0.55:2.5';

/** The name of a form, and a file of it. Times begin at `START` and grow by 100 ms for each frame, if the form has times. */
const FORMS: readonly (readonly [form: string, file: (frames: readonly string[]) => string | Uint8Array])[] = [
  ['{recv_ms, raw}', frames => lines(frames, (frame, ms) => `{"recv_ms":${ms},"raw":${frame}}`)],
  [
    '{recv_ts_ns, raw as text}',
    frames => lines(frames, (frame, ms) => `{"recv_ts_ns":${ms}000000,"raw":${JSON.stringify(frame)}}`),
  ],
  [
    '{dir, text, ts}',
    frames => lines(frames, (frame, ms) => JSON.stringify({ dir: 'in', text: frame, ts: ms / 1_000 })),
  ],
  ['{received_ms, frame}', frames => lines(frames, (frame, ms) => `{"received_ms":${ms},"frame":${frame}}`)],
  ['bare frames', frames => lines(frames, frame => frame)],
  [
    'a list',
    frames =>
      `[${lines(frames, (frame, ms) => `{"recv_ms":${ms},"raw":${frame}}`)
        .trimEnd()
        .replaceAll('\n', ',')}]`,
  ],
  [
    'a list within an object',
    frames =>
      JSON.stringify(
        { note: 'x', frames: frames.map((frame, at) => ({ received_ms: START + 100 * at, frame: JSON.parse(frame) })) },
        null,
        1,
      ),
  ],
  ['packed', frames => gzipSync(lines(frames, (frame, ms) => `{"recv_ms":${ms},"raw":${frame}}`))],
];

function lines(frames: readonly string[], entry: (frame: string, ms: number) => string): string {
  return frames.map((frame, index) => `${entry(frame, START + 100 * index)}\n`).join('');
}

describe.each(FORMS)('%s', (form, file) => {
  const hasTimes = form !== 'bare frames';

  it('of venue B', async () => {
    const imported = await rig.import(rig.write(`b ${form}`.replaceAll(/\W/g, '-'), file(FRAMES_B)));
    expect(imported.picture(TICKER)).toBe(FINAL_B);
    expect(imported.states(TICKER)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT']);
    const changes = imported.of(TICKER).filter(event => event.kind === 'changes');
    expect(changes.map(({ venueTime }) => venueTime)).toEqual([START + 3, START + 4]);
    expect(changes.map(({ receivedAt, at }) => [receivedAt, at])).toEqual(
      (hasTimes ? [START + 300, START + 500] : [START + 3, START + 4]).map(ms => [ms, ms]),
    );
    expect(imported.of(TICKER).filter(event => event.kind === 'trade')).toMatchObject([
      { tradeId: 't-1', price: 4_700, size: SHARE, takerSide: TAKER_BUY, venueTime: START + 2 },
    ]);
    expect(imported.words[0]).toMatch(/: 4 frames play; skipped: 1 subscribed, 1 ok$/);
  });

  it('of venue A', async () => {
    const { twin, frames } = framesA();
    const imported = await rig.import(rig.write(`a ${form}`.replaceAll(/\W/g, '-'), file(frames)));
    const [address] = twin.tokens;
    expect(imported.picture(address)).toBe(FINAL_A);
    expect(imported.states(address)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT']);
    expect(imported.of(address).filter(event => event.kind === 'trade')).toMatchObject([
      { price: 5_400, size: 30 * SHARE },
    ]);
    if (!hasTimes) return;
    const changes = imported.of(address).filter(event => event.kind === 'changes');
    expect(changes.map(({ receivedAt }) => receivedAt)).toEqual([1, 3, 4].map(index => START + 100 * index));
  });
});

let next = 0;
describe('what a capture does not have is not made up', () => {
  const imported = (frames: readonly object[]) =>
    rig.import(
      rig.write(
        `${next++}.jsonl`,
        lines(
          frames.map(it => JSON.stringify(it)),
          (frame, ms) => `{"recv_ms":${ms},"raw":${frame}}`,
        ),
      ),
    );

  it('venue B: after a gap each book waits for its next snapshot', async () => {
    const { states, picture } = bound(
      await imported([
        snapshot(1),
        snapshot(2, OTHER),
        delta(3, '1.00'),
        delta(7, '5.00'),
        snapshot(8),
        delta(9, '0.50'),
      ]),
    );
    expect(states(TICKER)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT', 'RESYNCING SEQUENCE_GAP', 'LIVE SNAPSHOT']);
    expect(picture(TICKER)).toBe('0.47:3.5 | 0.52:2');
    // The other market got no snapshot.
    expect(states(OTHER)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT', 'RESYNCING SEQUENCE_GAP']);
    expect(picture(OTHER)).toBe(' | ');
  });

  it('venue B: a snapshot that shows the gap is not lost', async () => {
    const { states, picture } = bound(await imported([snapshot(1), delta(2, '1.00'), snapshot(9), delta(10, '0.50')]));
    expect(states(TICKER)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT', 'RESYNCING SEQUENCE_GAP', 'LIVE SNAPSHOT']);
    expect(picture(TICKER)).toBe('0.47:3.5 | 0.52:2');
  });

  it('venue B: where its recorder has reconnected, all books come anew', async () => {
    const { states } = bound(
      await imported([snapshot(1), snapshot(2, OTHER), delta(3, '1.00'), snapshot(1), snapshot(2, OTHER)]),
    );
    for (const ticker of [TICKER, OTHER]) {
      expect(states(ticker)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT', 'RESYNCING DISCONNECTED', 'LIVE SNAPSHOT']);
    }
  });

  it('4009: a book that is stated crossed is never LIVE, and the words say why', async () => {
    const crossed = b('orderbook_snapshot', 1, {
      yes_dollars_fp: [['0.4900', '5.00']],
      no_dollars_fp: [
        ['0.9900', '7.00'],
        ['0.5200', '3.00'],
      ],
    });
    const { states, words } = bound(await imported([crossed, delta(2, '1.00')]));
    expect(states(TICKER)).toEqual(['RESYNCING OPENING', 'RESYNCING CROSSED']);
    expect(words.join('\n')).toContain(
      'a book is crossed: perhaps the NO side is in YES prices (use_yes_price): line 1',
    );
  });

  it('4021: a book is lost only if it was there, each time that it was', async () => {
    const crossed = (seq: number) => snapshotOf(seq, '0.6000');
    const never = bound(await imported([crossed(1), crossed(2), crossed(3), delta(9, '1.00')]));
    expect(never.words.join('\n')).not.toContain('was lost');
    const once = bound(await imported([snapshot(1), delta(5, '1.00'), crossed(6), snapshot(7)]));
    expect(once.words.join('\n')).toContain('; a book was lost once, until the capture states it again');
  });

  it('venue A: a book whose hash does not match is never LIVE with it', async () => {
    const { twin, frames } = framesA();
    const [opening, first, ...rest] = frames.map(it => JSON.parse(it) as object);
    const lost = await imported([opening!, ...rest]);
    void first;
    const [address] = twin.tokens;
    expect(lost.states(address).slice(0, 3)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT', 'STALE HASH_MISMATCH']);
    expect(lost.of(address).filter(event => event.kind === 'changes')).toEqual([]);
  });

  it('a book that is quiet for hours is neither lost nor asked for', async () => {
    const [, ...later] = FRAMES_B.slice(1).map((frame, at) => ({
      recv_ms: START + at * 3 * 3_600_000,
      raw: JSON.parse(frame) as object,
    }));
    const file = rig.write(
      'quiet.jsonl',
      [{ recv_ms: START, raw: snapshot(1) }, ...later].map(it => `${JSON.stringify(it)}\n`).join(''),
    );
    const { states, picture, events } = bound(await rig.import(file));
    expect(states(TICKER).every(it => it === 'RESYNCING OPENING' || it === 'LIVE SNAPSHOT')).toBe(true);
    expect(picture(TICKER)).toBe(FINAL_B);
    expect(events.at(-1)!.at).toBe(START + 4 * 3 * 3_600_000);
  });
});

function bound(imported: Awaited<ReturnType<ImportRig['import']>>) {
  return {
    states: (address: string) => imported.states(address),
    picture: (address: string) => imported.picture(address),
    words: imported.words,
    events: imported.events,
  };
}

it('4021: both tokens of a market of venue A are there, each in its own frame', async () => {
  const { twin, frames } = framesA();
  const imported = await rig.import(
    rig.write(
      'both.jsonl',
      lines(frames, frame => frame),
    ),
  );
  expect(twin.tokens.map(token => imported.picture(token))).toEqual([FINAL_A, '0.45:2.5 | 0.48:7 0.49:10']);
  expect(imported.states(twin.tokens[1])).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT']);
});

it('4021: frames without a time of their recorder arrive at the newest time that they state', async () => {
  const { twin, frames } = framesA();
  const [first, ...rest] = frames.map(frame => JSON.parse(frame) as object | object[]);
  const [newer, older] = (first as { timestamp: string }[]).map((book, index) => ({
    ...book,
    timestamp: String(Number(book.timestamp) - 60_000 * index),
  }));
  const file = rig.write('array.jsonl', [[newer, older], ...rest].map(it => `${JSON.stringify(it)}\n`).join(''));
  const imported = await rig.import(file);
  const book = imported.of(twin.tokens[0]).find(({ kind }) => kind === 'book');
  expect(book?.at).toBe(Number(newer!.timestamp));
  const sent = FRAMES_B.slice(1).map((frame, index) => ({
    ...(JSON.parse(frame) as object),
    sending_ts_ms: START + 1_000 * index,
  }));
  const ofB = await rig.import(rig.write('sent.jsonl', sent.map(it => `${JSON.stringify(it)}\n`).join('')));
  const changes = ofB.of(TICKER).filter(event => event.kind === 'changes');
  expect(changes.map(({ receivedAt }) => receivedAt)).toEqual([2, 4].map(index => START + 1_000 * index));
});

describe('several files', () => {
  const timed = (frames: readonly object[], from: number): string =>
    frames.map((frame, index) => `${JSON.stringify({ recv_ms: from + index, raw: frame })}\n`).join('');

  it('of one venue are one capture: the second needs no book', async () => {
    const first = rig.write('hour-1.jsonl', timed([snapshot(1), delta(2, '1.00')], START));
    const second = rig.write('hour-2.jsonl', timed([delta(3, '1.00'), delta(4, '1.00')], START + 3_600_000));
    const imported = await rig.import(first, second);
    expect(imported.picture(TICKER)).toBe('0.47:6 | 0.52:2');
  });

  it('of one venue that overlap are refused', async () => {
    const first = rig.write('early.jsonl', timed([snapshot(1), delta(2, '1.00')], START));
    const second = rig.write('late.jsonl', timed([snapshot(1), delta(2, '1.00')], START + 1));
    await expect(rig.import(second, first)).rejects.toThrow(/early\.jsonl: begins before .*late\.jsonl ends/);
    expect(rig.left()).toEqual([]);
  });

  it('of both venues are played by their times', async () => {
    const { twin, frames } = framesA();
    const a = rig.write(
      'a.jsonl',
      timed(
        frames.map(it => JSON.parse(it) as object),
        START + 1,
      ),
    );
    const ofB = rig.write('b.jsonl', timed([snapshot(1), delta(2, '1.00'), delta(3, '1.00')], START));
    const imported = await rig.import(a, ofB);
    expect([imported.picture(TICKER), imported.picture(twin.tokens[0])]).toEqual(['0.47:5 | 0.52:2', FINAL_A]);
    const times = imported.events.map(({ at }) => at);
    expect(times).toEqual([...times].sort((x, y) => x - y));
  });
});

describe('refused in words, and nothing is written', () => {
  const good = FRAMES_B.slice(1).join('\n');
  it.each([
    [
      'another form of lines',
      `${good}\n{"time":5,"payload":{}}\n`,
      /line 6: an object with the keys time, payload is not a frame of a known form; expected frames/,
    ],
    [
      'a frame of before 2026',
      `${good}\n${JSON.stringify(b('orderbook_delta', 9, { side: 'yes', price: 47, delta: 1 }))}\n`,
      /line 6: .*whole cents or whole contracts: it cannot be played/,
    ],
    ['two venues in one file', `${good}\n${framesA().frames[1]}\n`, /line 6: a frame of another venue/],
    ['no book', `${JSON.stringify(delta(1, '1.00'))}\n`, /no book in it/],
    [
      'seconds where milliseconds are meant',
      `{"recv_ms":${START / 1_000},"raw":${JSON.stringify(snapshot(1))}}\n`,
      /\.txt: a time of 1970-01-21T16:20:45\.512Z, before there was any venue: is it in another unit/,
    ],
    [
      'a clock of its own recorder, in the middle',
      `${good}\n{"recv_ms":5123.25,"raw":${JSON.stringify(delta(5, '1.00'))}}\n`,
      /a time of 1970-01-01T00:00:05\.123Z, before there was any venue/,
    ],
    ['no time at all', `${JSON.stringify(snapshot(1))}\n`, /no time in it, neither of its recorder nor of the venue/],
    ['no frames', 'hello\n', /line 1: no JSON; expected frames/],
    ['CSV', 'time,price,size\n1,2,3\n', /line 1: no JSON; expected frames/],
    ['an empty file', '', /no frame of a venue in it/],
  ])('%s', async (what, content, why) => {
    await expect(rig.import(rig.write(`${what}.txt`, content))).rejects.toThrow(why);
    expect(rig.left()).toEqual([]);
  });

  it('a folder that has a recording', async () => {
    const file = rig.write('again.jsonl', `${good}\n`);
    await rig.import(file);
    const { importCaptures } = await import('../../../../src/tools/conversion/captures/import-captures.ts');
    await expect(importCaptures({ files: [file], folder: rig.to, onBytes: () => {} })).rejects.toThrow(
      /has a recording already/,
    );
  });
});

it('says how far it is: each file twice to its end', async () => {
  const content = `${FRAMES_B.join('\n')}\n`;
  const file = rig.write('progress.jsonl', content);
  await rig.import(file);
  const own = rig.progress.filter(([path]) => path === file).map(([, bytes]) => bytes);
  expect(own).toEqual([content.length, content.length]);
});

it('prices of tenths of a cent have their grid', async () => {
  const fine = [snapshot(1), delta(2, '1.00', '0.4705'), delta(3, '1.00', '0.4700')]
    .map(it => JSON.stringify(it))
    .join('\n');
  const imported = await rig.import(rig.write('fine.jsonl', `${fine}\n`));
  expect(imported.picture(TICKER)).toBe('0.4705:1 0.47:4 | 0.52:2');
  expect(imported.states(TICKER)).toEqual(['RESYNCING OPENING', 'LIVE SNAPSHOT']);
});
