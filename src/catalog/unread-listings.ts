// Reports for operators which listings should be games but could not be read, and why, and how many games each venue lists. The report
// shows names and competitions that the tables lack, and markets of versions that nobody here can trade. It also says why a game has no
// twin. Pure.

import { VENUES, type Venue } from '../core/domain/market.ts';
import type { VenueEvent } from '../venues/discovery.ts';
import { isShown } from './known-events.ts';
import { normalized } from './leagues/team-table.ts';
import { type Game, type GameReader, sideNamed, type UnreadGame } from './matching/game.ts';
import { daysApart, objectionTo, type Pairing } from './matching/pair-evidence.ts';
import { GamePairs } from './matching/pair-games.ts';
import { venueAGames } from './matching/venue-a-games.ts';
import { venueBGames } from './matching/venue-b-games.ts';

interface Reading {
  readonly unread: readonly UnreadGame[];
  /** The events of all days with markets that the catalog leaves out because of their versions. */
  readonly untraded: readonly VenueEvent[];
  /** The numbers of games that were read, by competition. */
  readonly counts: readonly CompetitionCount[];
}

interface CompetitionCount {
  readonly competition: string;
  readonly both: number;
  readonly onlyVenueA: number;
  readonly onlyVenueB: number;
}

const READERS: Readonly<Record<Venue, () => GameReader>> = { venue_a: venueAGames, venue_b: venueBGames };

/** Reports on the listings of one day. `date` is the day as listed, such as `2026-11-20`. Null means all days. */
export function unreadListings(listed: readonly VenueEvent[], date: string | null): Reading {
  const isOfDay = (it: { readonly date: string }): boolean => date === null || it.date === date;
  const unread: UnreadGame[] = [];
  const [ofA, ofB] = VENUES.map((venue): readonly Game[] => {
    const events = listed.filter(event => event.venue === venue && isShown(event));
    const reader = READERS[venue]();
    unread.push(...reader.unread(events).filter(isOfDay));
    return reader.of(events).filter(isOfDay);
  });
  const pairings = new GamePairs({ known: () => null, isOf: () => false }).of(ofA ?? [], ofB ?? []);
  const untraded = listed.filter(event => event.untraded !== undefined);
  return { unread, untraded, counts: countsOf(pairings) };
}

function countsOf(pairings: readonly Pairing[]): readonly CompetitionCount[] {
  return [...Map.groupBy(pairings, ({ a, b }) => (a ?? b!).competition.id)].map(([competition, games]) => ({
    competition,
    both: games.filter(({ a, b }) => a !== null && b !== null).length,
    onlyVenueA: games.filter(({ b }) => b === null).length,
    onlyVenueB: games.filter(({ a }) => a === null).length,
  }));
}

/** A reason why a game of one venue has no twin. It is a similar game of the other venue, or a listing that could not be read. */
export interface NearMiss {
  /** The name of the game or listing at its venue. */
  readonly key: string;
  readonly what: string;
  readonly why: string;
}

/** A game that was moved further than this counts as another game. */
const DAYS_APART_MAX = 7;

/**
 * Returns why a game has no twin, nearest games first. `twinOf` returns the id of the event in which a game of the other venue has a twin.
 * It returns null if that game has no twin.
 */
export function nearMisses(
  game: Game,
  others: readonly Game[],
  unread: readonly UnreadGame[],
  twinOf: (game: Game) => string | null,
): readonly NearMiss[] {
  const similar = others.filter(other => isSimilar(game, other));
  const inOrder = similar.toSorted((one, another) => daysApart(game, one) - daysApart(game, another));
  return [
    ...inOrder.map(other => ({ key: other.key, what: wordsOf(other), why: mismatch(game, other, similar, twinOf) })),
    ...unread
      .filter(it => mayBeGame(game, it))
      .map(({ events, why }) => {
        const [{ venue, eventId, title }] = events as [UnreadGame['events'][number]];
        return { key: `${venue} ${eventId}`, what: title, why: `could not be read: ${why}` };
      }),
  ];
}

/** Whether two games are similar: with the same two opponents within a week, or with one of them on the same day. */
function isSimilar(game: Game, other: Game): boolean {
  if (game.competition.sport.id !== other.competition.sport.id) return false;
  const shared = other.opponents.filter(({ name }) => sideNamed(game, name) !== null).length;
  const days = daysApart(game, other);
  return shared === 2 ? days <= DAYS_APART_MAX : shared === 1 && days === 0;
}

function mismatch(game: Game, other: Game, similar: readonly Game[], twinOf: (game: Game) => string | null): string {
  if (other.competition !== game.competition) return `is in ${other.competition.id}, not in ${game.competition.id}`;
  const strangers = other.opponents.filter(({ name }) => sideNamed(game, name) === null);
  if (strangers.length > 0) return `${strangers.map(({ name }) => name).join(' and ')} does not play in this game`;
  const isAnotherDay = other.date !== game.date && !game.competition.daysMayDiffer;
  if (isAnotherDay) return `is listed for ${other.date}, not for ${game.date}`;
  const [a, b] = game.key.startsWith('venue_a') ? [game, other] : [other, game];
  const objection = objectionTo(a, b);
  if (objection !== null) return objection;
  const twin = twinOf(other);
  if (twin !== null) return `is one with another listing already, as ${twin}`;
  const days = [game.date, other.date];
  const rivals = similar.filter(it => it !== other && days.includes(it.date) && it.competition === game.competition);
  return rivals.length > 0
    ? 'could be meant, and so could another game of that day'
    : 'has another twin in the stored ids';
}

/** Whether the unread listing is of the game's day and names one of its opponents. */
function mayBeGame({ date, opponents }: Game, { date: listed, events }: UnreadGame): boolean {
  if (date !== listed) return false;
  const texts = events.map(({ title, subTitle }) => normalized(`${title} ${subTitle}`));
  return opponents.some(({ name }) => {
    const word = normalized(name).split(' ').at(-1) ?? '';
    return word !== '' && texts.some(text => text.split(' ').includes(word));
  });
}

function wordsOf({ opponents, date, competition }: Game): string {
  return `${opponents.map(({ name }) => name).join(' and ')}, ${competition.id}, ${date}`;
}
