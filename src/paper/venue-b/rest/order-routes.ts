// Order routes of venue B (venue-b.md §5.1–5.5): create, cancel one or all, decrease, amend, and batches. In the mode `instant` every order
// is answered at once as filled at its limit. No signature is checked and nothing is stored, so that a load test measures only the gateway.
// Thread of the paper exchanges.

import { type JsonObject, objectsOf } from '../../../core/domain/json.ts';
import {
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { type HttpRoute, jsonText, type Reply } from '../../../core/net/listen.ts';
import { yesCost } from '../../engine/engine-types.ts';
import type { Uuids } from '../../ids.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { Execution, OrderRecord, Owner } from '../records.ts';
import { countText, priceText, REST_PATH } from '../wire-text.ts';
import {
  badRequest,
  errorReply,
  invalidOrder,
  NOT_FOUND,
  refusalError,
  UNATTESTED,
  type VenueBError,
} from './errors.ts';
import { bodyError, parseBody, type Struct } from './go-body.ts';
import {
  AMEND_ORDER,
  amendmentOf,
  CANCEL_ORDERS,
  CREATE_ORDER,
  CREATE_ORDERS,
  DECREASE_ORDER,
  decreaseOf,
  newOrderOf,
} from './order-body.ts';
import {
  isNamed,
  isRouted,
  ownerOf,
  ownersOf,
  type Routing,
  type SignedCall,
  type SignedRoute,
  subaccountIn,
  type VenueBParts,
  write,
} from './route.ts';

const TRADES = { scope: 'write::trade' } as const;
const ORDERS = '/portfolio/events/orders';

export const orderRoutes: readonly SignedRoute[] = [
  write('post', ORDERS, create, { ...TRADES, body: CREATE_ORDER }),
  write('delete', ORDERS, cancelAll, TRADES),
  write('delete', `${ORDERS}/:order_id`, cancel, { ...TRADES, cost: 2 }),
  write('post', `${ORDERS}/:order_id/decrease`, decrease, { ...TRADES, body: DECREASE_ORDER }),
  write('post', `${ORDERS}/:order_id/amend`, amend, { ...TRADES, body: AMEND_ORDER }),
  write('post', `${ORDERS}/batched`, batchCreate, { ...TRADES, body: CREATE_ORDERS, billsEachOrder: true }),
  write('delete', `${ORDERS}/batched`, batchCancel, { ...TRADES, body: CANCEL_ORDERS, billsEachOrder: true, cost: 2 }),
];

function create({ body, owner }: SignedCall, venue: VenueBParts): Reply {
  const placed = place(venue, owner, body);
  return placed.ok ? jsonText(201, createdText(placed.value)) : errorReply(placed.error);
}

function place(
  { access, exchange, uuids }: VenueBParts,
  owner: Owner,
  body: JsonObject,
): Result<Execution, VenueBError> {
  if (!access.isAttested(owner.userId)) return fail(UNATTESTED);
  const order = newOrderOf(body, exchange, uuids);
  if (!order.ok) return order;
  const placed = exchange.orders.place(owner, order.value);
  return placed.ok ? placed : fail(refusalError(placed.error));
}

function cancel({ parameters, query, owner }: SignedCall, { exchange }: VenueBParts): Reply {
  const routing = { shard: query.text('exchange_index'), ticker: query.text('market_ticker') };
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
  const cancelled = exchange.orders.cancel(owner, orderId);
  if (!cancelled.ok) return fail(refusalError(cancelled.error));
  const { order, reducedBy } = cancelled.value;
  return ok(cancelledText(orderId, reducedBy, order.updatedAt));
}

function cancelAll(call: SignedCall, { exchange }: VenueBParts): Reply {
  if (!exchange.state.isExchangeActive) return errorReply(refusalError('exchange-paused'));
  for (const owner of ownersOf(exchange, call)) exchange.orders.cancelAll(owner);
  return jsonText(204, '');
}

function decrease({ parameters, body, owner }: SignedCall, { exchange }: VenueBParts): Reply {
  const change = decreaseOf(body);
  if (!change.ok) return errorReply(change.error);
  const orderId = parameters[0]!;
  if (!isRouted(exchange, owner, orderId, routingIn(body))) return errorReply(NOT_FOUND);
  const decreased = exchange.orders.decrease(owner, orderId, change.value);
  return decreased.ok ? jsonText(200, decreasedText(decreased.value)) : errorReply(refusalError(decreased.error));
}

function amend({ parameters, body, owner }: SignedCall, { exchange }: VenueBParts): Reply {
  const amendment = amendmentOf(body);
  if (!amendment.ok) return errorReply(amendment.error);
  const orderId = parameters[0]!;
  const before = exchange.reads(0).order(owner, orderId);
  if (before !== null && !isNamed(before.market, body.exchange_index)) return errorReply(NOT_FOUND);
  const amended = exchange.orders.amend(owner, orderId, amendment.value);
  if (!amended.ok) return errorReply(refusalError(amended.error));
  const isResized = before?.remaining !== amended.value.order.remaining;
  return jsonText(200, amendedText(amended.value, isResized));
}

function batchCreate({ body, caller }: SignedCall, venue: VenueBParts): Reply {
  const items = objectsOf(body.orders).map(item => {
    const owner = ownerOf(caller, subaccountIn(item));
    const placed = owner.ok ? place(venue, owner.value, item) : owner;
    if (placed.ok) return createdText(placed.value);
    return JSON.stringify({ client_order_id: item.client_order_id, error: placed.error.error });
  });
  return batchReply(201, items);
}

function batchCancel({ body, caller }: SignedCall, { exchange }: VenueBParts): Reply {
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

export function instantRoutes(now: () => UnixMillis, uuids: Uuids): readonly HttpRoute[] {
  const filled = (body: JsonObject): Result<string, VenueBError> => {
    const price = parseTicks(body.price as string);
    const size = parseMicroShares(body.count as string);
    if (price === null || size === null || size === 0) return fail(invalidOrder('invalid price or count'));
    const order = {
      orderId: uuids.next(),
      clientOrderId: (body.client_order_id as string | undefined) ?? '',
      remaining: 0 as MicroShares,
      updatedAt: now(),
    };
    return ok(createdText({ order, filled: size, cost: yesCost(price, size), fees: 0 as MicroDollars }));
  };
  return [
    instantRoute(ORDERS, CREATE_ORDER, body => {
      const created = filled(body);
      return created.ok ? jsonText(201, created.value) : errorReply(created.error);
    }),
    instantRoute(`${ORDERS}/batched`, CREATE_ORDERS, body => {
      const items = objectsOf(body.orders).map(item => {
        const created = filled(item);
        return created.ok ? created.value : JSON.stringify({ error: created.error.error });
      });
      return batchReply(201, items);
    }),
  ];
}

function instantRoute(path: string, fields: Struct, answer: (body: JsonObject) => Reply): HttpRoute {
  return {
    method: 'post',
    pattern: REST_PATH + path,
    handle: ({ body: bytes }) => {
      const parsed = parseBody(bytes);
      if (!parsed.ok) return parsed.error;
      const objection = bodyError(parsed.value, fields);
      return objection === null ? answer(parsed.value) : badRequest(objection);
    },
  };
}

// Answers (venue-b.md §5). Their keys are in alphabetical order. They are written by hand, because no other answers of the server are so
// frequent.

/** The parts of an order that an answer shows. */
type Outcome = Pick<OrderRecord, 'orderId' | 'clientOrderId' | 'remaining' | 'updatedAt'>;
type Done = Omit<Execution, 'order'> & { readonly order: Outcome };

/** Writes the answer to a new order, which is also an item of a batch. */
function createdText({ order, filled, cost, fees }: Done): string {
  const averages = averagesText(filled, cost, fees);
  return `{${averages}${clientIdText(order.clientOrderId)}"fill_count":"${countText(filled)}",${outcomeText(order)}}`;
}

/** Writes the answer to a cancel. It lacks the caller's own id, as recorded. */
function cancelledText(orderId: string, reducedBy: MicroShares, at: UnixMillis): string {
  return `{"order_id":"${orderId}","reduced_by":"${countText(reducedBy)}","ts_ms":${at}}`;
}

function decreasedText(order: Outcome): string {
  return `{${clientIdText(order.clientOrderId)}${outcomeText(order)}}`;
}

/** Writes the answer to an amendment. Sizes appear only if it filled something or changed the resting size. */
function amendedText({ order, filled, cost, fees }: Execution, isResized: boolean): string {
  if (filled === 0 && !isResized) {
    return `{${clientIdText(order.clientOrderId)}"order_id":"${order.orderId}","ts_ms":${order.updatedAt}}`;
  }
  return createdText({ order, filled, cost, fees });
}

function batchReply(status: 200 | 201, items: readonly string[]): Reply {
  return jsonText(status, `{"orders":[${items.join(',')}]}`);
}

function outcomeText({ orderId, remaining, updatedAt }: Outcome): string {
  return `"order_id":"${orderId}","remaining_count":"${countText(remaining)}","ts_ms":${updatedAt}`;
}

function clientIdText(id: string): string {
  return id === '' ? '' : `"client_order_id":${JSON.stringify(id)},`;
}

function averagesText(filled: MicroShares, cost: MicroDollars, fees: MicroDollars): string {
  if (filled === 0) return '';
  const [fee, price] = [perContract(fees, filled), perContract(cost, filled)];
  return `"average_fee_paid":"${priceText(fee)}","average_fill_price":"${priceText(price)}",`;
}

/** Returns the amount for one contract, rounded to $0.0001. */
function perContract(amount: MicroDollars, size: MicroShares): Ticks {
  const divisor = BigInt(size);
  return Number((BigInt(amount) * 10_000n + divisor / 2n) / divisor) as Ticks;
}
