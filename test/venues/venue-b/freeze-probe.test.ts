// A stream that has lost changes of a book, while pings and other markets go on. REST shows the loss. Virtual time, a scripted venue, a
// recording sink.

import { expect, it } from 'vitest';
import { BOOK, FeedRig, LIVE, liveRig, MARKET, OTHER, stateOf } from './feed-rig.ts';
import type { WireBook } from './scripted-venue.ts';

/** The book without its best bid. */
const MOVED: WireBook = { yes: [['0.4600', '10.00']], no: [['0.4800', '2.00']] };

/** Lets time pass, during which the venue pings. */
async function pass(rig: FeedRig, seconds: number, each: (second: number) => void = () => {}): Promise<void> {
  for (let second = 1; second <= seconds; second += 1) {
    rig.venue.ping();
    each(second);
    await rig.timers.settle(1_000);
  }
}

/** Returns a rig with two quiet books. By REST the first market has the given book. */
async function quietRig(book: WireBook): Promise<FeedRig> {
  const rig = await liveRig();
  rig.venue.restBooks = new Map([
    [MARKET, book],
    [OTHER, BOOK],
  ]);
  return rig;
}

function probes(rig: FeedRig): string[][] {
  const urls = rig.venue.asked.filter(url => url.includes('/orderbooks'));
  return urls.map(url => new URL(url).searchParams.getAll('tickers'));
}

it('4005: a book that REST has otherwise is STALE within a minute', async () => {
  const rig = await quietRig(MOVED);
  rig.venue.isAnswering = false;
  let staleAfterS = 0;
  await pass(rig, 30, second => {
    if (staleAfterS === 0 && stateOf(rig) === 'STALE SILENCE') staleAfterS = second;
  });
  expect([staleAfterS > 0, stateOf(rig, 1)]).toEqual([true, 'LIVE SNAPSHOT']);
  expect(rig.levels()).toEqual(LIVE);
  expect(rig.counters.read('stalls')).toBe(1);
});

it('4005: a stalled book begins its subscription anew', async () => {
  const rig = await quietRig(MOVED);
  rig.venue.books.set(MARKET, MOVED);
  await pass(rig, 40);
  expect([rig.named('delete_markets'), rig.named('add_markets')]).toEqual([[[MARKET]], [[MARKET]]]);
  expect([stateOf(rig), rig.levels().bids, rig.book().epoch]).toEqual(['LIVE SNAPSHOT', ['10@0.46'], 2]);
  expect([rig.book(1).epoch, rig.counters.read('stalls')]).toEqual([1, 1]);
});

it.each<[string, WireBook]>([
  ['another size', { ...BOOK, no: [['0.4800', '3.00']] }],
  ['a level more', { ...BOOK, no: [['0.4700', '1.00'], ...BOOK.no!] }],
  ['a level less', { ...BOOK, no: [] }],
  ['a price between ours', { ...BOOK, no: [['0.4850', '2.00']] }],
])('4005: %s is another book', async (_what, book) => {
  const rig = await quietRig(book);
  rig.venue.isAnswering = false;
  await pass(rig, 60);
  expect(stateOf(rig)).toBe('STALE SILENCE');
});

it('4005: quiet books are asked for together, again and again, and stay as they are', async () => {
  const rig = await quietRig(BOOK);
  await pass(rig, 65);
  const both = [MARKET, OTHER];
  expect(probes(rig)).toEqual([both, both, both]);
  expect([rig.book(0).epoch, rig.book(1).epoch, stateOf(rig)]).toEqual([1, 1, 'LIVE SNAPSHOT']);
  expect([rig.counters.read('quietProbes'), rig.counters.read('stalls')]).toEqual([6, 0]);
});

it('4005: a book with messages is not asked for', async () => {
  const rig = await quietRig(MOVED);
  await pass(rig, 60, () => rig.venue.delta(MARKET, 'yes', '0.4600', '1.00'));
  expect([stateOf(rig), probes(rig).flat().includes(MARKET)]).toEqual(['LIVE SNAPSHOT', false]);
});

it('4005: a message that comes after REST has shown it is no stall', async () => {
  const rig = await quietRig(MOVED);
  let isTold = false;
  await pass(rig, 60, () => {
    if (isTold || probes(rig).length === 0) return;
    isTold = true;
    rig.venue.delta(MARKET, 'yes', '0.4700', '-3.00');
  });
  expect([isTold, stateOf(rig), rig.levels().bids, rig.book().epoch]).toEqual([true, 'LIVE SNAPSHOT', ['10@0.46'], 1]);
});

it('4005: without an answer by REST, and by one that cannot be read, nothing changes', async () => {
  const rig = await quietRig(BOOK);
  rig.venue.restBooks = null;
  await pass(rig, 60);
  rig.venue.restBooks = new Map([[MARKET, { yes: [['0.4600', 'ten']], no: [] }]]);
  await pass(rig, 60);
  expect([stateOf(rig), rig.levels(), rig.counters.read('stalls')]).toEqual(['LIVE SNAPSHOT', LIVE, 0]);
});

it('4005: one request a second, however many books are quiet, and each has its turn', async () => {
  const tickers = Array.from({ length: 150 }, (_, index) => `KXNBAGAME-26NOV21BOSLAL-${index}`);
  const rig = await FeedRig.withMarkets(Object.fromEntries(tickers.map(ticker => [ticker, BOOK])));
  rig.venue.restBooks = new Map(tickers.map(ticker => [ticker, BOOK]));
  await pass(rig, 24);
  const asked = probes(rig);
  expect(asked.every(each => each.length <= 100)).toBe(true);
  expect([asked.length <= 4, new Set(asked.flat())]).toEqual([true, new Set(tickers)]);
});
