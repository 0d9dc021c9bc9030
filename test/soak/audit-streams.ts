// What followers received through every end of the gateway: each event once, in order, and in the end what the store has.

import type { OrderMessage } from '../../src/wire/messages.ts';
import { micros } from './decimals.ts';
import type { Follower } from './follower.ts';
import type { GatewaySeen } from './gateway-view.ts';

/** `replayed`: everything once more, by somebody who asks only now. */
export function faultsOfStream(
  { actor, reported, refusals }: Follower,
  replayed: readonly OrderMessage[],
  seen: GatewaySeen,
): string[] {
  const faults = [
    ...refusals,
    ...gaps(reported),
    ...(JSON.stringify(reported) === JSON.stringify(replayed) ? [] : [differing(reported, replayed)]),
    ...unlikeTheStore(actor.actorId, reported, seen),
  ];
  return faults.map(fault => `stream of ${actor.actorId}: ${fault}`);
}

function gaps(reported: readonly OrderMessage[]): string[] {
  const at = reported.findIndex(({ cursor }, index) => cursor !== index + 1);
  return at === -1 ? [] : [`event ${at + 1} has the cursor ${reported[at]!.cursor}`];
}

function differing(reported: readonly OrderMessage[], replayed: readonly OrderMessage[]): string {
  const at = reported.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(replayed[index]));
  const [heard, again] = at === -1 ? [reported.length, replayed.length] : [reported[at], replayed[at] ?? null];
  return `heard ${JSON.stringify(heard)}, replayed as ${JSON.stringify(again)}`;
}

function unlikeTheStore(actorId: string, reported: readonly OrderMessage[], { orders, fills }: GatewaySeen): string[] {
  const last = new Map(reported.map(message => [message.order.orderId, message]));
  const reportedFills = new Set(reported.filter(({ event }) => event === 'FILL').map(({ fill }) => fill!.fillId));
  const count = reported.filter(({ event }) => event === 'FILL').length;
  const kept = fills.filter(({ order, settlement }) => order?.actorId === actorId && settlement !== 'FAILED');
  return [
    ...(reportedFills.size === count ? [] : [`${count - reportedFills.size} fills were reported twice`]),
    ...kept.filter(({ fillId }) => !reportedFills.has(fillId)).map(({ fillId }) => `fill ${fillId} was not reported`),
    ...orders
      .filter(order => order.actorId === actorId && order.status !== 'SUBMITTED' && order.status !== 'PENDING')
      .flatMap(({ orderId, status, filled }) => {
        const message = last.get(orderId);
        if (message === undefined) return [`${orderId} is ${status}, and no event reported it`];
        const { order } = message;
        const size = micros(('filledCount' in order ? order.filledCount : order.filledShares) ?? '0');
        if (order.status === status && size === filled) return [];
        return [`${orderId} is ${status} with ${filled}, reported as ${order.status} with ${size}`];
      }),
  ];
}
