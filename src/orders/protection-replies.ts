// Performs operations on protections and answers them. Engine thread.

import type { OperationReply, ProtectionOperation } from '../domain/operation.ts';
import { type Protection, protectionLimits } from '../domain/protection.ts';
import { unreachable } from '../domain/result.ts';
import type { Timers } from '../runtime/timers.ts';
import type { LedgerStore } from '../store/order-records.ts';
import { readProtection, readProtectionPlace } from '../wire/protection-requests.ts';
import { protectionView } from '../wire/protection-view.ts';
import { errorReply, replyOf } from '../wire/replies.ts';
import type { ProtectionWatch } from './protection-watch.ts';

export interface ProtectionParts {
  readonly store: Pick<LedgerStore, 'protections' | 'durable'>;
  readonly watch: Pick<ProtectionWatch, 'set' | 'reset' | 'end'>;
  readonly timers: Pick<Timers, 'now'>;
}

/** Rejects with a StoreError if a change cannot be recorded. In the power-safe mode a change is on disk once this resolves. */
export async function performProtection(
  parts: ProtectionParts,
  operation: ProtectionOperation,
): Promise<OperationReply> {
  const reply = replyTo(parts, operation);
  if (operation.ask !== 'list') await parts.store.durable();
  return reply;
}

function replyTo({ store, watch, timers }: ProtectionParts, operation: ProtectionOperation): OperationReply {
  const { actorId } = operation.caller;
  const replyWith = (protection: Protection | null): OperationReply =>
    protection === null ? NONE : replyOf(200, protectionView(protection, timers.now()));
  switch (operation.ask) {
    case 'list': {
      const views = store.protections(actorId).map(protection => protectionView(protection, timers.now()));
      return replyOf(200, { protections: views });
    }
    case 'set': {
      const read = readProtection(operation.body);
      if (!read.ok) return errorReply('invalid', read.error);
      const { terms, ...place } = read.value;
      const protection = watch.set(operation.caller, place, terms);
      return protection === null ? errorReply('invalid', TOO_MANY) : replyWith(protection);
    }
    case 'reset':
    case 'end': {
      const place = readProtectionPlace(operation.body);
      if (!place.ok) return errorReply('invalid', place.error);
      const scope = { actorId, ...place.value };
      return replyWith(operation.ask === 'end' ? watch.end(scope) : watch.reset(scope));
    }
    default:
      return unreachable(operation.ask);
  }
}

const TOO_MANY = `the actor has ${protectionLimits.protectionsPerActorMax} protections (protectionsPerActorMax): end one first`;
const NONE = errorReply('notFound', 'venue, address: no such protection');
