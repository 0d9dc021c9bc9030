// An account's data at venue B (venue-b.md §5.6, §6): resting orders, fills, positions and cash. A list that breaks off counts as
// unavailable, because a part must not pass for all. Unreadable rows are listed separately. No read names a shard: by the official client
// (3.30.0) each read then covers all shards. Only writes without a shard go to shard 0. Engine thread.

import { DAY_MS, SECOND_MS } from '../../../core/domain/durations.ts';
import { countOf, type JsonObject, objectsOf } from '../../../core/domain/json.ts';
import type { MicroDollars, MicroShares, UnixMillis } from '../../../core/domain/numbers.ts';
import { COST_PER_MICRO_DOLLAR, complementTicks } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { listedOf, unreadRow } from '../../unread-rows.ts';
import type {
  BalanceRefusal,
  Listed,
  Reading,
  ShardCash,
  UnreadRow,
  VenueBalance,
  VenueFill,
  VenuePosition,
} from '../../venue.ts';
import { venueAddressOf } from '../../wire-values.ts';
import { signedMoneyOf, signedSizeOf, timeOf } from './amounts.ts';
import { readArchive, type VenueBReads } from './archive.ts';
import {
  fillRecordOf,
  namesIn,
  type OrderRecord,
  orderRecordOf,
  unreadFillOf,
  unreadOrderOf,
} from './reported-rows.ts';
import type { VenueBRest } from './rest.ts';

/**
 * A reading that goes back no further than this needs no cutoffs, because the venue has always kept at least two weeks live. A usual
 * reading goes back minutes.
 */
const SURELY_LIVE_MS = DAY_MS;

/** Returns the time up to which the venue's reads are current: they lag behind its engine. */
export async function asOf(rest: VenueBReads, deadline: UnixMillis): Reading<UnixMillis> {
  const answer = await rest.read('/exchange/user_data_timestamp', deadline);
  if (answer.type !== 'body') return fail(answer.message);
  const time = timeOf(undefined, answer.body.as_of_time);
  return time === null ? fail('venue B does not state how fresh its reads are') : ok(time);
}

export async function restingOrders(
  rest: VenueBRest,
  deadline: UnixMillis | null = null,
): Reading<Listed<OrderRecord>> {
  const rows = await rest.readList('/portfolio/orders?status=resting', 'orders', deadline);
  return rows.ok ? ok(listedOf(rows.value, orderRecordOf, unreadOrderOf)) : rows;
}

/** Returns orders in any state, except unreadable orders and those whose state the venue does not know. */
export async function ordersSince(rest: VenueBRest, since: UnixMillis): Reading<readonly OrderRecord[]> {
  const rows = await rowsSince(rest, 'orders', since, '');
  return rows.ok ? ok(listedOf(rows.value, orderRecordOf, unreadOrderOf).rows) : rows;
}

/** Returns fills, oldest first. */
export async function fillsSince(
  rest: VenueBRest,
  since: UnixMillis,
  until: UnixMillis | null = null,
): Reading<Listed<VenueFill>> {
  const end = until === null ? '' : `&max_ts=${secondsOf(until) + 1}`;
  const rows = await rowsSince(rest, 'fills', since, end);
  return rows.ok ? ok(listedOf(rows.value.toReversed(), fillRecordOf, unreadFillOf)) : rows;
}

/**
 * Returns rows, newest first, each once. After a long absence of the gateway, some of the rows are in the archive. A row that moves there
 * during the read is in both lists.
 */
async function rowsSince(
  rest: VenueBRest,
  list: 'orders' | 'fills',
  since: UnixMillis,
  end: string,
): Reading<readonly unknown[]> {
  const query = `min_ts=${secondsOf(since)}${end}`;
  const live = await rest.readList(`/portfolio/${list}?${query}`, list);
  if (!live.ok || rest.now - since < SURELY_LIVE_MS) return live;
  const archived = await readArchive(rest, list, { query, since, deadline: null });
  if (!archived.ok) return archived;
  const known = new Set(live.value.map(row => JSON.stringify(row)));
  return ok([...live.value, ...archived.value.filter(row => !known.has(JSON.stringify(row)))]);
}

export async function positions(rest: VenueBRest, deadline: UnixMillis | null = null): Reading<Listed<VenuePosition>> {
  const rows = await rest.readList('/portfolio/positions?count_filter=position', 'market_positions', deadline);
  return rows.ok ? ok(listedOf(rows.value, positionOf, unreadPositionOf)) : rows;
}

/** Returns the account's holding of the market. */
export async function holding(rest: VenueBRest, ticker: string): Reading<MicroShares> {
  const listed = await positions(rest);
  if (!listed.ok) return listed;
  const { rows, unread } = listed.value;
  const row = rows.find(({ address }) => address === ticker);
  if (row !== undefined) return ok(row.size);
  // An unreadable row may belong to this ticker.
  const mayBe = unread.some(({ addresses }) => addresses.length === 0 || addresses.includes(ticker));
  return mayBe ? fail('venue B lists a position that cannot be read') : ok(0 as MicroShares);
}

/**
 * Reads the balance. `isGross` means that the venue counts money that resting orders hold back as available. A caller waits, so the whole
 * read has the time of one request.
 */
export async function balance(rest: VenueBRest, isGross: boolean): Promise<Result<VenueBalance, BalanceRefusal>> {
  const deadline = rest.deadline();
  const [cash, orders, held] = await Promise.all([
    rest.read('/portfolio/balance', deadline),
    restingOrders(rest, deadline),
    positions(rest, deadline),
  ]);
  const unavailable = (message: string) => fail({ kind: 'unavailable', message } as const);
  if (cash.type === 'unavailable' && cash.isRefused) return fail({ kind: 'fault', message: cash.message });
  if (cash.type !== 'body') return unavailable(cash.message);
  if (!orders.ok) return unavailable(orders.error);
  if (!held.ok) return unavailable(held.error);
  const stated = availableIn(cash.body);
  if (stated === null) return unavailable('venue B shows a balance that cannot be read');
  // An order in an unreadable row may hold back money. Without it the balance would be too large.
  if (orders.value.unread.length > 0) return unavailable('venue B lists an order that cannot be read');
  if (held.value.unread.length > 0) return unavailable('venue B lists a position that cannot be read');
  const committed = committedBy(orders.value.rows, held.value.rows);
  const available = Math.max(0, isGross ? stated - committed : stated) as MicroDollars;
  const none = 0 as MicroDollars;
  const shards = shardsIn(cash.body, isGross ? orders.value.rows : [], held.value.rows);
  return ok({ available, committed, committedTo: orders.value.rows, claimable: none, unconverted: none, shards });
}

/**
 * Returns the cash of each shard. `holding` are the orders whose costs the venue has not subtracted. Returns no shards if the venue does
 * not state the cash of each one, or the shard of such an order.
 */
export function shardsIn(
  body: JsonObject,
  holding: readonly OrderRecord[],
  held: readonly VenuePosition[],
): readonly ShardCash[] {
  const stated = objectsOf(body.balance_breakdown);
  const cash = new Map(stated.map(row => [countOf(row.exchange_index), signedMoneyOf(row.balance)]));
  const isWhole = [...cash].every(([shard, amount]) => shard !== null && amount !== null);
  if (!isWhole || cash.size < stated.length || !holding.every(({ shard }) => cash.has(shard))) return [];
  return [...(cash as Map<number, MicroDollars>)].map(([shard, amount]) => {
    const committed = committedBy(
      holding.filter(order => order.shard === shard),
      held,
    );
    return { shard, available: Math.max(0, amount - committed) as MicroDollars };
  });
}

/** Returns the cash of all shards together, or null if it is unreadable. */
export function availableIn(body: JsonObject): MicroDollars | null {
  const shards = objectsOf(body.balance_breakdown).map(shard => signedMoneyOf(shard.balance));
  if (shards.length === 0) return signedMoneyOf(body.balance_dollars);
  const total = shards.reduce((sum: number, shard) => sum + (shard ?? Number.NaN), 0);
  return Number.isSafeInteger(total) ? (total as MicroDollars) : null;
}

/**
 * Returns the money that resting orders hold back, without fees. A bid holds back its price, an ask the price of NO, except as far as they
 * close a position.
 */
export function committedBy(orders: readonly OrderRecord[], held: readonly VenuePosition[]): MicroDollars {
  const closable = new Map(held.flatMap(({ address, size }) => (size === 0 ? [] : [[address, size] as const])));
  let cost = 0n;
  for (const { address, side, limit, remaining } of orders.toReversed()) {
    const position = closable.get(address) ?? 0;
    const closes = Math.min(remaining, Math.max(0, side === 'bid' ? -position : position));
    if (closes > 0) closable.set(address, (position + (side === 'bid' ? closes : -closes)) as MicroShares);
    cost += BigInt(side === 'bid' ? limit : complementTicks(limit)) * BigInt(remaining - closes);
  }
  return Number((cost + COST_PER_MICRO_DOLLAR - 1n) / COST_PER_MICRO_DOLLAR) as MicroDollars;
}

function secondsOf(time: UnixMillis): number {
  return Math.max(0, Math.floor(time / SECOND_MS));
}

export function positionOf(row: JsonObject): VenuePosition | null {
  const address = venueAddressOf(row.ticker);
  const size = signedSizeOf(row.position_fp);
  return address === '' || size === null ? null : { address, size, isRedeemable: false };
}

function unreadPositionOf(row: JsonObject): UnreadRow {
  const { addresses } = namesIn(row);
  return unreadRow('position', addresses[0] ?? '', row, { addresses });
}
