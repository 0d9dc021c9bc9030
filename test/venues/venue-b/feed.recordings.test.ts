// The feed on recorded traffic of the real venue: frames as they were, in their order, through the whole feed but the
// socket.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { micros, ticks } from '../../support/amounts.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { FeedRig } from './feed-rig.ts';

const FORTUNA = 'venue-b/kalshi-fortuna/fixtures/kalshi';
const PERPS = 'venue-b/kalshi-fortuna-perps/fixtures/kinetics-perps/ws__public_orderbook_ticker.jsonl';
const PERPS_LONG = 'venue-b/kalshi-fortuna-perps-ws-history/4e8c48f6/ws__public_orderbook_ticker.jsonl';

/** Frames of a `.jsonl` capture, each with the newline that the venue sent. */
function framesOf(path: string): string[] {
  const lines = readFileSync(recordingPath(path), 'utf8').split('\n');
  return lines.filter(line => line !== '').map(line => `${line}\n`);
}

function tickerOf(frame: string): string | undefined {
  return (JSON.parse(frame) as { msg?: { market_ticker?: string } }).msg?.market_ticker;
}

/** A feed that wants the markets of a recording; the venue itself says nothing, the frames do. */
async function feedOf(tickers: Iterable<string>): Promise<FeedRig> {
  const rig = new FeedRig();
  rig.venue.isAnswering = false;
  for (const ticker of tickers) rig.venue.addMarket(ticker);
  rig.connect();
  await rig.want(...rig.venue.markets.keys());
  return rig;
}

describe.skipIf(!recordingsPresent)('venue B feed on recordings (needs CROSSBOOK_DATA)', () => {
  it('ends with the books that an independent replay of the production stream ended with', async () => {
    const recording = JSON.parse(
      readFileSync(recordingPath('venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json'), 'utf8'),
    ) as { tickers: string[]; frames: { frame: { type: string; msg: { market_ticker?: string } } }[] };
    const expected = JSON.parse(
      readFileSync(recordingPath('venue-b/kalshi-cockpit/ws_orderbook_stream.expected_final.json'), 'utf8'),
    ) as {
      books: Record<
        string,
        {
          deltas: number;
          yes_levels: number;
          no_levels: number;
          best_yes_bid: [string, string];
          best_no_bid: [string, string];
          yes_ask_implied: string;
          yes_total: string;
          no_total: string;
        }
      >;
    };
    const rig = await feedOf(recording.tickers);
    for (const { frame } of recording.frames) rig.venue.send(frame);

    expect(Object.keys(expected.books).sort()).toEqual([...recording.tickers].sort());
    for (const [index, ticker] of recording.tickers.entries()) {
      const book = rig.book(index);
      const final = expected.books[ticker];
      if (final === undefined) throw new Error(`no final state of ${ticker}`);
      const total = (sizes: Iterable<number>): number => [...sizes].reduce((sum, size) => sum + size, 0);
      const bestBid = Math.max(...book.bids.keys());
      const bestAsk = Math.min(...book.asks.keys());
      expect({ ticker, state: book.state, epoch: book.epoch, seq: book.seq }).toEqual({
        ticker,
        state: 'LIVE',
        epoch: 1,
        seq: 1 + final.deltas,
      });
      expect([book.bids.size, book.asks.size]).toEqual([final.yes_levels, final.no_levels]);
      expect([bestBid, book.bids.get(bestBid as never)]).toEqual([
        ticks(final.best_yes_bid[0]),
        micros(final.best_yes_bid[1]),
      ]);
      expect([10_000 - bestAsk, book.asks.get(bestAsk as never)]).toEqual([
        ticks(final.best_no_bid[0]),
        micros(final.best_no_bid[1]),
      ]);
      expect(bestAsk).toBe(ticks(final.yes_ask_implied));
      expect([total(book.bids.values()), total(book.asks.values())]).toEqual([
        micros(final.yes_total),
        micros(final.no_total),
      ]);
    }
    expect(rig.counters.read('deltas')).toBe(245);
    expect(rig.counters.read('snapshots')).toBe(12);
    expect(rig.counters.read('acknowledgements')).toBe(12);
    for (const fault of ['sequenceGaps', 'unreadable', 'legacyRefused', 'unknownMarkets', 'resyncs'] as const) {
      expect([fault, rig.counters.read(fault)]).toEqual([fault, 0]);
    }
  });

  it('knows from the acknowledgements that nothing is missing: without one there is a gap', async () => {
    const { tickers, frames } = JSON.parse(
      readFileSync(recordingPath('venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json'), 'utf8'),
    ) as { tickers: string[]; frames: { frame: { type: string } }[] };
    const rig = await feedOf(tickers);
    const lost = frames.findIndex(({ frame }) => frame.type === 'ok');
    for (const [index, { frame }] of frames.entries()) if (index !== lost) rig.venue.send(frame);
    expect(rig.counters.read('sequenceGaps')).toBe(1);
    expect(rig.sink.books.every(book => book.state === 'RESYNCING')).toBe(true);
  });

  it.each(['ws__orderbook_trade_noleg.jsonl', 'ws__orderbook_trade_yes.jsonl'])(
    'reads the demo capture %s',
    async name => {
      const frames = framesOf(`${FORTUNA}/${name}`);
      const rig = await feedOf(new Set(frames.flatMap(frame => tickerOf(frame) ?? [])));
      for (const frame of frames) rig.venue.send(frame);
      const final = name.includes('noleg')
        ? { bids: ['3@0.47'], asks: ['1@0.52'] }
        : { bids: ['3@0.47'], asks: ['2@0.48'] };
      expect([rig.book().state, rig.levels()]).toEqual(['LIVE', final]);
      expect(rig.counters.read('resyncs')).toBe(0);
    },
  );

  it.each([PERPS, PERPS_LONG])('refuses every book and trade of the sister product in %s', async path => {
    const frames = framesOf(path);
    const rig = await feedOf(new Set(frames.flatMap(frame => tickerOf(frame) ?? [])));
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
