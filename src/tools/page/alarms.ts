// Words for the faults in GET /v1/pod. Pure.

import type { PodFeed, PodStatus } from '../../core/generated/api-types.ts';
import { faultTexts } from '../../core/wire/reports.ts';

/** `nameOf`: what the page calls a venue. */
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

/** Parts of the page that are out of date, by the fault behind it. */
export function troubleTexts(troubles: ReadonlyMap<string, string>): readonly string[] {
  const partsOf = (reason: string) => [...troubles].flatMap(([part, why]) => (why === reason ? [part] : []));
  return [...new Set(troubles.values())].map(why => `not current: ${partsOf(why).join(', ')}: ${why}`);
}

type FeedState = 'LIVE' | 'IDLE' | 'STALE' | 'RESYNCING';

/** `STALE`: the venue is silent or gone. `IDLE`: no book is in use. */
export function feedState({ books, marketData }: PodFeed): FeedState {
  const { LIVE, STALE, RESYNCING } = books;
  if (STALE > 0 || !marketData) return 'STALE';
  if (RESYNCING > LIVE) return 'RESYNCING';
  return LIVE === 0 ? 'IDLE' : 'LIVE';
}
