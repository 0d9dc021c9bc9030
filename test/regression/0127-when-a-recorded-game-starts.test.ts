// Found by review: a gateway that replays a recording showed its games as SCHEDULED for a day a year ahead. But tickers have the day and,
// where two games may be on one day, the clock. Nothing may close while the recording plays, but that time is not the start.

import { expect, it } from 'vitest';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { recordedCatalog } from '../../src/paper/flow/recorded-catalog.ts';

const NOW = Date.UTC(2026, 10, 23) as UnixMillis;
const YEAR_MS = 365 * 86_400_000;

function listedFor(ticker: string) {
  const msg = { market_ticker: ticker, yes_dollars_fp: [['0.4000', '7.00']], no_dollars_fp: [] };
  const text = JSON.stringify({ type: 'orderbook_snapshot', msg });
  const { venueB } = recordedCatalog([{ venue: 'venue_b', atMs: 0, text }], { now: NOW });
  const { game, markets } = venueB.events[0]!;
  return [new Date(game.startsAt).toISOString(), markets[0]!.closeAt - NOW];
}

it.each([
  ['KXMLBGAME-26AUG072145TBSEA-SEA', '2026-08-08T01:45:00.000Z'],
  ['KXNBAGAME-26JAN09MILLAL-LAL', '2026-01-10T00:00:00.000Z'],
  ['KXMLBGAME-26AUG072545TBSEA-SEA', '2027-11-23T00:00:00.000Z'],
  ['KXNBAGAME-26JAN32MILLAL-LAL', '2027-11-23T00:00:00.000Z'],
  ['KXNBA-26-LAL', '2027-11-23T00:00:00.000Z'],
])('%s starts at %s, and its market is open for a year', (ticker, startsAt) => {
  expect(listedFor(ticker)).toEqual([startsAt, YEAR_MS]);
});
