// What is not well, in words, by GET /v1/pod. Pure.

import type { PodFeed, PodStatus } from '../client/api-types.generated.ts';

const FAULT_WORDS: Readonly<Record<keyof PodStatus['faults'], string>> = {
  accountsUnread: 'accounts could not be read',
  privateStreamsDown: 'private streams are down',
  rowsHeld: 'fills of a venue cannot be read',
  engineStalled: 'the engine does not answer',
  divergences: 'statements of venues contradict the ledger, since the start',
};

export function alarmsOf({ recordFault, faults, feeds }: PodStatus): readonly string[] {
  const ofFaults = (Object.keys(FAULT_WORDS) as (keyof PodStatus['faults'])[])
    .filter(name => faults[name] > 0)
    .map(name => (name === 'engineStalled' ? FAULT_WORDS[name] : `${faults[name]} ${FAULT_WORDS[name]}`));
  const ofFeeds = feeds.filter(feed => feedState(feed) !== 'LIVE' && feedState(feed) !== 'IDLE');
  return [
    ...(recordFault === null ? [] : [recordFault]),
    ...ofFeeds.map(feed => `${feed.venue} is ${feedState(feed)}`),
    ...ofFaults,
  ];
}

export type FeedState = 'LIVE' | 'IDLE' | 'STALE' | 'RESYNCING';

/** `STALE`: the venue is silent or gone. `IDLE`: no book is in use. */
export function feedState({ books, marketData }: PodFeed): FeedState {
  const { LIVE, STALE, RESYNCING } = books;
  if (STALE > 0 || !marketData) return 'STALE';
  if (RESYNCING > LIVE) return 'RESYNCING';
  return LIVE === 0 ? 'IDLE' : 'LIVE';
}
