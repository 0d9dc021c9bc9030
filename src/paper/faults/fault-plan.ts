// Faults that are requested while the exchanges run. Rules hit by chance or by count; conditions hold for a venue (clock, stale reads, slow
// settlement). The same seed, rules and requests give the same faults. Without rules each question costs one length check. Thread of the
// paper exchanges.

import type { Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { fail, ok, type Result, unreachable } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import {
  type FaultKind,
  type FaultRule,
  type FaultSubject,
  type Faults,
  type MessageFault,
  type PlannedFault,
  PlannedRule,
  type RequestFault,
  RuleList,
  type SettlementFault,
  type TransactionFault,
} from './faults.ts';
import type { RequestLatency } from './latency.ts';

/** The conditions of a venue, which last until they are changed. */
interface Conditions {
  readonly skewMs: number;
  readonly staleMs: number;
  /** The lags of keys with a lag of their own. */
  readonly staleMsOfKey: ReadonlyMap<string, number>;
  readonly settlementDelayMs: number | null;
}

const FAIR: Conditions = { skewMs: 0, staleMs: 0, staleMsOfKey: new Map(), settlementDelayMs: null };

interface FaultPlanParts {
  readonly seed: number;
  /** The simulator's clock, without skew. */
  readonly timers: Timers;
  /** Delays requests that meet no fault. By default nothing is delayed. */
  readonly latency?: RequestLatency;
}

export class FaultPlan implements Faults {
  readonly #timers: Timers;
  #seed: number;
  #lastId = 0;
  /** The rules by id, oldest first. Spent rules can still be read. */
  readonly #rules = new Map<number, PlannedRule>();
  readonly #ofRequests = new RuleList<RequestFault>();
  readonly #ofMessages = new RuleList<{ readonly kind: MessageFault }>();
  readonly #ofSettlements = new RuleList<{ readonly kind: SettlementFault }>();
  readonly #ofTransactions = new RuleList<TransactionFault>();
  #conditions: Readonly<Record<Venue, Conditions>> = { venue_a: FAIR, venue_b: FAIR };
  readonly #journal = new FaultJournal(limits.paperFaultJournalMax);

  readonly #latency: RequestLatency | undefined;

  constructor({ seed, timers, latency }: FaultPlanParts) {
    this.#seed = seed;
    this.#latency = latency;
    this.#timers = timers;
  }

  get seed(): number {
    return this.#seed;
  }

  /** Sets the seed, and restarts every rule's random source from it. */
  set seed(seed: number) {
    this.#seed = seed;
    for (const planned of this.#rules.values()) planned.reseed(seed);
  }

  get #lists() {
    return [this.#ofRequests, this.#ofMessages, this.#ofSettlements, this.#ofTransactions];
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

  /** Adds a rule. If the plan is full, the rule replaces a spent one; if there is no spent rule, the new one is refused. */
  add(rule: FaultRule): Result<PlannedRule, string> {
    if (this.#rules.size >= limits.paperFaultRulesMax && !this.#forgetSpent()) {
      return fail(`faults: at most ${limits.paperFaultRulesMax} rules (paperFaultRulesMax); take one away first`);
    }
    this.#lastId += 1;
    const planned = this.#plan(this.#lastId, rule);
    this.#rules.set(planned.id, planned);
    return ok(planned);
  }

  /** Removes a rule. Returns whether it existed. */
  remove(id: number): boolean {
    for (const list of this.#lists) list.remove(id);
    return this.#rules.delete(id);
  }

  /** Removes every rule. Conditions stay. Returns the number of rules that were removed. */
  clear(): number {
    const count = this.#rules.size;
    for (const list of this.#lists) list.clear();
    this.#rules.clear();
    return count;
  }

  ofRequest(subject: FaultSubject): RequestFault | null {
    const fault = this.#ofRequests.isEmpty ? null : this.#drawFault(this.#ofRequests, subject);
    return fault ?? this.#latency?.of(subject.operation) ?? null;
  }

  ofMessage(subject: FaultSubject): MessageFault | null {
    if (this.#ofMessages.isEmpty) return null;
    return this.#drawFault(this.#ofMessages, subject)?.kind ?? null;
  }

  ofSettlement(venue: Venue): 'fails' | 'retries' | null {
    if (this.#ofSettlements.isEmpty) return null;
    switch (this.#drawFault(this.#ofSettlements, { venue, key: '', operation: '' })?.kind) {
      case undefined:
        return null;
      case 'settlement-fails':
        return 'fails';
      default:
        return 'retries';
    }
  }

  ofTransaction(): TransactionFault | null {
    if (this.#ofTransactions.isEmpty) return null;
    return this.#drawFault(this.#ofTransactions, { venue: 'venue_a', key: '', operation: '' });
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

  /** Sets the lag of the whole venue. Keys with a lag of their own keep theirs. */
  setStaleMs(venue: Venue, staleMs: number): void {
    this.#change(venue, { staleMs });
  }

  /** Sets the lag of a key. Null means the lag of the venue. Returns false if too many keys have a lag of their own. */
  setStaleMsOfKey(venue: Venue, key: string, staleMs: number | null): boolean {
    const staleMsOfKey = new Map(this.#conditions[venue].staleMsOfKey);
    if (staleMs === null) staleMsOfKey.delete(key);
    else staleMsOfKey.set(key, staleMs);
    if (staleMsOfKey.size > limits.paperStaleKeysMax) return false;
    this.#change(venue, { staleMsOfKey });
    return true;
  }

  /** Sets the settlement delay. Null lets the exchange decide. */
  setSettlementDelayMs(venue: Venue, settlementDelayMs: number | null): void {
    this.#change(venue, { settlementDelayMs });
  }

  /** Resets the conditions of all venues. */
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
        return this.#addRule(this.#ofRequests, id, { ...rule, fault });
      case 'drop':
      case 'duplicate':
      case 'swap':
      case 'disconnect':
        return this.#addRule(this.#ofMessages, id, { ...rule, fault: { kind: fault.kind } });
      case 'settlement-fails':
      case 'settlement-retries':
        return this.#addRule(this.#ofSettlements, id, { ...rule, fault: { kind: fault.kind } });
      case 'transaction-fails':
        return this.#addRule(this.#ofTransactions, id, { ...rule, fault });
      default:
        return unreachable(fault);
    }
  }

  #addRule<Fault extends PlannedFault>(list: RuleList<Fault>, id: number, rule: FaultRule<Fault>): PlannedRule<Fault> {
    const planned = new PlannedRule(id, rule, this.#timers.now(), this.#seed);
    list.add(planned);
    return planned;
  }

  #drawFault<Fault extends PlannedFault>(list: RuleList<Fault>, subject: FaultSubject): Fault | null {
    const now = this.#timers.now();
    const drawn = list.draw(subject, now);
    if (drawn === null) return null;
    const { fault } = drawn.rule;
    this.#journal.write({ at: now, rule: drawn.id, kind: fault.kind, ...subject });
    return fault;
  }

  /** Drops the oldest spent rule. Returns false if there is none. */
  #forgetSpent(): boolean {
    const spent = [...this.#rules.values()].find(planned => this.isSpent(planned));
    return spent !== undefined && this.remove(spent.id);
  }
}

interface FaultEntry extends FaultSubject {
  /** The number of the entry. Numbers count from 1, without a gap. */
  readonly number: number;
  readonly at: UnixMillis;
  readonly rule: number;
  readonly kind: FaultKind;
}

/**
 * The log of faults. It has the last faults as entries, and all of them as counts. So a test can find the request whose answer was lost.
 */
class FaultJournal {
  readonly #entriesMax: number;
  /** The last entries: entry n stands at index (n − 1) % entriesMax. */
  readonly #entries: FaultEntry[] = [];
  readonly #counts = new Map<FaultKind, number>();
  #written = 0;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  /** The counts since the start by kind. Kinds that never happened are missing. */
  get counts(): ReadonlyMap<FaultKind, number> {
    return this.#counts;
  }

  write(entry: Omit<FaultEntry, 'number'>): void {
    this.#entries[this.#written % this.#entriesMax] = { number: this.#written + 1, ...entry };
    this.#written += 1;
    this.#counts.set(entry.kind, (this.#counts.get(entry.kind) ?? 0) + 1);
  }

  /** Yields the entries that are kept, newest first. */
  *newestFirst(): Iterable<FaultEntry> {
    const oldest = Math.max(0, this.#written - this.#entriesMax);
    for (let index = this.#written - 1; index >= oldest; index -= 1) yield this.#entries[index % this.#entriesMax]!;
  }
}
