// The best routes of outcomes beside a naive search over all of them.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FeeModel, parseRate } from '../../../src/core/domain/fees.ts';
import { fraction } from '../../../src/core/domain/fraction.ts';
import { ASK, BID, BOOK_STATES, type Level, marketKey } from '../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { OutcomeMessage } from '../../../src/core/wire/messages.ts';
import { bestRoutes, type KnownRoute, type RouteBook } from '../../../src/gateway/outcomes/best-routes.ts';
import { bestOfEvent, type OutcomeHub } from '../../../src/gateway/outcomes/outcome-hub.ts';
import { OutcomeRequests } from '../../../src/tools/client/market-requests.ts';
import { atVenueA, atVenueB, type Listed } from '../../catalog/matching/listings.ts';
import type { MemoryClient, MemoryStream } from '../../support/memory-stream.ts';
import { OutcomeRig } from './outcome-rig.ts';

const NOW = 1_790_000_000_000 as UnixMillis;

function feesOf(rate: string, exponent: number): FeeModel {
  const rounding = { step: 100 as MicroDollars, rounding: 'UP', waivedUntil: null } as const;
  return { takerRate: parseRate(rate)!, makerRate: fraction(0n), exponent, ...rounding };
}

const level: fc.Arbitrary<Level> = fc.record({
  price: fc.integer({ min: 1, max: 9_999 }) as fc.Arbitrary<Ticks>,
  size: fc.integer({ min: 1, max: 5 }).map(shares => shares * 1_000_000) as fc.Arbitrary<MicroShares>,
});
const book: fc.Arbitrary<RouteBook | null> = fc.option(
  fc.record({
    state: fc.oneof({ weight: 4, arbitrary: fc.constant('LIVE' as const) }, fc.constantFrom(...BOOK_STATES)),
    bid: fc.option(level, { nil: null }),
    ask: fc.option(level, { nil: null }),
    receivedAt: fc.integer({ min: 0, max: 60_000 }).map(ms => (NOW - ms) as UnixMillis),
  }),
  { nil: null, freq: 8 },
);
const fees = fc.option(
  fc.tuple(fc.constantFrom('0', '0.02', '0.05', '0.07', '0.035'), fc.constantFrom(1, 2)).map(it => feesOf(...it)),
  { nil: null, freq: 8 },
);
const known: fc.Arbitrary<KnownRoute> = fc
  .tuple(fc.constantFrom('token', 'YES', 'NO'), fc.integer({ min: 0, max: 999 }), book, fees)
  .map(([way, name, of, charged]) => ({
    route:
      way === 'token'
        ? { market: marketKey('venue_a', String(name)), side: null }
        : { market: marketKey('venue_b', `KX-${name}`), side: way as 'YES' | 'NO' },
    book: of,
    fees: charged,
  }));

/** Returns the cost and the proceeds of one share by each route, in dollars as the venues' sheets compute them. */
function naively({ route, book: of, fees: charged }: KnownRoute): {
  readonly buy: number | null;
  readonly sell: number | null;
} {
  if (of === null || charged === null || of.state !== 'LIVE') return { buy: null, sell: null };
  const isNo = route.side === 'NO';
  const [bid, ask] = isNo ? [of.ask, of.bid] : [of.bid, of.ask];
  const dollars = ({ price }: Level) => (isNo ? 10_000 - price : price) / 10_000;
  const rate = Number(charged.takerRate.numerator) / Number(charged.takerRate.denominator);
  const fee = (price: number) => Math.ceil(rate * (price * (1 - price)) ** charged.exponent * 1e6 - 1e-6) / 1e6;
  return {
    buy: ask === null ? null : dollars(ask) + fee(dollars(ask)),
    sell: bid === null ? null : dollars(bid) - fee(dollars(bid)),
  };
}

describe('the best routes', () => {
  it('are those that a naive search finds', () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 6 }), routes => {
        const { outcomes } = bestRoutes([{ name: 'x', routes }], NOW);
        const all = routes.map(naively);
        const buys = all.map(({ buy }) => buy).filter(it => it !== null);
        const sells = all.map(({ sell }) => sell).filter(it => it !== null);
        const [{ buy, sell }] = outcomes as [(typeof outcomes)[number]];
        expect(buy === null).toBe(buys.length === 0);
        expect(sell === null).toBe(sells.length === 0);
        if (buy !== null) expect(buy.netPrice / 1e6).toBeCloseTo(Math.min(...buys), 6);
        if (sell !== null) expect(sell.netPrice / 1e6).toBeCloseTo(Math.max(...sells), 6);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are of LIVE books with known fees, and every other route is named', () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 6 }), routes => {
        const { outcomes, omitted } = bestRoutes([{ name: 'x', routes }], NOW);
        const names = new Set(omitted.map(({ route }) => JSON.stringify(route)));
        for (const { route, book: of, fees: charged } of routes) {
          const isSound = of !== null && of.state === 'LIVE' && charged !== null;
          if (!isSound) expect(names).toContain(JSON.stringify(route));
        }
        for (const { buy, sell } of outcomes)
          for (const quote of [buy, sell]) if (quote !== null) expect(quote.state).toBe('LIVE');
      }),
    );
  });

  it('of equal prices take the larger size, then the first', () => {
    const at = (name: string, shares: number): KnownRoute => ({
      route: { market: marketKey('venue_a', name), side: null },
      book: {
        state: 'LIVE',
        bid: null,
        ask: { price: 5_000 as Ticks, size: (shares * 1_000_000) as MicroShares },
        receivedAt: (NOW - 250) as UnixMillis,
      },
      fees: feesOf('0.05', 1),
    });
    const { outcomes } = bestRoutes([{ name: 'x', routes: [at('1', 3), at('2', 5), at('3', 5)] }], NOW);
    expect(outcomes[0]!.buy).toMatchObject({
      route: { market: { tokenId: '2' } },
      price: 5_000,
      fee: 12_500,
      netPrice: 512_500,
      ageMs: 250,
    });
    expect(outcomes[0]!.sell).toBeNull();
  });

  it('go through NO at one dollar less the YES price', () => {
    const yes: RouteBook = {
      state: 'LIVE',
      bid: { price: 6_000 as Ticks, size: 7_000_000 as MicroShares },
      ask: { price: 6_200 as Ticks, size: 9_000_000 as MicroShares },
      receivedAt: NOW,
    };
    const route = { market: marketKey('venue_b', 'KX-1'), side: 'NO' } as const;
    const { outcomes } = bestRoutes([{ name: 'x', routes: [{ route, book: yes, fees: feesOf('0', 1) }] }], NOW);
    expect(outcomes[0]).toMatchObject({
      buy: { price: 4_000, size: 7_000_000 },
      sell: { price: 3_800, size: 9_000_000 },
    });
  });
});

// Found in a review: the catalog gave up the id of a market, and clients that followed the id kept its last routes. The catalog had the
// market under another id, or not at all.
describe('3218: a follower of an id that was given up', () => {
  const GAME: Listed = { league: 'MLB', date: '2026-08-09', startsAt: '2026-08-09T23:10:00Z' };
  const [OLDER, YOUNGER] = ['mlb-hou-sd-2026-08-09', 'mlb-hou-sd-2026-08-09-2'];
  const a = (startsAt: string) =>
    atVenueA({ ...GAME, startsAt }, 'hou-sd', 'Houston Astros vs. San Diego Padres', { gameId: '77' });
  const b = atVenueB(GAME, '1910HOUSD', 'Houston vs San Diego', { HOU: 'Houston', SD: 'San Diego' });
  const APART = '2026-08-11T17:10:00Z';
  const FOLLOWED = `${YOUNGER}:moneyline`;

  const outcomes = new OutcomeRig(b, a(APART));
  const { stream: rig, hub } = outcomes;
  afterEach(() => outcomes.close());

  it('a follower hears that the catalog has its market under another id, or no more, and nothing after that', async () => {
    const [client, other] = [rig.connect(undefined, hub), rig.connect(undefined, hub)];
    const subscribe = { op: 'subscribe', channel: 'outcome' } as const;
    await client.say({ ...subscribe, id: 'o', catalogMarkets: [FOLLOWED] });
    await other.say({ ...subscribe, id: 'o', catalogMarkets: [`${OLDER}:moneyline`] });
    await outcomes.pass(2_000);
    expect(client.take().map(({ type }) => type)).toEqual(['subscribed', 'outcome']);
    outcomes.list(b, a(GAME.startsAt));
    await outcomes.pass(12_000);
    const message = `the catalog has no such market any more: it is ${OLDER}:moneyline now`;
    const rejection = { catalogMarket: FOLLOWED, code: 'UNKNOWN_MARKET', message };
    const ended = { type: 'error', id: null, code: 'UNKNOWN_MARKET', message, rejected: [] };
    expect(client.take()).toEqual([{ ...ended, rejectedCatalogMarkets: [rejection] }]);
    await client.say({ ...subscribe, id: 'p', catalogMarkets: [FOLLOWED] });
    const [refused] = client.take();
    expect(refused).toMatchObject({ id: 'p', message: `the catalog has no such market: it is ${OLDER}:moneyline now` });
    await client.say({ op: 'unsubscribe', channel: 'outcome', id: 'u', catalogMarkets: [FOLLOWED] });
    expect(client.take()).toMatchObject([{ id: 'u', code: 'NOT_SUBSCRIBED' }]);
    // The other market continues with the routes that it has gained.
    const routes = other.take().filter((it): it is OutcomeMessage => it.type === 'outcome');
    expect(routes.at(-1)!.omitted.map(({ route }) => route.market.venue)).toContain('venue_a');
    outcomes.list();
    await outcomes.pass(12_000);
    expect(other.take()).toMatchObject([
      { type: 'error', id: null, message: 'the catalog has no such market any more' },
    ]);
    expect(rig.stream.tops.isUnused).toBe(true);
  });

  it('our client asks no more for a market that has ended so, and says it', () => {
    const sent: unknown[] = [];
    const refusals: unknown[] = [];
    const requests = new OutcomeRequests({
      send: message => sent.push(message),
      nextId: () => String(sent.length),
      timers: { after: () => () => {} },
      onRefused: refusal => refusals.push(refusal),
    });
    requests.subscribe([FOLLOWED], 0);
    requests.answered({ type: 'subscribed', id: '0', rejected: [] });
    const rejection = { catalogMarket: FOLLOWED, code: 'UNKNOWN_MARKET', message: 'gone' } as const;
    const error = { type: 'error', id: null, code: 'UNKNOWN_MARKET', message: 'gone', rejected: [] } as const;
    requests.refused({ ...error, rejectedCatalogMarkets: [rejection] });
    expect(refusals).toEqual([
      { code: 'UNKNOWN_MARKET', message: `${FOLLOWED}: gone`, market: null, asksAgainInMs: null },
    ]);
    const before = sent.length;
    requests.subscribeAll();
    expect(sent.length).toBe(before);
  });
});

// Before, a venue that listed the market later was silently left out as long as anybody followed the market. New followers, and reads of
// the event's best routes, missed the venue, too.
describe('3255: a listing that comes while it is followed', () => {
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

  const messagesTo = (client: MemoryClient) =>
    client.take().filter((it): it is OutcomeMessage => it.type === 'outcome');
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
});
