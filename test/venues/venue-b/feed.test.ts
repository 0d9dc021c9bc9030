// The feed's conversation with venue B: commands, acknowledgements, recovery from whatever a stream can do wrong, the life
// of a market. Virtual time, a scripted venue, a recording sink.

import { describe, expect, it } from 'vitest';
import { COMPLEMENT, PRIMARY, TAKER_BUY, TAKER_SELL, TAKER_UNKNOWN } from '../../../src/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { verifyVenueBRequest } from '../../../src/venues/venue-b/auth.ts';
import { FeedRig, KEY_ID, publicKey } from './feed-rig.ts';
import { LINEAR_CENT, type WireBook } from './scripted-venue.ts';

const MARKET = 'KXNBAGAME-26NOV21BOSLAL-BOS';
const OTHER = 'KXNBAGAME-26NOV21BOSLAL-LAL';
const BOOK: WireBook = {
  yes: [
    ['0.4600', '10.00'],
    ['0.4700', '3.00'],
  ],
  no: [['0.4800', '2.00']],
};
const LIVE = { bids: ['3@0.47', '10@0.46'], asks: ['2@0.52'] };
const EMPTY = { bids: [], asks: [] };

async function liveRig(): Promise<FeedRig> {
  const rig = await FeedRig.withMarkets({ [MARKET]: BOOK, [OTHER]: BOOK });
  expect([rig.book(0).state, rig.book(1).state]).toEqual(['LIVE', 'LIVE']);
  return rig;
}

function stateOf(rig: FeedRig, index = 0): string {
  return `${rig.book(index).state} ${rig.book(index).reason}`;
}

describe('handshake', () => {
  it('is signed anew for every attempt, over the path of the stream', async () => {
    const rig = new FeedRig();
    rig.connect();
    rig.venue.drop('reset');
    rig.reconnect();
    expect(rig.venue.handshakes).toHaveLength(2);
    const timestamps = rig.venue.handshakes.map(({ headers }) => headers['KALSHI-ACCESS-TIMESTAMP'] ?? '');
    expect(timestamps[0]).not.toBe(timestamps[1]);
    for (const { headers, url } of rig.venue.handshakes) {
      expect(headers['KALSHI-ACCESS-KEY']).toBe(KEY_ID);
      const timestamp = headers['KALSHI-ACCESS-TIMESTAMP'] ?? '';
      const signature = headers['KALSHI-ACCESS-SIGNATURE'] ?? '';
      expect(verifyVenueBRequest({ method: 'GET', path: new URL(url).pathname, timestamp, signature }, publicKey)).toBe(
        true,
      );
    }
  });
});

describe('subscribing', () => {
  it('opens one subscription of each kind for all markets of a turn', async () => {
    const rig = await liveRig();
    expect(rig.venue.commandsOf('subscribe').map(({ params }) => [params.channels, params.market_tickers])).toEqual([
      [['market_lifecycle_v2'], undefined],
      [['orderbook_delta'], [MARKET, OTHER]],
      [['trade'], [MARKET, OTHER]],
    ]);
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta')[0]?.params.use_yes_price).toBe(false);
    expect(rig.levels(0)).toEqual(LIVE);
    expect(rig.book(0)).toMatchObject({ hasPrimaryView: true, hasComplementView: false, epoch: 1, seq: 1 });
  });

  it('adds later markets to the same subscriptions', async () => {
    const rig = await liveRig();
    rig.venue.addMarket('KXA-1', BOOK);
    rig.venue.addMarket('KXA-2', BOOK);
    await rig.want('KXA-1', 'KXA-2');
    const additions = rig.venue.commandsOf('add_markets');
    expect(additions.map(({ params }) => [params.sid, params.market_tickers])).toEqual([
      [2, ['KXA-1', 'KXA-2']],
      [3, ['KXA-1', 'KXA-2']],
    ]);
    expect([rig.book(2).state, rig.book(3).state, rig.book(0).epoch]).toEqual(['LIVE', 'LIVE', 1]);
  });

  it('splits what is more than one command may carry, and gives one command at a time', async () => {
    const tickers = Array.from({ length: 2 * limits.venueBMarketsPerCommandMax + 1 }, (_, index) => `KXMANY-${index}`);
    const rig = new FeedRig();
    rig.venue.isAnswering = false;
    for (const ticker of tickers) rig.venue.addMarket(ticker, BOOK);
    rig.connect();
    await rig.want(...tickers);
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta')).toHaveLength(1);
    rig.venue.isAnswering = true;
    for (const command of [...rig.venue.commands]) rig.venue.answer(command);
    const sizes = [
      ...rig.venue.commandsOf('subscribe', 'orderbook_delta'),
      ...rig.venue.commandsOf('add_markets', 'orderbook_delta'),
    ].map(({ params }) => params.market_tickers?.length);
    expect(sizes).toEqual([limits.venueBMarketsPerCommandMax, limits.venueBMarketsPerCommandMax, 1]);
    expect(rig.sink.books.every(book => book.state === 'LIVE')).toBe(true);
  });

  it('gives the same book to everyone who asks, and asks the venue once', async () => {
    const rig = await liveRig();
    const again = await rig.want(MARKET);
    expect(again).toEqual([{ book: 0, view: PRIMARY }]);
    expect(again).not.toContainEqual({ book: 0, view: COMPLEMENT });
    expect(rig.venue.asked.filter(url => url.endsWith(MARKET))).toHaveLength(1);
  });

  it('refuses what the venue does not know, cannot say now, or what nobody could ask', async () => {
    const rig = new FeedRig();
    rig.connect();
    const [unknown, unaskable] = await rig.want('KXNOTHING', '../portfolio/balance?x=1');
    expect([unknown, unaskable]).toMatchObject([{ code: 'UNKNOWN_MARKET' }, { code: 'UNKNOWN_MARKET' }]);
    expect(rig.venue.asked).toEqual(['http://venue.test/trade-api/v2/markets/KXNOTHING']);
    rig.venue.addMarket(MARKET, BOOK);
    rig.venue.restStatus = 503;
    expect(await rig.want(MARKET)).toMatchObject([
      { code: 'VENUE_UNAVAILABLE', message: expect.stringContaining('503') },
    ]);
    rig.venue.restStatus = 200;
    expect(await rig.want(MARKET)).toEqual([{ book: 0, view: PRIMARY }]);
  });

  it('names the limits when there is no room for a book', async () => {
    const rig = new FeedRig(1);
    rig.venue.addMarket(MARKET, BOOK);
    rig.venue.addMarket(OTHER, BOOK);
    rig.connect();
    const [, second] = await rig.want(MARKET, OTHER);
    expect(second).toMatchObject({ code: 'BOOK_LIMIT', message: expect.stringContaining('booksPerVenueMax') });
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta')[0]?.params.market_tickers).toEqual([MARKET]);
  });

  it('subscribes once connected when markets were wanted before', async () => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK);
    rig.feed.start();
    await rig.want(MARKET);
    expect(stateOf(rig)).toBe('RESYNCING OPENING');
    rig.venue.open();
    expect(rig.levels()).toEqual(LIVE);
  });
});

describe('unsubscribing', () => {
  it('deletes the market upstream and gives its book back', async () => {
    const rig = await liveRig();
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle();
    expect(rig.venue.commandsOf('delete_markets').map(({ params }) => params.market_tickers)).toEqual([
      [MARKET],
      [MARKET],
    ]);
    expect(rig.book(0).isReleased).toBe(true);
    rig.venue.delta(MARKET, 'yes', '0.4700', '5.00');
    rig.venue.delta(OTHER, 'yes', '0.4700', '5.00');
    expect(rig.counters.read('unknownMarkets')).toBe(1);
    expect(rig.levels(1).bids[0]).toBe('8@0.47');
  });

  it('ends the subscriptions with their last market, which would otherwise carry everything', async () => {
    const rig = await liveRig();
    rig.feed.unsubscribe(MARKET);
    rig.feed.unsubscribe(OTHER);
    await rig.timers.settle();
    expect(rig.venue.commandsOf('unsubscribe').map(({ params }) => params.sids)).toEqual([[2], [3]]);
    expect(rig.venue.commandsOf('delete_markets')).toEqual([]);
    await rig.want(OTHER);
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta')).toHaveLength(2);
    expect(rig.levels(2)).toEqual(LIVE);
  });

  it('brings a fresh snapshot to a market that is wanted again at once', async () => {
    const rig = await liveRig();
    rig.feed.unsubscribe(MARKET);
    await rig.want(MARKET);
    const kinds = rig.venue.commands.map(({ cmd, params }) => params.action ?? cmd).slice(3);
    expect(kinds.indexOf('delete_markets')).toBeLessThan(kinds.indexOf('add_markets'));
    expect([rig.book(0).isReleased, rig.book(2).state, rig.levels(2)]).toEqual([true, 'LIVE', LIVE]);
  });

  it('forgets a market that is unwanted before the venue has described it', async () => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK);
    rig.connect();
    const outcome = rig.feed.subscribe(MARKET);
    rig.feed.unsubscribe(MARKET);
    expect(await outcome).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
    expect([rig.sink.books, rig.venue.commandsOf('subscribe', 'orderbook_delta')]).toEqual([[], []]);
  });
});

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

  it('announces trades in YES terms, whatever the names of the taker', async () => {
    const rig = await liveRig();
    const msg = {
      trade_id: 'd91bc706-ee49-470d-82d8-11418bda6fed',
      market_ticker: MARKET,
      yes_price_dollars: '0.3600',
      no_price_dollars: '0.6400',
      count_fp: '136.00',
      ts: 1_669_149_841,
      ts_ms: 1_669_149_841_000,
    };
    const takers = [{ taker_outcome_side: 'no' }, { taker_book_side: 'bid' }, { taker_side: 'no' }, {}];
    for (const taker of takers)
      rig.venue.send({ type: 'trade', ...rig.venue.take('trade'), msg: { ...msg, ...taker } });
    // Before autumn 2026 trades had no number.
    rig.venue.send({ type: 'trade', sid: 3, msg });
    const trades = rig.sink.events.filter(event => event.kind === 'trade');
    expect(trades.map(({ takerSide }) => takerSide)).toEqual([
      TAKER_SELL,
      TAKER_BUY,
      TAKER_SELL,
      TAKER_UNKNOWN,
      TAKER_UNKNOWN,
    ]);
    expect(trades[0]).toMatchObject({
      book: 0,
      view: PRIMARY,
      price: 3600,
      size: 136_000_000,
      tradeId: msg.trade_id,
      venueTime: msg.ts_ms,
    });
    expect([rig.counters.read('trades'), rig.counters.read('sequenceGaps')]).toEqual([5, 0]);
  });

  it('counts a hole among the trades and goes on', async () => {
    const rig = await liveRig();
    rig.venue.take('trade');
    const msg = { trade_id: 't', market_ticker: MARKET, yes_price_dollars: '0.3600', count_fp: '1.00', ts_ms: 1 };
    rig.venue.send({ type: 'trade', ...rig.venue.take('trade'), msg });
    expect([rig.counters.read('sequenceGaps'), rig.counters.read('trades'), stateOf(rig)]).toEqual([
      1,
      1,
      'LIVE SNAPSHOT',
    ]);
  });

  it('ignores types that it does not know, and fields', async () => {
    const rig = await liveRig();
    rig.venue.send({ type: 'weather', sid: 9, msg: { rain: true } });
    rig.venue.send({
      ...(rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00') as object),
      client_order_id: 'x',
      novel: { a: [1] },
    });
    expect([rig.counters.read('unknownTypes'), rig.levels().bids[0]]).toEqual([1, '4@0.47']);
  });
});

describe('a stream that can no longer be trusted', () => {
  const faults: Record<string, (rig: FeedRig) => void> = {
    'a dropped frame': rig => {
      rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
      rig.venue.delta(OTHER, 'yes', '0.4700', '1.00');
    },
    'a repeated frame': rig => {
      const frame = rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
      rig.venue.send(frame);
      rig.venue.send(frame);
    },
    'two frames in the wrong order': rig => {
      const first = rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
      rig.venue.send(rig.venue.deltaFrame(OTHER, 'yes', '0.4700', '1.00'));
      rig.venue.send(first);
    },
    'a dropped acknowledgement': rig => {
      rig.venue.take('orderbook_delta');
      rig.venue.delta(MARKET, 'yes', '0.4700', '1.00');
    },
  };
  it.each(Object.keys(faults))('resynchronises every book after %s', async name => {
    const rig = await liveRig();
    faults[name]?.(rig);
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['RESYNCING SEQUENCE_GAP', 'RESYNCING SEQUENCE_GAP']);
    expect([rig.levels(0), rig.levels(1)]).toEqual([EMPTY, EMPTY]);
    expect(rig.counters.read('sequenceGaps')).toBe(1);
    expect(rig.venue.isOpen).toBe(false);
    rig.reconnect();
    expect([rig.levels(0), rig.levels(1), rig.book(0).epoch]).toEqual([LIVE, LIVE, 2]);
  });

  it.each([
    '{"type":"orderbook_delta","sid":2,"seq":3,"msg":{"market_ti',
    'not JSON',
    '',
    '[]',
    '{"sid":2,"seq":4}',
    '{"type":"orderbook_delta","msg":{}}',
  ])('resynchronises every book after the unreadable frame %j', async frame => {
    const rig = await liveRig();
    rig.venue.send(frame);
    expect([stateOf(rig, 0), stateOf(rig, 1), rig.counters.read('unreadable')]).toEqual([
      'RESYNCING UNREADABLE',
      'RESYNCING UNREADABLE',
      1,
    ]);
    rig.reconnect();
    expect([rig.levels(0), rig.levels(1)]).toEqual([LIVE, LIVE]);
  });

  it('hears nothing more of the old connection', async () => {
    const rig = await liveRig();
    const late = rig.venue.deltaFrame(MARKET, 'yes', '0.4700', '1.00');
    rig.venue.send('cut');
    rig.venue.send(late);
    expect([rig.levels(), rig.counters.read('deltas')]).toEqual([EMPTY, 0]);
  });
});

describe('one book that cannot be right', () => {
  const faults: Record<string, [reason: string, (rig: FeedRig) => void]> = {
    'a size below zero': ['NEGATIVE_SIZE', rig => rig.venue.delta(MARKET, 'yes', '0.4700', '-3.01')],
    'a crossed book': ['CROSSED', rig => rig.venue.delta(MARKET, 'no', '0.5300', '1.00')],
    'a delta whose size is no number': ['UNREADABLE', rig => rig.venue.delta(MARKET, 'yes', '0.4700', 'many')],
    'a delta of before 2026': [
      'UNREADABLE',
      rig =>
        rig.venue.send({
          type: 'orderbook_delta',
          ...rig.venue.take('orderbook_delta'),
          msg: { market_ticker: MARKET, price: 47, delta: -5, side: 'yes' },
        }),
    ],
    'a snapshot of before 2026': [
      'UNREADABLE',
      rig =>
        rig.venue.send({
          type: 'orderbook_snapshot',
          ...rig.venue.take('orderbook_delta'),
          msg: { market_ticker: MARKET, yes: [[47, 3]] },
        }),
    ],
  };
  it.each(Object.keys(faults))('is read anew after %s, its neighbour untouched', async name => {
    const rig = await liveRig();
    const [reason, fault] = faults[name] ?? ['', () => {}];
    fault(rig);
    expect([stateOf(rig), rig.levels()]).toEqual([`RESYNCING ${reason}`, EMPTY]);
    rig.venue.delta(MARKET, 'yes', '0.4700', '1.00');
    expect(rig.levels()).toEqual(EMPTY);
    await rig.timers.settle();
    expect(rig.venue.commandsOf('get_snapshot').map(({ params }) => params.market_tickers)).toEqual([[MARKET]]);
    expect([stateOf(rig), rig.levels(), rig.book().epoch]).toEqual(['LIVE SNAPSHOT', LIVE, 2]);
    expect([rig.levels(1), rig.book(1).epoch, rig.venue.handshakes.length]).toEqual([LIVE, 1, 1]);
  });

  it('asks no more often than allowed for a book that stays crossed', async () => {
    const rig = await liveRig();
    rig.venue.books.set(MARKET, { yes: [['0.5500', '1.00']], no: [['0.5000', '1.00']] });
    rig.venue.snapshot(MARKET);
    await rig.timers.settle();
    expect(rig.venue.commandsOf('get_snapshot')).toHaveLength(1);
    await rig.timers.settle(limits.venueBRecoveryPauseMs - 1);
    expect(rig.venue.commandsOf('get_snapshot').length + rig.venue.commandsOf('delete_markets').length).toBe(1);
    rig.venue.books.set(MARKET, BOOK);
    await rig.timers.settle(2 * limits.venueBSweepMs);
    expect(rig.levels()).toEqual(LIVE);
    expect(rig.counters.read('crossed')).toBe(2);
  });

  it('reads the grid again when a price is off it', async () => {
    const rig = await liveRig();
    rig.venue.markets.set(MARKET, {
      ticker: MARKET,
      status: 'active',
      price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0010' }],
    });
    rig.venue.books.set(MARKET, { yes: [['0.4750', '3.00']] });
    rig.venue.delta(MARKET, 'yes', '0.4750', '3.00');
    expect(stateOf(rig)).toBe('RESYNCING OFF_GRID');
    await rig.timers.settle();
    expect([rig.book().step, rig.levels()]).toEqual([10, { bids: ['3@0.475'], asks: [] }]);
  });

  it('subscribes a market anew whose snapshot stays away', async () => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK);
    rig.venue.addMarket(OTHER, BOOK);
    rig.connect();
    await rig.want(OTHER);
    rig.venue.withoutSnapshot.add('add_markets');
    await rig.want(MARKET);
    expect([rig.book(0).state, rig.book(1).state]).toEqual(['LIVE', 'RESYNCING']);
    rig.venue.withoutSnapshot.clear();
    await rig.timers.settle(limits.upstreamSnapshotMs + limits.venueBSweepMs);
    expect(
      rig.venue.commandsOf('delete_markets', 'orderbook_delta').map(({ params }) => params.market_tickers),
    ).toEqual([[MARKET]]);
    expect([rig.levels(1), rig.book(0).epoch]).toEqual([LIVE, 1]);
  });
});

describe('the connection', () => {
  it('loses every book with it and subscribes all of them again', async () => {
    const rig = await liveRig();
    rig.venue.drop('code 1006');
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['RESYNCING DISCONNECTED', 'RESYNCING DISCONNECTED']);
    rig.reconnect();
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta')[0]?.params.market_tickers).toEqual([MARKET, OTHER]);
    expect(rig.venue.commandsOf('subscribe')).toHaveLength(3);
    expect([rig.levels(0), rig.levels(1), rig.book(0).epoch]).toEqual([LIVE, LIVE, 2]);
    expect([rig.counters.read('connects'), rig.counters.read('disconnects')]).toEqual([2, 1]);
  });

  it('may die between the snapshots', async () => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK);
    rig.venue.addMarket(OTHER, BOOK);
    rig.venue.withoutSnapshot.add('subscribe');
    rig.connect();
    await rig.want(MARKET, OTHER);
    rig.venue.snapshot(MARKET);
    rig.venue.send('{"type":"orderbook_snapshot","sid":2,"seq":2,"msg":{"market_ticker":"KXNBA');
    rig.venue.drop('reset');
    expect([rig.book(0).state, rig.book(1).state]).toEqual(['RESYNCING', 'RESYNCING']);
    rig.venue.withoutSnapshot.clear();
    rig.reconnect();
    expect([rig.levels(0), rig.levels(1)]).toEqual([LIVE, LIVE]);
  });

  it('that is silent makes books STALE before it is given up', async () => {
    const rig = await liveRig();
    rig.timers.advance(2 * limits.upstreamSilenceMs);
    const announced = rig.sink.events.filter(event => event.kind === 'state' && event.book === 0);
    expect(announced).toMatchObject([
      { state: 'STALE', reason: 'SILENCE' },
      { state: 'RESYNCING', reason: 'DISCONNECTED' },
    ]);
    expect([rig.counters.read('silences'), rig.venue.isOpen]).toEqual([1, false]);
  });

  it('stays closed once the feed is closed', async () => {
    const rig = await liveRig();
    rig.feed.close();
    rig.timers.advance(10 * limits.upstreamBackoffMaxMs);
    expect([rig.venue.isOpen, rig.venue.handshakes.length, rig.timers.pending]).toEqual([false, 1, 0]);
  });
});

describe('answers of the venue', () => {
  it.each([10, 25])('subscribes again after error %i, which ends the subscription', async code => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.venue.error(code, { sid: 2 });
    expect([stateOf(rig, 0), rig.levels(0)]).toEqual(['RESYNCING VENUE_ERROR', EMPTY]);
    expect(rig.counters.read('venueErrors')).toBe(1);
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    const again = rig.venue.commandsOf('subscribe', 'orderbook_delta').slice(1);
    expect(again.map(({ params }) => params.market_tickers)).toEqual([[MARKET, OTHER]]);
    rig.venue.send({ type: 'subscribed', id: again[0]?.id, msg: { channel: 'orderbook_delta', sid: 4 } });
    const msg = { market_ticker: MARKET, market_id: 'x', yes_dollars_fp: [['0.4700', '1.00']] };
    rig.venue.send({ type: 'orderbook_snapshot', sid: 4, seq: 1, msg });
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['LIVE SNAPSHOT', 'RESYNCING VENUE_ERROR']);
    expect(rig.venue.handshakes).toHaveLength(1);
  });

  it('leaves the books alone when the trades end', async () => {
    const rig = await liveRig();
    rig.venue.error(25, { sid: 3 });
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    expect(rig.venue.commandsOf('subscribe', 'trade')).toHaveLength(2);
  });

  it('gives a refused command again, later and with fewer markets', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.venue.addMarket('KXA-1', BOOK);
    rig.venue.addMarket('KXA-2', BOOK);
    await rig.want('KXA-1', 'KXA-2');
    const refuse = (): void => {
      const last = rig.venue.commandsOf('add_markets', 'orderbook_delta').at(-1);
      rig.venue.error(18, { id: last?.id ?? 0 });
    };
    let sizes: (number | undefined)[] = [];
    for (let round = 0; round < 9; round += 1) {
      refuse();
      await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
      sizes = rig.venue.commandsOf('add_markets', 'orderbook_delta').map(({ params }) => params.market_tickers?.length);
    }
    expect([sizes[0], sizes.at(-1)]).toEqual([2, 1]);
    expect([stateOf(rig, 0), stateOf(rig, 2)]).toEqual(['LIVE SNAPSHOT', 'RESYNCING OPENING']);
  });

  it('merges: a subscription that the venue holds already is acknowledged under its number, then come the snapshots', async () => {
    const rig = new FeedRig();
    rig.venue.isAnswering = false;
    rig.venue.addMarket(MARKET, BOOK);
    rig.connect();
    await rig.want(MARKET);
    const [command] = rig.venue.commandsOf('subscribe', 'orderbook_delta');
    rig.venue.send({ type: 'ok', id: command?.id, sid: 7, seq: 41, msg: { market_tickers: [MARKET] } });
    rig.venue.send({
      type: 'orderbook_snapshot',
      sid: 7,
      seq: 42,
      msg: { market_ticker: MARKET, yes_dollars_fp: [['0.4700', '1.00']] },
    });
    rig.venue.send({
      type: 'orderbook_delta',
      sid: 7,
      seq: 43,
      msg: { market_ticker: MARKET, price_dollars: '0.4700', delta_fp: '1.00', side: 'yes' },
    });
    expect([rig.levels().bids, rig.counters.read('sequenceGaps')]).toEqual([['2@0.47'], 0]);
  });

  it('repeats a subscription whose acknowledgement never comes', async () => {
    const rig = new FeedRig();
    rig.venue.isAnswering = false;
    rig.venue.addMarket(MARKET, BOOK);
    rig.connect();
    await rig.want(MARKET);
    await rig.timers.settle(limits.upstreamSnapshotMs + limits.venueBSweepMs);
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta').map(({ params }) => params.market_tickers)).toEqual([
      [MARKET],
      [MARKET],
    ]);
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
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK, { status: 'inactive' });
    rig.connect();
    await rig.want(MARKET);
    expect([stateOf(rig), rig.levels()]).toEqual(['HALTED MARKET_PAUSED', LIVE]);
  });

  it.each(['determined', 'settled'])('closes a market that is %s and follows it no longer', async event => {
    const rig = await liveRig();
    rig.venue.lifecycle(MARKET, event, { result: 'yes' });
    expect([stateOf(rig), rig.levels()]).toEqual(['CLOSED MARKET_RESOLVED', LIVE]);
    rig.venue.delta(MARKET, 'yes', '0.4700', '-3.00');
    await rig.timers.settle();
    expect(rig.venue.commandsOf('delete_markets', 'orderbook_delta')[0]?.params.market_tickers).toEqual([MARKET]);
    rig.venue.drop('reset');
    rig.reconnect();
    expect([stateOf(rig, 0), rig.levels(0), stateOf(rig, 1)]).toEqual([
      'CLOSED MARKET_RESOLVED',
      LIVE,
      'LIVE SNAPSHOT',
    ]);
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta')[0]?.params.market_tickers).toEqual([OTHER]);
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
    const ranges = [
      { start: '0.0000', end: '0.1000', step: '0.0010' },
      { start: '0.1000', end: '0.9000', step: '0.0100' },
      { start: '0.9000', end: '1.0000', step: '0.0010' },
    ];
    rig.venue.lifecycle(MARKET, 'price_level_structure_updated', {
      price_level_structure: 'tapered_deci_cent',
      price_ranges: ranges,
    });
    rig.venue.delta(MARKET, 'yes', '0.0010', '5.00');
    expect([rig.book().step, rig.book().epoch, rig.levels().bids]).toEqual([10, 1, ['3@0.47', '10@0.46', '5@0.001']]);
  });

  it('reads the book anew where the new grid has no place for a level', async () => {
    const rig = await liveRig();
    rig.venue.lifecycle(MARKET, 'price_level_structure_updated', {
      price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0010' }],
    });
    rig.venue.delta(MARKET, 'yes', '0.4750', '1.00');
    rig.venue.lifecycle(MARKET, 'price_level_structure_updated', { price_ranges: LINEAR_CENT });
    expect([stateOf(rig), rig.book().step]).toEqual(['RESYNCING TICK_SIZE_CHANGED', 100]);
    await rig.timers.settle();
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
  });
});
