// The outcome channel on a catalog in shared memory, real books and sessions, under virtual time: the markets of one game that both venues
// list. Venue A's books never come.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { ASK, BID, type BookId } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks } from '../../../src/core/domain/numbers.ts';
import type { OutcomeMessage } from '../../../src/core/wire/messages.ts';
import { bestOfEvent, type OutcomeHub } from '../../../src/gateway/outcomes/outcome-hub.ts';
import { atVenueA, atVenueB, type Listed } from '../../catalog/matching/listings.ts';
import type { MemoryClient, MemoryStream } from '../../support/memory-stream.ts';
import { OutcomeRig } from './outcome-rig.ts';

const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
const EVENT = 'nba-bos-lal-2026-11-20';
const MONEYLINE = `${EVENT}:moneyline`;
const [BOSTON, LAKERS] = ['KXNBAGAME-26NOV20BOSLAL-BOS', 'KXNBAGAME-26NOV20BOSLAL-LAL'];
const READY_MS = 2_000;

let outcomes: OutcomeRig;
let rig: MemoryStream;
let hub: OutcomeHub;

beforeEach(() => {
  const a = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { gameId: '7' });
  const b = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });
  outcomes = new OutcomeRig(a, b);
  ({ stream: rig, hub } = outcomes);
});
afterEach(() => outcomes.close());

/** Connects a client of the moneyline. Both books of the moneyline at venue B have levels. */
async function following(minIntervalMs: number): Promise<{ client: MemoryClient; books: readonly BookId[] }> {
  const client = rig.connect(undefined, hub);
  await client.say({ op: 'subscribe', id: 'o', channel: 'outcome', minIntervalMs, catalogMarkets: [MONEYLINE] });
  const books = [BOSTON, LAKERS].map(ticker => rig.open(ticker!));
  set(books[0]!, 4_000, 4_200);
  set(books[1]!, 5_900, 6_300);
  rig.drain();
  await outcomes.turns();
  await outcomes.pass(READY_MS);
  return { client, books };
}

function set(book: BookId, bid: number, ask: number): void {
  rig.writer.receivedAt = rig.timers.now();
  rig.writer.begin(book);
  rig.writer.clear(book);
  rig.writer.set(book, BID, bid as Ticks, 5_000_000 as MicroShares);
  rig.writer.set(book, ASK, ask as Ticks, 7_000_000 as MicroShares);
  rig.writer.commitSnapshot(book, rig.timers.now());
}

const outcomesOf = (client: MemoryClient) => client.take().filter((it): it is OutcomeMessage => it.type === 'outcome');

it('begins with the best of all routes, and names those without a book', async () => {
  const { client } = await following(0);
  const [first] = outcomesOf(client);
  const lakers = first!.outcomes.find(({ name }) => name === 'Los Angeles Lakers')!;
  // Buying Boston's NO costs 1 − 0.40 = 0.60, less than the Lakers' YES at 0.63.
  expect(lakers.buy).toMatchObject({
    route: { market: { ticker: BOSTON }, side: 'NO' },
    price: 6_000,
    size: 5_000_000,
  });
  expect(lakers.buy!.netPrice).toBe(600_000 + 16_800);
  // Selling Lakers' YES brings 0.59, more than 1 − 0.42 through NO.
  expect(lakers.sell).toMatchObject({ route: { market: { ticker: LAKERS }, side: 'YES' }, price: 5_900 });
  expect(new Set(first!.omitted.map(({ why }) => why))).toEqual(new Set(['NO_BOOK']));
  expect(first!.omitted.every(({ route }) => route.market.venue === 'venue_a')).toBe(true);
  expect(first!.notes.length).toBeGreaterThan(0);
});

it('sends the latest once in an interval, and a lost book at once', async () => {
  const { client, books } = await following(1_000);
  client.take();
  for (const ask of [6_300, 6_200]) {
    set(books[1]!, 6_000, ask);
    rig.drain();
  }
  expect(outcomesOf(client)).toEqual([]);
  rig.timers.advance(1_000);
  const [latest, ...more] = outcomesOf(client);
  expect(latest!.outcomes.flatMap(({ sell }) => sell?.price ?? [])).toContain(6_000);
  expect(more).toEqual([]);
  rig.writer.setState(books[0]!, 'RESYNCING', 'SEQUENCE_GAP');
  rig.drain();
  const [lost] = outcomesOf(client);
  expect(lost!.omitted).toContainEqual({
    route: { market: { venue: 'venue_b', ticker: BOSTON }, side: 'YES' },
    why: 'RESYNCING',
  });
  for (const { buy, sell } of lost!.outcomes) {
    for (const quote of [buy, sell]) expect(quote?.route.market).not.toMatchObject({ ticker: BOSTON });
  }
});

it('refuses what the catalog does not have, and leaves nothing behind', async () => {
  const { client } = await following(0);
  client.take();
  await client.say({ op: 'subscribe', id: 'n', channel: 'outcome', catalogMarkets: [`${EVENT}:nothing`] });
  expect(client.take()).toMatchObject([
    { type: 'error', code: 'UNKNOWN_MARKET', rejected: [], rejectedCatalogMarkets: [{ code: 'UNKNOWN_MARKET' }] },
  ]);
  await client.say({ op: 'unsubscribe', id: 'u', channel: 'outcome', catalogMarkets: [MONEYLINE, MONEYLINE] });
  expect(client.take()).toMatchObject([{ type: 'unsubscribed', accepted: [MONEYLINE], rejected: [] }]);
  expect(rig.stream.tops.isUnused).toBe(true);
});

it('6223: does not call a market or an event unknown while its catalog is being replaced', async () => {
  const client = rig.connect(undefined, hub);
  outcomes.overwrite();
  await client.say({ op: 'subscribe', id: 'o', channel: 'outcome', catalogMarkets: [MONEYLINE] });
  expect(client.take()).toMatchObject([{ rejectedCatalogMarkets: [{ code: 'VENUE_UNAVAILABLE' }] }]);
  expect(await bestOfEvent(hub, EVENT)).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  expect(rig.stream.tops.isUnused).toBe(true);
});

it('6224: does not leave out markets of an event whose catalog is replaced meanwhile', async () => {
  let looks = 0;
  outcomes.onLook = () => {
    looks += 1;
    // The first look finds the market of the event, the second follows it.
    if (looks === 2) outcomes.overwrite();
  };
  expect(await bestOfEvent(hub, EVENT)).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
  expect(rig.stream.tops.isUnused).toBe(true);
});

/** Returns the stated ages of the best routes of venue B. */
const agesOf = ({ outcomes }: OutcomeMessage) => outcomes.flatMap(({ buy, sell }) => [buy?.ageMs, sell?.ageMs]);

it('says how old a quiet book is when the message leaves', async () => {
  const { client, books } = await following(5_000);
  client.take();
  // The change waits for the end of the interval, 5 s after the first message.
  set(books[0]!, 4_100, 4_300);
  set(books[1]!, 5_700, 6_100);
  rig.drain();
  rig.timers.advance(5_000);
  const [late] = outcomesOf(client);
  expect(agesOf(late!)).toEqual([5_000, 5_000, 5_000, 5_000]);
});

it('tells one who comes later, and one who reads once, how old a quiet book is by now', async () => {
  const { client, books } = await following(5_000);
  rig.timers.advance(3_000);
  client.take();
  // The other clients have not heard of the change yet. A new client does not hear of it either, because otherwise the next message could
  // be missing.
  set(books[0]!, 4_100, 4_300);
  rig.drain();
  const later = rig.connect(undefined, hub);
  await later.say({ op: 'subscribe', id: 'l', channel: 'outcome', minIntervalMs: 5_000, catalogMarkets: [MONEYLINE] });
  await outcomes.turns();
  const [first] = outcomesOf(later);
  expect(agesOf(first!)).toEqual([5_000, 5_000, 5_000, 5_000]);
  rig.timers.advance(1_500);
  const read = await bestOfEvent(hub, EVENT);
  // The Lakers play at home: they are bought by NO of Boston’s ticker, which has changed. Boston is bought by NO of the Lakers’ ticker.
  const buys = [
    { ticker: BOSTON, side: 'NO', ageMs: 1_500 },
    { ticker: LAKERS, side: 'NO', ageMs: 6_500 },
  ].map(buy => ({ buy }));
  expect(read).toMatchObject({ ok: true, value: [{ outcomes: buys }] });
});
