// Messages between the order suites and their callers.

import type { VenueBTradingAccount } from '../../src/core/domain/pod-accounts.ts';
import type { LoadAnswer } from './messages.ts';
import type { OrderTakerData } from './order-taker.ts';
import type { Stages } from './server-timing.ts';

/** The takers of one caller, by the suite's names. `gateway` is the gateway. */
export type OneCallerData = Readonly<Record<string, OrderTakerData>>;

export type OneCallerRequest =
  /** Sends `count` orders to each taker, in turns of `block`. */
  | { readonly op: 'submit'; readonly count: number; readonly block: number }
  /** Repeats the same requests to the gateway, in turns with as many signed `whoami` requests. The answer has their round trips as `whoami`. */
  | { readonly op: 'replay'; readonly block: number }
  /** Cancels all orders, in the same turns. */
  | { readonly op: 'cancel'; readonly block: number };

/** The answer of the caller, with one entry for every request. */
export interface OneCallerAnswer {
  /** The round trips by taker. */
  readonly us: Readonly<Record<string, readonly number[]>>;
  /** The gateway's own times, by stage. */
  readonly stages: readonly Stages[];
}

/** Orders on many connections. */
export interface OrderLoadPlan {
  readonly count: number;
  readonly connections: number;
  /** The orders due each second in an open loop. Null means that each connection sends the next order when the last is answered. */
  readonly ordersPerSecond: number | null;
}

/** `prepare` connects and signs, outside of timed parts; `cancel` cancels all orders of the last run. */
export type OrderLoadRequest =
  | { readonly op: 'prepare'; readonly plan: OrderLoadPlan }
  | { readonly op: 'run' }
  | { readonly op: 'cancel' };

export interface OrderLoadAnswer extends LoadAnswer {
  /** The gateway's times of each order under load. `outside` is the rest of the order's latency. */
  readonly stages: readonly Stages[];
}

/** The steps of the least gateway. Each step includes the steps before it: forward the order, check its signature, write it to a file. */
export type LeastStep = 'forward' | 'check' | 'journal';

export interface LeastGatewayStart {
  readonly account: VenueBTradingAccount;
  /** The public key of the least gateway's only caller. */
  readonly publicKeyHex: string;
  /** The file may be missing. */
  readonly journalFile: string;
  readonly step: LeastStep;
}

export interface LeastGatewayStarted {
  readonly port: number;
  readonly pid: number;
}
