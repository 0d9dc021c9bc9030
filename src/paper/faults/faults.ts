// Faults of a paper exchange, for one key or for all. The exchanges ask at fixed places; a seed determines the answers, so that a run can
// be repeated. Thread of the paper exchanges.

import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { Random } from '../../core/runtime/random.ts';
import type { Timers } from '../../core/runtime/timers.ts';

/** Venues whose requests can be hit: the exchanges, and the read-only ones. */
export const FAULT_VENUES = [...VENUES, 'venue_d', 'venue_e'] as const;
export type FaultVenue = (typeof FAULT_VENUES)[number];

/** The fault of a request. `isApplied`: whether the exchange performs it all the same. */
export type RequestFault =
  /** The connection is dropped without an answer, before or after the exchange performs the request. */
  | { readonly kind: 'lost'; readonly isApplied: boolean }
  /** Silence for this long, then the connection is dropped. */
  | { readonly kind: 'hung'; readonly isApplied: boolean; readonly hangMs: number }
  | { readonly kind: 'status'; readonly status: number; readonly isApplied: boolean }
  | { readonly kind: 'rate-limited' }
  /** Rows of the answer with these texts have these fields instead; with `more` each row comes twice, once changed. */
  | {
      readonly kind: 'rows';
      readonly where: Readonly<Record<string, string>>;
      readonly set: Readonly<Record<string, unknown>>;
      readonly isMore: boolean;
    }
  /** A delay on the way there, and on the way back. */
  | { readonly kind: 'delay'; readonly beforeMs: number; readonly afterMs: number };

/** The fault of a stream's message after it has its sequence number. */
export type MessageFault = 'drop' | 'duplicate' | 'swap' | 'disconnect';

/** Subject of a question. `key`: API key id, empty without one. */
export interface Asked {
  readonly venue: FaultVenue;
  readonly key: string;
  /** `POST /order`, method and pattern; or a stream's message type: `fill`. */
  readonly operation: string;
}

/** The places where the exchanges ask for faults. */
export interface Faults {
  /** Null if there is no fault. */
  ofRequest(asked: Asked): RequestFault | null;
  ofMessage(asked: Asked): MessageFault | null;
  /** How far the venue's clock is ahead. */
  skewMs(venue: Venue): number;
  /** The lag of private reads. */
  staleMs(asked: Pick<Asked, 'key'> & { readonly venue: Venue }): number;
  /** Time from a match or a result to its settlement; null: the exchange's own. */
  settlementDelayMs(venue: Venue): number | null;
  /** Whether the settlement of the next match fails: for good, or with a retry. */
  ofSettlement(venue: Venue): 'fails' | 'retries' | null;
  /** Whether the next transaction of a wallet fails after the chain has taken it, and whether its nonce is used all the same. */
  ofTransaction(): { readonly usesNonce: boolean } | null;
}

/** A venue's clock with a skew: ahead of the simulator's or behind, by the faults of the moment. Delays are not affected. */
export function skewedTimers(timers: Timers, faults: Pick<Faults, 'skewMs'>, venue: Venue): Timers {
  return {
    now: () => (timers.now() + faults.skewMs(venue)) as UnixMillis,
    elapsed: () => timers.elapsed(),
    after: (delayMs, task) => timers.after(delayMs, task),
  };
}

/** Settlement of a match: fails for good, or is retried. At most once per match. */
export type SettlementFault = 'settlement-fails' | 'settlement-retries';

/** Transaction of a wallet: fails after the chain has taken it. */
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
  /** Null means all venues. */
  readonly venue: FaultVenue | null;
  /** API key id; empty text: requests without a key; null: all. */
  readonly key: string | null;
  /** The operation as in `Asked`; `*` at the end matches any rest; null matches everything. */
  readonly operation: string | null;
  readonly fault: Fault;
  /** Probability for each match, 0 … 1. */
  readonly probability: number;
  /** Maximum number of hits; null means unlimited. */
  readonly countMax: number | null;
  /** Duration from now on; null lasts until the rule is removed. */
  readonly lastsMs: number | null;
}

/** Whether a rule applies to a request. */
function concerns(rule: FaultRule, { venue, key, operation }: Asked): boolean {
  return (
    (rule.venue === null || rule.venue === venue) &&
    (rule.key === null || rule.key === key) &&
    (rule.operation === null || fits(rule.operation, operation))
  );
}

function fits(pattern: string, operation: string): boolean {
  return pattern.endsWith('*') ? operation.startsWith(pattern.slice(0, -1)) : operation === pattern;
}

/** Spreads neighbouring ids over the seeds (2^32 / φ). */
const SEED_STEP = 0x9e37_79b9;

export class PlannedRule<Fault extends PlannedFault = PlannedFault> {
  readonly id: number;
  readonly rule: FaultRule<Fault>;
  readonly #endsAt: number;
  #random: Random;
  /** How often the rule was asked, and how often it has hit. */
  asked = 0;
  struck = 0;

  constructor(id: number, rule: FaultRule<Fault>, now: UnixMillis, seed: number) {
    this.id = id;
    this.rule = rule;
    this.#endsAt = rule.lastsMs === null ? Number.POSITIVE_INFINITY : now + rule.lastsMs;
    this.#random = this.#source(seed);
  }

  /** Restarts the random source. */
  reseed(seed: number): void {
    this.#random = this.#source(seed);
  }

  /** Whether the rule can never hit again. */
  isSpent(now: UnixMillis): boolean {
    return now >= this.#endsAt || (this.rule.countMax !== null && this.struck >= this.rule.countMax);
  }

  strikes(): boolean {
    this.asked += 1;
    const strikes = this.#random.chance(this.rule.probability);
    if (strikes) this.struck += 1;
    return strikes;
  }

  #source(seed: number): Random {
    return new Random(seed + Math.imul(this.id, SEED_STEP));
  }
}

export class RuleList<Fault extends PlannedFault> {
  /** Live rules, and some that have ended since the last question. */
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

  /** The rule that hits now, if any. */
  draw(asked: Asked, now: UnixMillis): PlannedRule<Fault> | null {
    let isAnySpent = false;
    let struck: PlannedRule<Fault> | null = null;
    for (const planned of this.#rules) {
      if (planned.isSpent(now)) isAnySpent = true;
      else if (concerns(planned.rule, asked) && planned.strikes()) {
        struck = planned;
        break;
      }
    }
    if (isAnySpent) this.#rules = this.#rules.filter(planned => !planned.isSpent(now));
    return struck;
  }
}
