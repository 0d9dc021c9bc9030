// Order routes of venue B (venue-b.md §5.1–5.5): create, cancel one or all, decrease, amend, and batches. Thread of the paper exchanges.

import { isObject, type JsonObject, objectsOf } from '../../../domain/json.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { jsonText, type Reply } from '../../../net/listen.ts';
import type { Execution, VenueBExchange } from '../exchange.ts';
import type { Owner } from '../records.ts';
import type { Uuids } from '../uuids.ts';
import { badRequest, errorReply, NOT_FOUND, refusalError, type VenueBError } from './errors.ts';
import { notAnObject, objectionTo, type Struct } from './go-body.ts';
import { amendedText, batchReply, cancelledText, createdText, decreasedText } from './order-answers.ts';
import {
  AMEND_ORDER,
  amendmentOf,
  CANCEL_ORDER,
  CREATE_ORDER,
  DECREASE_ORDER,
  decreaseOf,
  newOrderOf,
} from './order-body.ts';
import { ownerOf, ownersOf, subaccountIn } from './owners.ts';
import type { SignedCall, SignedRoute } from './route.ts';
import { isNamed, isRouted, type Routing } from './shards.ts';

const TRADES = { access: 'write', scope: 'write::trade' } as const;
const ORDERS = '/portfolio/events/orders';

export function orderRoutes(exchange: VenueBExchange, uuids: Uuids): SignedRoute[] {
  return [
    { ...TRADES, method: 'post', path: ORDERS, takesBody: 'required', handle: call => create(exchange, uuids, call) },
    { ...TRADES, method: 'delete', path: ORDERS, handle: call => cancelAll(exchange, call) },
    { ...TRADES, method: 'delete', path: `${ORDERS}/:order_id`, cost: 2, handle: call => cancel(exchange, call) },
    {
      ...TRADES,
      method: 'post',
      path: `${ORDERS}/:order_id/decrease`,
      takesBody: 'required',
      handle: call => decrease(exchange, call),
    },
    {
      ...TRADES,
      method: 'post',
      path: `${ORDERS}/:order_id/amend`,
      takesBody: 'required',
      handle: call => amend(exchange, call),
    },
    {
      ...TRADES,
      method: 'post',
      path: `${ORDERS}/batched`,
      takesBody: 'required',
      billsEachOrder: true,
      handle: call => batchCreate(exchange, uuids, call),
    },
    {
      ...TRADES,
      method: 'delete',
      path: `${ORDERS}/batched`,
      cost: 2,
      takesBody: 'required',
      billsEachOrder: true,
      handle: call => batchCancel(exchange, call),
    },
  ];
}

function create(exchange: VenueBExchange, uuids: Uuids, { body, owner }: SignedCall): Reply {
  const objection = objectionTo(body, CREATE_ORDER);
  if (objection !== null) return badRequest(objection);
  const placed = place(exchange, uuids, owner, body);
  return placed.ok ? jsonText(201, createdText(placed.value)) : errorReply(placed.error);
}

function place(exchange: VenueBExchange, uuids: Uuids, owner: Owner, body: JsonObject): Result<Execution, VenueBError> {
  const order = newOrderOf(body, exchange, uuids);
  if (!order.ok) return order;
  const placed = exchange.place(owner, order.value);
  return placed.ok ? placed : fail(refusalError(placed.error));
}

function cancel(exchange: VenueBExchange, { parameters, query, owner }: SignedCall): Reply {
  const routing = { shard: query.get('exchange_index'), ticker: query.get('market_ticker') };
  const cancelled = cancelOne(exchange, owner, parameters[0]!, routing);
  return cancelled.ok ? jsonText(200, cancelled.value) : errorReply(cancelled.error);
}

function cancelOne(
  exchange: VenueBExchange,
  owner: Owner,
  orderId: string,
  routing: Routing,
): Result<string, VenueBError> {
  if (!isRouted(exchange, owner, orderId, routing)) return fail(NOT_FOUND);
  const cancelled = exchange.cancel(owner, orderId);
  if (!cancelled.ok) return fail(refusalError(cancelled.error));
  const { order, reducedBy } = cancelled.value;
  return ok(cancelledText(orderId, reducedBy, order.updatedAt));
}

function cancelAll(exchange: VenueBExchange, call: SignedCall): Reply {
  if (!exchange.isExchangeActive) return errorReply(refusalError('exchange-paused'));
  for (const owner of ownersOf(exchange, call)) exchange.cancelAll(owner);
  return jsonText(204, '');
}

function decrease(exchange: VenueBExchange, { parameters, body, owner }: SignedCall): Reply {
  const objection = objectionTo(body, DECREASE_ORDER);
  if (objection !== null) return badRequest(objection);
  const change = decreaseOf(body);
  if (!change.ok) return errorReply(change.error);
  const orderId = parameters[0]!;
  if (!isRouted(exchange, owner, orderId, routingIn(body))) return errorReply(NOT_FOUND);
  const decreased = exchange.decrease(owner, orderId, change.value);
  return decreased.ok ? jsonText(200, decreasedText(decreased.value)) : errorReply(refusalError(decreased.error));
}

function amend(exchange: VenueBExchange, { parameters, body, owner }: SignedCall): Reply {
  const objection = objectionTo(body, AMEND_ORDER);
  if (objection !== null) return badRequest(objection);
  const amendment = amendmentOf(body);
  if (!amendment.ok) return errorReply(amendment.error);
  const orderId = parameters[0]!;
  const before = exchange.reads(0).order(owner, orderId);
  if (before !== null && !isNamed(before.market, body.exchange_index)) return errorReply(NOT_FOUND);
  const amended = exchange.amend(owner, orderId, amendment.value);
  if (!amended.ok) return errorReply(refusalError(amended.error));
  const isResized = before?.remaining !== amended.value.order.remaining;
  return jsonText(200, amendedText(amended.value, isResized));
}

function batchCreate(exchange: VenueBExchange, uuids: Uuids, { body, caller }: SignedCall): Reply {
  const objection = objectionToBatch(body, 'BatchCreateOrdersV2Request', CREATE_ORDER);
  if (objection !== null) return badRequest(objection);
  const items = objectsOf(body.orders).map(item => {
    const owner = ownerOf(caller, subaccountIn(item));
    const placed = owner.ok ? place(exchange, uuids, owner.value, item) : owner;
    if (placed.ok) return createdText(placed.value);
    return JSON.stringify({ client_order_id: item.client_order_id, error: placed.error.error });
  });
  return batchReply(201, items);
}

function batchCancel(exchange: VenueBExchange, { body, caller }: SignedCall): Reply {
  const objection = objectionToBatch(body, 'BatchCancelOrdersV2Request', CANCEL_ORDER);
  if (objection !== null) return badRequest(objection);
  const items = objectsOf(body.orders).map(item => {
    const orderId = item.order_id as string;
    const owner = ownerOf(caller, subaccountIn(item));
    const cancelled = owner.ok ? cancelOne(exchange, owner.value, orderId, routingIn(item)) : owner;
    if (cancelled.ok) return cancelled.value;
    return JSON.stringify({ error: cancelled.error.error, order_id: orderId, reduced_by: '0.00' });
  });
  return batchReply(200, items);
}

function routingIn({ exchange_index, market_ticker }: JsonObject): Routing {
  return { shard: exchange_index, ticker: market_ticker };
}

/** One item that cannot be decoded makes the whole body invalid. */
function objectionToBatch(body: JsonObject, name: string, item: Struct): string | null {
  const objection = objectionTo(body, { name, fields: { orders: { type: 'array', isRequired: true } } });
  if (objection !== null) return objection;
  for (const order of body.orders as readonly unknown[]) {
    const problem = isObject(order) ? objectionTo(order, item) : notAnObject(order, name, 'orders');
    if (problem !== null) return problem;
  }
  return null;
}
