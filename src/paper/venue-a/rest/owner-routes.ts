// Routes of an API key's owner at venue A: the keys (venue-a.md §1.1, §1.3), reads and heartbeats (§3.4–3.9), and lists that are empty
// here. Thread of the paper exchanges.

import { isObject, stringsOf, textOf } from '../../../core/domain/json.ts';
import type { Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { type Address, checksumAddress, readAddress } from '../../../venues/venue-a/address.ts';
import { type ChainId, type Exchange, exchangeOf } from '../../../venues/venue-a/exchanges.ts';
import type { Protocol } from '../../../venues/venue-a/position-ids.ts';
import type { SignatureType } from '../../../venues/venue-a/typed-data.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { OrderRecord, TradeRecord } from '../records.ts';
import type { VenueAAccess, Wallets } from './access.ts';
import { orderView, tradeView } from './order-routes.ts';
import {
  emptyPage,
  errorReply,
  INVALID_TOKEN_ID,
  l1,
  l2,
  ok,
  type PrivateCall,
  pageReply,
  secondsOf,
  type VenueARoute,
} from './route.ts';

interface PortfolioRouteParts {
  readonly exchange: VenueAExchange;
  readonly wallets: Wallets;
  readonly chainId: ChainId;
}

const ORDER_NOT_FOUND = errorReply(404, 'Order not found');
const UNLIMITED = String(2n ** 256n - 1n);
const rowsMax = limits.paperVenueARowsPerPageMax;

export function portfolioRoutes(parts: PortfolioRouteParts): VenueARoute[] {
  const { exchange } = parts;
  const [regular, negRisk] = [false, true].map(isNegRisk => exchangeOf('V1', parts.chainId, isNegRisk)) as [
    Exchange,
    Exchange,
  ];
  const v2 = exchangeOf('V2', parts.chainId, false);
  const allowances = {
    COLLATERAL: allowancesOf([regular, negRisk, v2]),
    V1: allowancesOf([regular, negRisk]),
    V2: allowancesOf([v2]),
  };
  const cache = new CollateralCache(exchange);
  return [
    l2('get', '/data/order/:id', call => orderReply(exchange, call)),
    l2('get', '/data/orders', ({ query, caller, staleMs }) =>
      pageReply(orders(exchange.openOrders(caller.apiKey, staleMs), query), query, rowsMax, orderView),
    ),
    l2('get', '/data/trades', ({ query, caller, staleMs }) =>
      pageReply(wantedTrades(exchange.trades(caller.apiKey, staleMs), query), query, rowsMax, trade =>
        tradeView(trade, caller.apiKey),
      ),
    ),
    l2('get', '/data/pre-migration-orders', () => emptyPage(rowsMax)),
    l2('get', '/balance-allowance', call => balanceReply({ ...parts, cache, allowances }, call)),
    l2('get', '/balance-allowance/update', call => {
      const wallet = /^[0-3]$/.test(typeIn(call)) ? walletOf(parts, call) : null;
      if (wallet !== null) cache.update(wallet);
      return ok('');
    }),
    l2('post', '/v1/heartbeats', ({ body, caller }) => {
      const beat = exchange.heartbeats.beat(caller.apiKey, isObject(body) ? textOf(body.heartbeat_id) : '');
      if (beat.ok) return ok({ heartbeat_id: beat.value });
      return {
        ...errorReply(400, ''),
        body: JSON.stringify({ error: 'Invalid Heartbeat ID', heartbeat_id: beat.error }),
      };
    }),
    l2('post', '/heartbeats', ({ caller }) => {
      // The older call has no id, so this takes the expected one.
      const beat = exchange.heartbeats.beat(caller.apiKey, '');
      if (!beat.ok) exchange.heartbeats.beat(caller.apiKey, beat.error);
      return ok({ status: 'ok' });
    }),
    l2('get', '/order-scoring', () => ok({ scoring: false })),
    l2('post', '/orders-scoring', ({ body }) => ok(Object.fromEntries(stringsOf(body).map(id => [id, false])))),
    l2('get', '/notifications', () => ok([])),
    l2('delete', '/notifications', () => ok('OK')),
    l2('get', '/v1/user/session-signers', () => ok([])),
    l2('get', '/rewards/user', () => emptyPage(rowsMax)),
    l2('get', '/rewards/user/total', () => ok([])),
    l2('get', '/rewards/user/percentages', () => ok({})),
    l2('get', '/rewards/user/markets', () => emptyPage(rowsMax)),
  ];
}

/** Answers with an order. The venue does not answer here for an ended order: its trades show the result. */
function orderReply(exchange: VenueAExchange, { parameters, caller, staleMs }: PrivateCall): Reply {
  const order = exchange.order(caller.apiKey, parameters[0] ?? '', staleMs);
  if (order === null) return ORDER_NOT_FOUND;
  const isActive = order.status === 'LIVE' || order.status === 'DELAYED' || order.status === 'UNMATCHED';
  return ok(isActive ? orderView(order) : null);
}

function* orders(all: Iterable<OrderRecord>, query: URLSearchParams): Iterable<OrderRecord> {
  const isWanted = filter(query);
  for (const order of all) {
    const { listing } = order.market;
    if (!isWanted('id', order.orderId) || !isWanted('market', listing.conditionId)) continue;
    if (isWanted('asset_id', listing.tokens[order.token])) yield order;
  }
}

/** Yields the trades that match a query. */
export function* wantedTrades(all: Iterable<TradeRecord>, query: URLSearchParams): Iterable<TradeRecord> {
  const isWanted = filter(query);
  const [after, before] = [secondsIn(query.get('after'), 0), secondsIn(query.get('before'), Number.MAX_SAFE_INTEGER)];
  for (const trade of all) {
    const { listing } = trade.market;
    const at = secondsOf(trade.matchedAt);
    if (at < after || at > before || !isWanted('id', trade.tradeId)) continue;
    if (!isWanted('market', listing.conditionId) || !isWanted('asset_id', listing.tokens[trade.token])) continue;
    const addresses = [trade.makerAddress, ...trade.makers.map(maker => maker.makerAddress)];
    if (addresses.some(address => isWanted('maker_address', address))) yield trade;
  }
}

/** Returns whether a field matches the query, if the query has this field. Hex matches in any case. */
function filter(query: URLSearchParams): (name: string, value: string) => boolean {
  return (name, value) => {
    const wanted = query.get(name);
    return wanted === null || wanted === '' || wanted.toLowerCase() === value.toLowerCase();
  };
}

function secondsIn(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
}

/** Returns unlimited allowances for all exchanges that settle in the asset, because every client sets them. */
function allowancesOf(exchanges: readonly Exchange[]): Readonly<Record<string, string>> {
  const contracts = exchanges.map(it => it.contract);
  return Object.fromEntries(contracts.map(contract => [checksumAddress(contract), UNLIMITED]));
}

/**
 * The CLOB's view of a wallet's dollars (§3.7): the dollars on chain at the last update, and the trades since. Tokens have no such delay.
 */
class CollateralCache {
  readonly #exchange: VenueAExchange;
  /** The dollars that had come on chain at the last update, by wallet. */
  readonly #known = new Map<string, number>();

  constructor(exchange: VenueAExchange) {
    this.#exchange = exchange;
  }

  update(wallet: string): void {
    this.#known.set(wallet, this.#exchange.brought(wallet));
  }

  of(wallet: string): number {
    if (!this.#known.has(wallet)) this.update(wallet);
    const unseen = this.#exchange.brought(wallet) - this.#known.get(wallet)!;
    return Math.max(0, this.#exchange.collateral(wallet) - unseen);
  }
}

const ASSET_PROTOCOLS: ReadonlyMap<string, Protocol> = new Map([
  ['CONDITIONAL', 'V1'],
  ['CONDITIONAL-V2', 'V2'],
]);

interface BalanceParts extends PortfolioRouteParts {
  readonly cache: CollateralCache;
  readonly allowances: Readonly<Record<'COLLATERAL' | Protocol, Readonly<Record<string, string>>>>;
}

function balanceReply(parts: BalanceParts, call: PrivateCall): Reply {
  const { exchange, cache, allowances } = parts;
  if (!/^[0-3]$/.test(typeIn(call))) return errorReply(400, 'Invalid signature_type');
  const wallet = walletOf(parts, call);
  const of = (balance: number, kind: 'COLLATERAL' | Protocol): Reply =>
    ok({ balance: String(balance), allowances: allowances[kind] });
  const asset = call.query.get('asset_type') ?? '';
  if (asset === 'COLLATERAL') return of(wallet === null ? 0 : cache.of(wallet), 'COLLATERAL');
  const protocol = ASSET_PROTOCOLS.get(asset);
  if (protocol === undefined) return errorReply(400, 'Invalid asset type');
  const token = exchange.tokens.get(call.query.get('token_id') ?? '');
  if (token === undefined || token.market.protocol !== protocol) return INVALID_TOKEN_ID;
  return of(wallet === null ? 0 : exchange.shares(wallet, token.market, token.index), protocol);
}

function typeIn({ query }: PrivateCall): string {
  return query.get('signature_type') ?? '0';
}

function walletOf({ wallets }: PortfolioRouteParts, call: PrivateCall): string | null {
  const owner = readAddress(call.caller.address) as Address;
  return wallets.of(owner, Number(typeIn(call)) as SignatureType);
}

const NOT_CREATED = errorReply(400, 'Could not create api key');
const NOT_DERIVED = errorReply(400, 'Could not derive api key!');

export function keyRoutes(access: VenueAAccess): VenueARoute[] {
  const { keys } = access;
  return [
    l1('post', '/auth/api-key', ({ address, nonce }) => {
      const credentials = access.createKey(address as Address, nonce);
      return credentials === null ? NOT_CREATED : ok(credentials);
    }),
    l1('get', '/auth/derive-api-key', ({ address, nonce }) => {
      const key = keys.derive(address as Address, nonce);
      return key === null ? NOT_DERIVED : ok(key.credentials);
    }),
    l2('get', '/auth/api-keys', ({ caller }) => ok({ apiKeys: keys.ofAddress(caller.address) })),
    // Signed orders are independent of keys. Orders of a deleted key stay until they are matched or expire, or until the key is made again.
    l2('delete', '/auth/api-key', ({ caller }) => {
      access.deleteKey(caller.apiKey);
      return ok('OK');
    }),
    l2('get', '/auth/ban-status/closed-only', ({ caller }) =>
      ok({ closed_only: access.restrictionOf(caller.address) === 'closed-only' }),
    ),
    ...spareKeyRoutes(access),
  ];
}

/** Returns the routes of keys that can be listed and deleted, but have no rights here. */
function spareKeyRoutes({ keys }: VenueAAccess): VenueARoute[] {
  return [
    l2('post', '/auth/readonly-api-key', ({ caller }) => {
      const made = keys.createSpare('readonly', caller.address);
      return made === null ? NOT_CREATED : ok({ apiKey: made.apiKey });
    }),
    l2('get', '/auth/readonly-api-keys', ({ caller }) => ok(keys.spares('readonly', caller.address))),
    l2('delete', '/auth/readonly-api-key', ({ caller, body }) =>
      ok(keys.deleteSpare('readonly', caller.address, isObject(body) ? textOf(body.key) : '')),
    ),
    l2('post', '/auth/builder-api-key', ({ caller }) => {
      const made = keys.createSpare('builder', caller.address);
      if (made === null) return NOT_CREATED;
      return ok({ key: made.apiKey, secret: made.secret, passphrase: made.passphrase });
    }),
    l2('get', '/auth/builder-api-key', ({ caller }) =>
      ok(keys.spares('builder', caller.address).map(key => ({ key }))),
    ),
    l2('delete', '/auth/builder-api-key', ({ caller }) => {
      keys.deleteSpare('builder', caller.address, null);
      return ok('OK');
    }),
  ];
}
