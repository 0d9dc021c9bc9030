// The one market of a load run: venue B's description of it, its opening book, and any number of deltas in the venue's
// layout. Also the gateway's bytes for the same deltas, for the baseline that only forwards bytes.

import type { Side } from '../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../src/core/wire/json.ts';

export const TICKER = 'KXNBAGAME-26NOV21BOSLAL-BOS';
const MARKET_ID = '957ed958-9b9b-4a98-b024-7d2e37391c74';
const START_MS = 1_786_085_188_000;

/** The body of `GET /markets/{ticker}` (venue-b.md §4.2). */
export const MARKET_FACTS = JSON.stringify({
  market: {
    ticker: TICKER,
    status: 'active',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
  },
});

/** Ten levels on each side: YES bids up to 0.40, NO bids up to 0.50. */
export function snapshotFrame(sid: number): string {
  const levels = (best: number) =>
    Array.from({ length: 10 }, (_, depth) => [`0.${best - 9 + depth}00`, `${100 + 7 * depth}.00`]);
  const msg = { market_ticker: TICKER, market_id: MARKET_ID, yes_dollars_fp: levels(40), no_dollars_fp: levels(50) };
  return `${JSON.stringify({ type: 'orderbook_snapshot', sid, seq: 1, msg, sending_ts_ms: START_MS })}\n`;
}

/** The 16 best levels grow and shrink in turn, so that the book never drifts. */
const CYCLE = 32;
const tails = Array.from({ length: CYCLE }, (_, index) => {
  const [side, best] = index % 2 === 0 ? ['yes', 40] : ['no', 50];
  const level = (index % 16) >> 1;
  return `,"msg":${JSON.stringify({
    market_ticker: TICKER,
    market_id: MARKET_ID,
    price_dollars: `0.${best! - level}00`,
    delta_fp: index < 16 ? '12.50' : '-12.50',
    side,
    ts: '2026-11-21T05:00:01.123456Z',
    ts_ms: START_MS,
  })},"sending_ts_ms":${START_MS + 3}}\n`;
});

export function deltaFrame(sid: number, seq: number): string {
  return `{"type":"orderbook_delta","sid":${sid},"seq":${seq}${tails[seq % CYCLE]}`;
}

const template = jsonCodec.template({ venue: 'venue_b', ticker: TICKER });

/** Returns the gateway's delta for such a frame, borrowed until the next call. */
export function gatewayDelta(seq: number): Uint8Array {
  template.beginDelta(START_MS * 1_000, seq);
  template.change((seq & 1) as Side, (4_000 - 100 * (seq % 8)) as Ticks, 112_500_000 as MicroShares);
  return template.endDelta(3_735_928_559, START_MS as UnixMillis, (START_MS + 1) as UnixMillis);
}
