// Markets while the lifecycle channel is not heard. Their facts are read again once the channel is heard. Virtual time, a scripted venue, a
// recording sink.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { BOOK, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from './feed-rig.ts';
import { DECI_CENT } from './scripted-venue.ts';

const LIST = `http://venue.test/trade-api/v2/markets?tickers=${MARKET},${OTHER}&limit=2`;

/** Returns the tickers of each request for several markets so far. */
function lists(rig: FeedRig): string[][] {
  return rig.venue.asked
    .filter(url => url.includes('/markets?tickers='))
    .map(url => new URL(url).searchParams.get('tickers')?.split(',') ?? []);
}

/** Breaks the connection, lets `meanwhile` happen, connects, and lets the answers arrive. */
async function missing(rig: FeedRig, meanwhile: () => void): Promise<void> {
  rig.venue.drop('reset');
  meanwhile();
  rig.reconnect();
  await rig.timers.settle();
}

/** Holds REST answers back until the returned function is called. An answer has the state of the time of its request. */
function holdAnswers(rig: FeedRig): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  rig.venue.restDelay = promise;
  return async () => {
    rig.venue.restDelay = Promise.resolve();
    resolve();
    await rig.timers.settle();
  };
}

describe('while disconnected', () => {
  it('a pause is not missed', async () => {
    const rig = await liveRig();
    expect(lists(rig)).toEqual([]);
    await missing(rig, () => rig.venue.addMarket(MARKET, BOOK, { status: 'inactive' }));
    expect([stateOf(rig, 0), rig.levels(0)]).toEqual(['HALTED MARKET_PAUSED', LIVE]);
    expect([stateOf(rig, 1), rig.levels(1), rig.book(1).epoch]).toEqual(['LIVE SNAPSHOT', LIVE, 2]);
    expect(rig.venue.asked).toEqual([LIST]);
  });

  it('the end of a pause is not missed: the book is read anew', async () => {
    const rig = await liveRig();
    rig.venue.lifecycle(MARKET, 'deactivated');
    await missing(rig, () => {});
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
    expect(rig.named('get_snapshot')).toEqual([[MARKET]]);
  });

  it.each([
    ['closed', 'CLOSED MARKET_CLOSED'],
    ['determined', 'CLOSED MARKET_RESOLVED'],
    ['finalized', 'CLOSED MARKET_RESOLVED'],
  ])('a market that is %s is not followed further', async (status, state) => {
    const rig = await liveRig();
    await missing(rig, () => rig.venue.addMarket(MARKET, BOOK, { status }));
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual([state, 'LIVE SNAPSHOT']);
    rig.venue.delta(MARKET, 'yes', '0.4700', '-3.00');
    expect(rig.levels(0)).toEqual(LIVE);
    expect(rig.named('delete_markets')).toEqual([[MARKET]]);
  });

  it('a resolved market is not asked for again, a closed one is, and says so once it is resolved', async () => {
    const rig = await liveRig();
    rig.venue.lifecycle(OTHER, 'settled');
    await missing(rig, () => rig.venue.addMarket(MARKET, BOOK, { status: 'closed' }));
    await missing(rig, () => rig.venue.addMarket(MARKET, BOOK, { status: 'finalized' }));
    await missing(rig, () => {});
    expect([stateOf(rig), lists(rig)]).toEqual(['CLOSED MARKET_RESOLVED', [[MARKET], [MARKET]]]);
  });

  it('a closing time is moved', async () => {
    const rig = await liveRig();
    const closingIn = (ms: number) => ({ close_time: new Date(rig.timers.now() + ms).toISOString() });
    await missing(rig, () => rig.venue.addMarket(MARKET, BOOK, closingIn(1_000)));
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['CLOSED MARKET_CLOSED', 'LIVE SNAPSHOT']);
    await missing(rig, () => rig.venue.addMarket(MARKET, BOOK, closingIn(60_000)));
    expect([stateOf(rig), rig.levels(), rig.book().epoch]).toEqual(['LIVE SNAPSHOT', LIVE, 3]);
  });

  it('the grid becomes finer, no price of the book telling', async () => {
    const rig = await liveRig();
    await missing(rig, () => rig.venue.addMarket(MARKET, BOOK, { price_ranges: DECI_CENT }));
    expect([rig.book(0).step, rig.book(1).step, rig.levels()]).toEqual([10, 100, LIVE]);
    rig.venue.delta(MARKET, 'yes', '0.4750', '1.00');
    expect([rig.levels().bids[0], rig.book().epoch]).toEqual(['1@0.475', 2]);
  });

  it('a market that the venue no longer lists keeps its facts', async () => {
    const rig = await liveRig();
    rig.venue.lifecycle(MARKET, 'deactivated');
    await missing(rig, () => {
      rig.venue.markets.delete(MARKET);
      rig.venue.addMarket(OTHER, BOOK, { status: 'inactive' });
    });
    await rig.timers.settle(2 * limits.venueBSweepMs);
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['HALTED MARKET_PAUSED', 'HALTED MARKET_PAUSED']);
    expect(lists(rig)).toHaveLength(1);
  });
});

describe('while the life of markets is not heard', () => {
  it('facts are not trusted that were asked for before', async () => {
    const rig = new FeedRig();
    rig.venue.addMarket(MARKET, BOOK);
    rig.feed.start();
    const release = holdAnswers(rig);
    const wanted = rig.want(MARKET);
    rig.venue.addMarket(MARKET, BOOK, { status: 'inactive' });
    rig.venue.open();
    await release();
    await wanted;
    await rig.timers.settle(limits.venueBSweepMs);
    expect([stateOf(rig), rig.levels()]).toEqual(['HALTED MARKET_PAUSED', LIVE]);
  });

  const endings: Record<string, (rig: FeedRig) => void> = {
    'an error': rig => rig.venue.error(10, { sid: rig.venue.take('market_lifecycle_v2').sid }),
    'a word': rig => rig.venue.send({ type: 'unsubscribed', ...rig.venue.take('market_lifecycle_v2') }),
  };
  it.each(Object.keys(endings))('because the venue ended it with %s, facts are read once it is back', async name => {
    const rig = await liveRig();
    rig.venue.addMarket(MARKET, BOOK, { status: 'inactive' });
    endings[name]?.(rig);
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    expect([stateOf(rig, 0), stateOf(rig, 1), rig.book(1).epoch]).toEqual(['HALTED MARKET_PAUSED', 'LIVE SNAPSHOT', 1]);
    expect([lists(rig), rig.venue.handshakes.length]).toEqual([[[MARKET, OTHER]], 1]);
  });
});

it('a hole in the lives of markets may have been a pause: facts are read again, books stay', async () => {
  const rig = await liveRig();
  rig.venue.addMarket(MARKET, BOOK, { status: 'inactive' });
  // The message of the pause takes a sequence number and is lost. The next event shows the gap.
  rig.venue.take('market_lifecycle_v2');
  rig.venue.lifecycle(OTHER, 'metadata_updated');
  await rig.timers.settle();
  expect([stateOf(rig, 0), stateOf(rig, 1), rig.book(1).epoch]).toEqual(['HALTED MARKET_PAUSED', 'LIVE SNAPSHOT', 1]);
  expect([lists(rig), rig.venue.handshakes.length]).toEqual([[[MARKET, OTHER]], 1]);
});

describe('reading facts again', () => {
  it('is tried again with the sweep after a failure', async () => {
    const rig = await liveRig();
    await missing(rig, () => {
      rig.venue.addMarket(MARKET, BOOK, { status: 'inactive' });
      rig.venue.restStatus = 503;
    });
    await rig.timers.settle(limits.venueBSweepMs);
    expect([stateOf(rig), lists(rig).length]).toEqual(['LIVE SNAPSHOT', 2]);
    rig.venue.restStatus = 200;
    await rig.timers.settle(limits.venueBSweepMs);
    expect([stateOf(rig, 0), stateOf(rig, 1), lists(rig).length]).toEqual(['HALTED MARKET_PAUSED', 'LIVE SNAPSHOT', 3]);
    await rig.timers.settle(limits.venueBSweepMs);
    expect(lists(rig)).toHaveLength(3);
  });

  it('is given up after a bounded number of failures, and begun again with the next connection', async () => {
    const rig = await liveRig();
    await missing(rig, () => {
      rig.venue.restStatus = 503;
    });
    for (let sweep = 0; sweep < limits.venueBListAttemptsMax + 5; sweep += 1) {
      rig.venue.delta(MARKET, 'yes', '0.4700', '1.00');
      await rig.timers.settle(limits.venueBSweepMs);
    }
    expect([stateOf(rig), lists(rig).length]).toEqual(['LIVE SNAPSHOT', limits.venueBListAttemptsMax]);
    await missing(rig, () => {});
    expect(lists(rig)).toHaveLength(limits.venueBListAttemptsMax + 1);
  });

  it('takes as many requests as it needs, of bounded length, and a bounded number in each sweep', async () => {
    const perList = Math.floor(limits.venueBTickerListBytes / 'KXMANY-10000,'.length);
    const length = (limits.venueBListsPerSweep + 1) * perList;
    const tickers = Array.from({ length }, (_, at) => `KXMANY-${10_000 + at}`);
    const rig = await FeedRig.withMarkets(Object.fromEntries(tickers.map(ticker => [ticker, BOOK])));
    await missing(rig, () => {
      for (const ticker of tickers) rig.venue.addMarket(ticker, BOOK, { status: 'inactive' });
    });
    const halted = () => rig.sink.books.filter(({ state }) => state === 'HALTED').length;
    expect([lists(rig).length, halted()]).toEqual([limits.venueBListsPerSweep, limits.venueBListsPerSweep * perList]);
    await rig.timers.settle(limits.venueBSweepMs);
    expect([lists(rig).flat(), halted()]).toEqual([tickers, tickers.length]);
    expect(Math.max(...lists(rig).map(list => list.join().length))).toBeLessThanOrEqual(limits.venueBTickerListBytes);
  });

  it('does not take back what an event has said meanwhile', async () => {
    const rig = await liveRig();
    rig.venue.drop('reset');
    rig.venue.addMarket(MARKET, BOOK, { status: 'inactive' });
    const release = holdAnswers(rig);
    rig.reconnect();
    rig.venue.addMarket(MARKET, BOOK);
    rig.venue.lifecycle(MARKET, 'activated');
    await release();
    await rig.timers.settle(limits.venueBSweepMs);
    const halts = rig.sink.events.filter(event => event.kind === 'state' && event.state === 'HALTED');
    expect([stateOf(rig), halts, lists(rig)]).toEqual(['LIVE SNAPSHOT', [], [[MARKET, OTHER], [MARKET]]]);
  });

  it('ignores an answer that was asked for on an earlier connection', async () => {
    const rig = await liveRig();
    rig.venue.drop('reset');
    rig.venue.addMarket(MARKET, BOOK, { status: 'finalized' });
    const release = holdAnswers(rig);
    rig.reconnect();
    rig.venue.drop('reset again');
    await release();
    expect([stateOf(rig), lists(rig).length]).toEqual(['RESYNCING DISCONNECTED', 1]);
  });

  it('forgets a market that is no longer wanted when the answer comes', async () => {
    const rig = await liveRig();
    const release = holdAnswers(rig);
    await missing(rig, () => {
      for (const ticker of [MARKET, OTHER]) rig.venue.addMarket(ticker, BOOK, { status: 'inactive' });
    });
    rig.feed.unsubscribe(MARKET);
    await release();
    expect([stateOf(rig, 0), stateOf(rig, 1)]).toEqual(['LIVE SNAPSHOT', 'HALTED MARKET_PAUSED']);
  });

  it('forgets a market that is no longer wanted when it would be asked for again', async () => {
    const rig = await liveRig();
    await missing(rig, () => {
      rig.venue.restStatus = 503;
    });
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle(limits.venueBSweepMs);
    expect(lists(rig)).toEqual([[MARKET, OTHER], [OTHER]]);
  });
});
