// Rules of a fault plan: the fault, its targets, its frequency and its duration; and the rules of one place, oldest first. The first rule
// that applies and whose draw succeeds hits, and no other. Each rule has its own random source. So its hits depend only on the requests
// that it applies to, not on other rules or callers. Thread of the paper exchanges.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { Random } from '../../core/runtime/random.ts';
import type { Asked, FaultVenue, MessageFault, RequestFault } from './faults.ts';

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
