// Conditions on the answers of a schedule, once everything has come to rest.

import { HmacKey } from '../../src/core/runtime/hmac.ts';
import { deriveOrderId } from '../../src/orders/life/order-ids.ts';
import { SECRET } from './calls.ts';
import { NOT_READ, NOT_RECORDED } from './gateway.ts';
import type { Ended } from './invariants.ts';

/** An order is either made or refused: its answers must not change from one to the other. */
export function answersAgree({ answers, account: { venue }, wipes, regressed }: Ended): string[] {
  if (wipes > 0) return [];
  return [...answers].flatMap(([name, list]) => {
    const [actorId, key] = name.split('/') as [string, string];
    if (regressed.has(deriveOrderId(new HmacKey(SECRET), actorId, venue, key))) return [];
    const final = list.filter(
      it => it.type === 'made' || (it.kind !== 'unavailable' && it.orderId === null && !isOfNow(it)),
    );
    const verdicts = new Set(
      final.map(it => (it.type === 'made' ? it.orderId : `${it.kind}, ${it.reason}: ${it.message}`)),
    );
    return verdicts.size <= 1 ? [] : [`${name} was answered ${[...verdicts].join(' and ')}`];
  });
}

/** A refusal has the code of the REJECTED order, and no code if there is no order (4039). */
export function reasonsTrue({
  store,
  answers,
  unnoted,
  sent,
  account: { venue },
  wipes,
  regressed,
}: Pick<Ended, 'store' | 'answers' | 'unnoted' | 'sent' | 'account' | 'wipes' | 'regressed'>): string[] {
  if (wipes > 0) return [];
  return [...answers].flatMap(([name, list]) => {
    const [actorId, key] = name.split('/') as [string, string];
    const orderId = deriveOrderId(new HmacKey(SECRET), actorId, venue, key);
    const last = list.at(-1);
    if (unnoted.has(name)) return [];
    if (regressed.has(orderId) || last?.type !== 'refused' || last.orderId !== null || isOfNow(last)) return [];
    const order = store.order(orderId)?.order ?? null;
    // An order that was refused with nothing sent may have been requested once more, and refused without a record.
    if (order?.isReleased === true) return last.reason === null || last.reason === order.error?.code ? [] : [name];
    // This answer says nothing about an order that an earlier request with this key has made.
    if (last.message === NOT_READ) return last.reason === null ? [] : [name];
    // The last request has no record. The request before it has a record, and the record that released the order was lost with the pod
    // (seed 1795890163).
    const isUnsent = (sent.get(orderId) ?? 0) === 0;
    if (last.message === NOT_RECORDED && isUnsent) return last.reason === null ? [] : [name];
    const code = order === null ? null : (order.error?.code ?? 'UNKNOWN');
    return last.reason === code ? [] : [`${name} was refused as ${last.reason}, and its order as ${code}`];
  });
}

/**
 * Returns whether the request was refused before there was an order, because too little of its time was left. Nothing is kept of such a
 * request.
 */
function isOfNow({ message }: { readonly message: string }): boolean {
  return message.startsWith('timeInForce.expiresAt: must be at least');
}
