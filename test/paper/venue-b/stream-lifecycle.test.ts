// Messages of venue B's stream about the life of markets (venue-b.md §10.4), over real sockets.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK } from '../../../src/core/domain/market.ts';
import type { Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { DECI_CENT } from '../../../src/paper/catalog/venue-b-listings.ts';
import { lifecycleMessages } from '../../../src/paper/venue-b/stream/market-messages.ts';
import { ticks } from '../../support/amounts.ts';
import { BOSTON, CALLERS, EVENT, LAKERS, MarketRig, START } from './market-rig.ts';
import type { Frame } from './stream-client.ts';

const ts = START / 1_000;

let rig: MarketRig;

beforeEach(async () => {
  rig = await MarketRig.start();
});
afterEach(() => rig.close());

const of = (frames: readonly Frame[], type: string) => frames.filter(frame => frame.type === type);

describe('market_lifecycle_v2', () => {
  it('tells what somebody did to a market, numbered; what the clock does it does not tell', async () => {
    const client = await rig.listen('bob', ['market_lifecycle_v2']);
    const market = rig.market(BOSTON);
    rig.exchange.life.setPaused(market, true);
    rig.exchange.life.setPaused(market, false);
    rig.exchange.life.setCloseAt(market, (START + 60_000) as UnixMillis);
    rig.timers.advance(60_000);
    rig.exchange.life.setGrid(market, DECI_CENT);
    rig.exchange.life.determine(market, ticks('1'));
    rig.timers.advance(600_000);
    const about = { market_ticker: BOSTON, exchange_index: 0 };
    const frames = await client.drain();
    expect(frames.map(({ sid, seq, msg }) => [sid, seq, msg])).toEqual([
      [1, 1, { event_type: 'deactivated', ...about, is_deactivated: true }],
      [1, 2, { event_type: 'activated', ...about, is_deactivated: false }],
      [1, 3, { event_type: 'close_date_updated', ...about, close_ts: ts + 60 }],
      [
        1,
        4,
        {
          ...{ event_type: 'price_level_structure_updated', ...about },
          ...{ price_level_structure: DECI_CENT.name, price_ranges: DECI_CENT.ranges },
        },
      ],
      [
        1,
        5,
        { event_type: 'determined', ...about, result: 'yes', determination_ts: ts + 60, settlement_value: '1.0000' },
      ],
      [1, 6, { event_type: 'settled', ...about, settled_ts: expect.any(Number) }],
    ]);
    expect(new Set(frames.map(({ type }) => type))).toEqual(new Set(['market_lifecycle_v2']));
  });

  it('describes a market that is created, after its event if it is the event’s first', () => {
    const texts = (ticker: string) =>
      lifecycleMessages({ type: 'lifecycle', market: rig.market(ticker), change: 'created', at: rig.timers.now() }).map(
        message => [message.type, JSON.parse(message.text({ caller: CALLERS.bob!, usesYesPrice: false }))],
      );
    const [event, market] = texts(BOSTON);
    expect(event).toEqual([
      'event_lifecycle',
      {
        event_ticker: EVENT,
        exchange_index: 0,
        title: 'Boston at Los Angeles L',
        subtitle: 'BOS at LAL (May 28)',
        collateral_return_type: 'MECNET',
        series_ticker: 'KXNBAGAME',
      },
    ]);
    expect(market).toEqual([
      'market_lifecycle_v2',
      {
        event_type: 'created',
        market_ticker: BOSTON,
        exchange_index: 0,
        open_ts: ts - 47 * 3_600,
        close_ts: ts + 72 * 3_600,
        price_level_structure: 'linear_cent',
        price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
        additional_metadata: {
          name: 'BOS it is',
          title: 'Question BOS?',
          yes_sub_title: 'BOS it is',
          no_sub_title: 'BOS it is',
          rules_primary: 'First rule.',
          rules_secondary: 'Second rule.',
          can_close_early: true,
          event_ticker: EVENT,
          expected_expiration_ts: ts + 4 * 3_600,
          strike_type: 'structured',
          custom_strike: { basketball_team: '00000000-0000-4000-9000-000000000001' },
        },
      },
    ]);
    expect(texts(LAKERS).map(([type]) => type)).toEqual(['market_lifecycle_v2']);
  });

  it('tells of an event that is listed meanwhile, and its markets can be subscribed by ticker and by id', async () => {
    const client = await rig.listen('bob', ['market_lifecycle_v2']);
    const [known] = rig.exchange.events;
    const [first] = known!.markets;
    const marketId = '00000000-0000-4000-8000-0000000000ff';
    const listing = { ...first!, ticker: 'KXNBAGAME-NEXT-BOS', marketId, eventTicker: 'KXNBAGAME-NEXT' };
    rig.exchange.list([{ ...known!, eventTicker: 'KXNBAGAME-NEXT', markets: [listing] }]);
    const frames = await client.drain();
    expect(frames.map(({ type, seq, msg }) => [type, seq, msg.event_type ?? msg.event_ticker])).toEqual([
      ['event_lifecycle', 1, 'KXNBAGAME-NEXT'],
      ['market_lifecycle_v2', 2, 'created'],
    ]);
    const books = await rig.listen('bob', ['orderbook_delta'], { market_tickers: [listing.ticker] });
    const tickers = await rig.listen('bob', ['ticker'], { market_ids: [marketId] });
    rig.place({ ticker: listing.ticker, side: 'buy', price: '0.40', count: '2' });
    expect(of(await books.drain(), 'orderbook_delta').map(({ msg }) => msg.market_ticker)).toEqual([listing.ticker]);
    expect(of(await tickers.drain(), 'ticker').map(({ msg }) => msg.market_id)).toContain(marketId);
  });

  it('says `scalar` of a market that is paid in part', async () => {
    const client = await rig.listen('bob', ['market_lifecycle_v2']);
    rig.exchange.life.determine(rig.market(LAKERS), 5_000 as Ticks);
    const [determined] = of(await client.drain(), 'market_lifecycle_v2').filter(
      ({ msg }) => msg.event_type === 'determined',
    );
    expect(determined!.msg).toMatchObject({ result: 'scalar', settlement_value: '0.5000' });
  });

  it('cancels the orders of a market that closes, on book and user channels', async () => {
    const client = await rig.listen('alice', ['orderbook_delta', 'user_orders'], { market_tickers: [BOSTON] });
    rig.place({ side: 'sell', price: '0.60', count: '2' });
    await client.drain();
    rig.exchange.life.setCloseAt(rig.market(BOSTON), rig.exchange.now());
    const frames = await client.drain();
    expect(of(frames, 'orderbook_delta').map(({ msg }) => msg.delta_fp)).toEqual(['-2.00']);
    expect(of(frames, 'user_order').map(({ msg }) => [msg.status, msg.last_update_reason])).toEqual([
      ['canceled', 'CloseCancel'],
    ]);
    expect([...rig.market(BOSTON).levels(ASK)]).toEqual([]);
  });
});
