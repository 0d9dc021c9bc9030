// Listings of the paper venue D: one or two of every kind. Thread of the paper exchanges.

import { DAY_MS } from '../../core/domain/durations.ts';
import type { Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { LivingBook, type Sides } from '../side-markets/living-book.ts';

export interface VenueDListing {
  readonly slug: string;
  readonly title: string;
  readonly status: 'FUNDED' | 'FUNDED_FLAGGED' | 'LOCKED' | 'RESOLVED';
  readonly expiresAt: UnixMillis;
  readonly tradeType: 'clob' | 'amm';
  /** Absent: Yes and No, left out on the wire. */
  readonly outcomeNames?: readonly [string, string];
  /** 0 means YES. */
  readonly winner: 0 | 1 | null;
  readonly prices: LivingBook;
}

export interface VenueDGroup {
  readonly slug: string;
  readonly title: string;
  readonly expiresAt: UnixMillis;
  readonly members: readonly VenueDListing[];
}

export interface VenueDListings {
  readonly markets: readonly VenueDListing[];
  readonly groups: readonly VenueDGroup[];
}

interface Sketch extends Partial<Pick<VenueDListing, 'status' | 'tradeType' | 'outcomeNames' | 'winner'>> {
  readonly slug: string;
  readonly title: string;
  /** Days from the midnight, UTC, before the start; negative: over. */
  readonly days: number;
  readonly centre: number;
  readonly sides?: Sides;
}

const SINGLE: readonly Sketch[] = [
  { slug: 'rain-in-paris-this-month', title: 'Rain in Paris this month?', days: 20, centre: 7_350 },
  {
    slug: 'btc-up-or-down-daily',
    title: 'BTC Up or Down - Daily',
    days: 1,
    centre: 5_000,
    outcomeNames: ['Up', 'Down'],
  },
  {
    slug: 'ships-through-suez-above-70',
    title: 'More than 70 ships through Suez in a day?',
    days: 9,
    centre: 2_100,
    status: 'FUNDED_FLAGGED',
  },
  { slug: 'snow-on-the-summit', title: 'Snow on the summit?', days: 30, centre: 6_000, sides: 'asks' },
  { slug: 'nobody-quotes-this', title: 'Will anybody quote this market?', days: 5, centre: 5_000, sides: 'none' },
  { slug: 'eth-above-4000-pool', title: 'ETH above $4 000?', days: 3, centre: 4_280, tradeType: 'amm' },
  { slug: 'vote-count-disputed', title: 'Vote count disputed?', days: 2, centre: 3_000, status: 'LOCKED' },
  { slug: 'yesterdays-question', title: 'A question of yesterday', days: -1, centre: 8_000 },
  {
    slug: 'settled-question',
    title: 'A question that is settled',
    days: -3,
    centre: 9_700,
    status: 'RESOLVED',
    winner: 0,
    sides: 'none',
  },
];

const RATE_CUT: readonly Sketch[] = [
  {
    slug: 'rate-cut-june-meeting',
    title: 'June Meeting',
    days: -10,
    centre: 3_500,
    status: 'RESOLVED',
    winner: 1,
    sides: 'asks',
  },
  { slug: 'rate-cut-october-meeting', title: 'October Meeting', days: 25, centre: 850 },
  { slug: 'rate-cut-december-meeting', title: 'December Meeting', days: 60, centre: 3_000 },
];

export function venueDListings(seed: number, timers: Timers): VenueDListings {
  const midnight = Math.floor(timers.now() / DAY_MS) * DAY_MS;
  let number = 0;
  const listed = ({ days, centre, sides = 'both', ...sketch }: Sketch): VenueDListing => {
    number += 1;
    return {
      status: 'FUNDED',
      tradeType: 'clob',
      winner: null,
      ...sketch,
      expiresAt: (midnight + days * DAY_MS) as UnixMillis,
      prices: new LivingBook(seed + number, timers, centre as Ticks, sides),
    };
  };
  const members = RATE_CUT.map(listed);
  const group = { slug: 'rate-cut-by', title: 'Rate cut by __?', expiresAt: members.at(-1)!.expiresAt, members };
  return { markets: SINGLE.map(listed), groups: [group] };
}
