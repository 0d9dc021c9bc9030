// Faults on the venues' wires, from frame to subscriber: the book is withdrawn or marked, becomes right again, and was never wrong in between. Both
// venues suffer the same fault in each run.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type BookState,
  type MarketKey,
  marketAddress,
  type StateReason,
  VENUES,
  type Venue,
} from '../../src/core/domain/market.ts';
import type { Fault } from '../support/replay/loopback.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { type InventedSession, inventSession } from './invented-session.ts';
import { Subscriber } from './subscriber.ts';

type Heard = readonly [BookState, StateReason];

let session: InventedSession;
const closing: (() => void | Promise<void>)[] = [];

beforeAll(async () => {
  session = await inventSession(7, 20_000);
});
afterAll(() => session.remove());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Run {
  readonly gateway: RunningGateway;
  readonly subscriber: Subscriber;
}

/** Plays the whole session with these faults to a subscriber of all markets, and checks all that the subscriber saw. */
async function play(faults: Readonly<Record<Venue, Fault>>): Promise<Run> {
  const gateway = await startRunningGateway({
    source: { kind: 'recorded', files: session.files },
    speed: 20,
    faults: { venueA: [faults.venue_a], venueB: [faults.venue_b] },
  });
  closing.push(() => gateway.close());
  const subscriber = await Subscriber.connect(gateway);
  closing.push(() => subscriber.close());
  const late = VENUES.flatMap(lateOf);
  const early = session.markets.filter(market => !late.includes(market));
  await subscriber.subscribe('book', early);
  await subscriber.until(() => early.every(market => subscriber.sightings(market).length > 0));
  await subscriber.subscribe('book', late);
  await gateway.finished;
  const isRight = (market: MarketKey): boolean =>
    subscriber.picture(market) === session.truthOf(market).last && subscriber.book(market).state === 'LIVE';
  await subscriber.until(() => session.markets.every(isRight));
  await subscriber.catchUp();
  for (const market of session.markets) {
    expect(isRight(market)).toBe(true);
    expectNeverWrong(subscriber, market);
  }
  expect(subscriber.errors).toEqual([]);
  return { gateway, subscriber };
}

function expectNeverWrong(subscriber: Subscriber, market: MarketKey): void {
  const { pictures } = session.truthOf(market);
  const sightings = subscriber.sightings(market);
  for (const { picture } of sightings) expect(pictures).toContain(picture);
  for (const { state, afterSightings: count } of subscriber.states(market)) {
    if (state !== 'RESYNCING' || count === 0) continue;
    expect(sightings[count]?.update.type).toBe('snapshot');
    expect(sightings[count]?.epoch).toBeGreaterThan(sightings[count - 1]!.epoch);
  }
}

/** Returns the states other than LIVE that the subscriber heard after the first book. */
function troubles(subscriber: Subscriber, market: MarketKey): Heard[] {
  return subscriber
    .states(market)
    .filter(({ state, afterSightings }) => state !== 'LIVE' && afterSightings > 0)
    .map(({ state, reason }) => [state, reason]);
}

const marketsOf = (venue: Venue): MarketKey[] => session.markets.filter(market => market.venue === venue);

/**
 * The markets of a venue that are subscribed last. A venue's recording begins when the last of its markets is subscribed; at venue A, either token of
 * that market. So the first books of all other markets are seen before a fault can strike, however busy the machine is.
 */
const lateOf = (venue: Venue): MarketKey[] => marketsOf(venue).slice(venue === 'venue_a' ? -2 : -1);

const READ_ANEW: Heard = ['RESYNCING', 'HASH_MISMATCH'];

/** Expects one of these reports. A late market may also report nothing, if its first book came after the fault. */
function expectReported(subscriber: Subscriber, market: MarketKey, reported: readonly (readonly Heard[])[]): void {
  const isLate = lateOf(market.venue).includes(market);
  expect(isLate ? [...reported, []] : reported).toContainEqual(troubles(subscriber, market));
}

/** Returns a frame with two changes of venue A, a third into the session. The next frame of its market does not repeat these changes. */
function changeOfVenueA(): { readonly hash: string; readonly tokens: readonly string[] } {
  const frames = session.frames.venue_a.map(text => JSON.parse(text));
  for (let index = Math.floor(frames.length / 3); index < frames.length; index++) {
    const [frame, next] = [frames[index], frames[index + 1]];
    if (frame.event_type !== 'price_change' || next?.event_type !== 'price_change') continue;
    const pricesOf = (changes: readonly { price: string; asset_id: string }[]): string[] =>
      changes.map(({ price, asset_id }) => `${asset_id} ${price}`);
    const known = pricesOf(frame.price_changes);
    if (next.market !== frame.market || pricesOf(next.price_changes).some(price => known.includes(price))) continue;
    const [change] = frame.price_changes;
    const tokens: string[] = frame.price_changes.map(({ asset_id }: { asset_id: string }) => asset_id);
    const isLate = lateOf('venue_a').some(market => tokens.includes(marketAddress(market)));
    if (!isLate) return { hash: change.hash, tokens };
  }
  throw new Error('the session holds no such frame: choose another seed');
}

/** Returns the number of a delta of venue B, a third into the session, that another delta follows at once. */
function deltaOfVenueB(): number {
  const isDelta = session.frames.venue_b.map(text => text.includes('"type":"orderbook_delta"'));
  const from = Math.floor(isDelta.length / 3);
  const index = isDelta.findIndex((is, at) => at >= from && is && isDelta[at + 1] === true);
  return isDelta.slice(0, index + 1).filter(Boolean).length;
}

describe('a frame in the middle of the session', () => {
  const table: [kind: Fault['kind'], one: Heard | null, all: Heard | null, b: Heard][] = [
    ['drop', ['STALE', 'HASH_MISMATCH'], null, ['RESYNCING', 'SEQUENCE_GAP']],
    // Sizes are absolute on venue A, so a repeated change has no effect.
    ['duplicate', null, null, ['RESYNCING', 'SEQUENCE_GAP']],
    ['swap', ['STALE', 'HASH_MISMATCH'], null, ['RESYNCING', 'SEQUENCE_GAP']],
    // Half a frame does not show which market it was about.
    ['truncate', null, ['RESYNCING', 'UNREADABLE'], ['RESYNCING', 'UNREADABLE']],
    ['close', null, ['RESYNCING', 'DISCONNECTED'], ['RESYNCING', 'DISCONNECTED']],
  ];

  it.each(table)('%s', async (kind, ofOneMarket, ofVenueA, ofVenueB) => {
    const { hash, tokens } = changeOfVenueA();
    const { subscriber } = await play({
      venue_a: { kind, frame: 1, containing: hash },
      venue_b: { kind, frame: deltaOfVenueB(), containing: '"type":"orderbook_delta"' },
    });
    for (const market of marketsOf('venue_a')) {
      const isHit = tokens.includes(marketAddress(market));
      const expected = ofVenueA ?? (isHit ? ofOneMarket : null);
      const reported = expected === null ? [] : [expected];
      // A book is read again if its proof is late, as can happen on a busy machine.
      expectReported(subscriber, market, expected === null ? [reported] : [reported, [...reported, READ_ANEW]]);
    }
    for (const market of marketsOf('venue_b')) expectReported(subscriber, market, [[ofVenueB]]);
  });
});

describe('the books with which a session starts', () => {
  it('survive a connection that ends in the midst of them', async () => {
    const { gateway, subscriber } = await play({
      venue_a: { kind: 'close', frame: 1, containing: '"event_type":"book"' },
      venue_b: { kind: 'close', frame: 3, containing: '"type":"orderbook_snapshot"' },
    });
    expect(gateway.counters.venue_a.read('disconnects')).toBe(1);
    expect(gateway.counters.venue_b.read('disconnects')).toBe(1);
    const hit = marketsOf('venue_b').filter(market => troubles(subscriber, market).length > 0);
    for (const market of hit) expect(troubles(subscriber, market)).toEqual([['RESYNCING', 'DISCONNECTED']]);
  });

  it('survive a snapshot that is cut off on venue B', async () => {
    const { gateway } = await play({
      venue_a: { kind: 'duplicate', frame: 1, containing: '"event_type":"book"' },
      venue_b: { kind: 'truncate', frame: 3, containing: '"type":"orderbook_snapshot"' },
    });
    expect(gateway.counters.venue_b.read('unreadable')).toBe(1);
    expect(gateway.counters.venue_b.read('connects')).toBe(2);
  });
});
