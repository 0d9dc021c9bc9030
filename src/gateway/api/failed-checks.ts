// Limits requests whose caller has not proven its key (contract §9), so that no flood affects the success rate of other callers. Some
// requests are refused before their signature is checked: header missing, key unknown or revoked, clock off, unknown API key or ticket.
// Such a refusal costs microseconds and counts against its address. An address beyond that rate only gets other words. A failed signature
// check counts against the caller: the claimed signing key at its source address. A valid signature from an address that the key's
// allow-list refuses counts in the same way. A caller that has proven its key has a larger budget of its own. Only the holder of a key, at
// an allowed address, adds to that key's proofs. A proof evicts the oldest proof of the same key, so no attacker can remove the owner's
// proof. Main thread, and the engine’s (src/gateway/door).

import { BoundedMap } from '../../core/domain/bounded-map.ts';
import type { Header } from '../../core/net/listen.ts';
import { TokenBucket } from '../../core/runtime/token-bucket.ts';
import { limits, type RateLimit } from '../../limits.ts';
import { type BucketView, bucketView, fullInS, limitHeader, policyHeader, retryAfterS } from './rate-limits.ts';

/** The caller that a request claims: a signing key and the source address. */
export class Claimant {
  /** The prefix of the address by which callers are counted. */
  readonly prefix: string;
  /** The id of the claimed key, which exists. */
  readonly keyId: string;
  readonly isCancel: boolean;

  constructor(address: string, keyId: string, isCancel: boolean) {
    this.prefix = prefixOf(address);
    this.keyId = keyId;
    this.isCancel = isCancel;
  }

  /** A unique name of the caller. Neither part contains a blank. */
  get name(): string {
    return `${this.prefix} ${this.keyId}`;
  }
}

interface Proof {
  provenAt: number;
  readonly budget: CheckBudget;
}

/** The names of the two limits in the `RateLimit` headers. */
const REFUSED = 'refused-requests';
const FAILED = 'failed-checks';
const PROVEN: RateLimit = { perS: limits.provenFailedChecksPerS, burstMax: limits.provenFailedChecksBurstMax };

export class FailedChecks {
  readonly #limit: RateLimit;
  /** The budgets of addresses. When the map is full, the address whose last refusal is oldest is evicted, which clears its count. */
  readonly #refused = new BoundedMap<string, TokenBucket>(limits.refusedAddressesMax);
  /**
   * The budgets of callers without a proof, by address and key id. When the map is full, the caller whose last check is oldest is evicted,
   * which clears its count.
   */
  readonly #unproven = new BoundedMap<string, CheckBudget>(limits.unprovenCallersMax);
  /** The proofs by key id, then by address. The latest proof comes last. */
  readonly #proofs = new Map<string, Map<string, Proof>>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /**
   * Counts a request that was refused before any check. Returns false if its address is over its rate. `nowMs` is in monotonic
   * milliseconds.
   */
  countRefused(address: string, nowMs: number): boolean {
    const prefix = prefixOf(address);
    const bucket = this.#refused.get(prefix) ?? new TokenBucket(this.#limit);
    this.#refused.delete(prefix);
    this.#refused.set(prefix, bucket);
    return bucket.take(nowMs);
  }

  /** Whether another signature of this caller may be checked. */
  admits(caller: Claimant, nowMs: number): boolean {
    return this.#budgetOf(caller, nowMs).admits(caller.isCancel, nowMs);
  }

  /** Whether this key had a successful check from this address within `provenCallerMs`. */
  isProven(caller: Claimant, nowMs: number): boolean {
    return this.#proofOf(caller, nowMs) !== undefined;
  }

  /** The caller's lane in the check pool, where lanes take turns. Returns null for a caller without a proof. */
  laneOf(caller: Claimant, nowMs: number): string | null {
    return this.isProven(caller, nowMs) ? caller.name : null;
  }

  /**
   * Notes that a check of this caller runs until the returned function is called. For proven callers their lane in the pool is the bound,
   * so nothing is noted.
   */
  begin(caller: Claimant, nowMs: number): () => void {
    return this.isProven(caller, nowMs) ? () => {} : this.#keptBudgetOf(caller, nowMs).begin();
  }

  countFailure(caller: Claimant, nowMs: number): void {
    this.#keptBudgetOf(caller, nowMs).charge(caller.isCancel, nowMs);
  }

  countSuccess(caller: Claimant, nowMs: number): void {
    const { keyId, prefix } = caller;
    const proofs = this.#proofs.get(keyId) ?? new Map<string, Proof>();
    const known = this.#proofOf(caller, nowMs);
    if (known !== undefined && proofs.size === 1) {
      known.provenAt = nowMs;
      return;
    }
    const budget = known?.budget ?? new CheckBudget(PROVEN);
    proofs.delete(prefix);
    proofs.set(prefix, { provenAt: nowMs, budget });
    if (proofs.size > limits.provenAddressesPerKeyMax) proofs.delete(proofs.keys().next().value!);
    this.#proofs.set(keyId, proofs);
    this.#unproven.delete(caller.name);
  }

  /** Drops the proofs of revoked keys. */
  forget(isRevoked: (keyId: string) => boolean): void {
    for (const keyId of this.#proofs.keys()) if (isRevoked(keyId)) this.#proofs.delete(keyId);
  }

  /** The `RateLimit` headers of an address without a key. */
  addressHeaders(address: string, nowMs: number): Header[] {
    return headersOf(REFUSED, this.#limit, this.#refusedBucketOf(address), nowMs);
  }

  /** The time after which an address over its rate gets reasons again. */
  addressRetryAfter(address: string, nowMs: number): Header {
    return ['Retry-After', retryAfterS(this.#refusedBucketOf(address), nowMs)];
  }

  /** The `RateLimit` headers of a caller that has not signed this request. */
  callerHeaders(caller: Claimant, nowMs: number): Header[] {
    const budget = this.#budgetOf(caller, nowMs);
    return headersOf(FAILED, budget.limit, budget.bucketOf(caller.isCancel, nowMs), nowMs);
  }

  /** The time after which a caller that is not admitted may retry. */
  callerRetryAfter(caller: Claimant, nowMs: number): Header {
    const budget = this.#budgetOf(caller, nowMs);
    return ['Retry-After', retryAfterS(budget.bucketOf(caller.isCancel, nowMs), nowMs)];
  }

  /** Both buckets of this caller: the failed checks of its key at its address, and the refused requests of the address. */
  views(keyId: string, address: string, nowMs: number): readonly BucketView[] {
    const caller = new Claimant(address, keyId, false);
    const budget = this.#budgetOf(caller, nowMs);
    return [
      bucketView(FAILED, budget.limit, budget.bucketOf(caller.isCancel, nowMs), nowMs),
      bucketView(REFUSED, this.#limit, this.#refusedBucketOf(address), nowMs),
    ];
  }

  #refusedBucketOf(address: string): TokenBucket {
    return this.#refused.get(prefixOf(address)) ?? new TokenBucket(this.#limit);
  }

  #budgetOf(caller: Claimant, nowMs: number): CheckBudget {
    return this.#proofOf(caller, nowMs)?.budget ?? this.#unproven.get(caller.name) ?? new CheckBudget(this.#limit);
  }

  /** The caller's budget, which is kept from now on. */
  #keptBudgetOf(caller: Claimant, nowMs: number): CheckBudget {
    const budget = this.#budgetOf(caller, nowMs);
    if (this.isProven(caller, nowMs)) return budget;
    const name = caller.name;
    this.#unproven.delete(name);
    this.#unproven.set(name, budget);
    return budget;
  }

  #proofOf({ keyId, prefix }: Claimant, nowMs: number): Proof | undefined {
    const proof = this.#proofs.get(keyId)?.get(prefix);
    return proof !== undefined && nowMs - proof.provenAt < limits.provenCallerMs ? proof : undefined;
  }
}

function headersOf(name: string, limit: RateLimit, tokens: TokenBucket, nowMs: number): Header[] {
  return [limitHeader(name, tokens.remaining(nowMs), fullInS(tokens, nowMs)), policyHeader(name, limit)];
}

/** The prefix of an address that counts. For IPv6 it is the /64, because a host usually owns a whole /64. */
function prefixOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return groups.slice(0, 4).join(':');
}

/**
 * Bounds the failed checks of one caller. Cancels are refused last: once the first bucket is empty, cancels spend a second bucket of the
 * same size.
 */
class CheckBudget {
  readonly limit: RateLimit;
  readonly #all: TokenBucket;
  readonly #cancels: TokenBucket;
  #running = 0;

  constructor(limit: RateLimit) {
    this.limit = limit;
    this.#all = new TokenBucket(limit);
    this.#cancels = new TokenBucket(limit);
  }

  /**
   * Whether one more signature may be checked. Once a check has failed, each running check counts as a failure, so that many at once do not
   * share one token. `nowMs` is in monotonic milliseconds.
   */
  admits(isCancel: boolean, nowMs: number): boolean {
    const isClean = this.#all.remaining(nowMs) === this.limit.burstMax;
    return isClean || this.bucketOf(isCancel, nowMs).remaining(nowMs) > this.#running;
  }

  /** Notes that a check runs until the returned function is called. */
  begin(): () => void {
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }

  /** Charges a failed check. */
  charge(isCancel: boolean, nowMs: number): void {
    this.bucketOf(isCancel, nowMs).charge(nowMs);
  }

  /** The bucket that a request of this kind spends now. */
  bucketOf(isCancel: boolean, nowMs: number): TokenBucket {
    return isCancel && this.#all.remaining(nowMs) < 1 ? this.#cancels : this.#all;
  }
}
