// What one stream may send: reads count against its signing key, as requests do; everything else costs a little, however often it is
// refused, and is bounded by itself, so that nobody keeps the main thread busy with it. Main thread.

import { limits, type RateLimit } from '../../limits.ts';
import type { ClientMessage } from '../../wire/messages.ts';
import { TokenBucket } from '../api/token-bucket.ts';

export interface AllowanceParts {
  /** Counts a request as one of the signing key's reads; false if it is one too many. */
  readonly takeRead: (keyId: string) => boolean;
  /** Milliseconds of a clock that is never set. */
  readonly nowMs: () => number;
  /** That of `limits` by default. */
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

  /** Null: a message that cannot be read. What is given up, a `cancelOnDisconnect` among it, is no read: it is, whatever has been asked for. */
  take(message: ClientMessage | null): 'taken' | 'too-many-reads' | 'flood' {
    const { takeRead, nowMs } = this.#parts;
    const isRead = message !== null && message.op !== 'ping' && message.op !== 'unsubscribe';
    if (isRead && takeRead(this.#keyId)) return 'taken';
    if (!this.#uncounted.take(nowMs())) return 'flood';
    return isRead ? 'too-many-reads' : 'taken';
  }
}
