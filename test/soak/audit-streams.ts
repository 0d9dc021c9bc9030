// What followers were told through every end of the gateway: each event once, in order, and in the end what the store has.

import type { OrderMessage } from '../../src/wire/messages.ts';
import { micros } from './decimals.ts';
import type { Follower } from './follower.ts';
import type { GatewaySeen } from './gateway-view.ts';

/** `replayed`: everything once more, by somebody who asks only now. */
export function faultsOfStream(
  { actor, told, refusals }: Follower,
  replayed: readonly OrderMessage[],
  seen: GatewaySeen,
): string[] {
  const faults = [
    ...refusals,
    ...gaps(told),
    ...(JSON.stringify(told) === JSON.stringify(replayed) ? [] : [differing(told, replayed)]),
    ...unlikeTheStore(actor.actorId, told, seen),
  ];
  return faults.map(fault => `stream of ${actor.actorId}: ${fault}`);
}

function gaps(told: readonly OrderMessage[]): string[] {
  const at = told.findIndex(({ cursor }, index) => cursor !== index + 1);
  return at === -1 ? [] : [`event ${at + 1} has the cursor ${told[at]!.cursor}`];
}

function differing(told: readonly OrderMessage[], replayed: readonly OrderMessage[]): string {
  const at = told.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(replayed[index]));
  const [heard, again] = at === -1 ? [told.length, replayed.length] : [told[at], replayed[at] ?? null];
  return `heard ${JSON.stringify(heard)}, replayed as ${JSON.stringify(again)}`;
}

function unlikeTheStore(actorId: string, told: readonly OrderMessage[], { orders, fills }: GatewaySeen): string[] {
  const last = new Map(told.map(message => [message.order.orderId, message]));
  const toldFills = new Set(told.filter(({ event }) => event === 'FILL').map(({ fill }) => fill!.fillId));
  const count = told.filter(({ event }) => event === 'FILL').length;
  const kept = fills.filter(({ order, settlement }) => order?.actorId === actorId && settlement !== 'FAILED');
  return [
    ...(toldFills.size === count ? [] : [`${count - toldFills.size} fills were told twice`]),
    ...kept.filter(({ fillId }) => !toldFills.has(fillId)).map(({ fillId }) => `fill ${fillId} was not told`),
    ...orders
      .filter(order => order.actorId === actorId && order.status !== 'SUBMITTED' && order.status !== 'PENDING')
      .flatMap(({ orderId, status, filled }) => {
        const message = last.get(orderId);
        if (message === undefined) return [`${orderId} is ${status}, and nothing was told of it`];
        const { order } = message;
        const size = micros(('filledCount' in order ? order.filledCount : order.filledShares) ?? '0');
        if (order.status === status && size === filled) return [];
        return [`${orderId} is ${status} with ${filled}, told as ${order.status} with ${size}`];
      }),
  ];
}
