// Messages between the order suites and their callers.

import type { VenueBTradingAccount } from '../../src/core/domain/pod-accounts.ts';
import type { LoadAnswer } from './messages.ts';
import type { OrderTakerData } from './order-taker.ts';
import type { Stages } from './server-timing.ts';

/** Takers of one caller, by the suite's names; `gateway` is the gateway. */
export type OneCallerData = Readonly<Record<string, OrderTakerData>>;

export type OneCallerRequest =
  /** `count` orders to each, in turns of `block`. */
  | { readonly op: 'submit'; readonly count: number; readonly block: number }
  /** Repeats the same requests to the gateway, in turns with as many signed `whoami`, whose round trips are `whoami`. */
  | { readonly op: 'replay'; readonly block: number }
  /** Cancels all of them, in the same turns. */
  | { readonly op: 'cancel'; readonly block: number };

/** One of each for every request. */
export interface OneCallerAnswer {
  /** Round trips, by taker. */
  readonly us: Readonly<Record<string, readonly number[]>>;
  /** The gateway's own times. */
  readonly stages: readonly Stages[];
}

/** Orders on many connections. */
export interface OrderLoadPlan {
  readonly count: number;
  readonly connections: number;
  /** Open loop: orders due each second. Null: each connection sends the next when answered. */
  readonly ordersPerSecond: number | null;
}

/** `prepare` connects and signs, outside of timed parts; `cancel` cancels all orders of the last run. */
export type OrderLoadRequest =
  | { readonly op: 'prepare'; readonly plan: OrderLoadPlan }
  | { readonly op: 'run' }
  | { readonly op: 'cancel' };

export interface OrderLoadAnswer extends LoadAnswer {
  /** The gateway's times of each order, under load; `outside` is the rest of its latency. */
  readonly stages: readonly Stages[];
}

/** Steps of the least gateway, each with those before it: forwards the order; checks its signature; writes it down. */
export type LeastStep = 'forward' | 'check' | 'journal';

export interface LeastGatewayStart {
  readonly account: VenueBTradingAccount;
  /** Public key of its only caller. */
  readonly publicKeyHex: string;
  /** The file may be missing. */
  readonly journalFile: string;
  readonly step: LeastStep;
}

export interface LeastGatewayStarted {
  readonly port: number;
  readonly pid: number;
}
