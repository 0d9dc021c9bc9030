// Turns the faults in GET /v1/pod into words. Pure.

import type { PodFeed, PodStatus } from '../../core/generated/api-types.ts';
import { faultTexts } from '../../core/wire/reports.ts';

/** `nameOf` gives the name that the page shows for a venue. */
export function alarmsOf(
  { recordFault, faults, feeds }: PodStatus,
  nameOf: (venue: string) => string,
): readonly string[] {
  const ofFeeds = feeds.filter(feed => feedState(feed) !== 'LIVE' && feedState(feed) !== 'IDLE');
  return [
    ...(recordFault === null ? [] : [recordFault]),
    ...ofFeeds.map(feed => `${nameOf(feed.venue)} is ${feedState(feed)}`),
    ...faultTexts(faults),
  ];
}

/** The parts of the page that are out of date, in one text for each fault that causes it. */
export function troubleTexts(troubles: ReadonlyMap<string, string>): readonly string[] {
  const partsOf = (reason: string) => [...troubles].flatMap(([part, why]) => (why === reason ? [part] : []));
  return [...new Set(troubles.values())].map(why => `not current: ${partsOf(why).join(', ')}: ${why}`);
}

type FeedState = 'LIVE' | 'IDLE' | 'STALE' | 'RESYNCING';

/** The state of a feed. `STALE` means that the venue is silent or cannot be reached. `IDLE` means that no book is in use. */
export function feedState({ books, marketData }: PodFeed): FeedState {
  const { LIVE, STALE, RESYNCING } = books;
  if (STALE > 0 || !marketData) return 'STALE';
  if (RESYNCING > LIVE) return 'RESYNCING';
  return LIVE === 0 ? 'IDLE' : 'LIVE';
}
