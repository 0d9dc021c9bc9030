// Market-maker protection (beyond §1): the most fills of an actor within a window of time, beyond which all its orders are cancelled. A
// protection covers a venue, or one market of it. Pure.

import type { Venue } from './market.ts';
import { MICROS_PER_SHARE, type MicroShares, type UnixMillis } from './numbers.ts';

export const protectionLimits = {
  /** The most fills kept for one window, and the largest `fillsMax`: some 10 KB of a checkpoint. */
  protectionFillsMax: 1_000,
  /** The largest `sharesMax` is that of one order. */
  protectionSharesMax: 1_000_000_000,
  /** A shorter window would be shorter than the delay of the venue's report. */
  protectionWindowMsMin: 100,
  protectionWindowMsMax: 600_000,
  /** A fill reported late counts if it was executed at most this long before the start of the latest window. */
  protectionLateMs: 10_000,
  /** The most protections of one actor: a market maker quotes some dozens of markets. */
  protectionsPerActorMax: 200,
  /** A new protection waits this long for its venue to confirm the market. */
  protectionMarketMs: 3_000,
  /** The pause between looks at triggered protections, for orders that were adopted or whose cancel requests could not be recorded. */
  protectionCheckMs: 1_000,
  /** The most order groups of one account at the venue, 150 bytes each in one record; markets beyond it have no group. */
  protectionGroupsMax: 1_000,
  /** The pause after the venue has refused or not answered a request for a group. */
  protectionGroupRetryMs: 10_000,
} as const;

export interface ProtectionScope {
  /** The full id of the actor. */
  readonly actorId: string;
  readonly venue: Venue;
  /** A token id or ticker; null means all markets of the venue. */
  readonly address: string | null;
}

export interface CountedFill {
  /** The time of execution, as the venue states it. */
  readonly executedAt: UnixMillis;
  readonly size: MicroShares;
}

/** The fills of one window. */
interface WindowSum {
  readonly fills: number;
  readonly size: MicroShares;
}

/** Exactly one of `fillsMax` and `sharesMax` is set. */
export interface ProtectionTerms {
  /** Most fills of a window. */
  readonly fillsMax: number | null;
  /** Most shares or contracts of a window. */
  readonly sharesMax: MicroShares | null;
  readonly windowMs: number;
}

export interface Protection extends ProtectionScope, ProtectionTerms {
  readonly podId: string;
  readonly setAt: UnixMillis;
  /** The time at which a window exceeded the maximum, and that window; null while armed. */
  readonly triggered: (WindowSum & { readonly at: UnixMillis }) | null;
  /** The counted fills, earliest first; empty once triggered. */
  readonly counted: readonly CountedFill[];
}

export const PROTECTION_EVENTS = ['SET', 'TRIGGERED', 'RESET', 'ENDED'] as const;

/** A change that the actor hears of. */
export interface ProtectionChange {
  readonly event: (typeof PROTECTION_EVENTS)[number];
  /** The protection after the change; its last state if it has ended. */
  readonly protection: Protection;
}

export function covers(scope: ProtectionScope, venue: Venue, address: string): boolean {
  return scope.venue === venue && (scope.address === null || scope.address === address);
}

/** The counted fills without the `dropped` earliest, and with one more. */
export function countedWith(
  counted: readonly CountedFill[],
  fill: CountedFill,
  dropped: number,
): readonly CountedFill[] {
  const kept = counted.slice(dropped);
  const place = kept.findLastIndex(it => it.executedAt <= fill.executedAt) + 1;
  return kept.toSpliced(place, 0, fill);
}

/**
 * The number of earliest counted fills that no longer matter once `fill` is counted; null if `fill` itself is reported too late to count.
 */
export function droppedFor({ counted, windowMs }: Protection, fill: CountedFill): number | null {
  const latest = Math.max(fill.executedAt, counted.at(-1)?.executedAt ?? 0);
  const from = latest - windowMs - protectionLimits.protectionLateMs;
  if (fill.executedAt < from) return null;
  // Fills up to a window earlier may share a window with a late fill.
  const stale = counted.findIndex(({ executedAt }) => executedAt >= from - windowMs);
  const excess = counted.length - protectionLimits.protectionFillsMax;
  return Math.max(stale === -1 ? counted.length : stale, excess);
}

/**
 * The window that exceeds the maximum with `fill`, which is counted; null if none does. Two fills are in one window if less than
 * `windowMs` lies between them. More than `protectionFillsMax` fills always exceed.
 */
export function exceededBy(protection: Protection, fill: CountedFill): WindowSum | null {
  const { counted, windowMs, sharesMax } = protection;
  const fillsMax = protection.fillsMax ?? protectionLimits.protectionFillsMax;
  const near = counted.filter(({ executedAt }) => Math.abs(executedAt - fill.executedAt) < windowMs);
  let first = 0;
  let size = 0;
  for (const [last, it] of near.entries()) {
    size += it.size;
    for (; it.executedAt - near[first]!.executedAt >= windowMs; first += 1) size -= near[first]!.size;
    const fills = last - first + 1;
    const isExceeded = fills > fillsMax || (sharesMax !== null && size > sharesMax);
    if (isExceeded && it.executedAt >= fill.executedAt) return { fills, size: exactly(size) };
  }
  return null;
}

/** The fills of the window that ends at `now`. */
export function windowAt({ counted, windowMs }: Protection, now: UnixMillis): WindowSum {
  const within = counted.filter(({ executedAt }) => executedAt > now - windowMs);
  return { fills: within.length, size: exactly(within.reduce((sum, { size }) => sum + size, 0)) };
}

/** A limit that a venue can enforce itself: matches within a window of its own, in whole shares. */
export interface VenueWindow {
  readonly windowMs: number;
  /** The largest limit; the least is 1. */
  readonly sharesMax: number;
}

/**
 * The least limit of the venue's window that is never exceeded unless a window of the protection is, too (ADR 0026). A window of the venue
 * that holds several of the protection's may trade the maximum in each of them. Null: the protection counts fills, or the venue takes no
 * limit that large.
 */
export function backUpLimit({ sharesMax, windowMs }: ProtectionTerms, venue: VenueWindow): number | null {
  if (sharesMax === null) return null;
  const windows = Math.max(1, Math.ceil(venue.windowMs / windowMs));
  const limit = Math.max(1, windows * Math.ceil(sharesMax / MICROS_PER_SHARE));
  return limit <= venue.sharesMax ? limit : null;
}

/** Sums are not exact above this value; no maximum is that large. */
function exactly(sum: number): MicroShares {
  return Math.min(sum, Number.MAX_SAFE_INTEGER) as MicroShares;
}
