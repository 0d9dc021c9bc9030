// Connects the stream's orders channel to the trading side. Main thread.

import { VENUES, type Venue } from '../core/domain/market.ts';
import type { OperationReply } from '../core/domain/operation.ts';
import type { Order } from '../core/domain/order.ts';
import { OPEN_STATUSES } from '../core/domain/order-frame.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import { HTTP_OK } from '../core/net/http-status.ts';
import type { Log } from '../core/runtime/log.ts';
import type { OrderQuery } from '../core/store/order-records.ts';
import { isRecorded } from '../core/wire/replies.ts';
import { limits } from '../limits.ts';
import type { CancelResult } from '../orders/life/cancel-all.ts';
import type { OpenOrdersPart, OrderFeed } from './stream/order-feed.ts';
import type { Trading } from './trading/trading.ts';

export function orderFeedOf(trading: Trading, log: Log, metrics: Pick<Metrics, 'count'>): OrderFeed {
  const { operations, history, pods, halts } = trading;
  return {
    get otherOwner() {
      return trading.otherOwner;
    },
    events: (actorId, after, rowsMax) => history.events(actorId, after, rowsMax),
    lastCursor: actorId => history.lastCursor(actorId),
    openOrders: actorId => openOrdersOf(query => history.orders(query), actorId),
    follow: (actorId, isFollowed) => trading.engine.follow(actorId, isFollowed),
    listen: hear => trading.listen(hear),
    halts: actorId => halts.of(actorId),
    listenHalts: hear => halts.listen(hear),
    cancelAllOf: async (keyId, actorId, podId, isAgain = false) => {
      if (!isAgain) {
        metrics.count('switches_fired_total', 'disconnect');
        log.info('cancelOnDisconnect fires', { keyId });
      }
      const caller = { keyId, actorId, podId };
      const ofVenue = async (venue: Venue): Promise<boolean> => {
        const operation = {
          name: 'cancel-all',
          venue,
          caller,
          address: null,
          keyId,
          reason: 'DISCONNECT',
          signature: null,
        } as const;
        const done = await operations.ask(operation);
        return done.ok && done.value.status === HTTP_OK && areCancelsRecorded(done.value);
      };
      const outcomes = await Promise.all(venuesOf(pods, podId).map(ofVenue));
      return outcomes.every(isDone => isDone);
    },
  };
}

/** The venues at which the pod has an account. */
export function venuesOf(pods: Trading['pods'], podId: string): readonly Venue[] {
  const { venueA = null, venueB = null } = pods.find(pod => pod.podId === podId) ?? {};
  return VENUES.filter(venue => (venue === 'venue_a' ? venueA : venueB) !== null);
}

/**
 * Whether every cancel is recorded or confirmed. Otherwise the cancel must be repeated, because a cancel that is neither is not made later.
 */
function areCancelsRecorded({ headers, body }: OperationReply): boolean {
  if (isRecorded({ headers })) return true;
  const { results } = JSON.parse(body) as { readonly results: readonly CancelResult[] };
  return results.every(({ outcome }) => outcome !== 'RECONCILE');
}

export type ListOrders = (query: OrderQuery) => Promise<readonly Order[]>;

/**
 * Reads a snapshot in parts on demand, so that nothing waits for a long list and no order is left out. An order that changes during the
 * reading may occur twice, in both states. There is at least one part, and every part except the last is full.
 */
export async function* openOrdersOf(list: ListOrders, actorId: string): AsyncGenerator<OpenOrdersPart, undefined> {
  const rowsMax = limits.ordersPerSnapshotMax;
  let orders: Order[] = [];
  for await (const page of pagesOf(list, actorId, rowsMax)) {
    for (const order of page) {
      if (orders.length === rowsMax) {
        yield { orders, hasMore: true };
        orders = [];
      }
      orders.push(order);
    }
  }
  yield { orders, hasMore: false };
}

async function* pagesOf(list: ListOrders, actorId: string, rowsMax: number): AsyncIterable<readonly Order[]> {
  for (const venue of VENUES) {
    for (const status of OPEN_STATUSES) {
      let after: Order | null = null;
      for (let isMore = true; isMore; ) {
        const page: readonly Order[] = await list({ actorId, venue, address: null, status, after, rowsMax });
        yield page;
        isMore = page.length === rowsMax;
        after = page.at(-1) ?? null;
      }
    }
  }
}
