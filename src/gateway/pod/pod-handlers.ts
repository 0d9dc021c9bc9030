// The operations under /v1/pod, for a pod's operator: reads, cancels and the stop of the whole pod (scopes `observe` and `cancel`). The
// lists of the interface itself show only the calling actor's rows. Main thread.

import { fullActorId, type SigningKey } from '../../core/domain/identity.ts';
import { VENUES } from '../../core/domain/market.ts';
import { formatMicroDollars, type MicroDollars } from '../../core/domain/numbers.ts';
import { isOfPod, type PositionsOperation } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { HTTP_OK } from '../../core/net/http-status.ts';
import { jsonReply, jsonText, type Reply } from '../../core/net/listen.ts';
import type { ActorsOf } from '../../core/store/key-store.ts';
import type { ActorEventRecord } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type { PositionView } from '../../core/wire/account-views.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';
import { actionView, fillView, type VenueOrderView, venueOrderView } from '../../core/wire/order-views.ts';
import { isRecorded, markedIfBehind, recordedReply, replyOf } from '../../core/wire/replies.ts';
import type { StopReport } from '../../core/wire/reports.ts';
import { formatTime } from '../../core/wire/time-text.ts';
import type { OrderNews } from '../../orders/engine/engine-messages.ts';
import { unattributedOf } from '../../orders/life/bookings.ts';
import type { CancelResult } from '../../orders/life/cancel-all.ts';
import { otherOwnerRefusal, refusal, signedRefusal } from '../api/api-refusals.ts';
import type { Handler } from '../api/operation.ts';
import { httpReply } from '../api/order-operations.ts';
import type { Operations } from '../trading/operations.ts';
import type { Trading } from '../trading/trading.ts';
import { type ListOrders, openOrdersOf, venuesOf } from '../trading-feed.ts';
import { type RiskParts, readRisk } from './risk.ts';

export interface PodHandlerParts extends Pick<RiskParts, 'actors'> {
  readonly status: (podId: string) => object;
  readonly events: Pick<PodEvents, 'after'>;
  readonly trading: Pick<Trading, 'otherOwner' | 'isBehind' | 'openCounts' | 'openOrder' | 'pods'>;
  readonly listOrders: ListOrders;
  readonly operations: Pick<Operations, 'ask'>;
  readonly actorsOf: ActorsOf;
}

/** The largest number of orders in one answer. */
const ORDERS_SHOWN_MAX = 1_000;

type PodOrder = { readonly actorId: string } & VenueOrderView;

interface PodPosition {
  readonly actorId: string;
  readonly venue: string;
  readonly position: PositionView;
}

export function podHandlers(parts: PodHandlerParts): Readonly<Record<string, Handler<SigningKey>>> {
  const here =
    (handle: Handler<SigningKey>): Handler<SigningKey> =>
    call => {
      const { otherOwner } = parts.trading;
      return otherOwner === null ? handle(call) : otherOwnerRefusal(otherOwner);
    };
  const guarded =
    (read: (parts: PodHandlerParts, key: SigningKey) => Promise<Reply>): Handler<SigningKey> =>
    ({ key }) =>
      markedIfBehind(
        () => VENUES.some(venue => parts.trading.isBehind(key.podId, venue)),
        () => read(parts, key),
      );
  return {
    getRisk: here(({ key }) => readRisk(parts, key)),
    getPod: ({ key }) => jsonReply(HTTP_OK, parts.status(key.podId)),
    listPodOrders: here(guarded(readOrders)),
    listPodPositions: here(guarded(readPositions)),
    listPodEvents: here(async ({ key, query }) => {
      const after = query.get('after') ?? '0';
      if (!/^(0|[1-9]\d{0,15})$/.test(after)) {
        return signedRefusal(refusal('invalid', 'after: must be the number of an event'));
      }
      return unlessUnreadable(async () => {
        const events = await parts.events.after(key.podId, Number(after));
        return jsonReply(HTTP_OK, { events: events.map(it => eventView(key.podId, it)) });
      });
    }),
    cancelPodOrders: here(({ key }) => cancelAllOrders(parts, key)),
    cancelPodOrder: here(({ key, parameters: [text = ''] }) => cancelOrder(parts, key, text)),
    stopPod: here(({ key }) => stopPod(parts, key)),
  };
}

async function unlessUnreadable(read: () => Promise<Reply>): Promise<Reply> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return signedRefusal(refusal('unavailable', 'the history of orders cannot be read now'));
  }
}

function readOrders({ actorsOf, trading, listOrders }: PodHandlerParts, { podId }: SigningKey): Promise<Reply> {
  const { openCounts } = trading;
  // An order that changes between two pages occurs in both. The map keeps its later state.
  const orders = new Map<OrderId, PodOrder>();
  const answer = (hasMore: boolean): Reply => jsonReply(HTTP_OK, { orders: [...orders.values()], hasMore });
  return unlessUnreadable(async () => {
    for (const fullId of actorsOf(podId).filter(it => (openCounts.get(it) ?? 0) > 0)) {
      for await (const part of openOrdersOf(listOrders, fullId)) {
        for (const order of part.orders) {
          if (orders.size === ORDERS_SHOWN_MAX && !orders.has(order.orderId)) return answer(true);
          orders.set(order.orderId, { actorId: shortId(podId, fullId), ...venueOrderView(order) });
        }
      }
    }
    return answer(false);
  });
}

/** The fields of the answer to a `positions` operation. Profit and fees are in micro-dollars. */
interface PositionsBody {
  readonly positions: readonly PositionView[];
  readonly realized: number;
  readonly fees: number;
}

/** Reads the positions of one actor at one venue after the other, so that nothing else waits for the reading of them all. */
async function readPositions({ actorsOf, operations }: PodHandlerParts, { podId, keyId }: SigningKey): Promise<Reply> {
  const rows: PodPosition[] = [];
  let realized = 0;
  let fees = 0;
  for (const actorId of [...actorsOf(podId), unattributedOf(podId)]) {
    for (const venue of VENUES) {
      const operation: PositionsOperation = {
        name: 'positions',
        venue,
        caller: { podId, actorId, keyId },
        address: null,
        hasTotals: true,
      };
      const outcome = await operations.ask(operation);
      if (!outcome.ok || outcome.value.status !== HTTP_OK) return httpReply(operation, outcome);
      const { positions, ...totals } = JSON.parse(outcome.value.body) as PositionsBody;
      realized += totals.realized;
      fees += totals.fees;
      rows.push(...positions.map(position => ({ actorId: shortId(podId, actorId), venue, position })));
    }
  }
  return jsonReply(HTTP_OK, {
    positions: rows,
    realizedPnlUsd: formatMicroDollars(realized as MicroDollars),
    feesUsd: formatMicroDollars(fees as MicroDollars),
  });
}

/** Cancels one order of the pod. The engine treats it like a cancel by the order's own actor. */
async function cancelOrder(
  { trading, operations }: PodHandlerParts,
  { podId, keyId }: SigningKey,
  text: string,
): Promise<Reply> {
  const orderId: OrderId | null = readOrderId(text);
  const order = orderId === null ? null : trading.openOrder(orderId);
  if (order === null || order.podId !== podId) {
    return signedRefusal(refusal('notFound', 'orderId: no such open order of the pod'));
  }
  const { actorId, request } = order;
  const operation = {
    name: 'cancel',
    venue: request.venue,
    caller: { podId, actorId, keyId },
    orderId: order.orderId,
  } as const;
  return httpReply(operation, await operations.ask(operation));
}

/**
 * Cancels the open orders of all actors at all venues at once. If a cancel fails, the first failure is the answer. All other cancels are
 * made nevertheless.
 */
async function cancelAllOrders({ actorsOf, trading, operations }: PodHandlerParts, key: SigningKey): Promise<Reply> {
  const { podId, keyId } = key;
  const { openCounts } = trading;
  const actors = actorsOf(podId).filter(actorId => (openCounts.get(actorId) ?? 0) > 0);
  const asked = actors.flatMap(actorId =>
    venuesOf(trading.pods, podId).map(async venue => {
      const operation = {
        name: 'cancel-all',
        venue,
        caller: { podId, actorId, keyId },
        address: null,
        keyId: null,
        signature: null,
      } as const;
      const outcome = await operations.ask(operation);
      return { operation, outcome };
    }),
  );
  const answers = await Promise.all(asked);
  const results: CancelResult[] = [];
  let isAllRecorded = true;
  for (const { operation, outcome } of answers) {
    if (!outcome.ok || outcome.value.status !== HTTP_OK) return httpReply(operation, outcome);
    results.push(...(JSON.parse(outcome.value.body) as { readonly results: readonly CancelResult[] }).results);
    isAllRecorded &&= isRecorded(outcome.value);
  }
  return replied({ results }, isAllRecorded);
}

/** Stops the pod like `crossbook stop POD`. No request of the API resumes the pod. */
async function stopPod({ operations }: PodHandlerParts, key: SigningKey): Promise<Reply> {
  const { podId, keyId } = key;
  const operation = { name: 'stop', caller: { podId, actorId: fullActorId(key), keyId }, scope: podId } as const;
  const outcome = await operations.ask(operation);
  if (!outcome.ok || outcome.value.status !== HTTP_OK) return httpReply(operation, outcome);
  const report = JSON.parse(outcome.value.body) as StopReport;
  const view = {
    ...report,
    // Scopes of other pods are left out, because the caller must not see them.
    stopped: report.stopped.filter(scope => isOfPod(scope, podId)),
    left: report.left.map(order => ({ ...order, actorId: shortId(podId, order.actorId) })),
    unread: report.unread.map(account => shortId(podId, account)),
  };
  return replied(view, isRecorded(outcome.value));
}

function replied(answer: object, isAllRecorded: boolean): Reply {
  const { status, body, headers } = recordedReply(replyOf(HTTP_OK, answer), isAllRecorded);
  return { ...jsonText(status, body), headers };
}

function eventView(podId: string, { number, record }: NumberedEvent): object {
  const { actorId, event, at } = record;
  const head = { number, actorId: shortId(podId, actorId), event };
  if (event === 'ACTION') return { ...head, action: actionView(record.action), at: formatTime(at) };
  const { order, fill } = record;
  return { ...head, ...venueOrderView(order), fill: fill === null ? null : fillView(fill), at: formatTime(at) };
}

/** The actor's name within its pod. It is `unattributed` for orders and fills that were made elsewhere. */
function shortId(podId: string, fullId: string): string {
  return fullId.startsWith(`${podId}/`) ? fullId.slice(podId.length + 1) : 'unattributed';
}

interface NumberedEvent {
  /** The event's number. Numbers ascend by one within a process, and are higher in a later process. */
  readonly number: number;
  readonly record: ActorEventRecord;
}

type HeardEvent = Pick<NumberedEvent, 'number'> & Pick<ActorEventRecord, 'actorId' | 'cursor'>;

/** Reads an actor's events after a cursor. Rejects with a StoreError. */
type ReadEvents = (actorId: string, after: number, rowsMax: number) => Promise<readonly ActorEventRecord[] | null>;

/** The number of events that are kept for each pod. */
const EVENTS_KEPT_MAX = 500;

/**
 * Keeps the places of the latest order events of each pod, for a tail of its orders and fills. The events themselves are read from the
 * history.
 */
export class PodEvents {
  readonly #read: ReadEvents;
  readonly #keptMax: number;
  readonly #ofPod = new Map<string, HeardEvent[]>();
  #number: number;

  /** `startedAt` is in Unix milliseconds. */
  constructor(startedAt: number, read: ReadEvents, keptMax: number = EVENTS_KEPT_MAX) {
    this.#number = startedAt * 1_000;
    this.#read = read;
    this.#keptMax = keptMax;
  }

  readonly addNews = (news: readonly OrderNews[]): void => {
    for (let index = 0; index < news.length; index++) {
      const { podId, actorId, cursor } = news[index]!;
      this.#number += 1;
      const kept = this.#ofPod.get(podId) ?? [];
      this.#ofPod.set(podId, kept);
      kept.push({ number: this.#number, actorId, cursor });
      // Old events are removed rarely, and many at once, because each removal moves all the rest.
      if (kept.length >= 2 * this.#keptMax) kept.splice(0, kept.length - this.#keptMax);
    }
  };

  /** The kept events after a number, in order of time. Rejects with a StoreError if the history cannot be read. */
  async after(podId: string, number: number): Promise<readonly NumberedEvent[]> {
    const kept = (this.#ofPod.get(podId) ?? []).slice(-this.#keptMax).filter(it => it.number > number);
    const records = new Map<string, ActorEventRecord>();
    for (const [actorId, heard] of Map.groupBy(kept, it => it.actorId)) {
      // An actor's cursors have no gaps, so one page has all its events. Null means that the history has pruned them.
      const page = await this.#read(actorId, heard[0]!.cursor - 1, heard.length);
      for (const record of page ?? []) records.set(placeOf(record), record);
    }
    return kept.flatMap(heard => {
      const record = records.get(placeOf(heard));
      return record === undefined ? [] : [{ number: heard.number, record }];
    });
  }
}

function placeOf({ actorId, cursor }: Pick<ActorEventRecord, 'actorId' | 'cursor'>): string {
  return `${cursor} ${actorId}`;
}
