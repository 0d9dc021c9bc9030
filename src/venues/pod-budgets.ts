// What is left of the venues' rate limits for the accounts of a pod. The counts are in memory that the engine, the guard and the main
// thread share. So the main thread reads them without a message to the engine. Any thread.

import type { UnixMillis } from '../core/domain/numbers.ts';
import type { PodAccounts } from '../core/domain/pod-accounts.ts';
import type { VenueBudget } from '../core/domain/venue-budget.ts';
import { wallTimers } from '../core/runtime/timers.ts';
import { createRateMemory, venueABudget } from './venue-a/trading/budget.ts';
import { createBudgetMemory, VenueBBudget } from './venue-b/trading/budget.ts';

/** The counts of a pod's accounts in shared memory. */
export interface PodBudgets {
  readonly venueA: Float64Array;
  readonly venueB: BigInt64Array;
}

export function createPodBudgets(): PodBudgets {
  return { venueA: createRateMemory(), venueB: createBudgetMemory() };
}

export interface BudgetedPod extends PodAccounts {
  readonly budgets: PodBudgets;
}

/**
 * Returns the present budget of each account. At venue B this is the budget of the first shard. Returns null if the pod belongs to another
 * gateway.
 */
export function venueBudgets(pods: readonly BudgetedPod[], podId: string): readonly VenueBudget[] | null {
  const pod = pods.find(it => it.podId === podId);
  if (pod === undefined) return null;
  const { venueA, venueB, budgets } = pod;
  const now = (): UnixMillis => wallTimers.now();
  return [
    ...(venueA === null ? [] : [venueABudget(budgets.venueA, now)]),
    ...(venueB === null ? [] : [new VenueBBudget(budgets.venueB, now).now(0)]),
  ];
}
