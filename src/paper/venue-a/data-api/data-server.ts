// The Data API on a port of its own: venue A's public record of holdings, results and approvals (venue-a.md §8). Thread of the paper
// exchanges.

import { parseJson } from '../../../core/domain/json.ts';
import {
  formatMicroShares,
  formatTicks,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { type HttpRoute, jsonReply, type Reply } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import { POLYGON } from '../../../venues/venue-a/exchanges.ts';
import { conditionKey } from '../../../venues/venue-a/position-ids.ts';
import { type HttpServer, NOT_SERVED, serve } from '../../http-server.ts';
import type { VenueAExchange } from '../exchange.ts';
import { paged, pageOf, Query } from '../gamma/query.ts';
import type { VenueAMarket } from '../market.ts';
import type { ConversionRecord, TokenIndex, TradeRecord, VenueAPosition } from '../records.ts';
import { currentPrice } from '../rest/market-views.ts';
import { isoText, secondsOf } from '../rest/route.ts';
import { APPROVALS } from '../wallet.ts';

interface DataServerOptions {
  readonly exchange: VenueAExchange;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

export function startDataServer({ exchange, host, port }: DataServerOptions): Promise<HttpServer> {
  const notFound = () => jsonReply(404, { error: 'not found', ...NOT_SERVED });
  return serve({ host, port, http: dataRoutes(exchange), refuse: { notFound } });
}

function dataRoutes(exchange: VenueAExchange): HttpRoute[] {
  return [
    route('/', () => jsonReply(200, { data: 'OK' })),
    ofUser('/v2/positions', (user, query) => positionsReply(exchange, user, query)),
    route('/v2/resolutions', query => resolutionsReply(exchange, query)),
    ofUser('/v2/approvals', user => approvalsReply(exchange, user)),
  ];
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

function route(pattern: string, answer: (query: Query) => Reply): HttpRoute {
  return { method: 'get', pattern, handle: request => answer(new Query(request)) };
}

/** Makes a route for requests about one wallet. */
function ofUser(pattern: string, answer: (user: string, query: Query) => Reply): HttpRoute {
  return route(pattern, query => {
    const user = query.text('user');
    return ADDRESS.test(user) ? answer(user, query) : invalidRequest('user', 'an address');
  });
}

/**
 * Returns a page of positions (venue-a.md §8). A cursor belongs to a wallet and to the filters of the first page, so each further request
 * must repeat these filters.
 */
function positionsReply(exchange: VenueAExchange, user: string, query: Query): Reply {
  if (query.text('offset') !== '') return invalidRequest('offset', 'offset is not supported: use cursor');
  const conditions = query.list('condition');
  if (conditions !== null && conditions.size > limits.paperDataConditionsMax)
    return invalidRequest('condition', `at most ${limits.paperDataConditionsMax} conditions`);
  const status = query.text('status').toUpperCase() || 'OPEN';
  if (!STATUSES.includes(status)) return invalidRequest('status', `one of ${STATUSES.join(', ')}`);
  const floor = query.text('filter_amount') === '' ? FLOOR_DEFAULT : parseMicroShares(query.text('filter_amount'));
  if (floor === null) return invalidRequest('filter_amount', 'a number of shares');
  const hasArchived = query.flag('include_archived') === true;
  const filters = JSON.stringify([user.toLowerCase(), status, floor, hasArchived, [...(conditions ?? [])]]);
  const cursor = query.text('cursor');
  const offset = cursor === '' ? 0 : offsetAt(cursor, filters);
  if (offset === null) return invalidRequest('cursor', 'a cursor of this user and of these filters');
  const rows = [...exchange.positions(user)]
    .filter(({ market }) => conditions?.has(market.conditionId) ?? true)
    .map(valued)
    .filter(position => hasStatus(position, status, exchange))
    .filter(position => position.size >= floor || status === 'CLOSED')
    .filter(({ market }) => hasArchived || !isArchived(market, exchange.now()));
  const { limit } = pageOf(query, limits.paperDataRowsPerPage, limits.paperDataV2RowsMax, 0);
  const hasMore = offset + limit < rows.length;
  const history = new WalletHistory(exchange, user);
  return jsonReply(200, {
    data: paged(rows, { limit, offset }).map(position => positionRow(position, exchange, history)),
    pagination: { limit, offset, has_more: hasMore, next_cursor: hasMore ? cursorOf(filters, offset + limit) : null },
  });
}

const STATUSES = ['OPEN', 'REDEEMABLE', 'REDEEMABLE_LOST', 'MERGEABLE', 'CLOSED'];
/** The size below which positions are left out by default: a tenth of a share, in millionths. */
const FLOOR_DEFAULT = 100_000;

/** Whether the position has the status. `OPEN` means every position with shares, also those that wait for their redemption. */
function hasStatus(position: ValuedPosition, status: string, exchange: VenueAExchange): boolean {
  if (status === 'OPEN') return position.size > 0;
  if (status === 'MERGEABLE') return isMergeable(position, exchange);
  return statusOf(position) === status;
}

function cursorOf(filters: string, offset: number): string {
  return Buffer.from(JSON.stringify([filters, offset])).toString('base64url');
}

/** Returns the offset in the cursor. Returns null if the cursor is invalid, or belongs to another request. */
function offsetAt(cursor: string, filters: string): number | null {
  const value = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(value) || value[0] !== filters) return null;
  return Number.isSafeInteger(value[1]) ? (value[1] as number) : null;
}

function approvalsReply(exchange: VenueAExchange, user: string): Reply {
  const revoked = exchange.revoked(user);
  const contracts = APPROVALS.map(it => ({ ...it, approved: !revoked.has(it.id) }));
  return jsonReply(200, {
    data: { address: user.toLowerCase(), chain_id: POLYGON, checked_at: secondsOf(exchange.now()), contracts },
  });
}

/** Returns the results of the markets that the query means by exactly one id. An unknown market has no row. */
function resolutionsReply(exchange: VenueAExchange, query: Query): Reply {
  const asked = SUBJECTS.filter(name => query.text(name) !== '');
  const [subject] = asked;
  if (asked.length !== 1 || subject === undefined)
    return invalidRequest('condition', 'exactly one of condition, question_id, event_id');
  const markets = [...exchange.markets.values()].filter(market => isAbout(market, subject, query.text(subject)));
  return jsonReply(200, { data: markets.map(resolutionRow), pagination: ONLY_PAGE });
}

const SUBJECTS = ['condition', 'question_id', 'event_id'] as const;
const ONLY_PAGE = { limit: 1_000, offset: 0, has_more: false, next_cursor: null };
function isAbout({ listing, event }: VenueAMarket, subject: (typeof SUBJECTS)[number], id: string): boolean {
  if (subject === 'event_id') return event.id === id;
  if (subject === 'question_id') return listing.questionId === id.toLowerCase();
  return conditionKey(id) === listing.conditionId;
}

const MICROS = { won: 1_000_000, half: 500_000, lost: 0 };

function resolutionRow({ listing, resolution }: VenueAMarket): object {
  const common = {
    condition_id: listing.conditionId,
    question_id: listing.questionId,
    market_type: 'BINARY',
    reporter: 'UMA_OO',
    was_disputed: false,
    extended_review: false,
    new_version_q: false,
    transaction_hash: '',
    log_index: '',
  };
  if (resolution === null) return { ...common, status: 'posed', price: UNSET, proposed_price: UNSET };
  const { winner, at } = resolution;
  const first = winner === null ? MICROS.half : winner === 0 ? MICROS.won : MICROS.lost;
  return {
    ...common,
    status: 'resolved',
    payouts: [first, MICROS.won - first],
    resolution_source: 'reported',
    price: PRICES.get(first),
    proposed_price: PRICES.get(first),
    resolved_at: secondsOf(at),
    last_update_timestamp: String(secondsOf(at)),
  };
}

/** The venue's value of an unset price, in units of 1e18. */
const UNSET = '69';
const PRICES = new Map([
  [MICROS.won, '1000000000000000000'],
  [MICROS.half, '500000000000000000'],
  [MICROS.lost, '0'],
]);

function invalidRequest(parameter: string, error: string): Reply {
  return jsonReply(400, { error, code: 'invalid_request', retryable: false, trace_id: '', parameter });
}

/** A position and its value. */
interface ValuedPosition extends VenueAPosition {
  readonly price: MicroDollars;
  readonly value: MicroDollars;
  /** The value less the cost. */
  readonly cashPnl: MicroDollars;
}

function valued(position: VenueAPosition): ValuedPosition {
  const price = currentPrice(position.market, position.token);
  const value = worthOf(position.size, price);
  return { ...position, price, value, cashPnl: (value - position.cost) as MicroDollars };
}

/** Writes a position. Its cost does not include fees. */
function positionRow(position: ValuedPosition, exchange: VenueAExchange, history: WalletHistory): object {
  const { wallet, market, token, size, cost, value, cashPnl, price, bought, realizedPnl } = position;
  const { fees, firstAt, lastAt } = history.of(position);
  const { listing, event } = market;
  return {
    proxy_wallet: wallet.toLowerCase(),
    token_id: listing.tokens[token],
    condition_id: listing.conditionId,
    current_size: exactNumber(size),
    avg_price: shownQuotient(cost, size),
    entry_cost_usdc: exactNumber(cost),
    entry_fees_usdc: exactNumber(fees),
    total_cost_usdc: exactNumber((cost + fees) as MicroDollars),
    current_price: exactNumber(price),
    current_value: exactNumber(value),
    total_size: exactNumber(bought),
    realized_pnl: exactNumber(realizedPnl),
    unrealized_pnl: exactNumber(cashPnl),
    total_pnl: exactNumber((realizedPnl + cashPnl) as MicroDollars),
    percent_pnl: shownQuotient(cashPnl, cost, 100),
    status: statusOf(position),
    redeemable: size > 0 && market.resolution !== null,
    mergeable: isMergeable(position, exchange),
    negative_risk: listing.isNegRisk,
    event_id: event.id,
    event_slug: event.slug,
    title: listing.question,
    slug: listing.slug,
    outcome: listing.outcomes[token],
    outcome_index: token,
    opposite_outcome: listing.outcomes[token === 0 ? 1 : 0],
    opposite_token_id: listing.tokens[token === 0 ? 1 : 0],
    end_date: isoText(listing.endAt),
    first_entry_at: secondsOf(firstAt),
    last_event_at: secondsOf(lastAt),
    archived: isArchived(market, exchange.now()),
    icon: '',
    name: '',
    profile_image: '',
    verified: false,
    percent_realized_pnl: shownQuotient(realizedPnl, cost, 100),
  };
}

type PositionStatus = 'OPEN' | 'REDEEMABLE' | 'REDEEMABLE_LOST' | 'CLOSED';

function statusOf({ size, market, value }: ValuedPosition): PositionStatus {
  if (size === 0) return 'CLOSED';
  if (market.resolution === null) return 'OPEN';
  return value > 0 ? 'REDEEMABLE' : 'REDEEMABLE_LOST';
}

/** Whether the market was resolved long ago. Lists leave its positions out unless the request asks for them. */
function isArchived({ resolution }: VenueAMarket, now: UnixMillis): boolean {
  return resolution !== null && now - resolution.at >= limits.paperDataArchivedAfterMs;
}

/** Returns the value of `size` shares. The price is in micro-dollars, because it may lie between two ticks. */
function worthOf(size: MicroShares, price: MicroDollars): MicroDollars {
  return Number((BigInt(size) * BigInt(price)) / BigInt(MICROS_PER_SHARE)) as MicroDollars;
}

function isMergeable({ wallet, market, token, size }: VenueAPosition, exchange: VenueAExchange): boolean {
  return size > 0 && exchange.shares(wallet, market, token === 0 ? 1 : 0) > 0;
}

interface PositionHistory {
  readonly fees: MicroDollars;
  /** The time of the first kept event. 0 means that no event is kept. */
  readonly firstAt: UnixMillis;
  readonly lastAt: UnixMillis;
}

/** The fees and the time of one event of a position. */
interface Entry {
  readonly fees: number;
  readonly at: UnixMillis;
}

class WalletHistory {
  readonly #wallet: string;
  readonly #trades: ReadonlyMap<VenueAMarket, readonly TradeRecord[]>;
  readonly #conversions: ReadonlyMap<VenueAMarket, readonly ConversionRecord[]>;

  constructor(exchange: VenueAExchange, wallet: string) {
    this.#wallet = wallet.toLowerCase();
    this.#trades = Map.groupBy(exchange.tradesOfWallet(wallet), ({ market }) => market);
    this.#conversions = Map.groupBy(exchange.conversions(wallet), ({ market }) => market);
  }

  of({ market, token }: Pick<VenueAPosition, 'market' | 'token'>): PositionHistory {
    let [fees, firstAt, lastAt] = [0, 0, 0];
    for (const entry of this.#entries(market, token)) {
      fees += entry.fees;
      firstAt = firstAt === 0 ? entry.at : Math.min(firstAt, entry.at);
      lastAt = Math.max(lastAt, entry.at);
    }
    return { fees: fees as MicroDollars, firstAt: firstAt as UnixMillis, lastAt: lastAt as UnixMillis };
  }

  *#entries(market: VenueAMarket, token: TokenIndex): Generator<Entry> {
    for (const trade of this.#trades.get(market) ?? [])
      if (trade.status !== 'FAILED') yield* this.#ofTrade(trade, token);
    for (const { at } of this.#conversions.get(market) ?? []) yield { fees: 0, at };
  }

  *#ofTrade(trade: TradeRecord, token: TokenIndex): Generator<Entry> {
    const { matchedAt: at, isBuy } = trade;
    if (this.#isOwn(trade.makerAddress) && trade.token === token) yield { fees: isBuy ? trade.takerFee : 0, at };
    for (const maker of trade.makers)
      if (this.#isOwn(maker.makerAddress) && maker.token === token) yield { fees: 0, at };
  }

  #isOwn(address: string): boolean {
    return address.toLowerCase() === this.#wallet;
  }
}

/** The number of parts in a whole: the venue shows quotients and positions with four decimals, as many as a tick has. */
const SHOWN_PARTS = 10_000;

/** Returns the amount with all six decimals. */
export function exactNumber(amount: MicroDollars | MicroShares): number {
  return fromText(amount, formatMicroShares(Math.abs(amount) as MicroShares));
}

/** Returns numerator ÷ denominator with four decimals, and 0 if the denominator is 0. `scale` is 100 for percent. */
export function shownQuotient(numerator: number, denominator: number, scale: 1 | 100 = 1): number {
  if (denominator === 0) return 0;
  // The sum in micros times a million exceeds 2^53, so this computes with bigints.
  const wide = BigInt(Math.abs(numerator)) * BigInt(SHOWN_PARTS * scale);
  const [quotient, remainder] = [wide / BigInt(denominator), wide % BigInt(denominator)];
  const rounded = quotient + (remainder * 2n >= BigInt(denominator) ? 1n : 0n);
  return fromText(numerator, formatTicks(Number(rounded) as Ticks));
}

function fromText(sign: number, magnitude: string): number {
  return sign < 0 && magnitude !== '0' ? -Number(magnitude) : Number(magnitude);
}
