// Transfers of a user's money at venue B (venue-b.md §6): between subaccounts, and between shards or instances of the
// exchange. There are no deposits and withdrawals of real money: their lists are empty. Thread of the paper exchanges.

import type { JsonObject } from '../../../domain/json.ts';
import type { MicroDollars } from '../../../domain/numbers.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { limits } from '../../../limits.ts';
import { jsonReply, type Reply } from '../../../net/listen.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { Uuids } from '../uuids.ts';
import { seconds } from '../wire-text.ts';
import { badRequest, errorOf, errorReply, INSUFFICIENT_BALANCE, NOT_FOUND, type VenueBError } from './errors.ts';
import { type Funds, type Instance, isShard, type Place, type Transfer } from './funds.ts';
import { objectionTo, type Struct } from './go-body.ts';
import { QueryReader } from './market-query.ts';
import { balanceText, centsOf, MICROS_PER_CENT, MICROS_PER_CENTICENT } from './money-text.ts';
import { hasSubaccount } from './owners.ts';
import { pageOf } from './parameters.ts';
import { ITEMS_PER_PAGE } from './private-lists.ts';
import type { SignedCall, SignedRoute } from './route.ts';

interface TransferParts {
  readonly exchange: VenueBExchange;
  readonly funds: Funds;
  readonly uuids: Uuids;
}

const WHOLE_ACCOUNT = { isWholeAccount: true } as const;
const MOVES = { access: 'write', scope: 'write::transfer', takesBody: 'required', ...WHOLE_ACCOUNT } as const;
const READS = { method: 'get', access: 'read', ...WHOLE_ACCOUNT } as const;
const TRANSFERS_PER_PAGE_MAX = 500;

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

export function transferRoutes(parts: TransferParts): SignedRoute[] {
  const { funds } = parts;
  return [
    {
      ...MOVES,
      method: 'post',
      path: '/portfolio/subaccounts/transfer',
      handle: call => moveBetweenSubaccounts(parts, call),
    },
    {
      ...READS,
      path: '/portfolio/subaccounts/transfers',
      handle: call => page(call, 'GetSubaccountTransfers', 'transfers', ofSubaccounts(funds, call), subaccountTransfer),
    },
    {
      ...MOVES,
      method: 'post',
      path: '/portfolio/intra_exchange_instance_transfer',
      handle: call => moveBetweenInstances(parts, call),
    },
    {
      ...READS,
      path: '/portfolio/intra_exchange_instance_transfers',
      handle: call =>
        page(call, 'GetIntraExchangeInstanceTransfers', 'transfers', ofInstances(funds, call), instanceTransfer),
    },
    {
      ...READS,
      path: '/portfolio/intra_exchange_instance_transfers/:transfer_id',
      handle: call => {
        const found = ofInstances(funds, call).find(({ id }) => id === call.parameters[0]);
        return found === undefined ? errorReply(NOT_FOUND) : jsonReply(200, { transfer: instanceTransfer(found) });
      },
    },
    {
      ...READS,
      path: '/portfolio/deposits',
      handle: call => page(call, 'GetDeposits', 'deposits', [], instanceTransfer),
    },
    {
      ...READS,
      path: '/portfolio/withdrawals',
      handle: call => page(call, 'GetWithdrawals', 'withdrawals', [], instanceTransfer),
    },
  ];
}

function moveBetweenSubaccounts(parts: TransferParts, { body, caller }: SignedCall): Reply {
  const objection = objectionTo(body, SUBACCOUNT_TRANSFER);
  if (objection !== null) return badRequest(objection);
  const clientId = body.client_transfer_id as string;
  const isKnown = parts.funds.of(caller.userId).transfers.some(transfer => transfer.clientId === clientId);
  if (isKnown) return errorReply(errorOf(409, 'transfer_already_exists'));
  const shard = body.exchange_index ?? 0;
  const moved = move(parts, caller.userId, {
    clientId,
    from: ['event_contract', shard, body.from_subaccount],
    to: ['event_contract', shard, body.to_subaccount],
    amount: ((body.amount_cents as number) * MICROS_PER_CENT) as MicroDollars,
  });
  return moved.ok ? jsonReply(200, {}) : errorReply(moved.error);
}

function moveBetweenInstances(parts: TransferParts, { body, caller }: SignedCall): Reply {
  const objection = objectionTo(body, INSTANCE_TRANSFER);
  if (objection !== null) return badRequest(objection);
  const moved = move(parts, caller.userId, {
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

function move(parts: TransferParts, userId: string, { clientId, from, to, amount }: Wish): Result<string, VenueBError> {
  const [source, destination] = [placeOf(parts.exchange, userId, from), placeOf(parts.exchange, userId, to)];
  if (source === null || destination === null) return fail(NOT_FOUND);
  if (amount <= 0 || !Number.isSafeInteger(amount)) return fail(errorOf(400, 'invalid_amount'));
  const id = parts.uuids.next();
  const transfer = { id, clientId, from: source, to: destination, amount, at: parts.exchange.now() };
  return parts.funds.move(transfer) ? ok(id) : fail(INSUFFICIENT_BALANCE);
}

function placeOf(exchange: VenueBExchange, userId: string, [instance, shard, subaccount]: Wish['from']): Place | null {
  const [at, number] = [shard as number, subaccount as number];
  const exists = isShard(at) && hasSubaccount(exchange, userId, number);
  return exists ? { owner: { userId, subaccount: number }, instance, shard: at } : null;
}

/** On one shard it is a transfer between subaccounts, for either call. */
function ofSubaccounts(funds: Funds, { caller }: SignedCall): Transfer[] {
  return funds
    .of(caller.userId)
    .transfers.filter(transfer => !crosses(transfer))
    .reverse();
}

function ofInstances(funds: Funds, { caller }: SignedCall): Transfer[] {
  return funds.of(caller.userId).transfers.filter(crosses).reverse();
}

function crosses({ from, to }: Transfer): boolean {
  return from.shard !== to.shard || from.instance !== to.instance;
}

function page(
  call: SignedCall,
  operation: string,
  name: string,
  transfers: readonly Transfer[],
  render: (transfer: Transfer) => JsonObject,
): Reply {
  const query = new QueryReader(operation, call.query);
  const limit = query.limit(ITEMS_PER_PAGE, TRANSFERS_PER_PAGE_MAX);
  if (query.refusal !== null) return query.refusal;
  const { items, cursor } = pageOf(transfers, { limit, cursor: query.text('cursor'), idOf: ({ id }) => id });
  return jsonReply(200, { cursor, [name]: items.map(render) });
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
