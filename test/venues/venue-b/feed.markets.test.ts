// The books, trades and life of markets as venue B reports them. Virtual time, a scripted venue, a recording sink.

import { describe, expect, it } from 'vitest';
import { PRIMARY, TAKER_BUY, TAKER_SELL, TAKER_UNKNOWN } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { BOOK, EMPTY, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from './feed-rig.ts';
import { DECI_CENT } from './scripted-venue.ts';

const TRADE = { trade_id: 't-1', market_ticker: MARKET, yes_price_dollars: '0.3600', count_fp: '136.00' };

describe('books and trades', () => {
  it('applies signed changes, NO bids being YES asks', async () => {
    const rig = await liveRig();
    rig.venue.delta(MARKET, 'yes', '0.4700', '-3.00');
    rig.venue.delta(MARKET, 'no', '0.4800', '-0.50');
    rig.venue.delta(MARKET, 'no', '0.5000', '7.25', 1_781_159_500_000);
    expect(rig.levels()).toEqual({ bids: ['10@0.46'], asks: ['7.25@0.5', '1.5@0.52'] });
    expect(rig.book()).toMatchObject({ epoch: 1, seq: 4, venueTime: 1_781_159_500_000 });
    expect(rig.levels(1)).toEqual(LIVE);
  });

  it('takes a snapshot out of turn as a new epoch', async () => {
    const rig = await liveRig();
    rig.venue.books.set(MARKET, { yes: [['0.1000', '1.00']] });
    rig.venue.snapshot(MARKET);
    expect([rig.book().epoch, rig.book().seq, rig.levels()]).toEqual([2, 1, { bids: ['1@0.1'], asks: [] }]);
  });

  it('takes nothing for its book from a subscription that is not its own', async () => {
    const rig = await liveRig();
    const levels = { market_ticker: MARKET, yes_dollars_fp: [['0.4600', '1.00']] };
    const change = { market_ticker: MARKET, price_dollars: '0.4700', delta_fp: '1.00', side: 'yes' };
    // The keys are in the venue’s sequence, then in another sequence, and then the message is unreadable.
    for (const msg of [levels, { ...levels, more: 1 }])
      rig.venue.send({ type: 'orderbook_snapshot', sid: 9, seq: 1, msg });
    rig.venue.send({ type: 'orderbook_delta', sid: 9, seq: 1, msg: change });
    rig.venue.send({ msg: change, seq: 1, sid: 9, type: 'orderbook_delta' });
    rig.venue.send({ type: 'orderbook_delta', sid: 9, seq: 1, msg: { ...change, price_dollars: 'some' } });
    rig.venue.send({ type: 'orderbook_snapshot', sid: 9, seq: 1, msg: { market_ticker: MARKET, yes: [[46, 1]] } });
    expect([stateOf(rig), rig.levels(), rig.book().seq]).toEqual(['LIVE SNAPSHOT', LIVE, 1]);
    expect([rig.counters.read('unreadable'), rig.counters.read('legacyRefused')]).toEqual([1, 1]);
  });

  it.each<[string, object]>([
    ['levels that are none', { yes_dollars_fp: { '0.4600': '1.00' } }],
    ['a level without a size', { yes_dollars_fp: [['0.4600']] }],
    ['more levels than prices', { yes_dollars_fp: Array(limits.venueBLevelsPerSideMax + 1).fill(['0.4600', '1.00']) }],
  ])('shows nothing after a snapshot with %s, and reads the book again', async (_what, levels) => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.venue.say('orderbook_snapshot', { market_ticker: MARKET, ...levels });
    expect([stateOf(rig), rig.levels(), stateOf(rig, 1)]).toEqual(['RESYNCING UNREADABLE', EMPTY, 'LIVE SNAPSHOT']);
    await rig.timers.settle();
    expect(rig.named('get_snapshot').at(-1)).toEqual([MARKET]);
  });

  it('reports no trade of a market that nobody has subscribed, or without an id of its own', async () => {
    const rig = await liveRig();
    rig.venue.say('trade', { ...TRADE, market_ticker: 'KXNEVER' });
    for (const trade_id of [undefined, 7, 'two words']) rig.venue.say('trade', { ...TRADE, trade_id });
    expect(rig.sink.events.filter(event => event.kind === 'trade')).toEqual([]);
    expect(['unknownMarkets', 'unreadable', 'trades'].map(it => rig.counters.read(it as 'trades'))).toEqual([1, 3, 0]);
  });

  it('knows from the start what was traded last, if the venue says it', async () => {
    const facts = { [MARKET]: { last_price_dollars: '0.9500' }, [OTHER]: { last_price_dollars: '0.0000' } };
    const rig = await FeedRig.withMarkets({ [MARKET]: {}, [OTHER]: {} }, { facts });
    expect([rig.book(0).statedTrade, rig.book(1).statedTrade]).toEqual([9_500, 0]);
  });

  it('announces trades in YES terms, for each name of the taker', async () => {
    const rig = await liveRig();
    const msg = { ...TRADE, no_price_dollars: '0.6400', ts: 1_669_149_841, ts_ms: 1_669_149_841_000 };
    const takers = [{ taker_outcome_side: 'no' }, { taker_book_side: 'bid' }, { taker_side: 'no' }, {}];
    for (const taker of takers) rig.venue.say('trade', { ...msg, ...taker });
    // Trades of before autumn 2026 have no sequence number.
    rig.venue.send({ type: 'trade', sid: 3, msg });
    const trades = rig.sink.events.filter(event => event.kind === 'trade');
    const sides = [TAKER_SELL, TAKER_BUY, TAKER_SELL, TAKER_UNKNOWN, TAKER_UNKNOWN];
    expect(trades.map(({ takerSide }) => takerSide)).toEqual(sides);
    const said = { book: 0, view: PRIMARY, price: 3600, size: 136_000_000, tradeId: 't-1', venueTime: msg.ts_ms };
    expect(trades[0]).toMatchObject(said);
    expect([rig.counters.read('trades'), rig.counters.read('sequenceGaps')]).toEqual([5, 0]);
  });

  it('counts a hole among the trades and goes on', async () => {
    const rig = await liveRig();
    rig.venue.take('trade');
    rig.venue.say('trade', { ...TRADE, ts_ms: 1 });
    expect([rig.counters.read('sequenceGaps'), rig.counters.read('trades')]).toEqual([1, 1]);
    expect(stateOf(rig)).toBe('LIVE SNAPSHOT');
  });

  it('ignores types that it does not know, and fields', async () => {
    const rig = await liveRig();
    rig.venue.send({ type: 'weather', sid: 9, msg: { rain: true } });
    const frame = rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
    rig.venue.send({ ...frame, client_order_id: 'x', novel: { a: [1] } });
    expect([rig.counters.read('unknownTypes'), rig.levels().bids[0]]).toEqual([1, '4@0.47']);
  });
});

describe('the life of a market', () => {
  it('halts a paused market, and takes a fresh book when it trades again', async () => {
    const rig = await liveRig();
    rig.venue.lifecycle(MARKET, 'deactivated', { is_deactivated: true });
    expect([stateOf(rig), rig.levels()]).toEqual(['HALTED MARKET_PAUSED', LIVE]);
    rig.venue.delta(MARKET, 'yes', '0.4700', '-3.00');
    expect([stateOf(rig), rig.levels().bids]).toEqual(['HALTED MARKET_PAUSED', ['10@0.46']]);
    rig.venue.books.set(MARKET, {});
    rig.venue.lifecycle(MARKET, 'activated', { is_deactivated: false });
    expect(stateOf(rig)).toBe('RESYNCING RESUMED');
    await rig.timers.settle();
    expect([stateOf(rig), rig.levels(), rig.book().epoch]).toEqual(['LIVE SNAPSHOT', EMPTY, 2]);
  });

  it('is HALTED after its snapshot if the venue says so by REST', async () => {
    const rig = await FeedRig.withMarkets({ [MARKET]: BOOK }, { facts: { [MARKET]: { status: 'inactive' } } });
    expect([stateOf(rig), rig.levels()]).toEqual(['HALTED MARKET_PAUSED', LIVE]);
  });

  it.each(['determined', 'settled'])('closes a market that is %s and follows it no longer', async event => {
    const rig = await liveRig();
    rig.venue.lifecycle(MARKET, event, { result: 'yes' });
    expect([stateOf(rig), rig.levels()]).toEqual(['CLOSED MARKET_RESOLVED', LIVE]);
    rig.venue.delta(MARKET, 'yes', '0.4700', '-3.00');
    await rig.timers.settle();
    expect(rig.named('delete_markets')[0]).toEqual([MARKET]);
    rig.venue.drop('reset');
    rig.reconnect();
    expect([stateOf(rig, 0), rig.levels(0)]).toEqual(['CLOSED MARKET_RESOLVED', LIVE]);
    expect([stateOf(rig, 1), rig.named('subscribe')[0]]).toEqual(['LIVE SNAPSHOT', [OTHER]]);
  });

  it('keeps a market closed, through later frames', async () => {
    const rig = await liveRig();
    rig.venue.lifecycle(MARKET, 'determined', { result: 'yes' });
    rig.venue.books.set(MARKET, { yes: [['0.1000', '1.00']] });
    rig.venue.snapshot(MARKET);
    rig.venue.lifecycle(MARKET, 'deactivated');
    rig.venue.lifecycle(MARKET, 'activated');
    rig.venue.lifecycle(MARKET, 'price_level_structure_updated', { price_ranges: DECI_CENT });
    expect([stateOf(rig), rig.levels(), rig.book().step]).toEqual(['CLOSED MARKET_RESOLVED', LIVE, 100]);
  });

  it.each([
    ['closed', 'CLOSED MARKET_CLOSED'],
    ['finalized', 'CLOSED MARKET_RESOLVED'],
  ])('knows a %s market without following it', async (status, state) => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK, { status });
    rig.connect();
    expect(await rig.want(MARKET)).toEqual([{ book: 0, view: PRIMARY }]);
    expect([stateOf(rig), rig.venue.commandsOf('subscribe', 'orderbook_delta')]).toEqual([state, []]);
  });

  it('closes by the clock, and opens again when the closing time is moved', async () => {
    const rig = new FeedRig();
    const closeMs = rig.timers.now() + 60_000;
    rig.venue.addMarket(MARKET, BOOK, { close_time: new Date(closeMs).toISOString() });
    rig.connect();
    await rig.want(MARKET);
    rig.timers.advance(29_000);
    rig.venue.delta(MARKET, 'yes', '0.4700', '1.00');
    rig.timers.advance(29_000);
    rig.venue.delta(MARKET, 'yes', '0.4700', '-1.00');
    expect(stateOf(rig)).toBe('LIVE SNAPSHOT');
    await rig.timers.settle(2_000 + limits.venueBSweepMs);
    expect([stateOf(rig), rig.levels()]).toEqual(['CLOSED MARKET_CLOSED', LIVE]);
    rig.venue.lifecycle(MARKET, 'close_date_updated', { close_ts: Math.ceil(closeMs / 1000) + 3600 });
    await rig.timers.settle();
    expect([stateOf(rig), rig.levels(), rig.book().epoch]).toEqual(['LIVE SNAPSHOT', LIVE, 2]);
  });

  it('moves the book to a finer grid with its levels kept', async () => {
    const rig = await liveRig();
    const price_ranges = [
      { start: '0.0000', end: '0.1000', step: '0.0010' },
      { start: '0.1000', end: '0.9000', step: '0.0100' },
      { start: '0.9000', end: '1.0000', step: '0.0010' },
    ];
    rig.venue.lifecycle(MARKET, 'price_level_structure_updated', { price_ranges });
    rig.venue.delta(MARKET, 'yes', '0.0010', '5.00');
    expect([rig.book().step, rig.book().epoch, rig.levels().bids]).toEqual([10, 1, ['3@0.47', '10@0.46', '5@0.001']]);
  });

  it('shows no price of a grid that is too large for the book, until it fits', async () => {
    const rig = await liveRig();
    const price_ranges = DECI_CENT;
    Object.assign(rig.sink, { regrid: () => false });
    rig.venue.books.set(MARKET, { yes: [['0.4750', '1.00']] });
    rig.venue.lifecycle(MARKET, 'price_level_structure_updated', { price_ranges });
    await rig.timers.settle();
    expect([rig.book().state, rig.levels(), rig.book().step]).toEqual(['RESYNCING', EMPTY, 100]);
    expect([stateOf(rig, 1), rig.levels(1)]).toEqual(['LIVE SNAPSHOT', LIVE]);
    Reflect.deleteProperty(rig.sink, 'regrid');
    rig.venue.addMarket(MARKET, { yes: [['0.4750', '1.00']] }, { price_ranges });
    await rig.timers.settle(limits.venueBRecoveryPauseMs + limits.venueBSweepMs);
    expect([rig.book().state, rig.levels().bids, rig.book().step]).toEqual(['LIVE', ['1@0.475'], 10]);
  });
});
