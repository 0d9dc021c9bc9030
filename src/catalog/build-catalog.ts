// Builds the catalog from what the venues list: games found and paired, tournaments and other questions by their words, and whatever
// is left as a market of its own (docs/CATALOG.md). The order of what is listed does not matter. Pure.

import type { UnixMillis } from '../domain/numbers.ts';
import type { VenueEvent, VenueMarket } from '../venues/discovery.ts';
import type { Catalog, CatalogEvent } from './catalog.ts';
import { type CatalogMarket, listingOf, ownMarket } from './catalog-market.ts';
import { COMPETITIONS } from './leagues/competitions.ts';
import type { EventIds } from './matching/event-ids.ts';
import { type Claim, type Game, other, type Side, type Statement } from './matching/game.ts';
import { marketsOf } from './matching/game-markets.ts';
import { type Outright, outrightOf } from './matching/outrights.ts';
import { type Pairing, pairGames } from './matching/pair-games.ts';
import { venueAGames } from './matching/venue-a-games.ts';
import { venueBGames } from './matching/venue-b-games.ts';

export function buildCatalog(listed: readonly VenueEvent[], ids: EventIds): Catalog {
  const listedEvents = eachMarketOnce([...listed].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)));
  const ofVenue = (venue: VenueEvent['venue']) => listedEvents.filter(event => event.venue === venue);
  const wasOne = (a: Game, b: Game): boolean => ids.known(a.key) !== null && ids.known(a.key) === ids.known(b.key);
  const pairings = pairGames(venueAGames(ofVenue('venue_a')), venueBGames(ofVenue('venue_b')), wasOne);
  const games = [...pairings].sort(byStart).map(pairing => gameEvent(pairing, ids));
  const inGames = new Set(pairings.flatMap(({ a, b }) => [...(a?.events ?? []), ...(b?.events ?? [])]));
  const rest = restOf(listedEvents.filter(event => !inGames.has(event)));
  return {
    events: [...games.map(({ event }) => event), ...rest.events].sort(inTime),
    markets: [...games.flatMap(({ markets }) => markets), ...rest.markets].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** A market that is listed with two events is that of the first. */
function eachMarketOnce(listed: readonly VenueEvent[]): readonly VenueEvent[] {
  const seen = new Set<string>();
  return listed.map(event => {
    const markets = event.markets.filter(({ marketId }) => !seen.has(`${event.venue}/${marketId}`));
    for (const { marketId } of markets) seen.add(`${event.venue}/${marketId}`);
    return markets.length === event.markets.length ? event : { ...event, markets };
  });
}

interface EventWithMarkets {
  readonly event: CatalogEvent;
  readonly markets: readonly CatalogMarket[];
}

function gameEvent(pairing: Pairing, ids: EventIds): EventWithMarkets {
  const { a, b, bSideOfFirst, confidence, evidence } = pairing;
  // Venue A has whole names, start times and, at times, says who is at home.
  const game = a ?? b!;
  const { competition } = game;
  const names = [nameOfSide(pairing, 0), nameOfSide(pairing, 1)] as const;
  const keys = [a, b].filter(it => it !== null).map(({ key }) => key);
  const id = ids.idOf(keys, `${competition.id}-${game.opponents.map(it => it.id).join('-')}-${game.date}`);
  const name = names.join(competition.isHomeFirst ? ' vs ' : ' at ');
  const home = game.home ?? 0;
  const events = [a, b].flatMap(it => it?.events ?? []);
  const otherWords = [...new Set(events.map(({ title }) => title))].join(' ');
  const claims = [
    ...(a?.claims ?? []),
    ...(b?.claims ?? []).map(claim => (bSideOfFirst === 0 ? claim : turned(claim))),
  ];
  const markets = events.flatMap(it => it.markets);
  return {
    event: {
      id,
      name,
      sport: competition.sport.id,
      competition: competition.id,
      startsAt: startOf(game, b),
      isOver: markets.length > 0 && markets.every(({ phase }) => phase === 'OVER'),
      participants: names.map((it, side) => ({ name: it, role: roleOf(game, side as Side) })),
      matching: { keys, confidence, evidence },
    },
    markets: [
      ...marketsOf({ eventId: id, competition, name, names, home, claims, otherWords }),
      ...[a, b].flatMap(it => it?.others ?? []).map(market => ownMarket(market, id, otherWords)),
    ],
  };
}

/** The fuller of the two: venue B may have a surname only. */
function nameOfSide({ a, b, bSideOfFirst }: Pairing, side: Side): string {
  const ofA = a?.opponents[side];
  const ofB = b?.opponents[bSideOfFirst === 0 ? side : other(side)];
  if (ofA === undefined) return ofB!.name;
  return !ofA.isFull && ofB?.isFull ? ofB.name : ofA.name;
}

function roleOf({ home }: Game, side: Side): 'HOME' | 'AWAY' | 'COMPETITOR' {
  if (home === null) return 'COMPETITOR';
  return side === home ? 'HOME' : 'AWAY';
}

function turned(claim: Claim): Claim {
  const { of } = claim.statement;
  if (of !== 0 && of !== 1) return claim;
  return { ...claim, statement: { ...claim.statement, of: other(of) } as Statement };
}

/** Nobody has said it: when it is expected to be over, or the end of its day. */
function startOf(game: Game, b: Game | null): UnixMillis {
  const expected = game.events.flatMap(({ markets }) => markets).find(({ occursAt }) => occursAt !== null)?.occursAt;
  return game.startsAt ?? b?.startsAt ?? expected ?? (Date.parse(`${game.date}T23:59:59Z`) as UnixMillis);
}

interface Rest {
  readonly events: readonly CatalogEvent[];
  readonly markets: readonly CatalogMarket[];
}

interface Asked {
  readonly outright: Outright;
  readonly market: VenueMarket;
  readonly event: VenueEvent;
}

/** What is of no game. */
function restOf(listedEvents: readonly VenueEvent[]): Rest {
  const asked = new Map<string, Asked[]>();
  const own: CatalogMarket[] = [];
  for (const event of listedEvents) {
    for (const market of event.markets) {
      const outright = outrightOf(event, market);
      if (outright === null) own.push(ownMarket(market, null, event.title));
      else asked.set(questionId(outright), [...(asked.get(questionId(outright)) ?? []), { outright, market, event }]);
    }
  }
  const certain = [...asked.values()].filter(isCertain);
  const doubtful = [...asked.values()].filter(it => !isCertain(it)).flat();
  return {
    events: outrightEvents(certain.flat()),
    markets: [
      ...own,
      ...doubtful.map(({ market, event }) => ownMarket(market, null, event.title)),
      ...certain.map(outrightMarket),
    ],
  };
}

function questionId({ id, subject }: Outright): string {
  return `${id}:${subject.id}`;
}

/** One market of a venue at most: of two that seem to ask the same, one does not. */
function isCertain(asked: readonly Asked[]): boolean {
  const venues = asked.map(({ event }) => event.venue);
  return new Set(venues).size === venues.length;
}

function outrightMarket(asked: readonly Asked[]): CatalogMarket {
  const [{ outright, event }] = asked as [Asked];
  const markets = asked.map(({ market }) => market);
  const routes = (index: 0 | 1) => markets.map(market => listingOf(market, market.outcomes[index]!.route));
  return {
    id: questionId(outright),
    title: `${outright.name}: ${outright.subject.name}`,
    outcomes: [
      { name: 'Yes', listings: routes(0) },
      { name: 'No', listings: routes(1) },
    ],
    eventId: outright.competition === null ? null : outright.id,
    line: null,
    notes: asked.length > 1 ? [CANCELLED] : [],
    otherWords: [event.title, ...markets.map(({ title }) => title)].join(' '),
  };
}

const CANCELLED =
  'Postponed or called off: venue_a resolves to its own rules’ last resort after a stated day, venue_b as its rules for the series say.';

const SPORT_OF = new Map(COMPETITIONS.map(({ id, sport }) => [id, sport.id]));

function outrightEvents(asked: readonly Asked[]): readonly CatalogEvent[] {
  const byId = new Map<string, Asked[]>();
  for (const one of asked) {
    if (one.outright.competition === null) continue;
    byId.set(one.outright.id, [...(byId.get(one.outright.id) ?? []), one]);
  }
  return [...byId.values()].map(ofEvent => {
    const [{ outright }] = ofEvent as [Asked];
    const competition = outright.competition!;
    const names = [...new Map(ofEvent.map(it => [it.outright.subject.id, it.outright.subject.name])).values()];
    const times = ofEvent.map(({ market }) => market.occursAt).filter(at => at !== null);
    const venues = new Set(ofEvent.map(({ event }) => event.venue));
    return {
      id: outright.id,
      name: outright.name,
      sport: SPORT_OF.get(competition) ?? competition,
      competition,
      startsAt: Math.min(...times, LAST_TIME) as UnixMillis,
      isOver: ofEvent.every(({ market }) => market.phase === 'OVER'),
      participants: names.sort().map(name => ({ name, role: 'COMPETITOR' as const })),
      matching: {
        keys: [...new Set(ofEvent.map(({ event }) => nameOf(event)))],
        confidence: 100,
        evidence: venues.size > 1 ? [`both venues ask in words that are known: ${outright.name}`] : [],
      },
    };
  });
}

/** The last that ISO text with four digits of year can say. */
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

function nameOf({ venue, eventId }: VenueEvent): string {
  return `${venue}/${eventId}`;
}

/** Ids are minted in the order of games, so that the second of a day is `-2`. */
function byStart(one: Pairing, another: Pairing): number {
  const [first, second] = [one.a ?? one.b!, another.a ?? another.b!];
  return startOf(first, one.b) - startOf(second, another.b) || (first.key < second.key ? -1 : 1);
}

function inTime(a: CatalogEvent, b: CatalogEvent): number {
  return a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1);
}
