// The feed on recorded production traffic. Every hash that can be verified is verified, and the published book equals the venue's book.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPLEMENT, TAKER_BUY } from '../../../src/core/domain/market.ts';
import { parseMicroShares, parseTicks } from '../../../src/core/domain/numbers.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { FeedRig } from './feed-rig.ts';
import { pictureOf, TwinMarket } from './twin-market.ts';

interface Level {
  readonly price: string;
  readonly size: string;
}
interface RecordedEvent {
  readonly event_type: string;
  readonly market: string;
  readonly asset_id: string;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

const BITCOIN = 'venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market.raw.jsonl';
const NAUTILUS = 'venue-a/poly-nautilus/tests/integration_tests/adapters/polymarket/resources/ws_messages';

/** The Up tokens first, as the header of the recording names them. */
const UP_TOKENS = [
  '17406866367975599232214757606801140480252276357934486651183783311435802862074',
  '45654842686110167876337056449737479301235917003519988189654649607054904571464',
];

const text = (path: string) => readFileSync(recordingPath(path), 'utf8');

function recordedMarket(number: number, conditionId: string, up: string, down: string, tickSize = '0.01'): TwinMarket {
  return Object.assign(new TwinMarket(number), { conditionId, tokens: [up, down], tickSize });
}

describe.skipIf(!recordingsPresent)('venue A feed on recordings (needs CROSSBOOK_DATA)', () => {
  const lines = recordingsPresent ? text(BITCOIN).trim().split('\n') : [];
  const events = lines.map(line => JSON.parse(line) as RecordedEvent);
  const markets = (recordingsPresent ? UP_TOKENS : []).map((up, number) => {
    const { market } = events.find(event => event.asset_id === up)!;
    const down = events.find(
      event => event.market === market && event.asset_id !== undefined && event.asset_id !== up,
    )!;
    return recordedMarket(number, market, up, down.asset_id);
  });

  it('verifies all 151 hashes of the Bitcoin recording, the trade included', async () => {
    const rig = await FeedRig.opened(...markets);
    for (const line of lines) rig.socket.sendText(line);

    expect(rig.counters.read('hashesVerified')).toBe(151);
    expect(rig.counters.read('hashesAdoptedLastTrade')).toBe(1);
    expect(rig.counters.read('hashMismatches')).toBe(0);
    expect(rig.counters.read('resyncs')).toBe(0);
    expect(rig.counters.read('unknownMarkets')).toBeGreaterThan(0);
    const trade = { kind: 'trade', book: 1, view: COMPLEMENT, price: 4700, size: 10_630_000, takerSide: TAKER_BUY };
    const tradeId = '5afd98de5a8f2e9a0b383960e8ff96144eb9f0a50898d601f5a599f6eb882509';
    const trades = rig.sink.events.filter(event => event.kind === 'trade');
    expect(trades).toEqual([{ ...trade, venueTime: 1786845515668, tradeId }]);
    for (const market of markets) expect(rig.book(market)).toMatchObject({ state: 'LIVE', epoch: 1 });
    // The last book event of the second market shows its Down token, which mirrors the published book.
    const last = events.findLast(event => event.event_type === 'book')!;
    const ladder = (levels: readonly Level[]) =>
      new Map(levels.map(({ price, size }) => [10_000 - parseTicks(price)!, parseMicroShares(size)! as number]));
    expect(rig.picture(markets[1]!)).toBe(pictureOf(ladder(last.asks), ladder(last.bids)));
  });

  it('shows only states that were real, with any bytes of the Bitcoin recording changed', async () => {
    const histories = markets.map(() => new Set([' | ']));
    const clean = await FeedRig.opened(...markets);
    for (const line of lines) {
      clean.socket.sendText(line);
      for (const [index, history] of histories.entries()) history.add(clean.picture(markets[index]));
    }
    const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
    const edits = fc.array(fc.tuple(share, share, fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(edits, async changes => {
        const rig = await FeedRig.opened(...markets);
        const frames = lines.map(line => Buffer.from(line));
        for (const [line, at, byte] of changes) {
          const frame = frames[Math.floor(line * frames.length)]!;
          frame[Math.floor(at * frame.length)] = byte;
        }
        for (const frame of frames) {
          rig.socket.sendBytes(frame);
          for (const [index, history] of histories.entries()) {
            const picture = rig.picture(markets[index]);
            expect(history.has(picture), picture).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('verifies a capture with an array of initial books and a tick of 0.001', async () => {
    const frames = JSON.parse(text('venue-a/poly-polyarb/tests/fixtures/ws_market_capture.json')) as [
      RecordedEvent[],
      ...RecordedEvent[],
    ];
    const [yes, no, other] = frames[0].map(({ market, asset_id }) => ({ market, asset_id }));
    const captured = [
      recordedMarket(0, yes!.market, yes!.asset_id, no!.asset_id, '0.001'),
      // Only one token of this market was captured.
      recordedMarket(1, other!.market, '77', other!.asset_id, '0.001'),
    ];
    const rig = await FeedRig.opened(...captured);
    for (const frame of frames) rig.socket.sendText(JSON.stringify(frame, null, 2));
    expect(captured.map(market => rig.book(market).state)).toEqual(['LIVE', 'LIVE']);
    // These are three books, and two hashes in each of the four changes. The first change repeats a level of the book.
    expect(rig.counters.read('hashesVerified')).toBe(3 + 4 * 2);
    expect(rig.book(captured[0])).toMatchObject({ epoch: 1, seq: 4 });
    expect(rig.counters.read('hashMismatches')).toBe(0);
  });

  it('does not show a book whose author has shortened it', async () => {
    const frame = text('venue-a/poly-byronxlg/tests/fixtures/ws_market_book.json');
    const [{ market, asset_id }] = JSON.parse(frame) as [RecordedEvent];
    const shortened = recordedMarket(0, market, asset_id, '77', '0.001');
    const rig = await FeedRig.opened(shortened);
    rig.answers.set(`rest/book?token_id=${asset_id}`, new Error('unreachable'));
    rig.socket.sendText(frame);
    expect(rig.counters.read('hashMismatches')).toBe(1);
    await rig.timers.settle();
    expect(rig.book()).toMatchObject({ state: 'RESYNCING', reason: 'HASH_MISMATCH', epoch: 0 });
  });

  it('takes arrays of changes and trades as current, and flat changes as legacy', async () => {
    const rig = await FeedRig.opened(...markets);
    rig.socket.sendText(text('venue-a/poly-byronxlg/tests/fixtures/ws_market_price_change.json'));
    rig.socket.sendText(text('venue-a/poly-byronxlg/tests/fixtures/ws_market_last_trade_price.json'));
    expect(rig.counters.read('deltas')).toBe(3);
    expect(rig.counters.read('legacyRefused')).toBe(0);
    rig.socket.sendText(text(`${NAUTILUS}/price_change.json`));
    expect(rig.counters.read('legacyRefused')).toBe(1);
    rig.socket.sendText(text(`${NAUTILUS}/price_change_v2.json`));
    expect(rig.counters.read('deltas')).toBe(4);
    expect(rig.counters.read('unreadable')).toBe(0);
  });

  it('does not show a book of 2024, which was hashed differently', async () => {
    const frame = text(`${NAUTILUS}/book.json`);
    const { market, asset_id } = JSON.parse(frame) as RecordedEvent;
    const rig = await FeedRig.opened(recordedMarket(0, market, asset_id, '77', '0.001'));
    rig.socket.sendText(frame);
    expect(rig.counters.read('hashMismatches')).toBe(1);
    expect(rig.book().state).toBe('RESYNCING');
  });
});
