// Order groups of venue B (venue-b.md §5.7): orders that are cancelled together once too much of them is matched too fast. Thread of the
// paper exchanges.

import { countOf, type JsonObject } from '../../../core/domain/json.ts';
import { MICROS_PER_SHARE, type MicroShares } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import type { VenueBExchange } from '../exchange.ts';
import type { OrderGroupRecord, Owner } from '../records.ts';
import { countText } from '../wire-text.ts';
import { errorOf, errorReply, invalidOrder, NOT_FOUND, refusalError, type VenueBError } from './errors.ts';
import type { Struct } from './go-body.ts';
import { countOf as contractsOf } from './order-body.ts';
import { ownersOf, read, type SignedCall, type SignedRoute, type VenueBParts, write } from './route.ts';

const GROUPS = '/portfolio/order_groups';
const EXCHANGE_PAUSED = refusalError('exchange-paused');
const TRADES = { scope: 'write::trade' } as const;
const limitFields = { contracts_limit: { type: 'int' }, contracts_limit_fp: { type: 'string' } } as const;
const CREATE_GROUP: Struct = {
  name: 'CreateOrderGroupRequest',
  fields: { ...limitFields, subaccount: { type: 'int' }, exchange_index: { type: 'int' } },
};
const LIMIT_GROUP: Struct = { name: 'UpdateOrderGroupLimitRequest', fields: limitFields };

export const orderGroupRoutes: readonly SignedRoute[] = [
  write('post', `${GROUPS}/create`, create, { ...TRADES, body: CREATE_GROUP }),
  read(GROUPS, list),
  read(`${GROUPS}/:order_group_id`, one),
  change('put', '/reset', (exchange, owner, id) => exchange.groups.reset(owner, id)),
  change('put', '/trigger', (exchange, owner, id) => exchange.groups.trigger(owner, id)),
  change('delete', '', (exchange, owner, id) => exchange.groups.delete(owner, id)),
  write('put', `${GROUPS}/:order_group_id/limit`, setLimit, { ...TRADES, body: LIMIT_GROUP }),
];

function change(
  method: 'put' | 'delete',
  path: string,
  act: (exchange: VenueBExchange, owner: Owner, groupId: string) => boolean,
): SignedRoute {
  const handle: SignedRoute['handle'] = (call, { exchange }) => {
    const { owner, parameters } = call;
    if (!exchange.state.isExchangeActive) return errorReply(EXCHANGE_PAUSED);
    return done(isOnShard(exchange, call) && act(exchange, owner, parameters[0]!));
  };
  return write(method, `${GROUPS}/:order_group_id${path}`, handle, TRADES);
}

function create({ body, owner }: SignedCall, { exchange }: VenueBParts): Reply {
  const limit = limitOf(body);
  if (!limit.ok) return errorReply(limit.error);
  if (!exchange.state.isExchangeActive) return errorReply(EXCHANGE_PAUSED);
  const group = exchange.groups.create(owner, limit.value, countOf(body.exchange_index) ?? 0);
  if (group === null) return errorReply(errorOf(400, 'max_order_groups_reached'));
  return jsonReply(201, { exchange_index: group.shard, order_group_id: group.groupId, subaccount: owner.subaccount });
}

function setLimit(call: SignedCall, { exchange }: VenueBParts): Reply {
  const { body, owner, parameters } = call;
  const limit = limitOf(body);
  if (!limit.ok) return errorReply(limit.error);
  if (!exchange.state.isExchangeActive) return errorReply(EXCHANGE_PAUSED);
  return done(isOnShard(exchange, call) && exchange.groups.setLimit(owner, parameters[0]!, limit.value));
}

/**
 * Whether the group is on the shard that the query names, or on the first. A change does not find a group of another shard (venue-b.md §3).
 */
function isOnShard(exchange: VenueBExchange, { owner, parameters, query }: SignedCall): boolean {
  const shard = Math.max(0, Number(query.text('exchange_index') ?? 0));
  return exchange.groups.find(owner, parameters[0]!)?.shard === shard;
}

/** Answers with the caller's groups. Without groups the answer has no list at all (recorded). */
function list(call: SignedCall, { exchange }: VenueBParts): Reply {
  const groups = ownersOf(exchange, call).flatMap(owner => [...exchange.groups.of(owner)]);
  if (groups.length === 0) return jsonReply(200, {});
  const shown = groups.map(group => ({
    contracts_limit_fp: countText(group.limit),
    exchange_index: group.shard,
    id: group.groupId,
    is_auto_cancel_enabled: group.isTriggered,
  }));
  return jsonReply(200, { order_groups: shown });
}

function one(call: SignedCall, { exchange }: VenueBParts): Reply {
  for (const owner of ownersOf(exchange, call)) {
    const group = exchange.groups.find(owner, call.parameters[0]!);
    if (group !== null) return jsonReply(200, groupObject(group));
  }
  return errorReply(NOT_FOUND);
}

function groupObject({ limit, shard, isTriggered, orderIds }: OrderGroupRecord): JsonObject {
  return {
    contracts_limit_fp: countText(limit),
    exchange_index: shard,
    is_auto_cancel_enabled: isTriggered,
    orders: orderIds,
  };
}

function done(isDone: boolean): Reply {
  return isDone ? jsonReply(200, {}) : errorReply(NOT_FOUND);
}

/** Reads the limit: whole contracts in either field, or the same number in both. */
function limitOf({ contracts_limit: whole, contracts_limit_fp: text }: JsonObject): Result<MicroShares, VenueBError> {
  const said = typeof text === 'string' && text !== '' ? contractsOf(text) : null;
  if (said?.ok === false) return said;
  const contracts = typeof whole === 'number' ? whole : null;
  const micros = said === null ? null : said.value;
  const limit = contracts === null ? micros : ((contracts * MICROS_PER_SHARE) as MicroShares);
  if (limit === null || (micros !== null && micros !== limit)) {
    return fail(invalidOrder('contracts_limit or contracts_limit_fp must be given, and both must say the same'));
  }
  const isWhole = limit % MICROS_PER_SHARE === 0;
  const isInBounds = limit >= MICROS_PER_SHARE && limit <= limits.paperGroupContractsMax * MICROS_PER_SHARE;
  return isWhole && isInBounds ? ok(limit) : fail(errorOf(400, 'invalid_contracts_limit'));
}
