// Reports listings that should be games but could not be read, with the reasons, and the number of games of both venues. It shows names and
// competitions that the tables lack, and markets of versions that nobody here can trade. Pure.

import type { Venue } from '../core/domain/market.ts';
import { VENUES } from '../core/domain/market.ts';
import type { VenueEvent } from '../venues/discovery.ts';
import { isShown } from './known-events.ts';
import type { Game, UnreadGame } from './matching/game.ts';
import type { GameReader } from './matching/game-reader.ts';
import type { Pairing } from './matching/pair-evidence.ts';
import { GamePairs } from './matching/pair-games.ts';
import { venueAGames } from './matching/venue-a-games.ts';
import { venueBGames } from './matching/venue-b-games.ts';

interface Reading {
  readonly unread: readonly UnreadGame[];
  /** Events with markets that their versions keep out of the catalog; of all days. */
  readonly untraded: readonly VenueEvent[];
  /** Games that were read, by competition. */
  readonly counts: readonly CompetitionCount[];
}

interface CompetitionCount {
  readonly competition: string;
  readonly both: number;
  readonly onlyVenueA: number;
  readonly onlyVenueB: number;
}

const READERS: Readonly<Record<Venue, () => GameReader>> = { venue_a: venueAGames, venue_b: venueBGames };

/** `date` is one day as listed, such as `2026-11-20`; null means all days. */
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
