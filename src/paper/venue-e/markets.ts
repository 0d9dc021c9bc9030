// Listings of the paper venue E: single markets and a group, in every state that a caller can meet. Groups have ids of their own. Thread of
// the paper exchanges.

import { DAY_MS } from '../../core/domain/durations.ts';
import type { Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { LivingBook, type Sides } from '../side-markets/living-book.ts';

export interface VenueEListing {
  readonly marketId: number;
  readonly title: string;
  readonly status: keyof typeof STATUS_NAMES;
  /** 0: a member of a group, which has the date. */
  readonly cutoffAt: UnixMillis | 0;
  readonly hasYesWon: boolean | null;
  readonly prices: LivingBook;
}

export interface VenueEGroupListing {
  readonly marketId: number;
  readonly title: string;
  readonly cutoffAt: UnixMillis;
  readonly members: readonly VenueEListing[];
}

export interface VenueEListings {
  readonly markets: readonly VenueEListing[];
  readonly groups: readonly VenueEGroupListing[];
}

export const STATUS_NAMES = {
  1: 'Created',
  2: 'Activated',
  3: 'Resolving',
  4: 'Resolved',
  5: 'Failed',
  6: 'Deleted',
} as const;

interface Sketch {
  readonly marketId: number;
  readonly title: string;
  readonly centre: number;
  readonly status?: VenueEListing['status'];
  readonly hasYesWon?: boolean;
  /** Days from the midnight, UTC, before the start. */
  readonly days?: number;
  readonly sides?: Sides;
}

const SINGLE: readonly Sketch[] = [
  { marketId: 101, title: 'Comet visible to the naked eye this month?', centre: 6_200, days: 18 },
  { marketId: 102, title: 'Harbour frozen by the end of the month?', centre: 1_300, days: 18, sides: 'asks' },
  { marketId: 103, title: 'First across the bay: the ferry?', centre: 4_900, days: 12, status: 1, sides: 'none' },
  { marketId: 104, title: 'Bridge opened before noon?', centre: 9_000, days: -1, status: 3 },
  {
    marketId: 105,
    title: 'Regatta held in spite of the storm?',
    centre: 9_950,
    days: -4,
    status: 4,
    hasYesWon: false,
    sides: 'asks',
  },
  { marketId: 106, title: 'Lighthouse keeper seen?', centre: 5_000, days: -6, status: 5, sides: 'none' },
  { marketId: 107, title: 'A market that was a mistake', centre: 5_000, days: 3, status: 6, sides: 'none' },
];

const ACQUISITIONS: readonly Sketch[] = [
  { marketId: 210, title: 'The ferry line', centre: 1_280 },
  { marketId: 211, title: 'The lighthouse', centre: 4_400 },
  { marketId: 212, title: 'The boatyard', centre: 9_950, status: 4, hasYesWon: true, sides: 'none' },
];

export function venueEListings(seed: number, timers: Timers): VenueEListings {
  const midnight = Math.floor(timers.now() / DAY_MS) * DAY_MS;
  const listed = ({ days, centre, sides = 'both', ...sketch }: Sketch): VenueEListing => ({
    status: 2,
    hasYesWon: null,
    ...sketch,
    cutoffAt: days === undefined ? 0 : ((midnight + days * DAY_MS) as UnixMillis),
    prices: new LivingBook(seed + sketch.marketId, timers, centre as Ticks, sides),
  });
  const group = {
    marketId: 37,
    title: 'What will be sold this year?',
    cutoffAt: (midnight + 90 * DAY_MS) as UnixMillis,
    members: ACQUISITIONS.map(listed),
  };
  return { markets: SINGLE.map(listed), groups: [group] };
}
