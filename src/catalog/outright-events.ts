// Questions outside games as events and markets of the catalog; the rest as markets of their own. Pure.

import { TIME_MAX, type UnixMillis } from '../core/domain/numbers.ts';
import { assert } from '../core/domain/result.ts';
import type { VenueEvent, VenueMarket } from '../venues/discovery.ts';
import { type CatalogEvent, type CatalogMarket, listingOf, ownId, ownMarket } from './catalog.ts';
import { COMPETITIONS } from './leagues/competitions.ts';
import type { Outright } from './matching/outright.ts';
import { outrightOf } from './matching/outrights.ts';
import { Memo, memoized } from './memo.ts';

/** All events outside games. */
interface Rest {
  readonly events: readonly CatalogEvent[];
  readonly markets: readonly CatalogMarket[];
}

interface Asked {
  readonly outright: Outright;
  readonly market: VenueMarket;
  readonly event: VenueEvent;
}

interface Read {
  /** Markets that stand alone. */
  readonly own: readonly CatalogMarket[];
  readonly asked: readonly Asked[];
}

/** Reads listings repeatedly; unchanged results keep their objects. */
export class OutrightEvents {
  readonly #read = memoized(read);
  readonly #ownMarket = memoized(({ market, event }: Asked) => ownMarket(market, null, [event.title]));
  readonly #events = new Memo<CatalogEvent>();
  readonly #markets = new Memo<CatalogMarket>();

  of(listed: readonly VenueEvent[]): Rest {
    this.#events.begin();
    this.#markets.begin();
    const all = listed.map(event => this.#read(event));
    const questions = Map.groupBy(
      all.flatMap(({ asked }) => asked),
      ({ outright }) => questionId(outright),
    );
    const certain = [...questions].filter(([, asked]) => isCertain(asked) && !isOnlyOwn(asked));
    const others = [...questions.values()].filter(asked => !isCertain(asked) || isOnlyOwn(asked)).flat();
    return {
      events: this.#eventsOf(certain.flatMap(([, asked]) => asked)),
      markets: [
        ...all.flatMap(({ own }) => own),
        ...others.map(it => this.#ownMarket(it)),
        ...certain.map(([id, asked]) =>
          this.#markets.of(id, asked, () => outrightMarket(marketIdOf(id, asked), asked)),
        ),
      ],
    };
  }

  #eventsOf(asked: readonly Asked[]): readonly CatalogEvent[] {
    const inSports = asked.filter(({ outright }) => outright.competition !== null);
    return [...Map.groupBy(inSports, ({ outright }) => outright.id)].map(([id, ofEvent]) =>
      this.#events.of(id, ofEvent, () => outrightEvent(ofEvent)),
    );
  }
}

function read(event: VenueEvent): Read {
  const all = event.markets.map(market => ({ market, event, outright: outrightOf(event, market) }));
  return {
    own: all.filter(it => it.outright === null).map(({ market }) => ownMarket(market, null, [event.title])),
    asked: all.filter((it): it is Asked => it.outright !== null),
  };
}

function questionId({ id, subject }: Outright): string {
  return `${id}:${subject.id}`;
}

/**
 * At most one market of a series may ask a question: if two seem to ask the same, one does not. Series of venue A do not separate
 * questions.
 */
function isCertain(asked: readonly Asked[]): boolean {
  const lists = asked.map(({ event }) =>
    event.venue === 'venue_a' ? event.venue : `${event.venue}/${event.seriesId}`,
  );
  return new Set(lists).size === lists.length;
}

/** A question that keeps a venue's id, at one venue. */
function isOnlyOwn(asked: readonly Asked[]): boolean {
  return asked.length === 1 && asked[0]!.outright.keepsVenueId === true;
}

/** The id at venue A comes first: it is the same with and without a listing at venue B. */
function marketIdOf(question: string, asked: readonly Asked[]): string {
  const [{ outright }] = asked as [Asked];
  return outright.keepsVenueId === true ? asked.map(({ market }) => ownId(market)).sort()[0]! : question;
}

function outrightMarket(id: string, asked: readonly Asked[]): CatalogMarket {
  const [{ outright, event }] = asked as [Asked];
  const markets = asked.map(({ market }) => market);
  const routes = (index: 0 | 1) => markets.map(market => listingOf(market, market.outcomes[index]!.route));
  return {
    id,
    title: `${outright.name}: ${outright.subject.name}`,
    outcomes: [
      { name: 'Yes', listings: routes(0) },
      { name: 'No', listings: routes(1) },
    ],
    eventId: outright.competition === null ? null : outright.id,
    line: null,
    notes: new Set(asked.map(it => it.event.venue)).size > 1 ? [outright.note ?? CANCELLED] : [],
    otherWords: [event.title, ...markets.map(({ title }) => title)],
  };
}

const CANCELLED =
  'Postponed or called off: venue_a resolves to its own rules’ last resort after a stated day, venue_b as its rules for the series say.';

function outrightEvent(asked: readonly Asked[]): CatalogEvent {
  const [{ outright }] = asked as [Asked];
  const competition = COMPETITIONS.find(({ id }) => id === outright.competition);
  assert(competition !== undefined, 'a rule knows the competition that it is about');
  const names = [...new Map(asked.map(it => [it.outright.subject.id, it.outright.subject.name])).values()];
  const times = asked.map(({ market }) => market.occursAt).filter(at => at !== null);
  const venues = new Set(asked.map(({ event }) => event.venue));
  return {
    id: outright.id,
    name: outright.name,
    sport: competition.sport.id,
    competition: competition.id,
    startsAt: Math.min(...times, TIME_MAX) as UnixMillis,
    isOver: asked.every(({ market }) => market.phase === 'OVER'),
    participants: names.sort().map(name => ({ name, role: 'COMPETITOR' as const })),
    matching: {
      keys: [...new Set(asked.map(({ event }) => `${event.venue}/${event.eventId}`))],
      confidence: 100,
      evidence: venues.size > 1 ? [`both venues ask in words that are known: ${outright.name}`] : [],
    },
  };
}
