// The form of a recording is recognized by its content: one hand-written sample per form, then every real recording.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { RecordingError } from '../../../src/paper/replay/recorder-forms.ts';
import { parseRecording, readRecording } from '../../../src/paper/replay/recording.ts';
import { parseBroadcast } from '../../../src/paper/replay/venue-b-frame.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';

const SNAPSHOT = '{"type":"orderbook_snapshot","sid":1,"seq":1,"msg":{"market_ticker":"KXT-1"}}';
const CHANGE = '{"event_type":"price_change", "market":"0x01", "price_changes":[]}';
const BOOK = '{"event_type":"book","market":"0x01","asset_id":"77"}';

function textsOf(text: string): string[] {
  return parseRecording('sample', text).frames.map(frame => frame.text);
}
function timesOf(text: string): number[] {
  return parseRecording('sample', text).frames.map(frame => frame.atMs);
}

describe('recording formats', () => {
  it('reads {"frames":[{"received_ms","frame"}]} with its times, which never run back', () => {
    const entries = [5_000, 5_040, 5_030].map(ms => `{"received_ms":${ms},"frame":${SNAPSHOT}}`);
    const text = `{"note":"x","frames":[${entries.join(',')}]}`;
    expect(textsOf(text)).toEqual([SNAPSHOT, SNAPSHOT, SNAPSHOT]);
    expect(timesOf(text)).toEqual([0, 40, 40]);
    expect(parseRecording('sample', text).venue).toBe('venue_b');
  });

  it('reads lines of frames, blank lines between them, at a fixed spacing and byte for byte', () => {
    const text = `${BOOK}\n\n${CHANGE}\n`;
    expect(textsOf(text)).toEqual([BOOK, CHANGE]);
    expect(timesOf(text)).toEqual([0, limits.replayFrameSpacingMs]);
    expect(parseRecording('sample', text).venue).toBe('venue_a');
  });

  it('reads a header and {"recv_ms","raw"} lines, and which token comes first', () => {
    const header = '{"kind":"header","markets":[{"condition_id":"0x01","up_token":"77","down_token":"78"}]}';
    const text = [header, `{"f":5,"recv_ms":100,"raw":${BOOK}}`, `{"f":6,"recv_ms":107,"raw":[${BOOK}]}`].join('\n');
    expect(textsOf(text)).toEqual([BOOK, `[${BOOK}]`]);
    expect(timesOf(text)).toEqual([0, 7]);
    expect(parseRecording('sample', text).facts.tokensByCondition.get('0x01')).toEqual(['77', '78']);
  });

  it('tells an array of frames from a frame that is an array', () => {
    expect(textsOf(`[[${BOOK},${BOOK}],${BOOK}]`)).toEqual([`[${BOOK},${BOOK}]`, BOOK]);
    expect(textsOf(`[${BOOK},${BOOK}]`)).toEqual([`[${BOOK},${BOOK}]`]);
    expect(textsOf(`\n${BOOK}\n`)).toEqual([BOOK]);
  });

  it.each(['', 'hello', '{}', '[]', '{"frames":[]}', '{"a":1}\n{"b":2}', `${BOOK}\nnot json`, '[1,[2]]'])(
    'refuses %j, naming the file and what was expected',
    text => {
      expect(() => parseRecording('some/file', text)).toThrow(RecordingError);
      expect(() => parseRecording('some/file', text)).toThrow(/^some\/file: .*expected frames of a venue/);
    },
  );

  it('refuses a file that cannot be read, naming it', async () => {
    await expect(readRecording('no/such/file')).rejects.toThrow(/^no\/such\/file: cannot be read/);
  });
});

describe('frames for any connection', () => {
  it.each([
    ['numbered', '{"type":"orderbook_delta","sid":1,"seq":268,"msg":{"market_ticker":"X","n":{"sid":1}}}'],
    ['unnumbered', '{"type":"ticker","sid":3,"msg":{"market_ticker":"X","seq":5}}'],
    ['in another order', '{"msg":{"market_ticker":"X","sid":9,"seq":8},"seq":2,"type":"trade","sid":1}'],
    ['with blanks', '{ "type": "trade", "sid": 1, "seq": 2, "msg": {"market_ticker": "X"} }'],
  ])('changes only sid and seq: %s', (_, text) => {
    const original = JSON.parse(text);
    const rendered = parseBroadcast(text)!.render(41, 42);
    expect(JSON.parse(rendered)).toEqual({ ...original, sid: 41, ...('seq' in original ? { seq: 42 } : {}) });
    if (text.startsWith('{"type"'))
      expect(rendered.slice(rendered.indexOf('"msg"'))).toBe(text.slice(text.indexOf('"msg"')));
  });
});

describe.skipIf(!recordingsPresent)('recorded files (absent: set CROSSBOOK_DATA)', () => {
  it.each([
    ['venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json', 'venue_b', 257],
    ['venue-b/kalshi-fortuna/fixtures/kalshi/ws__orderbook_trade_yes.jsonl', 'venue_b', 3],
    ['venue-b/kalshi-fortuna/fixtures/kalshi/ws__orderbook_trade_noleg.jsonl', 'venue_b', 5],
    ['venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market.jsonl', 'venue_a', 79],
    ['venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market.raw.jsonl', 'venue_a', 79],
    ['venue-a/poly-polyarb/tests/fixtures/ws_market_capture.json', 'venue_a', 5],
    ['venue-a/poly-byronxlg/tests/fixtures/ws_market_book.json', 'venue_a', 1],
  ])('%s', async (file, venue, frameCount) => {
    const recording = await readRecording(recordingPath(file));
    expect(recording.venue).toBe(venue);
    expect(recording.frames).toHaveLength(frameCount);
    for (const { text } of recording.frames) {
      const broadcast = venue === 'venue_b' ? parseBroadcast(text) : null;
      if (broadcast === null) continue;
      const { sid, seq, ...rest } = JSON.parse(broadcast.render(41, 42));
      expect([sid, seq ?? 42]).toEqual([41, 42]);
      expect(JSON.parse(text)).toMatchObject(rest);
    }
  });

  it.each([
    ['venue-b/kalshi-fortuna-perps/fixtures/kinetics-perps/ws__public_orderbook_ticker.jsonl', /line 5: .*perpetuals/],
    ['venue-b/kalshi-fortuna-perps-ws-history/4e8c48f6/ws__public_orderbook_ticker.jsonl', /line 5: .*perpetuals/],
    ['venue-b/kalshi-fortuna-perps/fixtures/kinetics-perps/ws__private_lifecycle.jsonl', /no book in it/],
    ['venue-a/poly-glmbotpoly-excerpt/excerpt.jsonl', /no book in it/],
    ['venue-a/poly-byronxlg/tests/fixtures/ws_market_price_change.json', /no book in it/],
    ['venue-a/poly-byronxlg/tests/fixtures/ws_market_last_trade_price.json', /no book in it/],
  ])('cannot play %s, and says why', async (file, why) => {
    await expect(readRecording(recordingPath(file))).rejects.toThrow(why);
  });

  it('is not fooled by other JSON', async () => {
    const file = recordingPath('venue-b/kalshi-cockpit/ws_orderbook_stream.expected_final.json');
    await expect(readRecording(file)).rejects.toThrow(RecordingError);
  });
});
