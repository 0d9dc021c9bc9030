// The twin of src/gateway/api/failed-checks.ts: one list of proofs, whole names, tokens that are counted. It handles IPv4 only. Its tables
// have no bound except the bound on a key's proofs.

import type { Claimant } from '../../../src/gateway/api/failed-checks.ts';
import { limits, type RateLimit } from '../../../src/limits.ts';
import { NaiveBucket } from '../../support/naive-token-bucket.ts';

const PROVEN = { perS: limits.provenFailedChecksPerS, burstMax: limits.provenFailedChecksBurstMax };

interface Budget {
  readonly limit: RateLimit;
  readonly all: NaiveBucket;
  readonly cancels: NaiveBucket;
  running: number;
}

interface Proof {
  readonly keyId: string;
  readonly address: string;
  readonly at: number;
  readonly budget: Budget;
}

export class NaiveFailedChecks {
  readonly #limit: RateLimit;
  readonly #refused = new Map<string, NaiveBucket>();
  readonly #unproven = new Map<string, Budget>();
  /** The proofs, the oldest first. */
  #proofs: Proof[] = [];

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  takeRefused(address: string, nowMs: number): boolean {
    const bucket = this.#refused.get(address) ?? new NaiveBucket(this.#limit);
    this.#refused.set(address, bucket);
    return bucket.take(nowMs);
  }

  isProven(caller: Claimant, nowMs: number): boolean {
    return this.#proofOf(caller, nowMs) !== undefined;
  }

  admits(caller: Claimant, nowMs: number): boolean {
    const { all, cancels, limit, running } = this.#budgetOf(caller, nowMs);
    if (all.remaining(nowMs) === limit.burstMax) return true;
    const tokens = all.remaining(nowMs) >= 1 || !caller.isCancel ? all : cancels;
    return tokens.remaining(nowMs) > running;
  }

  begin(caller: Claimant, nowMs: number): () => void {
    if (this.isProven(caller, nowMs)) return () => {};
    const budget = this.#budgetOf(caller, nowMs);
    budget.running += 1;
    return () => {
      budget.running -= 1;
    };
  }

  countFailure(caller: Claimant, nowMs: number): void {
    const { all, cancels } = this.#budgetOf(caller, nowMs);
    if (caller.isCancel && all.remaining(nowMs) < 1) cancels.charge(nowMs);
    else all.charge(nowMs);
  }

  countSuccess(caller: Claimant, nowMs: number): void {
    const { keyId, prefix: address } = caller;
    const budget = this.#proofOf(caller, nowMs)?.budget ?? budgetOf(PROVEN);
    this.#proofs = this.#proofs.filter(it => it.keyId !== keyId || it.address !== address);
    this.#proofs.push({ keyId, address, at: nowMs, budget });
    const own = this.#proofs.filter(it => it.keyId === keyId);
    if (own.length > limits.provenAddressesPerKeyMax) this.#proofs = this.#proofs.filter(it => it !== own[0]);
    this.#unproven.delete(`${address} ${keyId}`);
  }

  forget(isRevoked: (keyId: string) => boolean): void {
    this.#proofs = this.#proofs.filter(it => !isRevoked(it.keyId));
  }

  #budgetOf(caller: Claimant, nowMs: number): Budget {
    const proof = this.#proofOf(caller, nowMs);
    if (proof !== undefined) return proof.budget;
    const name = `${caller.prefix} ${caller.keyId}`;
    const budget = this.#unproven.get(name) ?? budgetOf(this.#limit);
    this.#unproven.set(name, budget);
    return budget;
  }

  #proofOf({ keyId, prefix: address }: Claimant, nowMs: number): Proof | undefined {
    return this.#proofs.find(
      it => it.keyId === keyId && it.address === address && nowMs - it.at < limits.provenCallerMs,
    );
  }
}

function budgetOf(limit: RateLimit): Budget {
  return { limit, all: new NaiveBucket(limit), cancels: new NaiveBucket(limit), running: 0 };
}
