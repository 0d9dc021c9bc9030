// Remembers signed mutations without an idempotency key (contract §2). A mutation that repeats within 60 s does nothing and gets the first
// answer. Older signatures are refused by their timestamp. Main thread, and the engine's.

import type { OperationReply } from '../../core/domain/operation.ts';
import { type Timers, wallTimers } from '../../core/runtime/timers.ts';
import { errorReply, replayedReply } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';

interface Remembered<Reply> {
  readonly keyId: string;
  readonly reply: Promise<Reply>;
  readonly forgetAt: number;
}

const sweepTimers: Pick<Timers, 'elapsed' | 'after'> = {
  elapsed: wallTimers.elapsed,
  after: (delayMs, task) => {
    // The timer does not keep the process alive.
    const timer = setTimeout(task, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

export class SignatureMemory<Reply> {
  readonly #timers: typeof sweepTimers;
  #isSweepDue = false;
  /** The answers by signature, in the sequence of their arrival, in which they also expire. */
  readonly #answers = new Map<string, Remembered<Reply>>();
  /** The number of remembered answers of each signing key. */
  readonly #counts = new Map<string, number>();

  /** `timers` must have the clock of the `nowMs` that `answerOnce` gets. */
  constructor(timers: typeof sweepTimers = sweepTimers) {
    this.#timers = timers;
  }

  /**
   * Runs `act` for a new signature and remembers its answer. A repeat waits for the same answer. If no more answers can be remembered,
   * calls `full` instead of `act`, because no answer is dropped early.
   */
  answerOnce({ keyId, signature }: Signed, nowMs: number, act: () => Promise<Reply>, full: () => Reply): Recall<Reply> {
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

  /** Schedules a sweep. Without it, the answers of a burst would stay until the next request. */
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
      // A signature is still valid at the end of its last millisecond.
      if (forgetAt >= nowMs) return;
      this.#answers.delete(name);
      const left = (this.#counts.get(keyId) ?? 0) - 1;
      if (left > 0) this.#counts.set(keyId, left);
      else this.#counts.delete(keyId);
    }
  }
}

/** A decoded signature and its key. */
export interface Signed {
  readonly keyId: string;
  readonly signature: Uint8Array;
}

interface Recall<Reply> {
  readonly reply: Promise<Reply>;
  readonly isRepeated: boolean;
}

/**
 * Signed operations that come over both doors. Each door remembers its own requests. This memory serves requests that repeat at the other
 * door. Engine thread.
 */
export class SignedOperations {
  readonly #memory = new SignatureMemory<OperationReply>();
  readonly #onRepeat: () => void;

  /** Calls `onRepeat` for each repeat. */
  constructor(onRepeat: () => void) {
    this.#onRepeat = onRepeat;
  }

  async performOnce(signed: Signed, act: () => Promise<OperationReply>): Promise<OperationReply> {
    const { reply, isRepeated } = this.#memory.answerOnce(signed, wallTimers.elapsed(), act, fullReply);
    if (!isRepeated) return reply;
    this.#onRepeat();
    return replayedReply(await reply);
  }
}

function fullReply(): OperationReply {
  return errorReply('limited', 'too many mutations to remember (signaturesPerKeyMax, signaturesRememberedMax)');
}
