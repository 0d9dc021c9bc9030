// Venue B's routes that make subaccounts, and move money between a user's subaccounts and shards (venue-b.md §4). Thread of the paper
// exchanges.

import { countOf, type JsonObject, objectsOf } from '../../../core/domain/json.ts';
import type { MicroDollars } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import type { VenueBExchange } from '../exchange.ts';
import { balanceText, centsOf, MICROS_PER_CENT, MICROS_PER_CENTICENT, seconds } from '../wire-text.ts';
import { errorOf, errorReply, INSUFFICIENT_BALANCE, NOT_FOUND, SCOPE_MISSING, type VenueBError } from './errors.ts';
import { type CashMovement, type Funds, type Instance, isShard, type Place, type Transfer } from './funds.ts';
import type { Struct } from './go-body.ts';
import {
  allOwnersOf,
  hasSubaccount,
  read,
  type SignedCall,
  type SignedRoute,
  type VenueBParts,
  write,
} from './route.ts';

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

/** Makes a subaccount, which needs the Advanced tier or a higher one. */
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

const MOVES = { ...WHOLE, scope: 'write::transfer' } as const;
const ITEMS_PER_PAGE = 100;
const ITEMS_PER_PAGE_MAX = 500;
const BY_INSTANCE = 'intra_exchange_instance_transfer';

const SUBACCOUNT_TRANSFER: Struct = {
  name: 'ApplySubaccountTransferRequest',
  fields: {
    client_transfer_id: { type: 'string', isRequired: true, charactersMax: limits.paperTransferIdCharactersMax },
    from_subaccount: { type: 'int', isRequired: true },
    to_subaccount: { type: 'int', isRequired: true },
    amount_cents: { type: 'int', isRequired: true },
    exchange_index: { type: 'int' },
  },
};

const INSTANCES = ['event_contract', 'margined'] as const;
const INSTANCE_TRANSFER: Struct = {
  name: 'IntraExchangeInstanceTransferRequest',
  fields: {
    source: { type: 'string', isRequired: true, oneOf: INSTANCES },
    destination: { type: 'string', isRequired: true, oneOf: INSTANCES },
    amount: { type: 'int', isRequired: true },
    source_exchange_shard: { type: 'int' },
    destination_exchange_shard: { type: 'int' },
    source_subaccount: { type: 'int' },
    destination_subaccount: { type: 'int' },
  },
};

export const transferRoutes: readonly SignedRoute[] = [
  write('post', '/portfolio/subaccounts/transfer', moveBetweenSubaccounts, { ...MOVES, body: SUBACCOUNT_TRANSFER }),
  list('/portfolio/subaccounts/transfers', 'GetSubaccountTransfers', 'transfers', ofSubaccounts, subaccountTransfer),
  write('post', `/portfolio/${BY_INSTANCE}`, moveBetweenInstances, { ...MOVES, body: INSTANCE_TRANSFER }),
  list(`/portfolio/${BY_INSTANCE}s`, 'GetIntraExchangeInstanceTransfers', 'transfers', ofInstances, instanceTransfer),
  read(`/portfolio/${BY_INSTANCE}s/:transfer_id`, oneTransfer, WHOLE),
  list('/portfolio/deposits', 'GetDeposits', 'deposits', moved('in'), cashMovement),
  list('/portfolio/withdrawals', 'GetWithdrawals', 'withdrawals', moved('out'), cashMovement),
];

function list<Row extends { readonly id: string }>(
  path: string,
  operation: string,
  name: string,
  rowsOf: (funds: Funds, call: SignedCall) => readonly Row[],
  show: (row: Row) => JsonObject,
): SignedRoute {
  const handle: SignedRoute['handle'] = (call, { funds }) => {
    const limit = call.query.limit(ITEMS_PER_PAGE, ITEMS_PER_PAGE_MAX);
    return call.query.reply(name, rowsOf(funds, call), { limit, idOf: ({ id }) => id }, show);
  };
  return read(path, handle, { ...WHOLE, operation });
}

function oneTransfer(call: SignedCall, { funds }: VenueBParts): Reply {
  const found = ofInstances(funds, call).find(({ id }) => id === call.parameters[0]);
  return found === undefined ? errorReply(NOT_FOUND) : jsonReply(200, { transfer: instanceTransfer(found) });
}

function moveBetweenSubaccounts({ body, caller }: SignedCall, venue: VenueBParts): Reply {
  const clientId = body.client_transfer_id as string;
  const isKnown = venue.funds.of(caller.userId).transfers.some(transfer => transfer.clientId === clientId);
  if (isKnown) return errorReply(errorOf(409, 'transfer_already_exists'));
  const shard = body.exchange_index ?? 0;
  const moved = move(venue, caller.userId, {
    clientId,
    from: ['event_contract', shard, body.from_subaccount],
    to: ['event_contract', shard, body.to_subaccount],
    amount: ((body.amount_cents as number) * MICROS_PER_CENT) as MicroDollars,
  });
  return moved.ok ? jsonReply(200, {}) : errorReply(moved.error);
}

function moveBetweenInstances({ body, caller }: SignedCall, venue: VenueBParts): Reply {
  const moved = move(venue, caller.userId, {
    clientId: '',
    from: [body.source as Instance, body.source_exchange_shard ?? 0, body.source_subaccount ?? 0],
    to: [body.destination as Instance, body.destination_exchange_shard ?? 0, body.destination_subaccount ?? 0],
    amount: ((body.amount as number) * MICROS_PER_CENTICENT) as MicroDollars,
  });
  return moved.ok ? jsonReply(200, { transfer_id: moved.value }) : errorReply(moved.error);
}

interface Wish {
  readonly clientId: string;
  readonly from: readonly [instance: Instance, shard: unknown, subaccount: unknown];
  readonly to: readonly [instance: Instance, shard: unknown, subaccount: unknown];
  readonly amount: MicroDollars;
}

function move(venue: VenueBParts, userId: string, { clientId, from, to, amount }: Wish): Result<string, VenueBError> {
  const [source, destination] = [placeOf(venue.exchange, userId, from), placeOf(venue.exchange, userId, to)];
  if (source === null || destination === null) return fail(NOT_FOUND);
  if (amount <= 0 || !Number.isSafeInteger(amount)) return fail(errorOf(400, 'invalid_amount'));
  const id = venue.uuids.next();
  const transfer = { id, clientId, from: source, to: destination, amount, at: venue.exchange.now() };
  return venue.funds.move(transfer) ? ok(id) : fail(INSUFFICIENT_BALANCE);
}

function placeOf(exchange: VenueBExchange, userId: string, [instance, shard, subaccount]: Wish['from']): Place | null {
  const [at, number] = [shard as number, subaccount as number];
  const exists = isShard(at) && hasSubaccount(exchange, userId, number);
  return exists ? { owner: { userId, subaccount: number }, instance, shard: at } : null;
}

/** Returns the user's transfers between subaccounts. A transfer that stays on one shard counts as such, for either call that made it. */
function ofSubaccounts(funds: Funds, { caller }: SignedCall): Transfer[] {
  return funds
    .of(caller.userId)
    .transfers.filter(transfer => !crosses(transfer))
    .reverse();
}

function ofInstances(funds: Funds, { caller }: SignedCall): Transfer[] {
  return funds.of(caller.userId).transfers.filter(crosses).reverse();
}

function moved(way: 'in' | 'out'): (funds: Funds, call: SignedCall) => CashMovement[] {
  return (funds, { caller }) =>
    funds
      .of(caller.userId)
      .movements.filter(({ amount }) => amount < 0 === (way === 'out'))
      .reverse();
}

function cashMovement({ id, amount, at }: CashMovement): JsonObject {
  return {
    amount_cents: centsOf(Math.abs(amount) as MicroDollars),
    created_ts: seconds(at),
    fee_cents: 0,
    finalized_ts: seconds(at),
    id,
    status: 'applied',
    type: 'ach',
  };
}

function crosses({ from, to }: Transfer): boolean {
  return from.shard !== to.shard || from.instance !== to.instance;
}

function subaccountTransfer({ id, from, to, amount, at }: Transfer): JsonObject {
  return {
    amount_cents: centsOf(amount),
    created_ts: seconds(at),
    exchange_index: from.shard,
    from_subaccount: from.owner.subaccount,
    to_subaccount: to.owner.subaccount,
    transfer_id: id,
  };
}

function instanceTransfer({ id, from, to, amount, at }: Transfer): JsonObject {
  return {
    amount: balanceText(amount),
    created_ts: seconds(at),
    destination: to.instance,
    destination_exchange_shard: to.shard,
    source: from.instance,
    source_exchange_shard: from.shard,
    status: 'complete',
    transfer_id: id,
  };
}
