// Bounds the messages of one stream. Reads count against its signing key, as requests do. All other messages have a bound of their own, so
// that no stream keeps the main thread busy. Main thread.

import { TokenBucket } from '../../core/runtime/token-bucket.ts';
import type { ClientMessage } from '../../core/wire/messages.ts';
import { limits, type RateLimit } from '../../limits.ts';

export interface AllowanceParts {
  /** Counts one read of the signing key; false if it exceeds the key's limit. */
  readonly takeRead: (keyId: string) => boolean;
  /** The time in monotonic milliseconds. */
  readonly nowMs: () => number;
  /** The rate in `limits` by default. */
  readonly uncounted?: RateLimit;
}

const UNCOUNTED: RateLimit = { perS: limits.streamUncountedPerS, burstMax: limits.streamUncountedBurstMax };

export class Allowance {
  readonly #parts: AllowanceParts;
  readonly #keyId: string;
  readonly #uncounted: TokenBucket;

  constructor(parts: AllowanceParts, keyId: string) {
    this.#parts = parts;
    this.#keyId = keyId;
    this.#uncounted = new TokenBucket(parts.uncounted ?? UNCOUNTED);
  }

  /** Null stands for an unreadable message. Giving up a subscription or `cancelOnDisconnect` is never a read and always passes. */
  take(message: ClientMessage | null): 'taken' | 'too-many-reads' | 'flood' {
    const { takeRead, nowMs } = this.#parts;
    const isRead = message !== null && message.op !== 'ping' && message.op !== 'unsubscribe';
    if (isRead && takeRead(this.#keyId)) return 'taken';
    if (!this.#uncounted.take(nowMs())) return 'flood';
    return isRead ? 'too-many-reads' : 'taken';
  }
}
