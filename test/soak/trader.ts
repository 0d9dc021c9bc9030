// A client of the gateway that retries by the rules (interface §7, contract §4.6). It retries a lost answer and a 5xx under the same key
// with the same body. It retries a 502 or 504 after reading the order, a 503 when it says so, and a 4xx never. It remembers every answer.

import { setTimeout as pause } from 'node:timers/promises';
import type { Venue } from '../../src/core/domain/market.ts';
import type { Result } from '../../src/core/domain/result.ts';
import type { Random } from '../../src/core/runtime/random.ts';
import type { ApiAnswer, ApiFailure } from '../../src/tools/client/api-failure.ts';
import type { CrossbookClient } from '../../src/tools/client/crossbook-client.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { UuidV7Source } from '../../src/tools/client/uuid-v7.ts';
import type { Actor } from './gateway-process.ts';
import type { OrderBody } from './orders.ts';

/** The answers to one submission. */
export type Said =
  | { readonly type: 'made'; readonly orderId: string; readonly status: string; readonly isReplayed: boolean }
  /** A final refusal: the request has to change. */
  | { readonly type: 'refused'; readonly httpStatus: number; readonly message: string }
  /** A 502, a 504, or no answer. */
  | { readonly type: 'unknown'; readonly orderId: string | null }
  /** A 5xx says that nothing was done, or the gateway was not reachable. */
  | { readonly type: 'later'; readonly httpStatus: number | null };

/** An idempotency key with all answers under it, in the order of arrival. */
export interface Placed {
  readonly actor: Actor;
  readonly idempotencyKey: string;
  readonly order: OrderBody;
  /** The Unix milliseconds after which the order must not be sent. Null means no limit. */
  readonly notAfterMillis: number | null;
  readonly said: Said[];
  /** The answers to cancels. */
  readonly cancels: ('confirmed' | 'ended' | 'unclear')[];
}

interface TraderOptions {
  readonly url: string;
  readonly actor: Actor;
  readonly random: Random;
  /** The number of undecided answers after which the client gives up an order. Attempts without a reachable gateway do not count. */
  readonly answersMax: number;
  /** The signal that ends all waits for answers. */
  readonly over: AbortSignal;
  /** The client's habits; the default is those of a soak. */
  readonly habits?: Habits;
  /** Called with every answer to a submission or a cancel. */
  readonly hear?: (heard: Heard) => void;
}

/** The probabilities of what a client does with an order. */
interface Habits {
  /** The probability that an order is sent on two connections at once. */
  readonly twice: number;
  /** The probability that an order may be sent only for a moment. */
  readonly notAfter: number;
  readonly cancel: number;
}

export interface Heard {
  readonly what: 'order' | 'cancel';
  /** The idempotency key of the order. */
  readonly idempotencyKey: string;
  readonly venue: Venue;
  readonly answer: Result<ApiAnswer<unknown>, ApiFailure>;
}

interface OrderAnswer {
  readonly orderId: string;
  readonly status: string;
}

/** The longest time from an order to its cancel. */
const CANCEL_AFTER_MS = 700;
/** The longest time for which such an order may be sent. */
const NOT_AFTER_MS = 400;
const HABITS: Habits = { twice: 0.15, notAfter: 0.05, cancel: 0.5 };

export class Trader {
  readonly actor: Actor;
  readonly client: CrossbookClient;
  readonly placed: Placed[] = [];
  readonly #options: TraderOptions;
  readonly #ids = new UuidV7Source(() => Date.now());

  constructor(options: TraderOptions) {
    this.#options = options;
    this.actor = options.actor;
    this.client = createNodeClient({ url: options.url, signer: nodeSigner(options.actor.key) });
  }

  /** Runs one order to its end as its owner sees it; some orders are sent on two connections at once, or cancelled. */
  async trade(order: OrderBody): Promise<void> {
    const { random, habits = HABITS } = this.#options;
    // With a key of another kind, venue A's order id has no time, so that everything depends on the store.
    const idempotencyKey = random.chance(0.8) ? this.#ids.next() : `key-${random.hex(16)}`;
    const notAfterMillis = random.chance(habits.notAfter) ? Date.now() + random.below(NOT_AFTER_MS) : null;
    const placed: Placed = { actor: this.actor, idempotencyKey, order, notAfterMillis, said: [], cancels: [] };
    this.placed.push(placed);
    const isCancelled = random.chance(habits.cancel);
    await Promise.all(Array.from({ length: random.chance(habits.twice) ? 2 : 1 }, () => this.#submit(placed)));
    if (isCancelled) await this.#cancel(placed);
  }

  async cancelAll(venue: Venue): Promise<void> {
    await (venue === 'venue_a' ? this.client.call('cancelVenueAOrders') : this.client.call('cancelVenueBOrders'));
  }

  /** Sends the request again under the same key, when everything is decided. Waits if the gateway is slow or has too many requests at a time. */
  async repeat(placed: Placed, body: object = placed.order.body): Promise<Said> {
    for (let answers = 0; ; answers += 1) {
      const answer = await this.#send(placed, body);
      const said = saidOf(answer);
      const isLost = said.type === 'unknown' && said.orderId === null;
      const { answersMax, over } = this.#options;
      if ((said.type !== 'later' && !isLost) || answers >= answersMax || over.aborted) return said;
      await this.#rest(answer);
    }
  }

  async #submit(placed: Placed): Promise<void> {
    const { answersMax, over } = this.#options;
    for (let answers = 0; answers < answersMax && !over.aborted; ) {
      const answer = await this.#send(placed, placed.order.body);
      this.#hear('order', placed, answer);
      const said = saidOf(answer);
      placed.said.push(said);
      if (said.type === 'made' || said.type === 'refused') return;
      if (said.type === 'unknown' && said.orderId !== null) await this.#read(placed.order.venue, said.orderId);
      if (isAnswered(answer)) answers += 1;
      await this.#rest(answer);
    }
  }

  #send(
    { order: { venue }, idempotencyKey, notAfterMillis }: Placed,
    body: object,
  ): Promise<Result<ApiAnswer<OrderAnswer>, ApiFailure>> {
    const request = { body: body as never, idempotencyKey, ...(notAfterMillis === null ? {} : { notAfterMillis }) };
    return venue === 'venue_a'
      ? this.client.call('submitVenueAOrder', request)
      : this.client.call('submitVenueBOrder', request);
  }

  /** Reads an order that an answer has named, so a 404 would be wrong. */
  async #read(venue: Venue, orderId: string): Promise<void> {
    const path = { orderId };
    const answer = await (venue === 'venue_a'
      ? this.client.call('getVenueAOrder', { path })
      : this.client.call('getVenueBOrder', { path }));
    if (!answer.ok && answer.error.kind === 'refused' && answer.error.status === 404)
      throw new Error(`order ${orderId} was named, and is not there`);
  }

  async #cancel(placed: Placed): Promise<void> {
    const made = placed.said.find(said => said.type === 'made');
    if (made === undefined) return;
    const path = { orderId: made.orderId };
    await pause(this.#options.random.below(CANCEL_AFTER_MS));
    const { answersMax, over } = this.#options;
    for (let answers = 0; answers < answersMax && !over.aborted; ) {
      const answer = await (placed.order.venue === 'venue_a'
        ? this.client.call('cancelVenueAOrder', { path })
        : this.client.call('cancelVenueBOrder', { path }));
      this.#hear('cancel', placed, answer);
      if (answer.ok) return void placed.cancels.push('confirmed');
      const { error } = answer;
      if (error.kind === 'refused' && error.status === 409) return void placed.cancels.push('ended');
      if (error.kind === 'refused' && error.status < 500)
        throw new Error(`cancel of ${made.orderId}: HTTP ${error.status} ${error.message}`);
      if (error.kind === 'unknown-outcome' && error.status !== null) placed.cancels.push('unclear');
      if (isAnswered(answer)) answers += 1;
      await this.#rest(answer);
    }
  }

  #hear(what: Heard['what'], { order, idempotencyKey }: Placed, answer: Heard['answer']): void {
    this.#options.hear?.({ what, venue: order.venue, idempotencyKey, answer });
  }

  /** Waits before the request is repeated. */
  #rest(answer: Result<unknown, ApiFailure>): Promise<void> {
    const wantedS = answer.ok || answer.error.kind !== 'refused' ? 0 : (answer.error.retryAfterS ?? 0);
    return pause(1_000 * wantedS + 100 + this.#options.random.below(300));
  }
}

function saidOf(answer: Result<ApiAnswer<OrderAnswer>, ApiFailure>): Said {
  if (answer.ok) return { type: 'made', ...answer.value.value, isReplayed: answer.value.isReplayed };
  const { error } = answer;
  switch (error.kind) {
    case 'refused':
      return error.status < 500
        ? { type: 'refused', httpStatus: error.status, message: error.message }
        : { type: 'later', httpStatus: error.status };
    case 'unknown-outcome':
      return { type: 'unknown', orderId: error.orderId };
    case 'unreachable':
      return { type: 'later', httpStatus: null };
    default:
      throw new Error(`no answer of the gateway: ${error.message}`);
  }
}

function isAnswered(answer: Result<unknown, ApiFailure>): boolean {
  return answer.ok || ('status' in answer.error && answer.error.status !== null);
}
