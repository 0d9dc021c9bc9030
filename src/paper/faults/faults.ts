// Faults of a paper exchange, for one key or for all keys. The exchanges ask for faults at fixed places. A seed determines the answers, so
// that a run can be repeated. Thread of the paper exchanges.

import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';

/** The venues whose requests faults can hit: the exchanges, and the venues that are only read. */
export const FAULT_VENUES = [...VENUES, 'venue_d', 'venue_e'] as const;
export type FaultVenue = (typeof FAULT_VENUES)[number];

/** The fault of a request. `isApplied` says whether the exchange performs the request all the same. */
export type RequestFault =
  /** The connection is dropped without an answer, before or after the exchange performs the request. */
  | { readonly kind: 'lost'; readonly isApplied: boolean }
  /** The caller gets no answer for this long. Then the connection is dropped. */
  | { readonly kind: 'hung'; readonly isApplied: boolean; readonly hangMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly isApplied: boolean }
  | { readonly kind: 'rate-limited' }
  /**
   * Rows of the answer with the texts in `where` get the fields in `set`. With `isMore` the answer has both the changed row and the
   * original one.
   */
  | {
      readonly kind: 'rows';
      readonly where: Readonly<Record<string, string>>;
      readonly set: Readonly<Record<string, unknown>>;
      readonly isMore: boolean;
    }
  /** The request is delayed on the way to the exchange, and the answer on the way back. */
  | { readonly kind: 'delay'; readonly beforeMs: number; readonly afterMs: number };

/** The fault of a stream's message. The message already has its sequence number. */
export type MessageFault = 'drop' | 'duplicate' | 'swap' | 'disconnect';

/** The request or message that may meet a fault. `key` is the id of its API key, and empty without a key. */
export interface FaultSubject {
  readonly venue: FaultVenue;
  readonly key: string;
  /** The method and pattern of a route, such as `POST /order`, or the type of a stream's message, such as `fill`. */
  readonly operation: string;
}

/** The places where the exchanges ask for faults. */
export interface Faults {
  /** Returns null if the request meets no fault. */
  ofRequest(subject: FaultSubject): RequestFault | null;
  ofMessage(subject: FaultSubject): MessageFault | null;
  /** The time by which the venue's clock is ahead. */
  skewMs(venue: Venue): number;
  /** The lag of private reads. */
  staleMs(subject: Pick<FaultSubject, 'key'> & { readonly venue: Venue }): number;
  /** The time from a match or a result to its settlement. Null means the exchange's own delay. */
  settlementDelayMs(venue: Venue): number | null;
  /** Whether the settlement of the next match fails for good, or is retried. Null means neither. */
  ofSettlement(venue: Venue): 'fails' | 'retries' | null;
  /**
   * Whether the next transaction of a wallet fails after the chain has taken it. If it does, `usesNonce` says whether its nonce is used all
   * the same.
   */
  ofTransaction(): { readonly usesNonce: boolean } | null;
}

/** Makes a venue's clock, which is ahead of the simulator's or behind by the present skew. Delays are not affected. */
export function skewedTimers(timers: Timers, faults: Pick<Faults, 'skewMs'>, venue: Venue): Timers {
  return {
    now: () => (timers.now() + faults.skewMs(venue)) as UnixMillis,
    elapsed: () => timers.elapsed(),
    after: (delayMs, task) => timers.after(delayMs, task),
  };
}

/** The fault of a match's settlement: it fails for good, or is retried. A match meets at most one. */
export type SettlementFault = 'settlement-fails' | 'settlement-retries';

/** The fault of a wallet's transaction: it fails after the chain has taken it. */
export interface TransactionFault {
  readonly kind: 'transaction-fails';
  readonly usesNonce: boolean;
}

export type PlannedFault =
  | RequestFault
  | { readonly kind: MessageFault }
  | { readonly kind: SettlementFault }
  | TransactionFault;

export type FaultKind = PlannedFault['kind'];

export interface FaultRule<Fault extends PlannedFault = PlannedFault> {
  /** The venue of the requests. Null means all venues. */
  readonly venue: FaultVenue | null;
  /** The id of an API key. Empty means requests without a key; null means all requests. */
  readonly key: string | null;
  /** The operation, as in `Asked`. A `*` at the end matches any rest. Null matches every operation. */
  readonly operation: string | null;
  readonly fault: Fault;
  /** The probability that the rule hits a request that it concerns, 0 … 1. */
  readonly probability: number;
  /** The most hits of the rule. Null means no limit. */
  readonly countMax: number | null;
  /** The time for which the rule lasts from now on. Null means until it is removed. */
  readonly lastsMs: number | null;
}

/** Whether a rule applies to a request. */
function concerns(rule: FaultRule, { venue, key, operation }: FaultSubject): boolean {
  return (
    (rule.venue === null || rule.venue === venue) &&
    (rule.key === null || rule.key === key) &&
    (rule.operation === null || fits(rule.operation, operation))
  );
}

function fits(pattern: string, operation: string): boolean {
  return pattern.endsWith('*') ? operation.startsWith(pattern.slice(0, -1)) : operation === pattern;
}

/** Spreads the ids of neighbouring rules over the seeds (2^32 / φ). */
const SEED_STEP = 0x9e37_79b9;

export class PlannedRule<Fault extends PlannedFault = PlannedFault> {
  readonly id: number;
  readonly rule: FaultRule<Fault>;
  readonly #endsAt: number;
  #random: Random;
  /** The number of times that the rule was asked, and below the number of its hits. */
  draws = 0;
  hits = 0;

  constructor(id: number, rule: FaultRule<Fault>, now: UnixMillis, seed: number) {
    this.id = id;
    this.rule = rule;
    this.#endsAt = rule.lastsMs === null ? Number.POSITIVE_INFINITY : now + rule.lastsMs;
    this.#random = this.#source(seed);
  }

  /** Restarts the random source from a seed. */
  reseed(seed: number): void {
    this.#random = this.#source(seed);
  }

  /** Whether the rule can never hit again. */
  isSpent(now: UnixMillis): boolean {
    return now >= this.#endsAt || (this.rule.countMax !== null && this.hits >= this.rule.countMax);
  }

  drawHit(): boolean {
    this.draws += 1;
    const strikes = this.#random.chance(this.rule.probability);
    if (strikes) this.hits += 1;
    return strikes;
  }

  #source(seed: number): Random {
    return new Random(seed + Math.imul(this.id, SEED_STEP));
  }
}

export class RuleList<Fault extends PlannedFault> {
  /** The live rules, and some that have ended since the last question. */
  #rules: PlannedRule<Fault>[] = [];

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  add(planned: PlannedRule<Fault>): void {
    this.#rules.push(planned);
  }

  remove(id: number): void {
    this.#rules = this.#rules.filter(planned => planned.id !== id);
  }

  clear(): void {
    this.#rules = [];
  }

  /** Returns the rule that hits this time. Null means that none does. */
  draw(subject: FaultSubject, now: UnixMillis): PlannedRule<Fault> | null {
    let isAnySpent = false;
    let drawn: PlannedRule<Fault> | null = null;
    for (const planned of this.#rules) {
      if (planned.isSpent(now)) isAnySpent = true;
      else if (concerns(planned.rule, subject) && planned.drawHit()) {
        drawn = planned;
        break;
      }
    }
    if (isAnySpent) this.#rules = this.#rules.filter(planned => !planned.isSpent(now));
    return drawn;
  }
}
