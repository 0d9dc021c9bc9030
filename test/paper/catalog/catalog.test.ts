// The season as the two venues list it: the same for the same moment, consistent in itself, and in the venues' vocabulary.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOnGrid } from '../../../src/core/domain/grid.ts';
import { parseTicks, type Ticks, type UnixMillis } from '../../../src/core/domain/numbers.ts';
import { catalogOfDay, createCatalog } from '../../../src/paper/catalog/catalog.ts';
import type { Catalog } from '../../../src/paper/catalog/listings.ts';
import { dayOf, startOfDay } from '../../../src/paper/catalog/schedule.ts';
import { protocolOf } from '../../../src/venues/venue-a/position-ids.ts';

const NOW = Date.UTC(2026, 10, 21, 20, 7) as UnixMillis;
const HOUR_MS = 3_600_000;
const catalog = createCatalog({ seed: 1, now: NOW });
const marketsA = (it: Catalog) => it.venueA.events.flatMap(({ markets }) => markets);
const marketsB = (it: Catalog) => it.venueB.events.flatMap(({ markets }) => markets);

describe('one moment, one catalog', () => {
  it('to the last byte', () => {
    const hash = createHash('sha256').update(JSON.stringify(catalog)).digest('hex');
    expect(hash).toBe('540b1bb801aac0197e0ba64d068300c3908b95175e3624dc97cf270a166ae138');
  });

  it('whose ids do not depend on the seed', () => {
    const winners = (it: Catalog) => [
      ...marketsA(it)
        .filter(market => market.sportsMarketType === 'moneyline')
        .map(market => market.tokens),
      ...it.venueB.events
        .filter(({ isMutuallyExclusive }) => isMutuallyExclusive)
        .map(({ eventTicker }) => eventTicker),
    ];
    const other = createCatalog({ seed: 2, now: NOW });
    expect(winners(other)).toEqual(winners(catalog));
    expect(other.games.map(({ strength }) => strength)).not.toEqual(catalog.games.map(({ strength }) => strength));
  });

  it('that a document may cite', () => {
    const venueB = marketsB(catalog).find(({ ticker }) => ticker === 'KXNBAGAME-26NOV21BOSLAL-BOS');
    const venueA = marketsA(catalog).find(({ slug }) => slug === 'nba-bos-lal-2026-11-21');
    expect(venueB).toMatchObject({ yesSubTitle: 'Boston', pricedBy: { isComplement: true } });
    expect(venueA).toMatchObject({ question: 'Celtics vs. Lakers', outcomes: ['Celtics', 'Lakers'] });
    expect(venueA?.pricedBy).toEqual(venueB?.pricedBy);
  });

  it('with the delay of takers that is asked for', () => {
    expect(new Set(marketsA(catalog).map(({ takerDelayS }) => takerDelayS))).toEqual(new Set([1]));
    const instant = createCatalog({ seed: 1, now: NOW, takerDelayS: 0 });
    expect(new Set(marketsA(instant).map(({ takerDelayS }) => takerDelayS))).toEqual(new Set([0]));
  });
});

describe('a season around now', () => {
  it('has games under way, today and later, in at least five leagues', () => {
    const between = (from: number, to: number) =>
      catalog.games.filter(({ startsAt }) => startsAt > NOW + from * HOUR_MS && startsAt <= NOW + to * HOUR_MS).length;
    const live = catalog.games.filter(({ startsAt, lengthMs }) => startsAt <= NOW && startsAt + lengthMs > NOW);
    expect(live.length).toBeGreaterThanOrEqual(8);
    expect([between(0, 24) >= 15, between(24, 48) >= 3, between(48, 240) >= 8]).toEqual([true, true, true]);
    expect(new Set(catalog.games.map(({ league }) => league)).size).toBeGreaterThanOrEqual(5);
  });

  it('holds what matching trips over: teams that meet twice, two clubs of a city, brothers', () => {
    const pairs = catalog.games.map(({ home, away }) => [home.name, away.name].sort().join(' & '));
    expect(pairs.filter(pair => pair === 'Boston Celtics & Los Angeles Lakers')).toHaveLength(3);
    expect(pairs).toContain('New York Islanders & New York Rangers');
    const brothers = catalog.games.flatMap(({ home }) => (home.code === 'CER' ? [home.name] : []));
    expect(brothers.sort()).toEqual(['Francisco Cerundolo', 'Juan Manuel Cerundolo']);
    expect(catalog.games.filter(({ home }) => home.code === 'TIE').map(({ home }) => home.name)).toEqual([
      'Learner Tien',
    ]);
  });

  it('has every form of title that venue B has', () => {
    const titles = catalog.venueB.events.map(({ title }) => title);
    for (const form of [/^[A-Z][^:]* at [^:]*$/, /^[^:]* vs [^:]*$/, / at .*: Totals$/, / vs .*: Totals$/]) {
      expect(titles.filter(title => form.test(title)).length).toBeGreaterThan(0);
    }
  });

  it.each([
    ['November', NOW, ['Quarterfinal', 'Round Of 16']],
    [
      'April',
      Date.UTC(2026, 3, 12),
      ['Game 4', 'Game 7 (If Necessary)', 'East Play-In', 'Quarterfinal', 'Round Of 16'],
    ],
    ['October', Date.UTC(2026, 9, 12), ['Game 4', 'Game 7 (If Necessary)', 'Quarterfinal', 'Round Of 16']],
  ])('4040: names in %s only stages that are played then', (_month, now, expected) => {
    const { venueB } = createCatalog({ seed: 1, now: now as UnixMillis });
    const stageOf = (title: string) => /^(.*): .* (?:at|vs) /.exec(title)?.[1] ?? [];
    expect(new Set(venueB.events.flatMap(({ title }) => stageOf(title)))).toEqual(new Set(expected));
    const staged = venueB.events.filter(({ title }) => /^(?:Game|East)/.test(title));
    const leagues = new Set(staged.map(({ game }) => game.league));
    expect([...leagues].every(league => ['nba', 'nhl', 'mlb'].includes(league))).toBe(true);
  });
});

describe('at any moment', () => {
  const moments = fc.record({ seed: fc.nat(), now: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) }) });
  const holds = (property: (it: Catalog) => void) =>
    fc.assert(
      fc.property(moments, ({ seed, now }) => property(createCatalog({ seed, now: now as UnixMillis }))),
      { numRuns: 12 },
    );

  it('nothing is listed twice', () => {
    holds(it => {
      const ids = [
        it.games.map(({ id }) => id),
        it.questions.map(({ id }) => id),
        it.venueA.events.map(({ id }) => id),
        it.venueA.events.map(({ slug }) => slug),
        marketsA(it).map(({ id }) => id),
        marketsA(it).map(({ slug }) => slug),
        marketsA(it).map(({ conditionId }) => conditionId),
        marketsA(it).map(({ questionId }) => questionId),
        marketsA(it).flatMap(({ tokens }) => tokens),
        it.venueB.events.map(({ eventTicker }) => eventTicker),
        marketsB(it).map(({ ticker }) => ticker),
        marketsB(it).map(({ marketId }) => marketId),
      ];
      for (const list of ids) expect(new Set(list).size).toBe(list.length);
    });
  });

  it('ids and tickers have the venues’ forms', () => {
    holds(it => {
      for (const { conditionId, tokens, outcomes } of marketsA(it)) {
        expect(conditionId).toMatch(/^0x[0-9a-f]{64}$/);
        for (const token of tokens) {
          if (protocolOf(token) === 'V1') expect(token).toMatch(/^[1-9]\d{76}$/);
          // A token id of Protocol V2 is its condition id with the outcome in the last byte.
          else expect(BigInt(token) >> 8n).toBe(BigInt(conditionId) >> 8n);
        }
        expect(new Set(outcomes).size).toBe(2);
      }
      for (const { ticker, marketId, eventTicker } of marketsB(it)) {
        expect(ticker).toMatch(/^KX[A-Z0-9]+-[A-Z0-9]+-[A-Z0-9.]+$/);
        expect(ticker.startsWith(`${eventTicker}-`)).toBe(true);
        expect(marketId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }
    });
  });

  it('every market asks a question of its own game, and times are in order', () => {
    holds(it => {
      const questions = new Map(it.questions.map(question => [question.id, question.game]));
      for (const { game, markets } of [...it.venueA.events, ...it.venueB.events]) {
        for (const { pricedBy } of markets) expect(questions.get(pricedBy.question)).toBe(game.id);
      }
      for (const { createdAt, openAt, closeAt, expectedExpirationAt } of marketsB(it)) {
        expect([createdAt < openAt, openAt < expectedExpirationAt, expectedExpirationAt < closeAt]).toEqual([
          true,
          true,
          true,
        ]);
      }
    });
  });
});

describe('both venues', () => {
  it('list every game', () => {
    for (const { id } of catalog.games) {
      expect(catalog.venueA.events.some(({ game }) => game.id === id)).toBe(true);
      expect(catalog.venueB.events.some(({ game }) => game.id === id)).toBe(true);
    }
  });

  it('share most questions: every one that venue A asks, venue B asks too', () => {
    const askedByB = new Set(marketsB(catalog).map(({ pricedBy }) => pricedBy.question));
    const onlyA = marketsA(catalog).filter(({ pricedBy }) => !askedByB.has(pricedBy.question));
    expect(onlyA.map(({ slug }) => slug)).toEqual([]);
  });

  it('draws are three neg-risk markets here, and a third market of an exclusive event there', () => {
    const events = catalog.venueA.events.filter(({ negRiskMarketId }) => negRiskMarketId !== null);
    expect(events.length).toBeGreaterThan(3);
    for (const { markets, sport } of events) {
      expect([sport.sport, markets.length]).toEqual(['epl', 3]);
      expect(markets.every(({ isNegRisk, outcomes }) => isNegRisk && outcomes.join() === 'Yes,No')).toBe(true);
    }
    const ties = marketsB(catalog).filter(({ yesSubTitle }) => yesSubTitle === 'Tie');
    expect(ties).toHaveLength(events.length);
  });

  it('have lines of half points that mean the same', () => {
    for (const { line, sportsMarketType, pricedBy } of marketsA(catalog)) {
      if (sportsMarketType === 'moneyline') expect(line).toBeNull();
      else {
        const peers = marketsB(catalog).filter(market => market.pricedBy.question === pricedBy.question);
        expect(peers.map(({ strike }) => strike.floor)).toEqual([Math.abs(line!)]);
        expect(Math.abs(line!) % 1).toBe(0.5);
      }
    }
  });

  it('trade on coarse and on fine grids', () => {
    expect(new Set(marketsA(catalog).map(({ tickSize }) => tickSize))).toEqual(new Set(['0.01', '0.001']));
    const grids = new Map(marketsB(catalog).map(({ grid }) => [grid.name, grid]));
    expect([...grids.keys()].sort()).toEqual(['deci_cent', 'linear_cent', 'tapered_deci_cent']);
    const tapered = grids.get('tapered_deci_cent')!.ranges.map(({ start, end, step }) => ({
      start: parseTicks(start)!,
      end: parseTicks(end)!,
      step: parseTicks(step)!,
    }));
    expect([910, 5_010, 5_100].map(price => isOnGrid(tapered, price as Ticks))).toEqual([true, false, true]);
  });
});

describe('a day of the season', () => {
  const today = dayOf(NOW);
  const season = (days: number) => Array.from({ length: days }, (_, day) => catalogOfDay(today + day, { seed: 1 }));

  it('is the same whenever it is asked for', () => {
    expect(catalogOfDay(today, { seed: 1 })).toEqual(catalogOfDay(today, { seed: 1 }));
    const strengths = (seed: number) => catalogOfDay(today, { seed }).games.map(({ strength }) => strength);
    expect(strengths(2)).not.toEqual(strengths(1));
  });

  it('lies within itself, was listed a week before, and hardly a moment is without a game', () => {
    const games = season(3).flatMap(it => it.games);
    for (const { startsAt } of catalogOfDay(today, { seed: 1 }).games) expect(dayOf(startsAt)).toBe(today);
    const created = marketsA(catalogOfDay(today, { seed: 1 })).map(({ createdAt }) => createdAt);
    expect(new Set(created)).toEqual(new Set([startOfDay(today - 7)]));
    for (let at: number = startOfDay(today + 1); at < startOfDay(today + 2); at += HOUR_MS / 4) {
      const isOn = games.some(({ startsAt, lengthMs }) => startsAt <= at && at < startsAt + lengthMs + HOUR_MS / 4);
      expect([new Date(at).toISOString(), isOn]).toEqual([new Date(at).toISOString(), true]);
    }
  });

  it('has no team play twice, and lists nothing twice, in a quarter of a year', () => {
    const days = season(90);
    for (const { games } of days) {
      const players = games.flatMap(({ league, home, away }) => [`${league} ${home.code}`, `${league} ${away.code}`]);
      expect(new Set(players).size).toBe(players.length);
    }
    const ids = [
      days.flatMap(it => it.games.map(({ id }) => id)),
      days.flatMap(it => it.questions.map(({ id }) => id)),
      days.flatMap(it => marketsA(it).flatMap(({ tokens }) => tokens)),
      days.flatMap(it => marketsB(it).map(({ ticker }) => ticker)),
    ];
    for (const list of ids) expect(new Set(list).size).toBe(list.length);
  });
});
