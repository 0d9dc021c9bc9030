// POST /order and /orders for load tests of the gateway: every posted order counts as matched whole at once, without a counterparty. No
// key, signature or engine. Only the order's id is real, because the gateway computes it too. Thread of the paper exchanges.

import { isObject } from '../../../domain/json.ts';
import { formatMicroShares, type MicroShares } from '../../../domain/numbers.ts';
import { limits } from '../../../limits.ts';
import { type ChainId, exchangeOf } from '../../../venues/venue-a/exchanges.ts';
import { orderDigest, orderId } from '../../../venues/venue-a/order-signing.ts';
import { readSignedOrder } from '../../../venues/venue-a/signed-order.ts';
import type { VenueAExchange } from '../exchange.ts';
import { INVALID_ORDER_PAYLOAD } from './order-errors.ts';
import { ok, replyOf } from './replies.ts';
import { publicPost, type VenueARoute } from './route.ts';

export function instantOrderRoutes(exchange: Pick<VenueAExchange, 'tokens'>, chainId: ChainId): VenueARoute[] {
  const fill = (body: unknown) => (isObject(body) ? matchedWhole(body.order, exchange, chainId) : null);
  return [
    publicPost('/order', ({ body }) => {
      const answer = fill(body);
      return answer === null ? replyOf(INVALID_ORDER_PAYLOAD) : ok(answer);
    }),
    publicPost('/orders', ({ body }) => {
      const answers = Array.isArray(body) ? body.slice(0, limits.paperVenueAOrdersPerBatchMax).map(fill) : [null];
      return answers.includes(null) ? replyOf(INVALID_ORDER_PAYLOAD) : ok(answers);
    }),
  ];
}

function matchedWhole(json: unknown, { tokens }: Pick<VenueAExchange, 'tokens'>, chainId: ChainId): object | null {
  const signed = readSignedOrder(json);
  if (!signed.ok) return null;
  const { order } = signed.value;
  const isNegRisk = tokens.get(String(order.tokenId))?.market.listing.isNegRisk ?? false;
  const orderID = orderId(orderDigest(order, exchangeOf('2', chainId, isNegRisk)));
  return {
    errorMsg: '',
    orderID,
    takingAmount: formatMicroShares(Number(order.takerAmount) as MicroShares),
    makingAmount: formatMicroShares(Number(order.makerAmount) as MicroShares),
    status: 'matched',
    success: true,
    transactionsHashes: [orderID],
    tradeIDs: [tradeIdOf(orderID)],
  };
}

/** A UUID that is unique to the order. */
function tradeIdOf(orderID: string): string {
  return orderID.slice(2, 34).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
