// Messages of both streams against recorded messages: they have only fields that the venue's messages have, with the same types.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type JsonObject, objectsOf, parseJson } from '../../../../src/core/domain/json.ts';
import { BID } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { Engine } from '../../../../src/paper/engine/engine.ts';
import { VenueAMarket } from '../../../../src/paper/venue-a/market.ts';
import type { OrderRecord, TradeRecord } from '../../../../src/paper/venue-a/records.ts';
import { BookPage } from '../../../../src/paper/venue-a/stream/book-page.ts';
import { orderFrame, tradeFrame } from '../../../../src/paper/venue-a/stream/user-session.ts';
import * as frames from '../../../../src/paper/venue-a/stream/watched-market.ts';
import { ZERO_BYTES32 } from '../../../../src/venues/venue-a/abi-words.ts';
import { objectsWith, recordedObjects, strangers } from '../../../support/json-shapes.ts';
import { recordingPath, recordingsPresent } from '../../../support/recordings.ts';
import { eventListing, marketListing } from '../venue-a-rig.ts';

const NAUTILUS = 'venue-a/poly-nautilus/crates/adapters/polymarket/test_data';
const CLIENT = 'venue-a/poly-nautilus/tests/integration_tests/adapters/polymarket/resources/ws_messages';
const AT = 1_790_000_000_000 as UnixMillis;
const SIZE = 10_000_000 as MicroShares;
const PRICE = 4_700 as Ticks;

const listing = marketListing();
const market = new VenueAMarket(new Engine({ emit: () => {} }), listing, eventListing([listing]));
market.resolution = { winner: 0, at: AT };
const page = new BookPage(market);
page.set(BID, PRICE, SIZE, AT);

const order: OrderRecord = {
  orderId: `0x${'1'.repeat(64)}`,
  owner: 'key',
  makerAddress: `0x${'2'.repeat(40)}`,
  market,
  token: 0,
  isBuy: true,
  price: PRICE,
  size: SIZE,
  matched: 0 as MicroShares,
  status: 'LIVE',
  reason: '',
  type: 'GTC',
  expirationS: 0,
  builderCode: ZERO_BYTES32,
  tradeIds: [],
  createdAt: AT,
  updatedAt: AT,
};
const trade: TradeRecord = {
  tradeId: 'id',
  status: 'MATCHED',
  market,
  takerOrderId: order.orderId,
  owner: 'key',
  makerAddress: order.makerAddress,
  token: 0,
  isBuy: true,
  price: PRICE,
  size: SIZE,
  dollars: SIZE as number as MicroDollars,
  takerFee: 0 as MicroDollars,
  builderCode: ZERO_BYTES32,
  makers: [
    {
      orderId: '0x3',
      owner: 'other',
      makerAddress: '0x4',
      token: 1,
      isBuy: true,
      price: PRICE,
      size: SIZE,
      builderCode: ZERO_BYTES32,
    },
  ],
  matchedAt: AT,
  updatedAt: AT,
  transactionHash: `0x${'5'.repeat(64)}`,
};

/** Returns every message of the market channel that was recorded in production. */
function produced(type: string): JsonObject[] {
  const lines = readFileSync(
    recordingPath('venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market.raw.jsonl'),
    'utf8',
  ).split('\n');
  return objectsWith(lines.map(parseJson), 'event_type').filter(message => message.event_type === type);
}

const sample = (file: string) => () => recordedObjects([file], 'market');

const messages: [what: string, ours: string, theirs: () => JsonObject[], extra: string[]][] = [
  ['book', frames.bookMessage(page, 0, true), () => produced('book'), []],
  ['price_change', frames.priceChangeFrame(page, BID, PRICE, SIZE, true), () => produced('price_change'), []],
  ['last_trade_price', frames.lastTradeFrame(trade, AT), () => produced('last_trade_price'), []],
  ['best_bid_ask', frames.bestBidAskFrame(page, 0), sample(`${NAUTILUS}/ws_market_best_bid_ask_msg.json`), []],
  [
    'tick_size_change',
    frames.tickSizeFrame(market, 0, '0.1', AT),
    sample(`${NAUTILUS}/ws_market_tick_size_msg.json`),
    [],
  ],
  // These fields are newer than the sample (venue-a.md §5.2).
  [
    'new_market',
    frames.newMarketFrame(market, AT),
    sample(`${NAUTILUS}/ws_market_new_market_msg.json`),
    ['fees_enabled: boolean'],
  ],
  // These fields are optional in the venue's messages.
  [
    'market_resolved',
    frames.marketResolvedFrame(market, AT),
    sample(`${NAUTILUS}/ws_market_resolved_msg.json`),
    ['event_message: object'],
  ],
  [
    'order',
    orderFrame(order, 'PLACEMENT'),
    sample('venue-a/poly-byronxlg/tests/fixtures/ws_user_order_placement.json'),
    [],
  ],
  [
    'killed order',
    orderFrame({ ...order, status: 'CANCELED', reason: 'why', type: 'FOK' }, 'CANCELLATION'),
    sample(`${NAUTILUS}/ws_user_order_fok_killed.json`),
    [],
  ],
  ['trade', tradeFrame(trade, 'TAKER', AT), sample(`${CLIENT}/user_trade2.json`), []],
];

describe.skipIf(!recordingsPresent)('streams beside their recordings (skipped where they are absent)', () => {
  it.each(messages)('%s', (_what, ours, theirs, extra) => {
    const message = JSON.parse(ours) as JsonObject;
    const recorded = theirs();
    expect(recorded.length).toBeGreaterThan(0);
    expect(strangers([message], recorded)).toEqual(extra);
  });

  it('entries of a price_change', () => {
    const entries = (message: JsonObject) => objectsOf(message.price_changes);
    const ours = entries(JSON.parse(frames.priceChangeFrame(page, BID, PRICE, SIZE, false)) as JsonObject);
    expect(strangers(ours, produced('price_change').flatMap(entries))).toEqual([]);
  });

  it('maker orders of a trade', () => {
    const ours = objectsWith(JSON.parse(tradeFrame(trade, 'MAKER', AT)), 'order_id');
    const theirs = recordedObjects([`${CLIENT}/user_trade2.json`, `${CLIENT}/user_trade3.json`], 'order_id');
    expect(strangers(ours, theirs)).toEqual(['outcome_index: number']);
  });
});
