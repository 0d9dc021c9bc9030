// The feed on recorded production traffic: every hash that can be verified is, and the published book is the venue's.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMPLEMENT, PRIMARY } from '../../../src/domain/market.ts';
import { parseMicroShares, parseTicks } from '../../../src/domain/numbers.ts';
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

/** Up tokens first, as the recording's header names them. */
const UP_TOKENS = [
  '17406866367975599232214757606801140480252276357934486651183783311435802862074',
  '45654842686110167876337056449737479301235917003519988189654649607054904571464',
];

function recordedMarket(number: number, conditionId: string, up: string, down: string): TwinMarket {
  return Object.assign(new TwinMarket(number), { conditionId, tokens: [up, down] });
}

describe.skipIf(!recordingsPresent)('venue A feed on recordings (needs CROSSBOOK_DATA)', () => {
  it('verifies all 151 hashes of the Bitcoin recording, the trade included', async () => {
    const lines = readFileSync(recordingPath(BITCOIN), 'utf8').trim().split('\n');
    const events = lines.map(line => JSON.parse(line) as RecordedEvent);
    const markets = UP_TOKENS.map((up, number) => {
      const own = events.find(event => event.asset_id === up)!;
      const down = events.find(
        event => event.market === own.market && event.asset_id !== up && event.asset_id !== undefined,
      )!;
      return recordedMarket(number, own.market, up, down.asset_id);
    });
    const rig = new FeedRig(...markets);
    for (const { tokens } of markets) await rig.feed.subscribe(tokens[PRIMARY]);
    await rig.timers.settle();
    rig.socket.open();
    for (const line of lines) rig.socket.sendText(line);

    expect(rig.counters.read('hashesVerified')).toBe(151);
    expect(rig.counters.read('hashesAdoptedLastTrade')).toBe(1);
    expect(rig.counters.read('hashMismatches')).toBe(0);
    expect(rig.counters.read('resyncs')).toBe(0);
    expect(rig.counters.read('unknownMarkets')).toBeGreaterThan(0);
    expect(rig.sink.events.filter(event => event.kind === 'trade')).toEqual([
      {
        kind: 'trade',
        book: 1,
        view: COMPLEMENT,
        price: 4700,
        size: 10_630_000,
        takerSide: 1,
        venueTime: 1786845515668,
        tradeId: '5afd98de5a8f2e9a0b383960e8ff96144eb9f0a50898d601f5a599f6eb882509',
      },
    ]);
    for (const market of markets) expect(rig.book(market)).toMatchObject({ state: 'LIVE', epoch: 1 });
    // The last book event of the second market shows its Down token: the mirror of what is published.
    const last = events.findLast(event => event.event_type === 'book')!;
    const ladder = (levels: readonly Level[]) =>
      new Map(levels.map(({ price, size }) => [10_000 - parseTicks(price)!, parseMicroShares(size)! as number]));
    expect(rig.picture(markets[1]!)).toBe(pictureOf(ladder(last.asks), ladder(last.bids)));
  });
});
