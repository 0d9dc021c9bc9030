// Performs operations on loss limits and answers them. Engine thread.

import { EVERY_POD, isOfPod, type LossLimitOperation, type OperationReply } from '../../core/domain/operation.ts';
import { assert, unreachable } from '../../core/domain/result.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { errorReply, replyOf } from '../../core/wire/replies.ts';
import type { LossLimits } from './loss-limits.ts';
import { recordFault } from './record-fault.ts';

interface LossLimitParts {
  readonly store: Pick<LedgerStore, 'durable'>;
  readonly losses: Pick<LossLimits, 'set' | 'reset' | 'end' | 'views'>;
  readonly timers: Pick<Timers, 'after'>;
}

/** Performs the operation and replies with all limits of the scope. Rejects with a StoreError if a change cannot be recorded. */
export async function performLossLimit(
  { store, losses, timers }: LossLimitParts,
  operation: LossLimitOperation,
): Promise<OperationReply> {
  const { ask, scope } = operation;
  if (!isCarriedOut(losses, operation)) return errorReply('notFound', `${scope} has no loss limit`);
  const fault = ask === 'list' ? null : await recordFault(store, timers);
  if (fault !== null) throw fault;
  const isWanted = (name: string): boolean =>
    ask === 'list' ? scope === EVERY_POD || isOfPod(name, scope) : name === scope;
  return replyOf(200, { lossLimits: losses.views().filter(it => isWanted(it.scope)) });
}

/** Carries out the operation. Returns false if the scope has no loss limit. */
function isCarriedOut(losses: LossLimitParts['losses'], { ask, scope, terms }: LossLimitOperation): boolean {
  switch (ask) {
    case 'list':
      return true;
    case 'set':
      assert(terms !== null, 'a limit is set to terms');
      losses.set(scope, terms);
      return true;
    case 'reset':
      return losses.reset(scope);
    case 'end':
      return losses.end(scope);
    default:
      return unreachable(ask);
  }
}
