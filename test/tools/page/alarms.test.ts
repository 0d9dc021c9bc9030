// What the page says of feeds and faults.

import { describe, expect, it } from 'vitest';
import type { PodFeed, PodStatus } from '../../../src/tools/client/api-types.generated.ts';
import { alarmsOf, feedState } from '../../../src/tools/page/alarms.ts';

const feed = (changes: Partial<PodFeed> = {}, books: Partial<PodFeed['books']> = {}): PodFeed => ({
  venue: 'venue_b',
  tradable: true,
  marketData: true,
  frameAgeMs: 10,
  ...changes,
  books: { RESYNCING: 0, LIVE: 3, STALE: 0, HALTED: 0, CLOSED: 0, ...books },
});

const WELL: PodStatus['faults'] = {
  ...{ accountsUnread: 0, privateStreamsDown: 0, rowsHeld: 0, engineStalled: 0 },
  ...{ protectionsTriggered: 0, recordingFailed: 0, divergences: 0 },
};

const status = (changes: Partial<PodStatus> = {}): PodStatus => ({
  podId: 'demo',
  version: '1.0.0',
  startedAt: '2026-11-20T17:00:00.000Z',
  recordFault: null,
  stopped: [],
  feeds: [feed()],
  actors: [],
  faults: WELL,
  submissions: 0,
  latencies: [],
  ...changes,
});

describe('a feed is', () => {
  it.each([
    ['LIVE', feed()],
    ['STALE', feed({}, { STALE: 1 })],
    ['STALE', feed({ marketData: false }, { LIVE: 0, STALE: 3 })],
    ['STALE', feed({ marketData: false }, { LIVE: 0, RESYNCING: 3 })],
    ['RESYNCING', feed({}, { LIVE: 0, RESYNCING: 2 })],
    ['IDLE', feed({ frameAgeMs: 60_000 }, { LIVE: 0 })],
    ['LIVE', feed({ frameAgeMs: 60_000 })],
  ] as const)('%s', (state, it_) => expect(feedState(it_)).toBe(state));
});

describe('alarms', () => {
  it('are none while all is well', () => expect(alarmsOf(status())).toEqual([]));

  it('name each feed and fault', () => {
    const faults = {
      ...WELL,
      accountsUnread: 2,
      engineStalled: 1,
      protectionsTriggered: 1,
      recordingFailed: 1,
      divergences: 3,
    } as const;
    const feeds = [feed({}, { STALE: 1 })];
    expect(alarmsOf(status({ recordFault: 'nothing can be recorded', faults, feeds }))).toEqual([
      'nothing can be recorded',
      'venue_b is STALE',
      '2 accounts could not be read',
      'the engine does not answer',
      '1 protections are triggered: their actors place no orders there until the reset',
      'books are not recorded any more',
      '3 statements of venues contradict the ledger, since the start',
    ]);
  });
});
