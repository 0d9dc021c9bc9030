// The page calls the venues by the operator's names, which come with the status. Browser.

import type { PodFeed } from '../../core/generated/api-types.ts';
import { signal } from './view.ts';

const names = signal<ReadonlyMap<string, string>>(new Map());

/** Keeps the names. If they have not changed, nothing on the page is drawn again. */
export function nameVenues(feeds: readonly Pick<PodFeed, 'venue' | 'name'>[]): void {
  const named = feeds.flatMap(({ venue, name }): [string, string][] => (name === null ? [] : [[venue, name]]));
  if (named.length === names.value.size && named.every(([venue, name]) => names.value.get(venue) === name)) return;
  names.value = new Map(named);
}

/** The text for a venue in either spelling: `Polymarket (venue A)`, or `venue A` if it has no name. */
export function venueText(venue: string): string {
  const plain = `venue ${venue.slice(-1).toUpperCase()}`;
  const name = names.value.get(venue.toLowerCase());
  return name === undefined ? plain : `${name} (${plain})`;
}

/** The short name for narrow places: `Polymarket`, or `venue A`. */
export function shortVenueText(venue: string): string {
  return names.value.get(venue.toLowerCase()) ?? venueText(venue);
}
