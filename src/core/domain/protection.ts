// Market-maker protection (beyond §1). If an actor has more fills or shares within a window of time than the maximum, all the actor's
// orders are cancelled. A protection covers a venue, or one market of a venue. Pure.

import type { Venue } from './market.ts';
import { MICROS_PER_SHARE, type MicroShares, type UnixMillis } from './numbers.ts';

export const protectionLimits = {
  /** The largest number of fills that are kept for one window, and the largest `fillsMax`: some 10 KB of a checkpoint. */
  protectionFillsMax: 1_000,
  /** The largest `sharesMax`, which equals the largest size of one order. */
  protectionSharesMax: 1_000_000_000,
  /** The shortest window: a shorter window would be shorter than the delay of the venue's report. */
  protectionWindowMsMin: 100,
  protectionWindowMsMax: 600_000,
  /** How long before the start of the latest window a fill may have been executed, and still count if it is reported late. */
  protectionLateMs: 10_000,
  /** The largest number of protections of one actor: a market maker quotes some dozens of markets. */
  protectionsPerActorMax: 200,
  /** How long a new protection waits for its venue to confirm the market. */
  protectionMarketMs: 3_000,
  /**
   * The pause between checks of triggered protections for open orders: orders may be adopted, or a cancel request may not have been
   * recorded.
   */
  protectionCheckMs: 1_000,
  /**
   * The largest number of order groups of one account at the venue, 150 bytes each in one record. Markets beyond this number have no group.
   */
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
  /** The largest number of fills in a window. */
  readonly fillsMax: number | null;
  /** The largest number of shares or contracts in a window, in micro-shares. */
  readonly sharesMax: MicroShares | null;
  readonly windowMs: number;
}

export interface Protection extends ProtectionScope, ProtectionTerms {
  readonly podId: string;
  readonly setAt: UnixMillis;
  /** The time at which a window exceeded the maximum, and the sums of this window. Null while the protection is armed. */
  readonly triggered: (WindowSum & { readonly at: UnixMillis }) | null;
  /** The counted fills, earliest first; empty once triggered. */
  readonly counted: readonly CountedFill[];
}

export const PROTECTION_EVENTS = ['SET', 'TRIGGERED', 'RESET', 'ENDED'] as const;

/** A change of a protection, of which the actor hears. */
export interface ProtectionChange {
  readonly event: (typeof PROTECTION_EVENTS)[number];
  /** The protection after the change; its last state if it has ended. */
  readonly protection: Protection;
}

export function covers(scope: ProtectionScope, venue: Venue, address: string): boolean {
  return scope.venue === venue && (scope.address === null || scope.address === address);
}

/** Returns the counted fills without the `dropped` earliest fills, and with `fill` at its place. */
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
 * Returns how many of the earliest counted fills no longer matter once `fill` is counted. Returns null if `fill` is reported too late to
 * count.
 */
export function droppedFor({ counted, windowMs }: Protection, fill: CountedFill): number | null {
  const latest = Math.max(fill.executedAt, counted.at(-1)?.executedAt ?? 0);
  const from = latest - windowMs - protectionLimits.protectionLateMs;
  if (fill.executedAt < from) return null;
  // A fill that is reported late may still share a window with counted fills of up to one window earlier.
  const stale = counted.findIndex(({ executedAt }) => executedAt >= from - windowMs);
  const excess = counted.length - protectionLimits.protectionFillsMax;
  return Math.max(stale === -1 ? counted.length : stale, excess);
}

/**
 * Returns the window that exceeds the maximum with `fill`, which is already counted; null if no window does. Two fills are in one window if
 * less than `windowMs` lies between them. More than `protectionFillsMax` fills always exceed the maximum.
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

/** Returns the sums of the window that ends at `now`. */
export function windowAt({ counted, windowMs }: Protection, now: UnixMillis): WindowSum {
  const within = counted.filter(({ executedAt }) => executedAt > now - windowMs);
  return { fills: within.length, size: exactly(within.reduce((sum, { size }) => sum + size, 0)) };
}

/** A limit that a venue itself can enforce: the matches within the venue's window, in whole shares. */
export interface VenueWindow {
  readonly windowMs: number;
  /** The largest limit that the venue takes; the least is 1. */
  readonly sharesMax: number;
}

/**
 * Returns the least limit of the venue's window that is exceeded only if a window of the protection is exceeded, too (ADR 0026). The
 * venue's window may hold several windows of the protection, each of which may trade the maximum. Null means that the protection counts
 * fills, or that the venue takes no limit that large.
 */
export function backUpLimit({ sharesMax, windowMs }: ProtectionTerms, venue: VenueWindow): number | null {
  if (sharesMax === null) return null;
  const windows = Math.max(1, Math.ceil(venue.windowMs / windowMs));
  const limit = Math.max(1, windows * Math.ceil(sharesMax / MICROS_PER_SHARE));
  return limit <= venue.sharesMax ? limit : null;
}

/** Returns the sum, but at most the largest exact integer; no maximum is that large. */
function exactly(sum: number): MicroShares {
  return Math.min(sum, Number.MAX_SAFE_INTEGER) as MicroShares;
}
