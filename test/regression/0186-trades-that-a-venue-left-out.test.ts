// Trades that a venue left out, or that could not be read, were counted but not reported. So followers of a market's trades took the tape
// for complete.

import { describe, expect, it } from 'vitest';
import { PRIMARY } from '../../src/domain/market.ts';
import { limits } from '../../src/limits.ts';
import { RigClient, startRig, TICKER } from '../support/stream-rig.ts';
import { liveRig as venueARig } from '../venues/venue-a/feed-rig.ts';
import { type FeedRig, liveRig, MARKET, OTHER } from '../venues/venue-b/feed-rig.ts';

const TRADE = {
  trade_id: 'a2cb4b2e-d9a1-4d56-95f5-5e9a3d2a5f01',
  market_ticker: MARKET,
  yes_price_dollars: '0.4700',
  count_fp: '1.00',
  taker_side: 'yes',
  ts_ms: 1_781_159_489_957,
};

/** Trades and holes in the order of the tape: tickers, marked where trades are missing. */
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
  expect(await trades.hear('error')).toMatchObject({
    code: 'TRADES_MISSED',
    message: expect.stringContaining(TICKER),
    rejected: [],
  });
  await book.hear('delta');
  expect(book.heard.some(({ type }) => type === 'error')).toBe(false);
  for (const one of [trades, book]) one.close();
  rig.close();
});
