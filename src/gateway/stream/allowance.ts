// Bounds the messages of one stream. Reads count against its signing key, like requests. All other messages count against a separate bound,
// so that no stream keeps the main thread busy. Main thread.

import { TokenBucket } from '../../core/runtime/token-bucket.ts';
import type { ClientMessage } from '../../core/wire/messages.ts';
import { limits, type RateLimit } from '../../limits.ts';

export interface AllowanceParts {
  /** Counts one read of the signing key. Returns false if the read exceeds the key's limit. */
  readonly takeRead: (keyId: string) => boolean;
  /** The time in monotonic milliseconds. */
  readonly nowMs: () => number;
  /** The bound on all other messages. The default is the rate in `limits`. */
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

  /** Counts a message. Null stands for an unreadable message. An `unsubscribe` and a ping never count as reads. */
  take(message: ClientMessage | null): 'taken' | 'too-many-reads' | 'flood' {
    const { takeRead, nowMs } = this.#parts;
    const isRead = message !== null && message.op !== 'ping' && message.op !== 'unsubscribe';
    if (isRead && takeRead(this.#keyId)) return 'taken';
    if (!this.#uncounted.take(nowMs())) return 'flood';
    return isRead ? 'too-many-reads' : 'taken';
  }
}
