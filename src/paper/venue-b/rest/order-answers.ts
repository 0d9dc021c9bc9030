// Answers to order requests at venue B (venue-b.md §5): keys in alphabetical order, written by hand, because these are the hottest answers
// of the server. Thread of the paper exchanges.

import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../domain/numbers.ts';
import { jsonText, type Reply } from '../../../net/listen.ts';
import type { Execution } from '../order-requests.ts';
import type { OrderRecord } from '../records.ts';
import { countText, priceText } from '../wire-text.ts';

/** An order, and the effect of the request on it. */
type Outcome = Pick<OrderRecord, 'orderId' | 'clientOrderId' | 'remaining' | 'updatedAt'>;
type Done = Omit<Execution, 'order'> & { readonly order: Outcome };

/** The answer to a new order; also an item of a batch. */
export function createdText({ order, filled, cost, fees }: Done): string {
  const averages = averagesText(filled, cost, fees);
  return `{${averages}${clientIdText(order.clientOrderId)}"fill_count":"${countText(filled)}",${outcomeText(order)}}`;
}

/** Without the caller's own id, as in the recorded answers. */
export function cancelledText(orderId: string, reducedBy: MicroShares, at: UnixMillis): string {
  return `{"order_id":"${orderId}","reduced_by":"${countText(reducedBy)}","ts_ms":${at}}`;
}

export function decreasedText(order: Outcome): string {
  return `{${clientIdText(order.clientOrderId)}${outcomeText(order)}}`;
}

/** Sizes appear only if the amendment filled something or changed the resting size. */
export function amendedText({ order, filled, cost, fees }: Execution, isResized: boolean): string {
  if (filled === 0 && !isResized) {
    return `{${clientIdText(order.clientOrderId)}"order_id":"${order.orderId}","ts_ms":${order.updatedAt}}`;
  }
  return createdText({ order, filled, cost, fees });
}

export function batchReply(status: 200 | 201, items: readonly string[]): Reply {
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

/** Rounded to $0.0001. */
function perContract(amount: MicroDollars, size: MicroShares): Ticks {
  const divisor = BigInt(size);
  return Number((BigInt(amount) * 10_000n + divisor / 2n) / divisor) as Ticks;
}
