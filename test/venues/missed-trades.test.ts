// Trades that a venue left out of its stream, and markets that a venue does not know.

import { describe, expect, it } from 'vitest';
import { PRIMARY } from '../../src/core/domain/market.ts';
import type { ClientMessage, ServerMessage } from '../../src/core/wire/messages.ts';
import { limits } from '../../src/limits.ts';
import { RigClient, startRig, TICKER } from '../support/stream-rig.ts';
import { liveRig as venueARig } from './venue-a/feed-rig.ts';
import { FeedRig, liveRig, MARKET, OTHER } from './venue-b/feed-rig.ts';

// Trades that a venue left out, or that could not be read, were counted but not reported. So the followers of a market took its trades for
// complete.
describe('0186: trades that a venue left out', () => {
  const TRADE = {
    ...{ trade_id: 'a2cb4b2e-d9a1-4d56-95f5-5e9a3d2a5f01', market_ticker: MARKET, taker_side: 'yes' },
    ...{ yes_price_dollars: '0.4700', count_fp: '1.00', ts_ms: 1_781_159_489_957 },
  };

  /** Returns trades and gaps in the order of the tape, as tickers with a mark where trades are missing. */
  function reported(rig: FeedRig): string[] {
    const tickers = [MARKET, OTHER];
    return rig.sink.events.flatMap(event => {
      if (event.kind === 'trade') return [tickers[event.book]!];
      return event.kind === 'tradesMissed' ? [`missed ${tickers[event.book]}`] : [];
    });
  }

  const trade = (rig: FeedRig, more: object = {}) =>
    rig.venue.send({ type: 'trade', ...rig.venue.take('trade'), msg: { ...TRADE, ...more } });

  describe('venue B', () => {
    it('a hole in the numbers is reported of every market that is carried, before the trade behind it', async () => {
      const rig = await liveRig();
      trade(rig);
      rig.venue.take('trade');
      trade(rig);
      expect(reported(rig)).toEqual([MARKET, `missed ${MARKET}`, `missed ${OTHER}`, MARKET]);
    });

    it('a trade that cannot be read is reported of its market, or of all where it names none', async () => {
      const rig = await liveRig();
      trade(rig, { count_fp: 1 });
      trade(rig, { count_fp: 1, market_ticker: 'KXNEVER' });
      expect(reported(rig)).toEqual([`missed ${MARKET}`]);
      trade(rig, { market_ticker: null });
      expect(reported(rig)).toEqual([`missed ${MARKET}`, `missed ${MARKET}`, `missed ${OTHER}`]);
    });

    it.each([10, 25])(
      'after error %i it is reported at once, and once more when the market is carried again',
      async code => {
        const rig = await liveRig();
        const { sid } = rig.venue.take('trade');
        rig.venue.isAnswering = false;
        rig.venue.error(code, { sid });
        expect(reported(rig)).toEqual([`missed ${MARKET}`, `missed ${OTHER}`]);
        await rig.timers.settle(limits.venueBCommandRetryMs);
        const again = rig.venue.commandsOf('subscribe', 'trade').at(-1)!;
        expect(again.params.market_tickers).toEqual([MARKET, OTHER]);
        expect(reported(rig)).toHaveLength(2);
        rig.venue.answer(again);
        expect(reported(rig).slice(2)).toEqual([`missed ${MARKET}`, `missed ${OTHER}`]);
        trade(rig);
        expect(reported(rig).slice(4)).toEqual([MARKET]);
      },
    );

    it('an unanswered addition is requested again', async () => {
      const rig = await liveRig();
      rig.venue.addMarket('KXLATE', {});
      rig.venue.isAnswering = false;
      await rig.want('KXLATE');
      await rig.timers.settle(limits.upstreamSnapshotMs);
      await rig.timers.settle(limits.upstreamSnapshotMs);
      const additions = rig.venue.commandsOf('add_markets', 'trade');
      expect(additions.map(({ params }) => params.market_tickers)).toEqual([['KXLATE'], ['KXLATE']]);
      rig.venue.answer(additions.at(-1)!);
      await rig.timers.settle(2 * limits.upstreamSnapshotMs);
      expect(rig.venue.commandsOf('add_markets', 'trade')).toHaveLength(2);
    });

    it('of a market without subscribers nothing is reported', async () => {
      const rig = await liveRig();
      const { sid } = rig.venue.take('trade');
      rig.venue.error(25, { sid });
      rig.feed.unsubscribe(OTHER);
      await rig.timers.settle(limits.venueBCommandRetryMs);
      expect(reported(rig)).toEqual([`missed ${MARKET}`, `missed ${OTHER}`, `missed ${MARKET}`]);
    });

    it('markets that come and go have missed nothing', async () => {
      const rig = await liveRig();
      rig.feed.unsubscribe(MARKET);
      rig.feed.unsubscribe(OTHER);
      await rig.timers.settle();
      await rig.want(OTHER);
      rig.feed.unsubscribe(OTHER);
      await rig.want(OTHER, MARKET);
      expect(reported(rig)).toEqual([]);
    });
  });

  it('venue A: a trade that cannot be read is reported of its market', async () => {
    const { twin, rig } = await venueARig();
    rig.socket.send(twin.tradeEvent(PRIMARY, '0.52', '17', 'SELL'));
    rig.socket.send({ ...twin.tradeEvent(PRIMARY, '0.52', '17', 'SELL'), size: 'many' });
    const kinds = rig.sink.events.map(({ kind }) => kind);
    expect(kinds.slice(-2)).toEqual(['trade', 'tradesMissed']);
  });

  it('subscribers of trades hear it in the order of the tape, those of the book alone do not', async () => {
    const rig = await startRig();
    const [trades, book] = [await RigClient.connect(rig), await RigClient.connect(rig)];
    trades.subscribe('t', 'trade', TICKER);
    book.subscribe('b', 'book', TICKER);
    await Promise.all([trades.hear('subscribed'), book.hear('subscribed')]);
    rig.snapshot(TICKER, 5_000, 5_200);
    await book.hear('snapshot');
    rig.writer.tradesMissed(rig.bookOf(TICKER));
    rig.change(TICKER, 'bid', 4_900, 7);
    const message = expect.stringContaining(TICKER);
    expect(await trades.hear('error')).toMatchObject({ code: 'TRADES_MISSED', message, rejected: [] });
    await book.hear('delta');
    expect(book.heard.some(({ type }) => type === 'error')).toBe(false);
    for (const one of [trades, book]) one.close();
    rig.close();
  });
});

// Found on the running product. A message with a hundred unknown tickers of venue B took ten seconds, because the tickers were requested
// one after the other. The next request of that connection, for a market of venue A, waited for them. An unreadable book reported
// RESYNCING/OFF_GRID again at each attempt.
describe('3011: unknown markets beside others', () => {
  const UNKNOWN = Array.from({ length: 100 }, (_, at) => `KXNOSUCHMARKET-26NOV21-${at}`);

  describe('markets that a list of venue B leaves out', () => {
    it('are all unknown as soon as one of them is', async () => {
      const rig = new FeedRig();
      rig.venue.addMarket(MARKET);
      rig.connect();
      const outcomes = Promise.all([...UNKNOWN, MARKET].map(ticker => rig.feed.subscribe(ticker)));
      await rig.timers.settle();
      await rig.timers.settle(limits.venueBFactsGapMs);
      const [first, ...others] = (await outcomes).toReversed();
      expect(first).toMatchObject({ book: 0 });
      const unknown = (ticker: string) => ({ code: 'UNKNOWN_MARKET', message: `venue B has no market ${ticker}` });
      expect(others.toReversed()).toEqual(UNKNOWN.map(unknown));
      expect(rig.venue.asked.map(url => new URL(url).pathname.split('/').at(-1))).toEqual(['markets', UNKNOWN[0]]);
    });

    it('are requested one by one if one of them exists', async () => {
      const rig = new FeedRig();
      const [late, ...unknown] = UNKNOWN.slice(0, 4);
      rig.connect();
      const outcomes = Promise.all([late!, ...unknown].map(ticker => rig.feed.subscribe(ticker)));
      await rig.timers.settle();
      // The market is created between the request of the list and the request of the market itself.
      rig.venue.addMarket(late!);
      for (let asked = 0; asked <= unknown.length; asked++) await rig.timers.settle(limits.venueBFactsGapMs);
      expect(await outcomes).toMatchObject([{ book: 0 }, ...unknown.map(() => ({ code: 'UNKNOWN_MARKET' }))]);
      expect(rig.venue.asked).toHaveLength(1 + 1 + unknown.length);
    });

    it('are not those whose row cannot be read', async () => {
      const rig = new FeedRig();
      rig.venue.addMarket(MARKET, {}, { price_ranges: 'none' });
      rig.connect();
      const outcomes = Promise.all([...UNKNOWN.slice(0, 2), MARKET].map(ticker => rig.feed.subscribe(ticker)));
      for (let asked = 0; asked < 3; asked++) await rig.timers.settle(limits.venueBFactsGapMs);
      const codes = (await outcomes).map(outcome => 'code' in outcome && outcome.code);
      expect(codes).toEqual(['UNKNOWN_MARKET', 'UNKNOWN_MARKET', 'VENUE_UNAVAILABLE']);
    });

    it('wait for the venue’s budget as a single requested one does', async () => {
      const rig = new FeedRig();
      rig.connect();
      rig.venue.readsLeft = 1;
      const outcomes = Promise.all(UNKNOWN.map(ticker => rig.feed.subscribe(ticker)));
      await rig.timers.settle();
      for (let asked = 0; asked < 5; asked++) await rig.timers.settle(limits.venueBFactsGapMs);
      rig.venue.readsLeft = 1;
      await rig.timers.settle(limits.venueBFactsGapMs);
      const codes = (await outcomes).map(outcome => 'code' in outcome && outcome.code);
      expect(new Set(codes)).toEqual(new Set(['UNKNOWN_MARKET']));
    });
  });

  describe('on a connection', () => {
    const answered = ({ heard }: RigClient): readonly string[] =>
      heard.flatMap(message => ('id' in message && message.id !== null && isAnswer(message) ? [message.id] : []));
    const isAnswer = ({ type }: ServerMessage): boolean => ['subscribed', 'unsubscribed', 'error'].includes(type);
    const about = (op: 'subscribe' | 'unsubscribe', id: string, ...tickers: readonly string[]): ClientMessage => ({
      ...{ op, id, channel: 'trade' },
      markets: tickers.map(ticker => ({ market: { venue: 'venue_b', ticker }, side: null })),
    });

    it('a request waits for no other market, and for those before it about its own', async () => {
      const rig = await startRig({ answersByItself: false });
      const client = await RigClient.connect(rig);
      client.say(about('subscribe', 'slow', 'KX-A', 'KX-SLOW'));
      client.say(about('unsubscribe', 'behind slow', 'KX-A', 'KX-C'));
      client.say(about('subscribe', 'behind both', 'KX-C'));
      client.say(about('subscribe', 'quick', 'KX-B'));
      client.say(about('unsubscribe', 'behind quick', 'KX-B'));
      client.say({ op: 'ping', id: 'all are there' });
      await client.hear('pong');
      for (const ticker of ['KX-A', 'KX-B']) rig.answer(ticker);
      await client.until(() => answered(client).length === 2);
      expect(answered(client)).toEqual(['quick', 'behind quick']);
      rig.answer('KX-SLOW');
      await client.until(() => answered(client).length === 4);
      client.say({ op: 'ping', id: 'it is asked for' });
      await client.hear('pong', ({ id }) => id === 'it is asked for');
      rig.answer('KX-C');
      await client.until(() => answered(client).length === 5);
      expect(answered(client).slice(2)).toEqual(['slow', 'behind slow', 'behind both']);
      client.close();
      rig.close();
    });

    it('requests under way together hold no more markets than marketsPerConnectionMax', async () => {
      const rig = await startRig({ answersByItself: false });
      const client = await RigClient.connect(rig);
      const tickers = Array.from({ length: limits.marketsPerConnectionMax + 1 }, (_, at) => `KX-${at}`);
      for (let at = 0; at < tickers.length; at += 100) {
        client.say(about('subscribe', `from ${at}`, ...tickers.slice(at, at + 100)));
      }
      const refused = await client.hear('error');
      expect(refused.rejected).toMatchObject([{ code: 'SUBSCRIPTION_LIMIT', market: { ticker: tickers.at(-1) } }]);
      for (const ticker of tickers.slice(0, -1)) rig.answer(ticker);
      await client.until(() => answered(client).length === 11);
      client.close();
      rig.close();
    });
  });

  describe('RESYNCING/OFF_GRID', () => {
    it('is reported once, however often the book is requested in vain', async () => {
      const rig = await liveRig();
      Object.assign(rig.sink, { regrid: () => false });
      rig.venue.books.set(MARKET, { yes: [['0.4655', '10.00']] });
      rig.venue.delta(MARKET, 'yes', '0.4655', '10.00');
      for (let second = 0; second < 6; second++) await rig.timers.settle(limits.venueBRecoveryPauseMs);
      expect(rig.venue.commandsOf('get_snapshot').length).toBeGreaterThan(3);
      const reported = rig.sink.events.filter(event => event.kind === 'state' && event.reason === 'OFF_GRID');
      expect(reported).toHaveLength(1);
    });

    it('reaches clients once, and again after another reason', async () => {
      const rig = await startRig();
      const client = await RigClient.connect(rig);
      client.subscribe('s', 'book', TICKER);
      await client.hear('subscribed');
      for (const reason of ['OFF_GRID', 'OFF_GRID', 'OFF_GRID', 'CROSSED', 'CROSSED', 'OFF_GRID'] as const) {
        rig.writer.begin(rig.bookOf(TICKER));
        rig.writer.clear(rig.bookOf(TICKER));
        rig.writer.abandon(rig.bookOf(TICKER), reason);
      }
      rig.snapshot(TICKER, 5_200, 5_400);
      await client.hear('snapshot');
      const reasons = client.heard.flatMap(message => (message.type === 'state' ? [message.reason] : []));
      expect(reasons.filter(reason => reason !== 'OPENING')).toEqual(['OFF_GRID', 'CROSSED', 'OFF_GRID']);
      client.close();
      rig.close();
    });
  });
});
