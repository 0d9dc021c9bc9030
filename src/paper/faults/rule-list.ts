// The rules of one place where faults strike, in the order in which they were made: the first that concerns what is asked and
// whose draw comes out strikes, and no other. Each draws from a source of its own, so that what one rule does depends on
// nothing but what it concerns, whatever other rules and other callers there are. Thread of the paper exchanges.

import type { UnixMillis } from '../../domain/numbers.ts';
import { Random } from '../../runtime/random.ts';
import { concerns, type FaultRule, type PlannedFault } from './fault-rule.ts';
import type { Asked } from './faults.ts';

/** Spreads neighbouring ids over the seeds (2^32 / φ). */
const SEED_STEP = 0x9e37_79b9;

export class PlannedRule<Fault extends PlannedFault = PlannedFault> {
  readonly id: number;
  readonly rule: FaultRule<Fault>;
  readonly #endsAt: number;
  #random: Random;
  /** How often it was asked whether it strikes, and how often it has. */
  asked = 0;
  struck = 0;

  constructor(id: number, rule: FaultRule<Fault>, now: UnixMillis, seed: number) {
    this.id = id;
    this.rule = rule;
    this.#endsAt = rule.lastsMs === null ? Number.POSITIVE_INFINITY : now + rule.lastsMs;
    this.#random = this.#source(seed);
  }

  /** Draws from the beginning again. */
  reseed(seed: number): void {
    this.#random = this.#source(seed);
  }

  /** Will never strike again. */
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
  /** Those that can still strike, and some that have ended since it was last asked. */
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

  /** The rule that strikes now, if any does. */
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
