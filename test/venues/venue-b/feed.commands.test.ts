// The feed's commands to venue B, and how the feed reads the answers. Virtual time, a scripted venue, a recording sink.

import { describe, expect, it } from 'vitest';
import { PRIMARY } from '../../../src/core/domain/market.ts';
import { limits } from '../../../src/limits.ts';
import { verifyVenueBRequest } from '../../../src/venues/venue-b/auth.ts';
import { BOOK, EMPTY, FeedRig, KEY_ID, LIVE, liveRig, MARKET, OTHER, publicKey, stateOf } from './feed-rig.ts';

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
    const books = Object.fromEntries(tickers.map(ticker => [ticker, BOOK]));
    const rig = await FeedRig.withMarkets(books, { isAnswering: false });
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
    expect(rig.venue.asked).toEqual([]);
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
    expect([rig.named('delete_markets'), rig.named('delete_markets', 'trade')]).toEqual([[[MARKET]], [[MARKET]]]);
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

  it('that the venue refuses is asked for again: the market goes in the end', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle();
    const deletions = () => rig.venue.commandsOf('delete_markets', 'orderbook_delta');
    rig.venue.error(18, { id: deletions()[0]!.id });
    expect(deletions()).toHaveLength(1);
    rig.venue.isAnswering = true;
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    expect(deletions().map(({ params }) => params.market_tickers)).toEqual([[MARKET], [MARKET]]);
    expect([rig.book(0).isReleased, stateOf(rig, 1), rig.levels(1)]).toEqual([true, 'LIVE SNAPSHOT', LIVE]);
  });

  it('from the last market, which nobody confirms, holds up nothing that is wanted meanwhile', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.feed.unsubscribe(MARKET);
    rig.feed.unsubscribe(OTHER);
    await rig.timers.settle();
    expect(rig.venue.commandsOf('unsubscribe', 'orderbook_delta')).toHaveLength(1);
    await rig.want(OTHER);
    await rig.timers.settle(limits.upstreamSnapshotMs + limits.venueBSweepMs);
    const [added] = rig.venue.commandsOf('add_markets', 'orderbook_delta');
    expect([added?.params.market_tickers, stateOf(rig, 2)]).toEqual([[OTHER], 'RESYNCING OPENING']);
    // The venue has ended the subscription after all.
    rig.venue.error(7, { id: added!.id });
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    const [, again] = rig.venue.commandsOf('subscribe', 'orderbook_delta');
    expect(again?.params.market_tickers).toEqual([OTHER]);
  });

  it('forgets a market that is unwanted before the venue has described it', async () => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK);
    rig.connect();
    const outcome = rig.feed.subscribe(MARKET);
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle();
    expect(await outcome).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
    expect([rig.sink.books, rig.venue.commandsOf('subscribe', 'orderbook_delta')]).toEqual([[], []]);
  });
});

describe('answers of the venue', () => {
  it.each([10, 25])('subscribes again after error %i, which ends the subscription', async code => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.venue.error(code, { sid: 2 });
    expect([stateOf(rig, 0), rig.levels(0)]).toEqual(['RESYNCING VENUE_ERROR', EMPTY]);
    expect(rig.counters.read('venueErrors')).toBe(1);
    expect(rig.venue.commandsOf('subscribe', 'orderbook_delta')).toHaveLength(1);
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    const again = rig.venue.commandsOf('subscribe', 'orderbook_delta').slice(1);
    expect(again.map(({ params }) => params.market_tickers)).toEqual([[MARKET, OTHER]]);
    rig.venue.send({ type: 'subscribed', id: again[0]?.id, msg: { channel: 'orderbook_delta', sid: 4 } });
    const msg = { market_ticker: MARKET, market_id: 'x', yes_dollars_fp: [['0.4700', '1.00']] };
    rig.venue.send({ type: 'orderbook_snapshot', sid: 4, seq: 1, msg });
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['LIVE SNAPSHOT', 'RESYNCING VENUE_ERROR']);
    expect(rig.venue.handshakes).toHaveLength(1);
  });

  it('subscribes again with what was being added when the subscription ended, and without what was being deleted', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.venue.addMarket('KXA-1', BOOK);
    await rig.want('KXA-1');
    expect(rig.venue.commandsOf('add_markets', 'orderbook_delta')).toHaveLength(1);
    rig.venue.error(25, { sid: 2 });
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    const carried = () => rig.venue.commandsOf('subscribe', 'orderbook_delta').at(-1)?.params.market_tickers;
    expect(carried()).toEqual([MARKET, OTHER, 'KXA-1']);

    const other = await liveRig();
    other.venue.isAnswering = false;
    other.feed.unsubscribe(MARKET);
    await other.timers.settle();
    expect(other.venue.commandsOf('delete_markets', 'orderbook_delta')).toHaveLength(1);
    other.venue.error(25, { sid: 2 });
    await other.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    expect(other.venue.commandsOf('subscribe', 'orderbook_delta').at(-1)?.params.market_tickers).toEqual([OTHER]);
  });

  it('trusts nothing after an error that ends a subscription which is not ours', async () => {
    const rig = await liveRig();
    rig.venue.error(25, { sid: 9 });
    expect([stateOf(rig, 0), rig.levels(0)]).toEqual(['RESYNCING VENUE_ERROR', EMPTY]);
    expect(rig.venue.isOpen).toBe(false);
    rig.reconnect();
    expect([stateOf(rig, 0), rig.levels(0)]).toEqual(['LIVE SNAPSHOT', LIVE]);
  });

  it('misses a frame by the number of an acknowledgement, which counts like any other', async () => {
    const rig = await liveRig();
    rig.venue.take('orderbook_delta');
    rig.venue.send({ type: 'ok', id: 99, ...rig.venue.take('orderbook_delta'), msg: { market_tickers: [] } });
    expect([stateOf(rig, 0), rig.levels(0)]).toEqual(['RESYNCING SEQUENCE_GAP', EMPTY]);
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
    const rig = await FeedRig.withMarkets({ [MARKET]: BOOK }, { isAnswering: false });
    const [command] = rig.venue.commandsOf('subscribe', 'orderbook_delta');
    rig.venue.send({ type: 'ok', id: command?.id, sid: 7, seq: 41, msg: { market_tickers: [MARKET] } });
    const snapshot = { market_ticker: MARKET, yes_dollars_fp: [['0.4700', '1.00']] };
    rig.venue.send({ type: 'orderbook_snapshot', sid: 7, seq: 42, msg: snapshot });
    const delta = { market_ticker: MARKET, price_dollars: '0.4700', delta_fp: '1.00', side: 'yes' };
    rig.venue.send({ type: 'orderbook_delta', sid: 7, seq: 43, msg: delta });
    expect([rig.levels().bids, rig.counters.read('sequenceGaps')]).toEqual([['2@0.47'], 0]);
  });

  it('repeats a subscription whose acknowledgement never comes', async () => {
    const rig = await FeedRig.withMarkets({ [MARKET]: BOOK }, { isAnswering: false });
    await rig.timers.settle(limits.upstreamSnapshotMs + limits.venueBSweepMs);
    expect(rig.named('subscribe')).toEqual([[MARKET], [MARKET]]);
  });
});
