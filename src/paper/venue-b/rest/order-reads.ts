// Reads of orders at venue B (venue-b.md §5.6): one, lists, and queue positions. A fault may make them stale. Thread of the paper
// exchanges.

import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { OrderRecord } from '../records.ts';
import { countText } from '../wire-text.ts';
import { errorReply, NOT_FOUND } from './errors.ts';
import { QueryReader } from './market-query.ts';
import { orderObject } from './order-object.ts';
import { allOwnersOf, ownersOf } from './owners.ts';
import { pageOf } from './parameters.ts';
import { ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX, listFilter, newestFirst } from './private-lists.ts';
import type { SignedCall, SignedRoute } from './route.ts';

const ORDERS = '/portfolio/orders';

export function orderReadRoutes(exchange: VenueBExchange): SignedRoute[] {
  return [
    { method: 'get', access: 'read', path: ORDERS, handle: call => list(exchange, call) },
    {
      method: 'get',
      access: 'read',
      path: `${ORDERS}/:order_id`,
      cost: 2,
      handle: call => {
        const order = orderOf(exchange, call);
        return order === null ? errorReply(NOT_FOUND) : jsonReply(200, { order: orderObject(order) });
      },
    },
    {
      method: 'get',
      access: 'read',
      path: `${ORDERS}/:order_id/queue_position`,
      handle: call => queuePosition(exchange, call),
    },
    {
      method: 'get',
      access: 'read',
      path: `${ORDERS}/queue_positions`,
      handle: call => queuePositions(exchange, call),
    },
  ];
}

function list(exchange: VenueBExchange, call: SignedCall): Reply {
  const query = new QueryReader('GetOrders', call.query);
  const filter = listFilter(query);
  const status = query.text('status');
  const limit = query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
  if (query.refusal !== null) return query.refusal;
  const reads = exchange.reads(call.staleMs);
  const orders = newestFirst<OrderRecord>(
    ownersOf(exchange, call),
    owner => reads.orders(owner),
    order => order.createdAt,
  );
  const { items, cursor } = pageOf(orders, {
    limit,
    cursor: query.text('cursor'),
    idOf: order => order.orderId,
    admits: order => (status === null || order.status === status) && filter.admits(order.market, order.createdAt),
  });
  return jsonReply(200, { cursor, orders: items.map(orderObject) });
}

/** The call has no subaccount: it finds the order on any. */
function orderOf(exchange: VenueBExchange, call: SignedCall): OrderRecord | null {
  const reads = exchange.reads(call.staleMs);
  const owners = call.caller.subaccount === null ? allOwnersOf(exchange, call.caller.userId) : [call.owner];
  for (const owner of owners) {
    const order = reads.order(owner, call.parameters[0]!);
    if (order !== null) return order;
  }
  return null;
}

function queuePosition(exchange: VenueBExchange, call: SignedCall): Reply {
  const order = orderOf(exchange, call);
  const ahead = order === null ? null : exchange.queuePosition(order.owner, order.orderId);
  if (ahead === null || !ahead.ok) return errorReply(NOT_FOUND);
  return jsonReply(200, { queue_position_fp: countText(ahead.value) });
}

function queuePositions(exchange: VenueBExchange, { owner, query: parameters, staleMs }: SignedCall): Reply {
  const query = new QueryReader('GetOrderQueuePositions', parameters);
  const tickers = query.list('market_tickers');
  const eventTicker = query.text('event_ticker');
  const positions = [];
  for (const order of exchange.reads(staleMs).restingOrders(owner)) {
    const { market, orderId } = order;
    if (tickers !== null && !tickers.has(market.ticker)) continue;
    if (eventTicker !== null && market.event.eventTicker !== eventTicker) continue;
    const ahead = exchange.queuePosition(owner, orderId);
    // With stale reads it may have ended since.
    if (!ahead.ok) continue;
    positions.push({ market_ticker: market.ticker, order_id: orderId, queue_position_fp: countText(ahead.value) });
  }
  return jsonReply(200, { queue_positions: positions });
}
