// The `instant` mode of venue B's server: every posted order is answered at once as filled at its limit. No signature is
// checked and nothing is stored, so that a load test measures the gateway. Thread of the paper exchanges.

import type { MicroDollars, MicroShares, UnixMillis } from '../../../domain/numbers.ts';
import { parseMicroShares, parseTicks } from '../../../domain/numbers.ts';
import { type HttpRoute, jsonText } from '../../../net/listen.ts';
import { REST_PATH } from '../../../replay/venue-b-protocol.ts';
import { yesCost } from '../../engine/money.ts';
import type { Uuids } from '../uuids.ts';
import { badRequest, errorReply, invalidOrder } from './errors.ts';
import { objectionTo, parseBody } from './go-body.ts';
import { createdText } from './order-answers.ts';
import { CREATE_ORDER } from './order-body.ts';
import { ORDERS } from './order-routes.ts';

export function instantRoute(now: () => UnixMillis, uuids: Uuids): HttpRoute {
  return {
    method: 'post',
    pattern: REST_PATH + ORDERS,
    handle: ({ body: bytes }) => {
      const parsed = parseBody(bytes);
      if (!parsed.ok) return parsed.error;
      const body = parsed.value;
      const objection = objectionTo(body, CREATE_ORDER);
      if (objection !== null) return badRequest(objection);
      const price = parseTicks(body.price as string);
      const filled = parseMicroShares(body.count as string);
      if (price === null || filled === null || filled === 0) return errorReply(invalidOrder('invalid price or count'));
      const order = {
        orderId: uuids.next(),
        clientOrderId: (body.client_order_id as string | undefined) ?? '',
        remaining: 0 as MicroShares,
        updatedAt: now(),
      };
      return jsonText(201, createdText({ order, filled, cost: yesCost(price, filled), fees: 0 as MicroDollars }));
    },
  };
}
