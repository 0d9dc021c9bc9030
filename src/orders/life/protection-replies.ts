// Performs operations on protections and answers them. Engine thread.

import type { Venue } from '../../core/domain/market.ts';
import type { Caller, OperationReply, ProtectionOperation } from '../../core/domain/operation.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { type Protection, protectionLimits } from '../../core/domain/protection.ts';
import { fail, unreachable } from '../../core/domain/result.ts';
import { inTurns, type Timers } from '../../core/runtime/timers.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { protectionView } from '../../core/wire/order-views.ts';
import { readProtection, readProtectionPlace } from '../../core/wire/protection-requests.ts';
import { errorReply, replyOf, unavailableReply } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import type { ProtectionWatch } from './protection-watch.ts';
import { recordFault } from './record-fault.ts';

export interface ProtectionParts {
  readonly store: Pick<LedgerStore, 'protections' | 'openOrders' | 'openCount' | 'position' | 'durable'>;
  readonly watch: Pick<ProtectionWatch, 'set' | 'reset' | 'end'>;
  readonly timers: Pick<Timers, 'now' | 'after'>;
  /** Returns the account. Null means that the pod has no account at the venue. */
  readonly tradingOf: (podId: string, venue: Venue) => Pick<VenueTrading, 'facts'> | null;
}

/**
 * Performs the operation and replies. Rejects with a StoreError if a change cannot be recorded. In the power-safe mode the change is on
 * disk once this resolves.
 */
export async function performProtection(
  parts: ProtectionParts,
  operation: ProtectionOperation,
): Promise<OperationReply> {
  const reply = (await marketProblem(parts, operation)) ?? replyTo(parts, operation);
  const fault = operation.ask === 'list' ? null : await recordFault(parts.store, parts.timers);
  if (fault !== null) throw fault;
  return reply;
}

/**
 * Returns the refusal of a market that does not exist, or whose venue does not say. Null means that the market exists. A mistyped market
 * would leave its actor without protection.
 */
async function marketProblem(parts: ProtectionParts, operation: ProtectionOperation): Promise<OperationReply | null> {
  const read = operation.ask === 'set' ? readProtection(operation.body) : null;
  if (read === null || !read.ok || read.value.address === null) return null;
  const { venue, address } = read.value;
  const trading = parts.tradingOf(operation.caller.podId, venue);
  if (trading === null || (await isInUse(parts.store, operation.caller, venue, address))) return null;
  const facts = await orTimedOut(parts.timers, trading.facts(address));
  if (facts.ok) return null;
  if (facts.error.type === 'unknown-market') return NO_MARKET;
  const { message } = facts.error;
  return unavailableReply(
    `address: ${venue} does not say now whether there is such a market (${message}): nothing was set`,
  );
}

/**
 * Whether the actor has a protection, a position or an open order in the market. Then the market exists, and the protection need not wait
 * for the venue.
 */
async function isInUse(
  store: ProtectionParts['store'],
  { podId, actorId }: Caller,
  venue: Venue,
  address: string,
): Promise<boolean> {
  if (store.protections(actorId).some(it => it.venue === venue && it.address === address)) return true;
  if (store.position(actorId, venue, address) !== null) return true;
  if (store.openCount(actorId, venue) === 0) return false;
  for await (const { order } of inTurns(store.openOrders({ podId, venue }), limits.keptRowsPerTurnMax)) {
    if (order.actorId === actorId && addressOf(order.request) === address) return true;
  }
  return false;
}

type Facts = ReturnType<VenueTrading['facts']>;

function orTimedOut(timers: ProtectionParts['timers'], facts: Facts): Facts {
  if (!(facts instanceof Promise)) return facts;
  const { protectionMarketMs } = protectionLimits;
  const message = `no answer within ${protectionMarketMs} ms (protectionMarketMs)`;
  return new Promise((resolve, reject) => {
    const cancel = timers.after(protectionMarketMs, () => resolve(fail({ type: 'unavailable', message })));
    facts.finally(cancel).then(resolve, reject);
  });
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
