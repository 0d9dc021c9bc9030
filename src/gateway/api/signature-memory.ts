// Contract §2: a signed mutation without an idempotency key that comes again within 60 s gets the first answer again and
// does nothing. Older signatures are refused by their timestamp. Main thread.

import { limits } from '../../limits.ts';
import type { Reply } from '../../net/listen.ts';
import { type Timers, wallTimers } from '../../runtime/timers.ts';

interface Remembered {
  readonly keyId: string;
  readonly reply: Promise<Reply>;
  readonly forgetAt: number;
}

const sweepTimers: Pick<Timers, 'elapsed' | 'after'> = {
  elapsed: wallTimers.elapsed,
  after: (delayMs, task) => {
    // Nobody stays for it.
    const timer = setTimeout(task, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

export class SignatureMemory {
  readonly #timers: typeof sweepTimers;
  #isSweepDue = false;
  /** In the order of arrival, which is the order of forgetting. */
  readonly #answers = new Map<string, Remembered>();
  /** How many of them are of each signing key. */
  readonly #counts = new Map<string, number>();

  /** Timers of the clock that `once` is told the time by. */
  constructor(timers: typeof sweepTimers = sweepTimers) {
    this.#timers = timers;
  }

  /**
   * Runs `act` for a signature that is new and remembers its answer, which a repetition waits for and gets.
   * `full` is answered where no more can be remembered: nothing is forgotten early.
   */
  once({ keyId, signature }: Signed, nowMs: number, act: () => Promise<Reply>, full: () => Reply): Recall {
    this.#forget(nowMs);
    const name = Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength).toString('latin1');
    const known = this.#answers.get(name);
    if (known !== undefined) return { reply: known.reply, isRepeated: true };
    const count = this.#counts.get(keyId) ?? 0;
    if (this.#answers.size >= limits.signaturesRememberedMax || count >= limits.signaturesPerKeyMax) {
      return { reply: Promise.resolve(full()), isRepeated: false };
    }
    const reply = act();
    this.#answers.set(name, { keyId, reply, forgetAt: nowMs + limits.signatureMemoryMs });
    this.#counts.set(keyId, count + 1);
    this.#sweepLater();
    return { reply, isRepeated: false };
  }

  get size(): number {
    return this.#answers.size;
  }

  /** After a burst that nothing follows the answers would stay for as long as nothing does. */
  #sweepLater(): void {
    if (this.#isSweepDue || this.#answers.size === 0) return;
    this.#isSweepDue = true;
    this.#timers.after(limits.signatureMemoryMs + 1, () => {
      this.#isSweepDue = false;
      this.#forget(this.#timers.elapsed());
      this.#sweepLater();
    });
  }

  #forget(nowMs: number): void {
    for (const [name, { keyId, forgetAt }] of this.#answers) {
      // A signature is still acceptable at the end of its last millisecond.
      if (forgetAt >= nowMs) return;
      this.#answers.delete(name);
      const left = (this.#counts.get(keyId) ?? 0) - 1;
      if (left > 0) this.#counts.set(keyId, left);
      else this.#counts.delete(keyId);
    }
  }
}

/** A signature, decoded, and whose it is. */
export interface Signed {
  readonly keyId: string;
  readonly signature: Uint8Array;
}

export interface Recall {
  readonly reply: Promise<Reply>;
  readonly isRepeated: boolean;
}
