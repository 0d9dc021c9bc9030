// The events that followers received through every end of the gateway: each event once, in order, and in the end what the store has. Where events
// may be lost with the journal's end, no cursor is used twice, and what follows the open orders is complete.

import type { OrderMessage } from '../../src/core/wire/messages.ts';
import { micros } from './decimals.ts';
import type { Follower, Leap } from './follower.ts';
import type { GatewaySeen } from './gateway-view.ts';

/** The events of a follower, and its leap. */
type Heard = Pick<Follower, 'actor' | 'reported' | 'refusals' | 'leap'>;

/**
 * Returns the faults of a follower's stream. `replayed` has everything since the leap, as a new follower received it. `losesRecord` means that the
 * journal's last record was lost on the disk.
 */
export function faultsOfStream(
  { actor, reported, refusals, leap }: Heard,
  replayed: readonly OrderMessage[],
  seen: GatewaySeen,
  losesRecord: boolean,
): string[] {
  const latest = reported.slice(leap?.heard);
  const faults = [
    ...refusals,
    ...(leap === null || losesRecord ? [] : ['CURSOR_EXPIRED']),
    ...gaps(reported, leap),
    ...(JSON.stringify(latest) === JSON.stringify(replayed) ? [] : [differing(latest, replayed)]),
    ...(leap === null ? unreportedFills(actor.actorId, reported, seen) : []),
    ...unlikeTheStore(actor.actorId, reported, seen, leap),
  ];
  return faults.map(fault => `stream of ${actor.actorId}: ${fault}`);
}

/** Returns the cursor before the first event since the leap; 0 without a leap; null if no event came since. */
export function replayedFrom({ reported, leap }: Pick<Heard, 'reported' | 'leap'>): number | null {
  if (leap === null) return 0;
  const first = reported[leap.heard];
  return first === undefined ? null : first.cursor - 1;
}

function gaps(reported: readonly OrderMessage[], leap: Leap | null): string[] {
  const at = reported.findIndex(({ cursor }, index) => {
    const before = reported[index - 1]?.cursor ?? 0;
    return index === leap?.heard ? cursor <= before : cursor !== before + 1;
  });
  return at === -1 ? [] : [`event ${at + 1} has the cursor ${reported[at]!.cursor}`];
}

function differing(reported: readonly OrderMessage[], replayed: readonly OrderMessage[]): string {
  const at = reported.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(replayed[index]));
  const [heard, again] = at === -1 ? [reported.length, replayed.length] : [reported[at], replayed[at] ?? null];
  return `heard ${JSON.stringify(heard)}, replayed as ${JSON.stringify(again)}`;
}

function unreportedFills(actorId: string, reported: readonly OrderMessage[], { fills }: GatewaySeen): string[] {
  const reportedFills = new Set(reported.filter(({ event }) => event === 'FILL').map(({ fill }) => fill!.fillId));
  const count = reported.filter(({ event }) => event === 'FILL').length;
  const kept = fills.filter(({ order, settlement }) => order?.actorId === actorId && settlement !== 'FAILED');
  return [
    ...(reportedFills.size === count ? [] : [`${count - reportedFills.size} fills were reported twice`]),
    ...kept.filter(({ fillId }) => !reportedFills.has(fillId)).map(({ fillId }) => `fill ${fillId} was not reported`),
  ];
}

/** Checks an order without events since the leap: it was open at the leap and is unchanged, or it had ended. */
function unlikeTheStore(
  actorId: string,
  reported: readonly OrderMessage[],
  { orders }: GatewaySeen,
  leap: Leap | null,
): string[] {
  const last = new Map(reported.map(message => [message.order.orderId, message]));
  const latest = new Set(reported.slice(leap?.heard).map(({ order }) => order.orderId));
  return orders
    .filter(order => order.actorId === actorId && order.status !== 'SUBMITTED' && order.status !== 'PENDING')
    .filter(({ orderId }) => leap === null || leap.open.has(orderId) || latest.has(orderId))
    .flatMap(({ orderId, status, filled }) => {
      const message = last.get(orderId);
      if (message === undefined) return [`${orderId} is ${status}, and no event reported it`];
      const { order } = message;
      const size = micros(('filledCount' in order ? order.filledCount : order.filledShares) ?? '0');
      if (order.status === status && size === filled) return [];
      return [`${orderId} is ${status} with ${filled}, reported as ${order.status} with ${size}`];
    });
}
