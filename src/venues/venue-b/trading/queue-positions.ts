// Reads the places of the account's resting orders in their queues, by venue B's own statement (venue-b.md §5.6). The venue requires the
// names of the markets, so many markets take several reads. These reads use only half of the account's budget of reads, so that look-ups of
// orders never wait for them. Engine thread.

import { type JsonObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import type { MicroShares, UnixMillis } from '../../../core/domain/numbers.ts';
import { fail, ok } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import type { Reading } from '../../venue.ts';
import { sizeOf } from './amounts.ts';
import type { VenueBRest } from './rest.ts';

/**
 * Returns the micro-shares ahead of each resting order of these markets, by the venue's order id. An order that the venue does not state is
 * absent.
 */
export async function queuePositions(
  rest: Pick<VenueBRest, 'read' | 'now'>,
  tickers: readonly string[],
): Reading<ReadonlyMap<string, MicroShares>> {
  const deadline = (rest.now + limits.venueBQueueReadMs) as UnixMillis;
  const answers = await Promise.all(
    listsOf(tickers).map(list =>
      rest.read(`/portfolio/orders/queue_positions?market_tickers=${list}`, deadline, 'queue'),
    ),
  );
  const ahead = new Map<string, MicroShares>();
  for (const answer of answers) {
    if (answer.type !== 'body') return fail(answer.message);
    const rows = queueRowsIn(answer.body);
    if (rows === null) return fail('venue B answered without a list of queue_positions');
    for (const [venueOrderId, shares] of rows) ahead.set(venueOrderId, shares);
  }
  return ok(ahead);
}

/** Returns the rows of the answer, without unreadable ones, or null if the answer has no list. */
export function queueRowsIn(body: JsonObject): readonly (readonly [venueOrderId: string, MicroShares])[] | null {
  if (!Array.isArray(body.queue_positions)) return null;
  return objectsOf(body.queue_positions).flatMap(row => {
    const [venueOrderId, shares] = [textOf(row.order_id), sizeOf(row.queue_position_fp)];
    return venueOrderId === '' || shares === null ? [] : [[venueOrderId, shares] as const];
  });
}

function listsOf(tickers: readonly string[]): readonly string[] {
  const lists: string[] = [];
  for (const ticker of tickers.map(encodeURIComponent)) {
    const last = lists.at(-1);
    if (last !== undefined && last.length + 1 + ticker.length <= limits.venueBTickerListBytes)
      lists[lists.length - 1] = `${last},${ticker}`;
    else lists.push(ticker);
  }
  return lists;
}
