// What the suites of orders say to their callers, and what they hear.

import type { LoadAnswer } from './http-messages.ts';
import type { OrderTakerData } from './order-taker.ts';
import type { Stages } from './server-timing.ts';

/** One caller of the gateway and of the venue behind it. */
export interface OneCallerData {
  readonly gateway: OrderTakerData;
  readonly venue: OrderTakerData;
}

export type OneCallerRequest =
  /** So many orders to either of them, in turns of `block`. */
  | { readonly op: 'submit'; readonly count: number; readonly block: number }
  /** The very requests to the gateway once more. */
  | { readonly op: 'replay' }
  /** Cancels all of them, in the same turns. */
  | { readonly op: 'cancel'; readonly block: number };

/** One of each for every request. */
export interface OneCallerAnswer {
  /** Round trips. */
  readonly gatewayUs: readonly number[];
  readonly venueUs: readonly number[];
  /** What the gateway says of them. */
  readonly stages: readonly Stages[];
}

/** Orders on many connections. */
export interface OrderLoadPlan {
  readonly count: number;
  readonly connections: number;
  /** Open loop: so many are due each second. Null: each connection sends one when the last is answered. */
  readonly ordersPerSecond: number | null;
}

/** `prepare` connects and signs, outside of what is timed; `cancel` cancels all that the last run has made. */
export type OrderLoadRequest =
  | { readonly op: 'prepare'; readonly plan: OrderLoadPlan }
  | { readonly op: 'run' }
  | { readonly op: 'cancel' };

export interface OrderLoadAnswer extends LoadAnswer {
  /** What the gateway says of each order, of a load on a gateway; `outside` is the rest of its latency. */
  readonly stages: readonly Stages[];
}
