// The balance of the older family (interface §2.4, contract §7): the sum in dollars over all accounts of a pod. The venues are asked before
// the store is read. An order for which a venue holds money back does not count as in flight as well. Engine thread.

import type { MicroDollars, UnixMillis } from '../../core/domain/numbers.ts';
import type { OlderBalancesOperation, OperationReply } from '../../core/domain/operation.ts';
import type { LiveReads } from '../../core/store/order-records.ts';
import { olderBalanceText } from '../../core/wire/account-views.ts';
import { errorReply, textReply } from '../../core/wire/replies.ts';
import type { TradedAccount } from '../../venues/pod-trading.ts';
import { orderOfTrace } from './adoption.ts';
import type { Valuation } from './owner-values.ts';
import { inFlightDebits } from './worst-cost.ts';

export interface OlderBalancesParts {
  readonly reads: Pick<LiveReads, 'unclearOrders' | 'position' | 'order' | 'orderOfVenue'>;
  readonly valuation: Valuation;
  readonly now: () => UnixMillis;
}

/** Returns the sum over `accounts`, which are all accounts of the pod. If any account cannot be read, there is no sum. */
export async function olderBalances(
  { reads, valuation, now }: OlderBalancesParts,
  accounts: readonly TradedAccount[],
  { caller, actorIds }: OlderBalancesOperation,
): Promise<OperationReply> {
  let [cash, reserved] = [0, 0];
  const balances = await Promise.all(
    accounts.map(async account => ({ account, balance: await account.trading.balance() })),
  );
  for (const { account, balance } of balances) {
    if (!balance.ok) return errorReply(balance.error.kind, balance.error.message);
    const { available, committed, committedTo } = balance.value;
    const counted = new Set(committedTo.map(name => orderOfTrace(reads, account, name)));
    cash += available;
    reserved += committed + inFlightDebits(reads, account, counted);
  }
  const positions = await valuation.podValue(caller.podId, actorIds);
  const amounts = { cash: cash as MicroDollars, reserved: reserved as MicroDollars, positions };
  return textReply(200, olderBalanceText({ ...amounts, retrievedAt: now() }));
}
