// Found on recorded sessions: `venueTime` was null if the venue states only `ts`, as ISO text or in seconds, and not `ts_ms`. Trades of
// venue A whose timestamp is a number, or in seconds, had none.

import { describe, expect, it } from 'vitest';
import { fillRecordOf } from '../../src/venues/venue-b/trading/reported-rows.ts';
import { liveRig as venueARig } from '../venues/venue-a/feed-rig.ts';
import { liveRig, MARKET } from '../venues/venue-b/feed-rig.ts';

const AT = 1_781_159_489_000;
const SECONDS = AT / 1_000;

type Stamp = Readonly<Record<string, unknown>>;

const STAMPS: readonly (readonly [what: string, stamp: Stamp, at: number])[] = [
  ['milliseconds', { ts_ms: AT + 957 }, AT + 957],
  ['both', { ts: '2026-06-11T06:31:29.957081Z', ts_ms: AT + 957 }, AT + 957],
  ['ISO text', { ts: '2026-06-11T06:31:29.957081Z' }, AT + 957],
  ['ISO text without a zone', { ts: '2026-06-11T06:31:29' }, AT],
  ['seconds', { ts: SECONDS }, AT],
  ['seconds with a fraction', { ts: SECONDS + 0.5 }, AT + 500],
  ['ISO text beside milliseconds that are none', { ts: '2026-06-11T06:31:29Z', ts_ms: null }, AT],
  ['nothing', {}, 0],
  ['a text that is no time', { ts: 'soon' }, 0],
];

describe('venue B states', () => {
  it.each(STAMPS)('%s of a change', async (_what, stamp, at) => {
    const rig = await liveRig();
    const msg = { market_ticker: MARKET, price_dollars: '0.4700', delta_fp: '1.00', side: 'yes', ...stamp };
    rig.venue.send({ type: 'orderbook_delta', ...rig.venue.take('orderbook_delta'), msg });
    expect(rig.book()).toMatchObject({ state: 'LIVE', seq: 2, venueTime: at });
  });

  it.each(STAMPS)('%s of a trade', async (_what, stamp, at) => {
    const rig = await liveRig();
    const trade = { trade_id: 't', market_ticker: MARKET, yes_price_dollars: '0.3600', count_fp: '1.00' };
    rig.venue.send({ type: 'trade', ...rig.venue.take('trade'), msg: { ...trade, taker_side: 'no', ...stamp } });
    expect(rig.sink.events.at(-1)).toMatchObject({ kind: 'trade', venueTime: at });
  });

  it.each(STAMPS)('%s of a fill, which is nothing without', (_what, stamp, at) => {
    const fill = {
      trade_id: 't',
      order_id: 'o',
      ticker: 'KXA',
      book_side: 'bid',
      yes_price_dollars: '0.5',
      count_fp: '1',
    };
    expect(fillRecordOf({ ...fill, ...stamp })?.executedAt ?? 0).toBe(at);
  });
});

describe('venue A states', () => {
  it.each([
    ['milliseconds as text', String(AT), AT],
    ['milliseconds as a number', AT, AT],
    ['seconds', String(SECONDS), AT],
    ['ISO text', '2026-06-11T06:31:29Z', AT],
    ['nothing', undefined, 0],
  ])('%s of a trade', async (_what, timestamp, at) => {
    const { twin, rig } = await venueARig();
    rig.socket.send({ ...twin.tradeEvent(0, '0.52', '17', 'SELL'), timestamp });
    expect(rig.sink.events.at(-1)).toMatchObject({ kind: 'trade', venueTime: at });
  });
});
