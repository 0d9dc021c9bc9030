// Performs operations on protections and answers them. Engine thread.

import type { Venue } from '../domain/market.ts';
import type { OperationReply, ProtectionOperation } from '../domain/operation.ts';
import { type Protection, protectionLimits } from '../domain/protection.ts';
import { unreachable } from '../domain/result.ts';
import type { Timers } from '../runtime/timers.ts';
import type { LedgerStore } from '../store/order-records.ts';
import type { VenueTrading } from '../venues/venue.ts';
import { readProtection, readProtectionPlace } from '../wire/protection-requests.ts';
import { protectionView } from '../wire/protection-view.ts';
import { errorReply, replyOf } from '../wire/replies.ts';
import type { ProtectionWatch } from './protection-watch.ts';

export interface ProtectionParts {
  readonly store: Pick<LedgerStore, 'protections' | 'durable'>;
  readonly watch: Pick<ProtectionWatch, 'set' | 'reset' | 'end'>;
  readonly timers: Pick<Timers, 'now'>;
  /** Null: the pod has no account there. */
  readonly tradingOf: (podId: string, venue: Venue) => Pick<VenueTrading, 'facts'> | null;
}

/** Rejects with a StoreError if a change cannot be recorded. In the power-safe mode a change is on disk once this resolves. */
export async function performProtection(
  parts: ProtectionParts,
  operation: ProtectionOperation,
): Promise<OperationReply> {
  const reply = (await isOfNoMarket(parts, operation)) ? NO_MARKET : replyTo(parts, operation);
  if (operation.ask !== 'list') await parts.store.durable();
  return reply;
}

/** A mistyped market would leave its actor without protection. If the venue does not say that there is none, it is taken for one. */
async function isOfNoMarket({ store, tradingOf }: ProtectionParts, operation: ProtectionOperation): Promise<boolean> {
  const read = operation.ask === 'set' ? readProtection(operation.body) : null;
  if (read === null || !read.ok || read.value.address === null) return false;
  const { podId, actorId } = operation.caller;
  const { venue, address } = read.value;
  if (store.protections(actorId).some(it => it.venue === venue && it.address === address)) return false;
  const facts = await tradingOf(podId, venue)?.facts(address);
  return facts !== undefined && !facts.ok && facts.error.type === 'unknown-market';
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
const NO_MARKET = errorReply('notFound', 'address: no such market');
const NONE = errorReply('notFound', 'venue, address: no such protection');
