// A user's accounts at venue B (venue-b.md §6): subaccounts, balances, netting, and the distribution of money over shards. Netting and
// distribution are stored and shown, without effect: every subaccount pays for itself, on each shard. Thread of the paper exchanges.

import { countOf, objectsOf } from '../../../core/domain/json.ts';
import type { MicroDollars } from '../../../core/domain/numbers.ts';
import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { balanceText, seconds } from '../wire-text.ts';
import { errorOf, errorReply, NOT_FOUND, SCOPE_MISSING } from './errors.ts';
import { isShard } from './funds.ts';
import type { Struct } from './go-body.ts';
import { allOwnersOf, hasSubaccount } from './owners.ts';
import { read, type SignedCall, type SignedRoute, type VenueBParts, write } from './route.ts';

const WHOLE = { isWholeAccount: true } as const;
const NOTHING = 0 as MicroDollars;
const NEW_SUBACCOUNT: Struct = { name: 'CreateSubaccountRequest', fields: {}, isOptional: true };
const NETTING: Struct = {
  name: 'UpdateSubaccountNettingRequest',
  fields: { subaccount_number: { type: 'int', isRequired: true }, enabled: { type: 'bool', isRequired: true } },
};
const ALLOCATION: Struct = {
  name: 'SetTargetBalanceAllocationRequest',
  fields: {
    allocations: { type: 'array', isRequired: true },
    resting_margin_reservation: { type: 'string', oneOf: ['max', 'sum'] },
  },
};

export const subaccountRoutes: readonly SignedRoute[] = [
  write('post', '/portfolio/subaccounts', create, { ...WHOLE, body: NEW_SUBACCOUNT }),
  read('/portfolio/subaccounts/balances', balances, WHOLE),
  read('/portfolio/subaccounts/netting', netting, WHOLE),
  write('put', '/portfolio/subaccounts/netting', setNetting, { ...WHOLE, body: NETTING }),
  read('/portfolio/target_balance_allocation', allocation, WHOLE),
  write('post', '/portfolio/target_balance_allocation', setAllocation, { ...WHOLE, body: ALLOCATION }),
];

/** For the Advanced tier and above. */
function create({ caller: { userId } }: SignedCall, { exchange, access }: VenueBParts): Reply {
  if (access.user(userId).tier === 'basic') return errorReply(SCOPE_MISSING);
  const subaccount = Math.max(0, ...exchange.subaccounts(userId)) + 1;
  const isOpen = subaccount < limits.paperSubaccountsMax && exchange.deposit({ userId, subaccount }, NOTHING);
  if (!isOpen) return errorReply(errorOf(400, 'max_subaccounts_reached'));
  return jsonReply(201, { subaccount_number: subaccount });
}

function balances({ caller, staleMs }: SignedCall, { exchange }: VenueBParts): Reply {
  const reads = exchange.reads(staleMs);
  const all = allOwnersOf(exchange, caller.userId).flatMap(owner =>
    reads.balance(owner).shards.map(({ shard, available }) => ({
      balance: balanceText(available),
      exchange_index: shard,
      subaccount_number: owner.subaccount,
      updated_ts: seconds(reads.asOf),
    })),
  );
  return jsonReply(200, { subaccount_balances: all });
}

function netting({ caller }: SignedCall, { exchange, funds }: VenueBParts): Reply {
  const { netted } = funds.of(caller.userId);
  const configs = allOwnersOf(exchange, caller.userId).map(({ subaccount }) => ({
    enabled: netted.has(subaccount),
    exchange_index: 0,
    subaccount_number: subaccount,
  }));
  return jsonReply(200, { netting_configs: configs });
}

function setNetting({ body, caller }: SignedCall, { exchange, funds }: VenueBParts): Reply {
  const subaccount = body.subaccount_number as number;
  if (!hasSubaccount(exchange, caller.userId, subaccount)) return errorReply(NOT_FOUND);
  const { netted } = funds.of(caller.userId);
  if (body.enabled === true) netted.add(subaccount);
  else netted.delete(subaccount);
  return jsonReply(200, {});
}

function allocation({ caller }: SignedCall, { funds }: VenueBParts): Reply {
  const { allocations, reservation } = funds.of(caller.userId);
  return jsonReply(200, { allocations, resting_margin_reservation: reservation });
}

function setAllocation({ body, caller }: SignedCall, { funds }: VenueBParts): Reply {
  const allocations = objectsOf(body.allocations).map(item => ({
    exchange_index: countOf(item.exchange_index) ?? Number.NaN,
    percent: countOf(item.percent) ?? Number.NaN,
  }));
  const isWhole = allocations.reduce((sum, { percent }) => sum + percent, 0) === 100;
  const shards = new Set(allocations.map(({ exchange_index }) => exchange_index));
  if (!isWhole || shards.size < allocations.length || ![...shards].every(isShard)) {
    return errorReply(errorOf(400, 'invalid_allocations'));
  }
  const kept = funds.of(caller.userId);
  kept.allocations = allocations;
  kept.reservation = body.resting_margin_reservation === 'max' ? 'max' : 'sum';
  return jsonReply(200, {});
}
