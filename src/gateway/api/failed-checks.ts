// Failed checks by source address (contract §9). A flood under somebody's key id exhausts the bucket of where it comes
// from, not that key's; addresses that have not proven a key lately share only a part of the pool; and nothing is begun under a key
// before its signature is checked but for addresses that have proven this very key lately. Main thread.

import { limits, type RateLimit } from '../../limits.ts';
import type { Header } from '../../net/listen.ts';
import { limitHeader, policyHeader, retryAfterS } from './rate-limits.ts';
import { TokenBucket } from './token-bucket.ts';

interface Source {
  readonly failures: TokenBucket;
  provenAt: number;
  /** When by key id, the latest last. */
  readonly keysProven: Map<string, number>;
}

const NAME = 'failed-checks';

export class FailedChecks {
  readonly #limit: RateLimit;
  readonly #policy: Header;
  /** In the order of their last appearance among failures and proofs. */
  readonly #sources = new Map<string, Source>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#policy = policyHeader(NAME, limit);
  }

  /** Whether an address may have another signature checked. Times are of a monotonic clock. */
  admits(address: string, nowMs: number): boolean {
    const source = this.#sources.get(prefixOf(address));
    return source === undefined || source.failures.remaining(nowMs) >= 1;
  }

  /** Whether it has had a successful check within `provenAddressMs`. */
  isProven(address: string, nowMs: number): boolean {
    const source = this.#sources.get(prefixOf(address));
    return source !== undefined && nowMs - source.provenAt < limits.provenAddressMs;
  }

  /** Whether it has had one under this key. */
  hasProven(address: string, keyId: string, nowMs: number): boolean {
    const provenAt = this.#sources.get(prefixOf(address))?.keysProven.get(keyId);
    return provenAt !== undefined && nowMs - provenAt < limits.provenAddressMs;
  }

  countFailure(address: string, nowMs: number): void {
    this.#sourceOf(address).failures.charge(nowMs);
  }

  countSuccess(address: string, keyId: string, nowMs: number): void {
    const source = this.#sourceOf(address);
    const { keysProven } = source;
    source.provenAt = nowMs;
    keysProven.delete(keyId);
    keysProven.set(keyId, nowMs);
    if (keysProven.size > limits.provenKeysPerAddressMax) keysProven.delete(keysProven.keys().next().value!);
  }

  /** How the address stands, for answers to requests that are nobody's yet. */
  headers(address: string, nowMs: number): Header[] {
    return [limitHeader(NAME, this.#failuresOf(address), nowMs), this.#policy];
  }

  /** When an address that is not admitted may come back. */
  retryAfter(address: string, nowMs: number): Header {
    return ['Retry-After', retryAfterS(this.#failuresOf(address), nowMs)];
  }

  #failuresOf(address: string): TokenBucket {
    return this.#sources.get(prefixOf(address))?.failures ?? new TokenBucket(this.#limit);
  }

  #sourceOf(address: string): Source {
    const prefix = prefixOf(address);
    const known = this.#sources.get(prefix);
    const source = known ?? {
      failures: new TokenBucket(this.#limit),
      provenAt: Number.NEGATIVE_INFINITY,
      keysProven: new Map(),
    };
    // Moved to the end, so that whoever was silent longest is forgotten first.
    if (known !== undefined) this.#sources.delete(prefix);
    this.#sources.set(prefix, source);
    if (this.#sources.size > limits.failedCheckAddressesMax) {
      const [oldest] = this.#sources.keys();
      if (oldest !== undefined) this.#sources.delete(oldest);
    }
    return source;
  }
}

/** IPv6 counts by /64: whoever has one address of it has all. */
function prefixOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return groups.slice(0, 4).join(':');
}
