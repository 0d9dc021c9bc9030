// A cancel while the engine does not answer. Nothing is recorded, so only the venue's answer decides. Guard thread.

import { readClientOrderId } from '../../core/domain/actor-tag.ts';
import { type Refused, refused } from '../../core/domain/answer.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import { pause, type Timers } from '../../core/runtime/timers.ts';
import { limits } from '../../limits.ts';
import type { CancelOutcome, VenueOrder, VenueTrading } from '../../venues/venue.ts';
import type { OpenOrder } from '../engine/engine-messages.ts';
import { isDueBefore, notSentRefusal, undecidedRefusal } from '../life/cancel.ts';

export interface GuardedCancel {
  readonly number: number;
  readonly order: OpenOrder;
  readonly deadline: UnixMillis;
}

/** The result of a cancel. `over` means that the order has left the venue's book for another reason. */
export type CarriedOut = { readonly type: 'cancelled' } | { readonly type: 'over' } | Refused;

/**
 * The open orders of an account. A request during a reading gets the next reading, because the current reading began before the request's
 * cancel.
 */
export class OpenList {
  readonly #venue: Pick<VenueTrading, 'openOrders'>;
  #reading: Promise<unknown> = Promise.resolve();
  #next: Promise<readonly VenueOrder[] | null> | null = null;

  constructor(venue: Pick<VenueTrading, 'openOrders'>) {
    this.#venue = venue;
  }

  /** Reads the list. Resolves to null if the list cannot be read completely. */
  read(): Promise<readonly VenueOrder[] | null> {
    this.#next ??= this.#reading.then(() => {
      this.#next = null;
      const reading = this.#read();
      this.#reading = reading;
      return reading;
    });
    return this.#next;
  }

  async #read(): Promise<readonly VenueOrder[] | null> {
    const listed = await this.#venue.openOrders();
    return listed.ok && listed.value.unread.length === 0 ? listed.value.rows : null;
  }
}

interface GuardCancelParts {
  readonly venue: Pick<VenueTrading, 'cancel'>;
  readonly list: OpenList;
  readonly timers: Timers;
}

/** Cancels an order at its venue. Resolves shortly after `deadline` at the latest. */
export async function carryOut(
  { venue, list, timers }: GuardCancelParts,
  order: OpenOrder,
  deadline: UnixMillis,
): Promise<CarriedOut> {
  let { venueOrderId } = order;
  for (let pauseMs: number = limits.cancelPollMs; ; pauseMs = Math.min(2 * pauseMs, limits.cancelPollMsMax)) {
    // An order whose submission was in flight when the engine stopped answering has no venue id here, but may be listed.
    venueOrderId ??= (await list.read())?.find(it => isSameOrder(it, order))?.venueOrderId ?? null;
    if (venueOrderId !== null) {
      const outcome = await venue.cancel({ ...order, venueOrderId }, deadline);
      const known = outcomeOf(order, outcome);
      if (known !== null) return known;
      // An order that is not listed has only ended if it rested before. Otherwise the venue may be holding it back.
      const hasRested = order.status === 'OPEN' && outcome.type === 'not-found';
      if (hasRested && (await isOffList(list, venueOrderId))) return { type: 'over' };
    }
    if (isDueBefore({ timers }, deadline, pauseMs)) return undecidedRefusal(order, false);
    await pause(timers, pauseMs);
  }
}

/** Whether a listed order is the order. Only venue B reports our id of an order. */
function isSameOrder({ clientOrderId }: VenueOrder, { orderId }: OpenOrder): boolean {
  return clientOrderId !== null && readClientOrderId(clientOrderId)?.orderId === orderId;
}

async function isOffList(list: OpenList, venueOrderId: string): Promise<boolean> {
  const rows = await list.read();
  return rows !== null && !rows.some(it => it.venueOrderId === venueOrderId);
}

/** Returns the result that the venue's answer shows. Null means that the answer leaves the outcome open. */
function outcomeOf({ request }: OpenOrder, outcome: CancelOutcome): CarriedOut | null {
  switch (outcome.type) {
    case 'cancelled':
      return { type: 'cancelled' };
    case 'refused':
      return refused(outcome.kind, outcome.message);
    case 'not-sent':
      return notSentRefusal(request.venue, outcome, false);
    case 'not-found':
    case 'not-now':
    case 'unknown':
      return null;
    default:
      return unreachable(outcome);
  }
}
