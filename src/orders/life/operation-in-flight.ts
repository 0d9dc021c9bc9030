// One operation on the engine, from its arrival to its reply. Engine thread.

import type { Answer } from '../../core/domain/answer.ts';
import type { EngineOperation, OperationReply, TimedOperation } from '../../core/domain/operation.ts';
import { Stopwatch } from '../../core/runtime/clock.ts';
import { answerReply, timed } from '../../core/wire/replies.ts';
import { type FaultParts, faultReply, noteFault } from './fault-replies.ts';
import type { Asker, SubmissionHooks } from './submission.ts';
import { type BudgetedParts, budgeted } from './venue-budget-replies.ts';

/** The side that asks for an operation. One of `replied` and `failed` is called, once. */
export interface OperationHooks extends SubmissionHooks {
  replied(reply: OperationReply): void;
  /** A fault of the program. */
  failed(error: unknown): void;
}

export interface ReplyParts extends BudgetedParts, FaultParts {
  /** A reply waits until it may leave; null if it may. */
  readonly fence: () => Promise<void> | null;
}

/** An operation that waits for its reply. For a submission the reply is the answer of the order. */
export class OperationInFlight implements Asker {
  readonly operation: EngineOperation;
  readonly hooks: OperationHooks;
  /** Null if nobody asked for the times of the stages. */
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

  /** A fault of disk or venue is a reply, too. */
  failed(error: unknown): void {
    try {
      noteFault(this.#parts, this.operation.name, error);
      this.reply(faultReply(this.#parts, this.operation));
    } catch (fault) {
      this.hooks.failed(fault);
    }
  }

  reply(bare: OperationReply): void {
    const reply = timed(budgeted(this.#parts, this.operation, bare), this.stopwatch?.text() ?? null);
    const held = this.#parts.fence();
    if (held === null) this.hooks.replied(reply);
    else
      held.then(
        () => this.hooks.replied(reply),
        error => this.hooks.failed(error),
      );
  }
}
