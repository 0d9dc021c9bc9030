// Two hundred markets of venue B, subscribed at once, overran its smallest read budget of 20 requests a second. Each market took a request
// of its own, and a 429 refused the market.

import { describe, expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { FeedRig } from '../venues/venue-b/feed-rig.ts';

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
    expect(await rig.want(...TICKERS.slice(0, 2))).toMatchObject([
      { code: 'VENUE_UNAVAILABLE' },
      { code: 'VENUE_UNAVAILABLE' },
    ]);
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
