// One operation on the engine, from its arrival to its reply. Engine thread.

import type { Answer } from '../../core/domain/answer.ts';
import type { EngineOperation, OperationReply, TimedOperation } from '../../core/domain/operation.ts';
import { Stopwatch } from '../../core/runtime/clock.ts';
import { answerReply, timed } from '../../core/wire/replies.ts';
import { type FaultParts, faultReply, logFault } from './fault-replies.ts';
import type { Asker, SubmissionHooks } from './submission.ts';
import { type BudgetedParts, withBudget } from './venue-budget-replies.ts';

/** The callbacks of the side that asks for an operation. Exactly one of `replied` and `failed` is called, once. */
export interface OperationHooks extends SubmissionHooks {
  replied(reply: OperationReply): void;
  /** Called with a fault of the program. */
  failed(error: unknown): void;
}

export interface ReplyParts extends BudgetedParts, FaultParts {
  /** Returns what a reply must wait for before it may leave. Null means that it may leave at once. */
  readonly fence: () => Promise<void> | null;
}

/** An operation that waits for its reply. The reply to a submission is the answer of the order. */
export class OperationInFlight implements Asker {
  readonly operation: EngineOperation;
  readonly hooks: OperationHooks;
  /** Measures the times of the stages. Null means that the caller did not ask for them. */
  readonly stopwatch: Stopwatch | null;
  readonly #parts: ReplyParts;

  constructor(parts: ReplyParts, { operation, timedFromUs, checkedUs }: TimedOperation, hooks: OperationHooks) {
    this.#parts = parts;
    this.operation = operation;
    this.hooks = hooks;
    this.stopwatch = timedFromUs === null ? null : new Stopwatch(timedFromUs);
    if (checkedUs !== null) {
      this.stopwatch?.passed('parse', checkedUs[0]);
      this.stopwatch?.passed('auth', checkedUs[1]);
    }
    this.stopwatch?.passed('parse');
  }

  answered(answer: Answer): void {
    this.reply(answerReply(answer));
  }

  /** Replies to a fault. A fault of the disk or of the venue has a reply of its own; any other is a fault of the program. */
  failed(error: unknown): void {
    try {
      logFault(this.#parts, this.operation.name, error);
      this.reply(faultReply(this.#parts, this.operation));
    } catch (fault) {
      this.hooks.failed(fault);
    }
  }

  reply(bare: OperationReply): void {
    const reply = timed(withBudget(this.#parts, this.operation, bare), this.stopwatch?.text() ?? null);
    const held = this.#parts.fence();
    if (held === null) this.hooks.replied(reply);
    else
      held.then(
        () => this.hooks.replied(reply),
        error => this.hooks.failed(error),
      );
  }
}
