// Reports on a running gateway, for commands and the web page: its state, its faults, and the result of a stop. Any thread.

import type { LossLimitEvent } from '../domain/loss-limit.ts';
import type { Venue } from '../domain/market.ts';
import type { StopScope } from '../domain/operation.ts';
import { isTerminal, type Order } from '../domain/order.ts';
import { addressOf } from '../domain/order-frame.ts';
import type { CancelledRequest } from '../domain/order-request.ts';

export interface StatusReport {
  readonly version: string;
  readonly pid: number;
  /** The time of the start in Unix milliseconds. */
  readonly startedAt: number;
  /** The readiness that /readyz shows. */
  readonly ready: Readiness;
  /** The scopes that an operator has stopped. */
  readonly stopped: readonly string[];
  readonly faults: Faults;
  readonly venues: readonly VenueStatus[];
  readonly actors: readonly { readonly actorId: string; readonly openOrders: number }[];
  /** The submissions that were answered since the start. The times are in milliseconds; null before the first submission. */
  readonly submissions: { readonly count: number; readonly p50Ms: number | null; readonly p99Ms: number | null };
  /** Some of the gauges of /metrics, by name. */
  readonly gauges: Readonly<Record<string, number>>;
}

/** The largest loss of an actor or a pod in one event. */
export interface EventExposureView {
  readonly eventId: string;
  readonly lossUsd: string;
  /** The outcomes that bring this loss, one for each question of the event. */
  readonly worstOutcomes: readonly string[];
}

/** The events, largest loss first. Null while the catalog is not known. */
export type EventExposures = readonly EventExposureView[] | null;

/** The exposure of each actor asked for, in the sequence of the request, and of the pod. */
export interface ExposureReport {
  readonly actors: readonly {
    /** The largest position in shares, if all open orders in the position's direction were filled. */
    readonly position: string;
    readonly events: EventExposures;
  }[];
  readonly pod: EventExposures;
}

/** A loss limit as it stands. Times are ISO 8601. */
export interface LossLimitView {
  readonly lossMaxUsd: string;
  /** The loss since the time `since`; negative after a gain. */
  readonly lossUsd: string;
  /** The loss that the limit still allows. */
  readonly leftUsd: string;
  readonly cancels: boolean;
  readonly since: string;
  readonly until: string;
  /** The time at which the limit was reached. Null while the limit is not reached. */
  readonly reachedAt: string | null;
  /** The number of markets held in the scope, and how many of these count at the last known price, since their books are not LIVE. */
  readonly positions: number;
  readonly positionsWithOldPrices: number;
}

export interface LossLimitRow extends LossLimitView {
  /** The id of a pod, or the full id of an actor. */
  readonly scope: string;
}

/** A change of a loss limit, of which the actors in its scope hear. */
export interface LossLimitChange {
  readonly event: LossLimitEvent;
  readonly scope: string;
  /** The limit after the change. For a limit that has ended, its last state. */
  readonly limit: LossLimitView;
}

export interface Readiness {
  readonly status: string;
  /** Why nothing can be traded. */
  readonly reason?: string;
  /** The state of each venue's feed of books: `ok`, or the fault. */
  readonly feeds: Readonly<Record<Venue, string>>;
}

export interface VenueStatus {
  readonly venue: Venue;
  /** The number of books in use, by their state. */
  readonly books: Readonly<Record<string, number>>;
  /** The pods with an account at the venue, and whether each can place orders now. */
  readonly accounts: readonly { readonly podId: string; readonly tradable: boolean }[];
}

// Figures that are 0 while a gateway is well, with the words for people if a figure is above 0.

export interface Faults {
  readonly accountsUnread: number;
  readonly privateStreamsDown: number;
  readonly rowsHeld: number;
  readonly engineStalled: number;
  readonly protectionsTriggered: number;
  readonly recordingFailed: number;
  readonly divergences: number;
}

const WORDS: Readonly<Record<keyof Faults, (count: number) => string>> = {
  accountsUnread: count => `${count} accounts could not be read`,
  privateStreamsDown: count => `${count} private streams are down`,
  rowsHeld: count => `${count} fills of a venue cannot be read`,
  engineStalled: () => 'the engine does not answer',
  protectionsTriggered: count =>
    `${count} protections are triggered: their actors place no orders there until the reset`,
  recordingFailed: () => 'books are not recorded any more',
  divergences: count => `${count} statements of venues contradict the ledger, since the start`,
};

/** Returns a text for each figure above 0. */
export function faultTexts(faults: Faults): readonly string[] {
  const names = Object.keys(WORDS) as (keyof Faults)[];
  return names.filter(name => faults[name] > 0).map(name => WORDS[name](faults[name]));
}

// The result of a stop, and the orders that it has left. The engine or the guard writes it; commands and the web page read it.

/** The largest number of open orders that a report names. `leftTotal` counts all open orders. */
const LEFT_SHOWN_MAX = 100;

export interface StopReport {
  /** All scopes that are stopped now. */
  readonly stopped: readonly StopScope[];
  /** The number of orders that this stop has cancelled. */
  readonly cancelled: number;
  /**
   * The number of orders that may still rest at their venue. A recorded cancel request stays, and is made as soon as the venue takes it.
   */
  readonly leftTotal: number;
  /** The first orders that are left. */
  readonly left: readonly LeftOrder[];
  /** The accounts that were not read since the start, as `pod/venue`. They may have orders that are not known here yet. */
  readonly unread: readonly string[];
}

export interface ResumeReport {
  readonly stopped: readonly StopScope[];
  readonly wasStopped: boolean;
}

interface LeftOrder {
  readonly orderId: string;
  /** The full id of the actor. */
  readonly actorId: string;
  readonly venue: string;
  /** The token id or ticker. */
  readonly market: string;
  readonly status: string;
}

type Left = Pick<Order, 'orderId' | 'actorId' | 'status'> & { readonly request: CancelledRequest };

export function leftOf(orders: readonly Left[]): Pick<StopReport, 'leftTotal' | 'left'> {
  const open = orders.filter(({ status }) => !isTerminal(status));
  const left = open.slice(0, LEFT_SHOWN_MAX).map(({ orderId, actorId, request, status }) => ({
    orderId,
    actorId,
    venue: request.venue,
    market: addressOf(request),
    status,
  }));
  return { leftTotal: open.length, left };
}

/**
 * The number of durations up to `endUs` microseconds that are beyond the bucket before. Null means beyond the last end. Empty buckets are
 * left out.
 */
export interface LatencyBucket {
  readonly endUs: number | null;
  readonly count: number;
}

/** The buckets of each venue, in ascending order. */
export type VenueLatencies = Readonly<Record<Venue, Readonly<Record<'order' | 'cancel', readonly LatencyBucket[]>>>>;
