// Feed of venue B: lists, subscriptions and silence.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { BOOK, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from './feed-rig.ts';
import { DECI_CENT, LINEAR_CENT } from './scripted-venue.ts';

// Two hundred markets of venue B, subscribed at once, exceeded its smallest read budget of 20 requests a second. Each market took a request
// of its own, and a 429 refused the market.
describe('0071: more markets than the read budget', () => {
  const READS_PER_S = 20;
  const TICKERS = Array.from({ length: 200 }, (_, at) => `KXNBAGAME-26NOV21BOSLAL-${at}`);

  function rigOf(tickers: readonly string[]): FeedRig {
    const rig = new FeedRig();
    for (const ticker of tickers) rig.venue.addMarket(ticker);
    rig.connect();
    return rig;
  }

  describe('markets that are wanted at once', () => {
    it('are all described within the smallest budget', async () => {
      const rig = rigOf(TICKERS);
      rig.venue.readsLeft = READS_PER_S;
      const outcomes = await rig.want(...TICKERS);
      expect(outcomes.filter(outcome => 'code' in outcome)).toEqual([]);
      expect(rig.venue.asked.length).toBeLessThan(READS_PER_S / 2);
    });

    it('are requested at a pace that leaves half of it to others', async () => {
      const tickers = Array.from({ length: 100 }, (_, at) => `KX-${at}`);
      const rig = rigOf(tickers);
      const outcomes: unknown[] = [];
      for (const ticker of tickers) {
        void rig.feed.subscribe(ticker).then(outcome => outcomes.push(outcome));
        await rig.timers.settle(10);
      }
      expect(rig.venue.asked.length).toBeLessThanOrEqual(READS_PER_S / 2 + 1);
      await rig.timers.settle(limits.venueBFactsGapMs);
      expect(outcomes).toHaveLength(tickers.length);
    });

    it('of which one is unknown, are distinguished', async () => {
      const rig = rigOf(TICKERS.slice(0, 2));
      const outcomes = await rig.want(...TICKERS.slice(0, 3));
      expect(outcomes).toMatchObject([{ book: 0 }, { book: 1 }, { code: 'UNKNOWN_MARKET' }]);
      expect(rig.venue.asked.at(-1)).toMatch(new RegExp(`/markets/${TICKERS[2]}$`));
    });
  });

  describe('a list that the venue refuses', () => {
    it('is repeated one by one: it may be due to one of them', async () => {
      const rig = rigOf(TICKERS.slice(0, 2));
      rig.venue.listStatus = 400;
      const outcomes = Promise.all(TICKERS.slice(0, 3).map(ticker => rig.feed.subscribe(ticker)));
      for (let gap = 0; gap < 4; gap++) await rig.timers.settle(limits.venueBFactsGapMs);
      expect(await outcomes).toMatchObject([{ book: 0 }, { book: 1 }, { code: 'UNKNOWN_MARKET' }]);
    });

    it('because it fails is refused at once', async () => {
      const rig = rigOf(TICKERS.slice(0, 2));
      rig.venue.listStatus = 503;
      const refused = { code: 'VENUE_UNAVAILABLE' };
      expect(await rig.want(...TICKERS.slice(0, 2))).toMatchObject([refused, refused]);
    });
  });

  describe('a budget that is used up', () => {
    it.each([1, 3])('is no refusal: the venue is asked again (%i markets)', async count => {
      const tickers = TICKERS.slice(0, count);
      const rig = rigOf(tickers);
      rig.venue.readsLeft = 0;
      const outcomes = Promise.all(tickers.map(ticker => rig.feed.subscribe(ticker)));
      await rig.timers.settle();
      for (let gap = 0; gap < 20; gap++) await rig.timers.settle(limits.venueBFactsGapMs);
      rig.venue.readsLeft = 1;
      await rig.timers.settle(limits.venueBFactsGapMs);
      expect(await outcomes).toEqual(tickers.map((_, book) => ({ book, view: 0 })));
    });

    it('counts as unavailable if nobody waits for as long', async () => {
      const rig = rigOf(TICKERS);
      rig.venue.readsLeft = 0;
      const outcome = rig.feed.subscribe(TICKERS[0]!);
      for (let gap = 0; gap * limits.venueBFactsGapMs <= limits.subscribeAnswerMs; gap++) {
        await rig.timers.settle(limits.venueBFactsGapMs);
      }
      expect(await outcome).toMatchObject({ code: 'VENUE_UNAVAILABLE' });
    });
  });
});

// A thousand short tickers fit into a request, but are more than a page of venue B, which refused the request with 400 (venue-b.md §4). All
// other requests of that moment were then made one by one, behind that request.
describe('0104: more tickers than a page of the list', () => {
  /** The maximal number of rows of a page (venue-b.md §4.2). */
  const LIMIT_MAX = 1_000;
  const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
  const SHORT = LETTERS.flatMap(one => LETTERS.map(other => one + other));

  it('requests name no more tickers than a page has rows', async () => {
    const rig = new FeedRig();
    const tickers = [...SHORT, ...LETTERS, ...SHORT.map(it => it.toLowerCase())].slice(0, LIMIT_MAX + 20);
    for (const ticker of tickers) rig.venue.addMarket(ticker);
    rig.connect();
    for (const ticker of tickers) void rig.feed.subscribe(ticker);
    await rig.timers.settle();
    await rig.timers.settle(limits.venueBFactsGapMs);
    const pages = rig.venue.asked.map(url => Number(new URL(url).searchParams.get('limit')));
    expect(pages[0]).toBeGreaterThan(LIMIT_MAX / 2);
    expect(Math.max(...pages)).toBeLessThanOrEqual(LIMIT_MAX);
  });
});

// A market of venue B was paused, or resolved, while its description was being read. It stayed LIVE until the next connection. The stream
// reports a state of a market only once, and at that report the market was still unknown.
it.each([
  ['deactivated', 'inactive', 'HALTED MARKET_PAUSED'],
  ['determined', 'determined', 'CLOSED MARKET_RESOLVED'],
])('0183: a market that is %s while it is described is %s', async (event, status, state) => {
  const rig = await FeedRig.withMarkets({ [OTHER]: BOOK });
  rig.venue.addMarket(MARKET, BOOK);
  const onTheWay = Promise.withResolvers<void>();
  rig.venue.restDelay = onTheWay.promise;
  const wanted = rig.feed.subscribe(MARKET);
  await rig.timers.settle(limits.venueBFactsGapMs);
  rig.venue.addMarket(MARKET, BOOK, { status });
  rig.venue.lifecycle(MARKET, event);
  onTheWay.resolve();
  await wanted;
  await rig.timers.settle(limits.venueBSweepMs);
  expect([stateOf(rig, 0), stateOf(rig, 1), rig.levels(1)]).toEqual(['LIVE SNAPSHOT', state, LIVE]);
  expect(rig.venue.asked).toHaveLength(2);
});

// A late snapshot of venue B arrived just as its market was subscribed again, and made the book LIVE. The book stayed LIVE although the
// venue no longer sent the market. If the next subscription was refused for a while, the LIVE book did not change.
describe('0184: a late snapshot of a market that is subscribed anew', () => {
  /** Returns a rig in which a market needs a snapshot. The snapshot does not come until the market is subscribed again. */
  async function renewed(): Promise<FeedRig> {
    const rig = await liveRig();
    rig.venue.withoutSnapshot.add('get_snapshot');
    rig.venue.delta(MARKET, 'yes', '0.4700', '-99.00');
    await rig.timers.settle();
    rig.venue.isAnswering = false;
    await rig.timers.settle(limits.upstreamSnapshotMs);
    return rig;
  }

  const last = (rig: FeedRig, kind: string) => rig.venue.commandsOf(kind, 'orderbook_delta').at(-1)!;

  it('holds until the venue has deleted the market', async () => {
    const rig = await renewed();
    rig.venue.snapshot(MARKET, last(rig, 'get_snapshot').id);
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
    rig.venue.answer(last(rig, 'delete_markets'));
    rig.venue.error(27, { id: last(rig, 'add_markets').id });
    expect(stateOf(rig)).toBe('RESYNCING OPENING');
    rig.venue.isAnswering = true;
    await rig.timers.settle(limits.venueBCommandRetryMs + limits.venueBSweepMs);
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
  });

  it('is enough where the market has not been deleted yet', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.venue.delta(MARKET, 'yes', '0.4700', '-99.00');
    await rig.timers.settle(limits.upstreamSnapshotMs - limits.venueBSweepMs);
    rig.venue.addMarket('KXA-1');
    await rig.want('KXA-1');
    await rig.timers.settle(2 * limits.venueBSweepMs);
    rig.venue.snapshot(MARKET);
    rig.venue.isAnswering = true;
    rig.venue.answer(last(rig, 'add_markets'));
    await rig.timers.settle(limits.venueBSweepMs);
    const isDeleted = rig.named('delete_markets').flat().includes(MARKET);
    expect([stateOf(rig), rig.levels(), isDeleted]).toEqual(['LIVE SNAPSHOT', LIVE, false]);
  });
});

// Venue B keeps resting orders when a market's price grid changes (venue-b.md §3.2). If the new grid was coarser, the levels of such orders
// had no place on the ladder. Each snapshot was refused as OFF_GRID, and the book stayed RESYNCING until the last such order was gone.
describe('3270: orders that a coarser grid keeps', () => {
  const KEPT = { ...BOOK, yes: [...BOOK.yes!, ['0.4750', '1.00'] as [string, string]] };
  const SHOWN = { ...LIVE, bids: ['1@0.475', ...LIVE.bids] };

  /** Returns a rig with a LIVE book on a grid of $0.001. The book has an order at a price that the grid of $0.01 lacks. */
  async function withFineOrder(): Promise<FeedRig> {
    const rig = await liveRig();
    rig.venue.addMarket(MARKET, KEPT, { price_ranges: DECI_CENT });
    rig.venue.lifecycle(MARKET, 'price_level_structure_updated', { price_ranges: DECI_CENT });
    rig.venue.delta(MARKET, 'yes', '0.4750', '1.00');
    rig.venue.addMarket(MARKET, KEPT, { price_ranges: LINEAR_CENT });
    return rig;
  }

  describe('a grid that becomes coarser', () => {
    it('leaves the book as it is, with the orders between its prices', async () => {
      const rig = await withFineOrder();
      rig.venue.lifecycle(MARKET, 'price_level_structure_updated', { price_ranges: LINEAR_CENT });
      await rig.timers.settle();
      expect([stateOf(rig), rig.levels(), rig.book().epoch]).toEqual(['LIVE SNAPSHOT', SHOWN, 1]);
      rig.venue.delta(MARKET, 'yes', '0.4750', '-1.00');
      expect([stateOf(rig), rig.levels(), rig.book().seq]).toEqual(['LIVE SNAPSHOT', LIVE, 3]);
      expect(rig.outdated).toEqual([MARKET, MARKET]);
    });

    it('shows them after a reconnection', async () => {
      const rig = await withFineOrder();
      rig.venue.drop('code 1006');
      rig.reconnect();
      await rig.timers.settle(limits.venueBSweepMs);
      expect([stateOf(rig), rig.levels(), stateOf(rig, 1)]).toEqual(['LIVE SNAPSHOT', SHOWN, 'LIVE SNAPSHOT']);
    });
  });

  describe('a market that has orders between the prices of its grid', () => {
    it('is shown once its first snapshot has stated them', async () => {
      const books = { [MARKET]: { ...KEPT, no: [['0.4803', '2.00'] as [string, string]] }, [OTHER]: BOOK };
      const rig = await FeedRig.withMarkets(books);
      await rig.timers.settle();
      expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', { ...SHOWN, asks: ['2@0.5197'] }]);
      expect([rig.book().step, rig.named('get_snapshot').length, stateOf(rig, 1)]).toEqual([1, 1, 'LIVE SNAPSHOT']);
    });

    it('is shown also while its facts cannot be read', async () => {
      const rig = await liveRig();
      rig.venue.restStatus = 503;
      rig.venue.books.set(MARKET, KEPT);
      rig.venue.delta(MARKET, 'yes', '0.4750', '1.00');
      expect(stateOf(rig)).toBe('RESYNCING OFF_GRID');
      await rig.timers.settle();
      expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', SHOWN]);
    });
  });
});

// Found in a seeded run of subscriptions that come and go. Markets without a subscriber stayed subscribed at venue B. A market was
// subscribed and dropped while its former subscription ended, and that end subscribed the market again. Other markets were dropped by a
// command that the venue did not answer, and the command counted as done. Their messages went on, each read in full, as long as the
// connection lasted.
describe('3272: a market that nobody wants any more', () => {
  const CHANNELS = ['orderbook_delta', 'trade'] as const;

  /** Lets the venue answer late. It does not answer commands that were sent before. */
  async function answersLate(rig: FeedRig): Promise<void> {
    rig.venue.isAnswering = true;
    for (const command of rig.venue.commands.splice(0)) rig.venue.answer(command);
    await rig.timers.settle();
  }

  const giveUp = (rig: FeedRig) => rig.timers.settle(limits.upstreamSnapshotMs + limits.venueBSweepMs);

  it('is not subscribed again by the end of the subscription, during which it was wanted for a moment', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    for (const ticker of [MARKET, OTHER]) rig.feed.unsubscribe(ticker);
    await rig.timers.settle();
    await rig.want(MARKET);
    rig.feed.unsubscribe(MARKET);
    await answersLate(rig);
    await rig.timers.settle(limits.venueBSweepMs);
    expect(CHANNELS.map(channel => rig.venue.carried(channel))).toEqual([[], []]);
  });

  it.each(['the last one', 'one of two'])('is dropped once more if the venue did not hear it: %s', async which => {
    const rig = await liveRig();
    if (which === 'the last one') rig.feed.unsubscribe(OTHER);
    await rig.timers.settle();
    rig.venue.isAnswering = false;
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle();
    rig.venue.isAnswering = true;
    await giveUp(rig);
    const left = which === 'the last one' ? [] : [OTHER];
    expect(CHANNELS.map(channel => rig.venue.carried(channel))).toEqual([left, left]);
  });

  it('is dropped also if it was added by a command that was answered too late', async () => {
    const rig = await liveRig();
    rig.feed.unsubscribe(MARKET);
    await rig.timers.settle();
    rig.venue.isAnswering = false;
    await rig.want(MARKET);
    await rig.timers.settle();
    rig.feed.unsubscribe(MARKET);
    await giveUp(rig);
    await answersLate(rig);
    await giveUp(rig);
    expect(CHANNELS.map(channel => rig.venue.carried(channel))).toEqual([[OTHER], [OTHER]]);
  });
});

// Venue B's pings kept a connection open on which it answered no command. Books stayed RESYNCING as long as it pinged, and commands were
// repeated every ten seconds. Now such a connection is made anew. A quiet connection is not, and neither is a connection with answers.
describe('3274: a venue that pings and does not answer', () => {
  const STEP_MS = 5_000;

  async function pinging(rig: FeedRig, forMs: number, besides: () => void = () => {}): Promise<void> {
    for (let passedMs = 0; passedMs < forMs && rig.venue.isOpen; passedMs += STEP_MS) {
      await rig.timers.settle(STEP_MS);
      rig.venue.ping();
      besides();
    }
  }

  it('a connection without answers is made anew', async () => {
    const rig = await FeedRig.withMarkets({ [MARKET]: BOOK }, { isAnswering: false });
    await pinging(rig, limits.upstreamSilenceMs - STEP_MS);
    expect(rig.venue.isOpen).toBe(true);
    await pinging(rig, 3 * STEP_MS);
    expect([rig.venue.isOpen, rig.counters.read('silences'), stateOf(rig)]).toEqual([false, 1, 'RESYNCING OPENING']);
    rig.venue.isAnswering = true;
    rig.reconnect();
    expect([stateOf(rig), rig.levels()]).toEqual(['LIVE SNAPSHOT', LIVE]);
  });

  it('books that it had are STALE before', async () => {
    const rig = await liveRig();
    rig.venue.isAnswering = false;
    rig.feed.unsubscribe(OTHER);
    await pinging(rig, limits.upstreamSilenceMs + 2 * STEP_MS);
    const states = rig.sink.events.flatMap(event => (event.kind === 'state' && event.book === 0 ? [event.state] : []));
    expect([states, rig.venue.isOpen]).toEqual([['STALE', 'RESYNCING'], false]);
  });

  it('a quiet connection stays, and so does one that sends other things', async () => {
    const quiet = await liveRig();
    await pinging(quiet, 4 * limits.upstreamSilenceMs);
    expect([quiet.venue.isOpen, stateOf(quiet), quiet.venue.handshakes.length]).toEqual([true, 'LIVE SNAPSHOT', 1]);
    const busy = await liveRig();
    busy.venue.isAnswering = false;
    busy.feed.unsubscribe(OTHER);
    await pinging(busy, 4 * limits.upstreamSilenceMs, () => busy.venue.delta(MARKET, 'yes', '0.4700', '1.00'));
    expect([busy.venue.isOpen, stateOf(busy), busy.venue.handshakes.length]).toEqual([true, 'LIVE SNAPSHOT', 1]);
  });
});
