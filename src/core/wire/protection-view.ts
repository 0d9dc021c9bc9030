// The view of a protection, in answers and on the stream. Any thread, and clients.

import type { Venue } from '../domain/market.ts';
import { formatMicroShares, type UnixMillis } from '../domain/numbers.ts';
import { type Protection, windowAt } from '../domain/protection.ts';
import { formatTime } from './time-text.ts';

export const PROTECTION_STATES = ['ARMED', 'TRIGGERED'] as const;

export interface ProtectionView {
  readonly venue: Venue;
  /** Null means all markets of the venue. */
  readonly address: string | null;
  readonly fillsMax: number | null;
  readonly sharesMax: string | null;
  readonly windowMs: number;
  readonly state: (typeof PROTECTION_STATES)[number];
  readonly setAt: string;
  readonly triggeredAt: string | null;
  /** The fills of the window that ends now, or of the window that triggered the protection. */
  readonly fills: number;
  readonly shares: string;
}

export function protectionView(protection: Protection, now: UnixMillis): ProtectionView {
  const { venue, address, fillsMax, sharesMax, windowMs, setAt, triggered } = protection;
  const { fills, size } = triggered ?? windowAt(protection, now);
  return {
    venue,
    address,
    fillsMax,
    sharesMax: sharesMax === null ? null : formatMicroShares(sharesMax),
    windowMs,
    state: triggered === null ? 'ARMED' : 'TRIGGERED',
    setAt: formatTime(setAt),
    triggeredAt: triggered === null ? null : formatTime(triggered.at),
    fills,
    shares: formatMicroShares(size),
  };
}
