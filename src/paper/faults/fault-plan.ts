// The faults that are asked for while the exchanges run: rules that strike by chance or by count, and the conditions that a
// venue is under (its clock, its stale reads, its slow settlement). The same seed, rules and requests give the same faults.
// Without a rule a question costs a look at the length of a list. Thread of the paper exchanges.

import type { Venue } from '../../domain/market.ts';
import { fail, ok, type Result, unreachable } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import type { Timers } from '../../runtime/timers.ts';
import { FaultJournal } from './fault-journal.ts';
import type { FaultRule, PlannedFault, SettlementFault } from './fault-rule.ts';
import type { Asked, Faults, MessageFault, RequestFault } from './faults.ts';
import { PlannedRule, RuleList } from './rule-list.ts';

/** What a venue is under all the time. */
interface Conditions {
  readonly skewMs: number;
  readonly staleMs: number;
  /** Of keys that have one of their own. */
  readonly staleMsOfKey: ReadonlyMap<string, number>;
  readonly settlementDelayMs: number | null;
}

const FAIR: Conditions = { skewMs: 0, staleMs: 0, staleMsOfKey: new Map(), settlementDelayMs: null };

interface FaultPlanParts {
  readonly seed: number;
  /** The simulator's own clock, without skew. */
  readonly timers: Timers;
}

export class FaultPlan implements Faults {
  readonly #timers: Timers;
  #seed: number;
  #lastId = 0;
  /** By id, in the order in which they were made; those that are spent stay to be read. */
  readonly #rules = new Map<number, PlannedRule>();
  readonly #ofRequests = new RuleList<RequestFault>();
  readonly #ofMessages = new RuleList<{ readonly kind: MessageFault }>();
  readonly #ofSettlements = new RuleList<{ readonly kind: SettlementFault }>();
  #conditions: Readonly<Record<Venue, Conditions>> = { venue_a: FAIR, venue_b: FAIR };
  readonly #journal = new FaultJournal(limits.paperFaultJournalMax);

  constructor({ seed, timers }: FaultPlanParts) {
    this.#seed = seed;
    this.#timers = timers;
  }

  get seed(): number {
    return this.#seed;
  }

  /** From now on every rule draws from the beginning of the new seed. */
  set seed(seed: number) {
    this.#seed = seed;
    for (const planned of this.#rules.values()) planned.reseed(seed);
  }

  get rules(): Iterable<PlannedRule> {
    return this.#rules.values();
  }

  get journal(): Pick<FaultJournal, 'counts' | 'newestFirst'> {
    return this.#journal;
  }

  rule(id: number): PlannedRule | null {
    return this.#rules.get(id) ?? null;
  }

  isSpent(planned: PlannedRule): boolean {
    return planned.isSpent(this.#timers.now());
  }

  /** Behind all others. One too many takes the place of a spent one; refused if there is none. */
  add(rule: FaultRule): Result<PlannedRule, string> {
    if (this.#rules.size >= limits.paperFaultRulesMax && !this.#forgetSpent()) {
      return fail(`faults: at most ${limits.paperFaultRulesMax} rules (paperFaultRulesMax); take one away first`);
    }
    this.#lastId += 1;
    const planned = this.#plan(this.#lastId, rule);
    this.#rules.set(planned.id, planned);
    return ok(planned);
  }

  /** Whether there was such a rule. */
  remove(id: number): boolean {
    for (const list of [this.#ofRequests, this.#ofMessages, this.#ofSettlements]) list.remove(id);
    return this.#rules.delete(id);
  }

  /** Takes every rule away; returns how many there were. Conditions stay. */
  clear(): number {
    const count = this.#rules.size;
    for (const list of [this.#ofRequests, this.#ofMessages, this.#ofSettlements]) list.clear();
    this.#rules.clear();
    return count;
  }

  ofRequest(asked: Asked): RequestFault | null {
    return this.#ofRequests.isEmpty ? null : this.#draw(this.#ofRequests, asked);
  }

  ofMessage(asked: Asked): MessageFault | null {
    if (this.#ofMessages.isEmpty) return null;
    return this.#draw(this.#ofMessages, asked)?.kind ?? null;
  }

  ofSettlement(venue: Venue): 'fails' | 'retries' | null {
    if (this.#ofSettlements.isEmpty) return null;
    switch (this.#draw(this.#ofSettlements, { venue, key: '', operation: '' })?.kind) {
      case undefined:
        return null;
      case 'settlement-fails':
        return 'fails';
      default:
        return 'retries';
    }
  }

  skewMs(venue: Venue): number {
    return this.#conditions[venue].skewMs;
  }

  staleMs({ venue, key }: Parameters<Faults['staleMs']>[0]): number {
    const { staleMs, staleMsOfKey } = this.#conditions[venue];
    return staleMsOfKey.size === 0 ? staleMs : (staleMsOfKey.get(key) ?? staleMs);
  }

  settlementDelayMs(venue: Venue): number | null {
    return this.#conditions[venue].settlementDelayMs;
  }

  conditions(venue: Venue): Conditions {
    return this.#conditions[venue];
  }

  setSkewMs(venue: Venue, skewMs: number): void {
    this.#change(venue, { skewMs });
  }

  /** Of the whole venue: keys of which something else was said keep that. */
  setStaleMs(venue: Venue, staleMs: number): void {
    this.#change(venue, { staleMs });
  }

  /** Null: as the venue. False: too many keys have something of their own. */
  setStaleMsOfKey(venue: Venue, key: string, staleMs: number | null): boolean {
    const staleMsOfKey = new Map(this.#conditions[venue].staleMsOfKey);
    if (staleMs === null) staleMsOfKey.delete(key);
    else staleMsOfKey.set(key, staleMs);
    if (staleMsOfKey.size > limits.paperStaleKeysMax) return false;
    this.#change(venue, { staleMsOfKey });
    return true;
  }

  /** Null: as the exchange would by itself. */
  setSettlementDelayMs(venue: Venue, settlementDelayMs: number | null): void {
    this.#change(venue, { settlementDelayMs });
  }

  /** All goes well at all venues, as at the beginning. */
  resetConditions(): void {
    this.#conditions = { venue_a: FAIR, venue_b: FAIR };
  }

  #change(venue: Venue, change: Partial<Conditions>): void {
    this.#conditions = { ...this.#conditions, [venue]: { ...this.#conditions[venue], ...change } };
  }

  #plan(id: number, rule: FaultRule): PlannedRule {
    const { fault } = rule;
    switch (fault.kind) {
      case 'lost':
      case 'hung':
      case 'status':
      case 'rate-limited':
      case 'rows':
      case 'delay':
        return this.#enlist(this.#ofRequests, id, { ...rule, fault });
      case 'drop':
      case 'duplicate':
      case 'swap':
      case 'disconnect':
        return this.#enlist(this.#ofMessages, id, { ...rule, fault: { kind: fault.kind } });
      case 'settlement-fails':
      case 'settlement-retries':
        return this.#enlist(this.#ofSettlements, id, { ...rule, fault: { kind: fault.kind } });
      default:
        return unreachable(fault);
    }
  }

  #enlist<Fault extends PlannedFault>(list: RuleList<Fault>, id: number, rule: FaultRule<Fault>): PlannedRule<Fault> {
    const planned = new PlannedRule(id, rule, this.#timers.now(), this.#seed);
    list.add(planned);
    return planned;
  }

  #draw<Fault extends PlannedFault>(list: RuleList<Fault>, asked: Asked): Fault | null {
    const now = this.#timers.now();
    const struck = list.draw(asked, now);
    if (struck === null) return null;
    const { fault } = struck.rule;
    this.#journal.write({ at: now, rule: struck.id, kind: fault.kind, ...asked });
    return fault;
  }

  /** The oldest of them; false if there is none. */
  #forgetSpent(): boolean {
    const spent = [...this.#rules.values()].find(planned => this.isSpent(planned));
    return spent !== undefined && this.remove(spent.id);
  }
}
