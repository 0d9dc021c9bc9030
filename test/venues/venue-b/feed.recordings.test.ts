// The feed on recorded traffic of the real venue. The recorded frames go, in their sequence, through the whole feed except the socket.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { micros, ticks } from '../../support/amounts.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { FeedRig } from './feed-rig.ts';

const FORTUNA = 'venue-b/kalshi-fortuna/fixtures/kalshi';
const PERPS = 'venue-b/kalshi-fortuna-perps/fixtures/kinetics-perps/ws__public_orderbook_ticker.jsonl';
const PERPS_LONG = 'venue-b/kalshi-fortuna-perps-ws-history/4e8c48f6/ws__public_orderbook_ticker.jsonl';

/** Returns the frames of a `.jsonl` capture, each with the newline that the venue sent. */
function framesOf(path: string): string[] {
  const lines = readFileSync(recordingPath(path), 'utf8').split('\n');
  return lines.filter(line => line !== '').map(line => `${line}\n`);
}

/** Returns a feed that hears only these frames, and that has subscribed the markets that they name. */
function feedOfFrames(frames: readonly string[]): Promise<FeedRig> {
  const tickerOf = (frame: string) => (JSON.parse(frame) as { msg?: { market_ticker?: string } }).msg?.market_ticker;
  return feedOf(frames.flatMap(frame => tickerOf(frame) ?? []));
}

/** Returns the recorded stream of production. */
function production() {
  const path = recordingPath('venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json');
  return JSON.parse(readFileSync(path, 'utf8')) as { tickers: string[]; frames: { frame: { type: string } }[] };
}

/** Returns a feed that has subscribed the markets of a recording. The scripted venue sends nothing by itself. */
async function feedOf(tickers: Iterable<string>): Promise<FeedRig> {
  return FeedRig.withMarkets(Object.fromEntries([...tickers].map(ticker => [ticker, {}])), { isAnswering: false });
}

describe.skipIf(!recordingsPresent)('venue B feed on recordings (needs CROSSBOOK_DATA)', () => {
  it('ends with the books that an independent replay of the production stream ended with', async () => {
    const { tickers, frames } = production();
    type Final = Record<'deltas' | 'yes_levels' | 'no_levels', number> &
      Record<'best_yes_bid' | 'best_no_bid', readonly [price: string, size: string]> &
      Record<'yes_ask_implied' | 'yes_total' | 'no_total', string>;
    const expected = JSON.parse(
      readFileSync(recordingPath('venue-b/kalshi-cockpit/ws_orderbook_stream.expected_final.json'), 'utf8'),
    ) as { books: Record<string, Final> };
    const levelOf = ([price, size]: readonly [string, string]) => [ticks(price), micros(size)];
    const rig = await feedOf(tickers);
    for (const { frame } of frames) rig.venue.send(frame);

    expect(Object.keys(expected.books).sort()).toEqual([...tickers].sort());
    for (const [index, ticker] of tickers.entries()) {
      const book = rig.book(index);
      const final = expected.books[ticker];
      if (final === undefined) throw new Error(`no final state of ${ticker}`);
      const total = (sizes: Iterable<number>): number => [...sizes].reduce((sum, size) => sum + size, 0);
      const bestBid = Math.max(...book.bids.keys());
      const bestAsk = Math.min(...book.asks.keys());
      expect([ticker, book.state, book.epoch, book.seq]).toEqual([ticker, 'LIVE', 1, 1 + final.deltas]);
      expect([book.bids.size, book.asks.size]).toEqual([final.yes_levels, final.no_levels]);
      expect([bestBid, book.bids.get(bestBid as never)]).toEqual(levelOf(final.best_yes_bid));
      expect([10_000 - bestAsk, book.asks.get(bestAsk as never)]).toEqual(levelOf(final.best_no_bid));
      expect(bestAsk).toBe(ticks(final.yes_ask_implied));
      const totals = [final.yes_total, final.no_total].map(micros);
      expect([total(book.bids.values()), total(book.asks.values())]).toEqual(totals);
    }
    const kinds = ['deltas', 'snapshots', 'acknowledgements'] as const;
    expect(kinds.map(kind => rig.counters.read(kind))).toEqual([245, 12, 12]);
    for (const fault of ['sequenceGaps', 'unreadable', 'legacyRefused', 'unknownMarkets', 'resyncs'] as const) {
      expect([fault, rig.counters.read(fault)]).toEqual([fault, 0]);
    }
  });

  it('knows from the acknowledgements that nothing is missing: without one there is a gap', async () => {
    const { tickers, frames } = production();
    const rig = await feedOf(tickers);
    const lost = frames.findIndex(({ frame }) => frame.type === 'ok');
    for (const [index, { frame }] of frames.entries()) if (index !== lost) rig.venue.send(frame);
    expect(rig.counters.read('sequenceGaps')).toBe(1);
    expect(rig.sink.books.every(book => book.state === 'RESYNCING')).toBe(true);
  });

  it.each([
    ['ws__orderbook_trade_noleg.jsonl', '1@0.52'],
    ['ws__orderbook_trade_yes.jsonl', '2@0.48'],
  ])('reads the demo capture %s', async (name, ask) => {
    const frames = framesOf(`${FORTUNA}/${name}`);
    const rig = await feedOfFrames(frames);
    for (const frame of frames) rig.venue.send(frame);
    expect([rig.book().state, rig.levels()]).toEqual(['LIVE', { bids: ['3@0.47'], asks: [ask] }]);
    expect(rig.counters.read('resyncs')).toBe(0);
  });

  it.each([PERPS, PERPS_LONG])('refuses every book and trade of the sister product in %s', async path => {
    const frames = framesOf(path);
    const rig = await feedOfFrames(frames);
    for (const frame of frames) rig.venue.send(frame);
    const ofType = (type: string): number => frames.filter(frame => frame.includes(`"type":"${type}"`)).length;
    expect(rig.counters.read('legacyRefused')).toBe(
      ofType('orderbook_snapshot') + ofType('orderbook_delta') + ofType('trade'),
    );
    expect(rig.counters.read('unknownTypes')).toBe(ofType('ticker'));
    expect(rig.counters.read('deltas') + rig.counters.read('snapshots') + rig.counters.read('trades')).toBe(0);
    expect([rig.book().state, rig.book().epoch, rig.levels()]).toEqual(['RESYNCING', 0, { bids: [], asks: [] }]);
  });
});
