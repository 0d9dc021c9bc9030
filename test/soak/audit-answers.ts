// The answers to clients, against the gateway's records: an answer that was given once is never taken back.

import type { GatewaySeen, OrderKept } from './gateway-view.ts';
import type { Placed, Said } from './trader.ts';

const TERMINAL = ['FILLED', 'CANCELLED', 'REJECTED'];

/** @param isPatient whether clients have asked for longer than a proof of absence takes */
export function faultsOfAnswers(
  placed: readonly Placed[],
  { orders, fills }: GatewaySeen,
  isPatient: boolean,
): string[] {
  const byKey = Map.groupBy(orders, ({ actorId, venue, idempotencyKey }) => `${actorId} ${venue} ${idempotencyKey}`);
  const reversed = new Set(
    fills.filter(({ settlement }) => settlement === 'FAILED').map(({ order }) => order?.orderId),
  );
  return placed.flatMap(it => {
    const key = `${it.actor.actorId} ${it.order.venue} ${it.idempotencyKey}`;
    const kept = byKey.get(key) ?? [];
    const faults = [
      ...(kept.length > 1 ? [`has ${kept.length} orders`] : []),
      ...contradictions(it.said),
      ...untrue(it.said, kept[0] ?? null, isPatient),
      ...(kept[0] === undefined || reversed.has(kept[0].orderId) ? [] : brokenCancels(it, kept[0])),
    ];
    return faults.map(fault => `${key}: ${fault}`);
  });
}

/** Contradictions in the answers to one order: two 201s must be equal, there is one order, and an outcome does not change. */
function contradictions(said: readonly Said[]): string[] {
  const made = new Set(said.filter(it => it.type === 'made').map(({ orderId, status }) => `${orderId} ${status}`));
  const named = new Set(said.flatMap(it => ('orderId' in it && it.orderId !== null ? [it.orderId] : [])));
  const refusals = new Set(said.filter(it => it.type === 'refused').map(({ httpStatus }) => httpStatus));
  return [
    ...(made.size > 1 ? [`201 was not always the same: ${[...made].join(', ')}`] : []),
    ...(named.size > 1 ? [`named as ${[...named].join(', ')}`] : []),
    ...(refusals.size > 1 ? [`refused as ${[...refusals].join(', ')}`] : []),
    ...(made.size > 0 && refusals.size > 0 ? ['both made and refused'] : []),
  ];
}

function untrue(said: readonly Said[], order: OrderKept | null, isPatient: boolean): string[] {
  const made = said.find(it => it.type === 'made');
  const refused = said.find(it => it.type === 'refused');
  if (made !== undefined) {
    if (order === null) return ['answered 201, and there is no order'];
    if (order.orderId !== made.orderId) return [`answered 201 as ${made.orderId}, kept as ${order.orderId}`];
    return order.status === 'REJECTED' || order.status === 'PENDING' ? [`answered 201, and is ${order.status}`] : [];
  }
  if (refused !== undefined)
    return order === null || order.status === 'REJECTED'
      ? []
      : [`answered ${refused.httpStatus}, and is ${order.status}`];
  return isPatient ? ['never answered for good'] : [];
}

/** Returns the cancels without effect. A confirmed cancel holds, and an unclear cancel stays requested. A fill may come before either. */
function brokenCancels({ cancels }: Placed, { status }: OrderKept): string[] {
  return cancels.length > 0 && !TERMINAL.includes(status)
    ? [`cancel answered ${cancels.join(', ')}, and is ${status}`]
    : [];
}
