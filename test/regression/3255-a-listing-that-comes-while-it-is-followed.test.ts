// Found by review: the channel `outcome` kept the routes of a market as they were when its first follower came. A venue that listed the market
// later was left out without a word, as long as anybody followed it. So it was for new followers, and in reads of the event's best routes.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { ASK, BID } from '../../src/domain/market.ts';
import type { MicroShares, Ticks } from '../../src/domain/numbers.ts';
import { bestOfEvent, type OutcomeHub } from '../../src/gateway/outcomes/outcome-hub.ts';
import type { OutcomeMessage } from '../../src/wire/messages.ts';
import { atVenueA, atVenueB, type Listed } from '../catalog/matching/listings.ts';
import { OutcomeRig } from '../gateway/outcomes/outcome-rig.ts';
import type { MemoryClient, MemoryStream } from '../support/memory-stream.ts';

const NBA: Listed = { league: 'NBA', date: '2026-11-20', startsAt: '2026-11-21T03:00:00Z' };
const EVENT = 'nba-bos-lal-2026-11-20';
const MONEYLINE = `${EVENT}:moneyline`;
const LAKERS = 'KXNBAGAME-26NOV20BOSLAL-LAL';
const [READY_MS, LOOK_MS] = [2_000, 10_000];
const ofA = atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { gameId: '7' });
const ofB = atVenueB(NBA, 'BOSLAL', 'Boston at Los Angeles L', { BOS: 'Boston', LAL: 'Los Angeles L' });

let outcomes: OutcomeRig;
let rig: MemoryStream;
let hub: OutcomeHub;

beforeEach(() => {
  outcomes = new OutcomeRig(ofA);
  ({ stream: rig, hub } = outcomes);
});
afterEach(() => outcomes.close());

async function follower(): Promise<MemoryClient> {
  const client = rig.connect(undefined, hub);
  await client.say({ op: 'subscribe', id: 'o', channel: 'outcome', catalogMarkets: [MONEYLINE] });
  await outcomes.pass(READY_MS);
  return client;
}

function openLakers(): void {
  const book = rig.open(LAKERS);
  rig.writer.begin(book);
  rig.writer.set(book, BID, 5_900 as Ticks, 5_000_000 as MicroShares);
  rig.writer.set(book, ASK, 6_300 as Ticks, 7_000_000 as MicroShares);
  rig.writer.commitSnapshot(book, rig.timers.now());
  rig.drain();
}

const messagesTo = (client: MemoryClient) => client.take().filter((it): it is OutcomeMessage => it.type === 'outcome');
const buyOf = (message: OutcomeMessage | undefined) =>
  message?.outcomes.find(({ name }) => name === 'Los Angeles Lakers')?.buy?.price ?? null;
const venuesLeftOut = (message: OutcomeMessage | undefined) =>
  new Set(message?.omitted.map(it => it.route.market.venue));

it('a venue that lists a market later is among its routes, for those who follow it already', async () => {
  const client = await follower();
  const [first] = messagesTo(client);
  expect([buyOf(first), venuesLeftOut(first)]).toEqual([null, new Set(['venue_a'])]);
  outcomes.list(ofA, ofB);
  await outcomes.pass(LOOK_MS);
  expect(venuesLeftOut(messagesTo(client).at(-1))).toEqual(new Set(['venue_a', 'venue_b']));
  openLakers();
  await outcomes.pass(LOOK_MS);
  const last = messagesTo(client).at(-1);
  expect(buyOf(last)).toBe(6_300);
  expect(last!.notes.length).toBeGreaterThan(0);
});

it('one who comes then, or reads once, has them at once', async () => {
  await follower();
  outcomes.list(ofA, ofB);
  const read = await Promise.race([
    bestOfEvent(hub, EVENT),
    outcomes.pass(READY_MS).then(() => bestOfEvent(hub, EVENT)),
  ]);
  const [market] = read.ok ? read.value : [];
  expect(market).toMatchObject({ omitted: expect.arrayContaining([expect.objectContaining({ venue: 'VENUE_B' })]) });
  expect(venuesLeftOut(messagesTo(await follower()).at(-1))).toContain('venue_b');
});

it('a route that is listed no more is left', async () => {
  outcomes.list(ofA, ofB);
  const client = await follower();
  openLakers();
  await outcomes.pass(LOOK_MS);
  expect(buyOf(messagesTo(client).at(-1))).toBe(6_300);
  outcomes.list(ofA);
  await outcomes.pass(LOOK_MS);
  const last = messagesTo(client).at(-1);
  expect([buyOf(last), venuesLeftOut(last)]).toEqual([null, new Set(['venue_a'])]);
  expect(rig.stream.tops.isUnused).toBe(true);
});
