// The bots that are written against what each generator makes: an order, and what became of it. A line that must not compile shows that
// the types say something. Each is the text of a file, as its types exist only where the generator has run.

/** Against the types of openapi-typescript. */
export const BOT_OF_TYPES = `
import type { components, paths } from './schema.ts';

type Submit = paths['/v1/venue-b/orders']['post'];
const order: components['schemas']['VenueBOrderRequest'] = { ticker: 'KX-A', side: 'YES', action: 'BUY', count: 1, price: '0.42' };
export const batch: components['schemas']['VenueBBatchOrder'] = { ...order, idempotencyKey: 'one' };
export const tokens: components['schemas']['VenueALimitOrder'] = { type: 'LIMIT', tokenId: '1', side: 'BUY', size: '5', price: '0.42' };
export const cheaper: components['schemas']['VenueBReplacement'] = { priceCents: 41 };
// @ts-expect-error An order has a side.
export const wrong: Submit['requestBody']['content']['application/json'] = { ticker: 'KX-A', action: 'BUY', size: '1.25', price: '0.42' };
// @ts-expect-error A replacement has no ticker.
export const moved: components['schemas']['VenueBReplacement'] = { ticker: 'KX-A' };
export const isTooLate = ({ error }: Submit['responses'][400]['content']['application/json']) => error.reason === 'NOT_FEASIBLE';
`;

/** Against the client of @hey-api/openapi-ts. */
export const BOT_OF_CLIENT = `
import { replaceVenueBOrder, submitVenueABatch, submitVenueBOrder, type VenueBOrderRequest } from './client/index.ts';

const headers = { 'Idempotency-Key': 'one' };
const order: VenueBOrderRequest = { ticker: 'KX-A', side: 'YES', action: 'BUY', count: 1, price: '0.42' };
const { data, error } = await submitVenueBOrder({ headers, body: order });
if (error !== undefined) console.log(error.error.reason === 'NOT_FEASIBLE' ? 'decide again' : error.error.message);
if (data !== undefined) await replaceVenueBOrder({ headers, path: { orderId: data.orderId }, body: { priceCents: 41 } });
await submitVenueABatch({ body: { orders: [{ idempotencyKey: 'two', type: 'LIMIT', tokenId: '1', side: 'BUY', size: '5', price: '0.42' }] } });
// @ts-expect-error An order has a side.
await submitVenueBOrder({ headers, body: { ticker: 'KX-A', action: 'BUY', size: '1.25', price: '0.42' } });
`;

/** Against the dataclasses of quicktype. */
export const BOT_OF_CLASSES = `
from schema import ErrorBody, OrderErrorCode, OrderSide, OutcomeSide, SubmittedOrder, VenueBOrderRequest

order = VenueBOrderRequest(action=OrderSide.BUY, count=1, side=OutcomeSide.YES, ticker="KX-A", price="0.42")
wrong = VenueBOrderRequest(action=OrderSide.BUY, count=1, ticker="KX-A")  # type: ignore[call-arg]

def is_too_late(answer: ErrorBody) -> bool:
    return answer.error.reason is OrderErrorCode.NOT_FEASIBLE

def order_id(answer: SubmittedOrder) -> str:
    return str(answer.order_id)
`;
