// Words that the readers of both venues do not know are counted by venue, field and word. The words of the venues' sheets are not counted.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/domain/json.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { unknownWords } from '../../src/core/metrics/unknown-words.ts';
import { readTrade as readStreamTrade } from '../../src/venues/venue-a/cold-frames.ts';
import { readVenueAEvent, readVenueAMarket } from '../../src/venues/venue-a/discovery.ts';
import { readShownOrder } from '../../src/venues/venue-a/trading/open-orders.ts';
import { readTrade } from '../../src/venues/venue-a/trading/trades.ts';
import { readColdFrame } from '../../src/venues/venue-b/cold-frames.ts';
import { readVenueBMarket } from '../../src/venues/venue-b/discovery.ts';
import { marketFactsIn } from '../../src/venues/venue-b/market-facts.ts';
import { GroupNews } from '../../src/venues/venue-b/trading/group-news.ts';
import { orderRecordOf } from '../../src/venues/venue-b/trading/reported-rows.ts';
import { settledOf } from '../../src/venues/venue-b/trading/settlements.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { ORDER } from './venue-b/trading/scripted-rest.ts';

const GRID = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];
const shown = (order: JsonObject) => readShownOrder(order, 0 as UnixMillis);
const frame = (type: string, msg: JsonObject = {}) => readColdFrame(Buffer.from(JSON.stringify({ type, msg })));
const groups = new GroupNews(new VirtualTimers(), () => {});

/** The venue, the field, the reader of the field, and the words that the venue is known to use (docs/spec). */
type Case = readonly [venue: string, field: string, read: (word: string) => unknown, known: readonly string[]];

const CASES: readonly Case[] = [
  ['venue_a', 'market_version', version => readVenueAMarket(marketOfA({ version })), ['v1', 'v2']],
  ['venue_a', 'team_ordering', ordering => readVenueAEvent(eventOfA({ name: 'Boston', ordering })), ['home', 'away']],
  ['venue_a', 'taker_side', side => readStreamTrade({ asset_id: '1', price: '0.5', size: '1', side }), ['BUY', 'SELL']],
  ['venue_a', 'trade_side', side => readTrade({ side }), ['BUY', 'SELL']],
  [
    'venue_a',
    'trade_status',
    status => readTrade({ status }),
    ['MATCHED', 'MINED', 'CONFIRMED', 'RETRYING', 'FAILED', 'TRADE_STATUS_MATCHED_NOT_BROADCASTED'],
  ],
  [
    'venue_a',
    'order_status',
    status => shown({ status }),
    ['LIVE', 'MATCHED', 'DELAYED', 'UNMATCHED', 'CANCELED', 'INVALID', 'EXPIRED', 'ORDER_STATUS_LIVE'],
  ],
  ['venue_b', 'message_type', type => frame(type), ['ok', 'unsubscribed', 'event_lifecycle', 'event_fee_update']],
  [
    'venue_b',
    'lifecycle_event',
    event_type => frame('market_lifecycle_v2', { event_type }),
    ['created', 'activated', 'deactivated', 'close_date_updated', 'determined', 'settled', 'metadata_updated'],
  ],
  ['venue_b', 'taker_side', taker_side => frame('trade', tradeOfB({ taker_side })), ['yes', 'no']],
  [
    'venue_b',
    'market_status',
    status => marketFactsIn({ market: { ticker: 'KXA', price_ranges: GRID, status } }),
    ['initialized', 'inactive', 'active', 'closed', 'determined', 'disputed', 'amended', 'finalized'],
  ],
  [
    'venue_b',
    'market_status',
    status => readVenueBMarket({ ticker: 'KXA', title: 'A', status }, 'A'),
    ['initialized', 'inactive', 'active', 'closed', 'determined', 'disputed', 'amended', 'finalized'],
  ],
  [
    'venue_b',
    'order_status',
    status => orderRecordOf({ ...ORDER, status }),
    ['resting', 'canceled', 'executed', 'unknown'],
  ],
  ['venue_b', 'order_side', book_side => orderRecordOf({ ...ORDER, book_side }), ['bid', 'ask']],
  [
    'venue_b',
    'last_update_reason',
    last_update_reason => orderRecordOf({ ...ORDER, last_update_reason }),
    ['Decrease', 'Amend', 'MarginCancel', 'SelfTradeCancel', 'ExpiryCancel', 'CloseCancel', 'HaltCancel', 'Trade'],
  ],
  [
    'venue_b',
    'order_group_event',
    event_type => groups.handle({ order_group_id: 'group', event_type }),
    ['created', 'triggered', 'reset', 'deleted', 'limit_updated'],
  ],
  ['venue_b', 'market_result', market_result => settledOf({ ticker: 'KXA', market_result }), ['yes', 'no', 'scalar']],
];

function marketOfA(change: JsonObject): JsonObject {
  return { conditionId: `0x${'1'.repeat(64)}`, question: 'Boston?', outcomes: '[]', clobTokenIds: '[]', ...change };
}

function eventOfA(team: JsonObject): JsonObject {
  return { id: '1', title: 'Boston at Los Angeles', teams: [team] };
}

function tradeOfB(change: JsonObject): JsonObject {
  return { market_ticker: 'KXA', yes_price_dollars: '0.3600', count_fp: '1.00', trade_id: 't', ...change };
}

const countOf = (venue: string, field: string, word: string): number =>
  unknownWords.rows().find(({ values }) => values.join(' ') === `${venue} ${field} ${word}`)?.value ?? 0;

describe.each(CASES)('%s, %s', (venue, field, read, known) => {
  it('counts a word that nobody knows', () => {
    const before = countOf(venue, field, 'novel');
    // A reader may change the word to capitals before it counts the word.
    const shouted = countOf(venue, field, 'NOVEL');
    read('novel');
    expect(countOf(venue, field, 'novel') - before + countOf(venue, field, 'NOVEL') - shouted).toBe(1);
  });

  it('knows the words of the sheet', () => {
    const before = unknownWords.rows();
    for (const word of known) read(word);
    expect(unknownWords.rows()).toEqual(before);
  });
});
