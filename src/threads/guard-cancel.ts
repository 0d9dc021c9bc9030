// A cancel while the engine does not answer: nothing is recorded, so all that decides is what the venue says. Guard thread.

import { readClientOrderId } from '../domain/actor-tag.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { refused } from '../orders/answers.ts';
import { notSent, undecided } from '../orders/cancel.ts';
import { pause, type Timers } from '../runtime/timers.ts';
import type { CancelOutcome, VenueOrder, VenueTrading } from '../venues/venue.ts';
import type { CarriedOut } from './guard-messages.ts';
import type { OpenOrder } from './guard-orders.ts';

/** What an account has in the book. A question that comes while it is read gets the next reading: this one began before its cancel. */
export class OpenList {
  readonly #venue: Pick<VenueTrading, 'openOrders'>;
  #reading: Promise<unknown> = Promise.resolve();
  #next: Promise<readonly VenueOrder[] | null> | null = null;

  constructor(venue: Pick<VenueTrading, 'openOrders'>) {
    this.#venue = venue;
  }

  /** Null: it cannot be read, or not all of it. */
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

/** Resolves soon after `deadline` at the latest. */
export async function carryOut(
  { venue, list, timers }: GuardCancelParts,
  order: OpenOrder,
  deadline: UnixMillis,
): Promise<CarriedOut> {
  let { venueOrderId } = order;
  for (let pauseMs: number = limits.cancelPollMs; ; pauseMs = Math.min(2 * pauseMs, limits.cancelPollMsMax)) {
    // Its submission was under way when the engine fell silent.
    venueOrderId ??= (await list.read())?.find(it => isOf(it, order))?.venueOrderId ?? null;
    if (venueOrderId !== null) {
      const outcome = await venue.cancel({ ...order, venueOrderId }, deadline);
      const known = outcomeOf(order, outcome);
      if (known !== null) return known;
      // Only what has rested, and is not listed, is over: another may be held back.
      const hasRested = order.status === 'OPEN' && outcome.type === 'not-found';
      if (hasRested && (await isOver(list, venueOrderId))) return { type: 'over' };
    }
    if (timers.now() + pauseMs >= deadline) return undecided(order, false);
    await pause(timers, pauseMs);
  }
}

/** Only venue B tells our id of an order. */
function isOf({ clientOrderId }: VenueOrder, { orderId }: OpenOrder): boolean {
  return clientOrderId !== null && readClientOrderId(clientOrderId)?.orderId === orderId;
}

async function isOver(list: OpenList, venueOrderId: string): Promise<boolean> {
  const rows = await list.read();
  return rows !== null && !rows.some(it => it.venueOrderId === venueOrderId);
}

/** Null: it is not clear. */
function outcomeOf({ request }: OpenOrder, outcome: CancelOutcome): CarriedOut | null {
  switch (outcome.type) {
    case 'cancelled':
      return { type: 'cancelled' };
    case 'refused':
      return refused(outcome.kind, outcome.message);
    case 'not-sent':
      return notSent(request.venue, outcome, false);
    case 'not-found':
    case 'not-now':
    case 'unknown':
      return null;
    default:
      return unreachable(outcome);
  }
}
