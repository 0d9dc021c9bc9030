// Contract §2: a signed mutation without an idempotency key that comes again within 60 s gets the first answer again and
// does nothing. Older signatures are refused by their timestamp. Main thread.

import { limits } from '../../limits.ts';
import type { Reply } from '../../net/listen.ts';

interface Remembered {
  readonly reply: Promise<Reply>;
  readonly forgetAt: number;
}

export class SignatureMemory {
  /** In the order of arrival, which is the order of forgetting. */
  readonly #answers = new Map<string, Remembered>();

  /**
   * Runs `act` for a signature that is new and remembers its answer, which a repetition waits for and gets.
   * `full` is answered where no more can be remembered: nothing is forgotten early.
   */
  once(signature: Uint8Array, nowMs: number, act: () => Promise<Reply>, full: () => Reply): Recall {
    this.#forget(nowMs);
    const name = Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength).toString('latin1');
    const known = this.#answers.get(name);
    if (known !== undefined) return { reply: known.reply, isRepeated: true };
    if (this.#answers.size >= limits.signaturesRememberedMax) {
      return { reply: Promise.resolve(full()), isRepeated: false };
    }
    const reply = act();
    this.#answers.set(name, { reply, forgetAt: nowMs + limits.signatureMemoryMs });
    return { reply, isRepeated: false };
  }

  get size(): number {
    return this.#answers.size;
  }

  #forget(nowMs: number): void {
    for (const [name, { forgetAt }] of this.#answers) {
      // A signature is still acceptable at the end of its last millisecond.
      if (forgetAt >= nowMs) return;
      this.#answers.delete(name);
    }
  }
}

export interface Recall {
  readonly reply: Promise<Reply>;
  readonly isRepeated: boolean;
}
