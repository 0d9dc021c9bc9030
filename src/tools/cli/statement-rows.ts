// The rows of a statement from the history: fills, splits, merges, payouts and redemptions. Each row has the cash that it has paid, and the
// lots that it closes. If a position has gained more than its fills, the rest was a payout. So the rows of a market add up exactly to its
// ledger.

import { fraction, negative, plus, roundHalfEven, times } from '../../core/domain/fraction.ts';
import type { Venue } from '../../core/domain/market.ts';
import { COST_PER_MICRO_DOLLAR, TICKS_PER_DOLLAR, type UnixMillis } from '../../core/domain/numbers.ts';
import type { Order } from '../../core/domain/order.ts';
import type { Position } from '../../core/domain/position.ts';
import type { WalletAction } from '../../core/domain/wallet-action.ts';
import { type StoredFill, UNATTRIBUTED } from '../../core/store/order-records.ts';
import { type OrderTable, readScope } from '../../core/store/orders/keys.ts';
import { OrderReader } from '../../core/store/orders/order-reader.ts';
import { actionCodec, fillCodec, positionCodec } from '../../core/store/orders/records.ts';
import type { Reader } from '../../core/store/tables.ts';
import { movementOf } from '../../orders/life/fill-frame.ts';
import { type ClosedLot, Holding, type Movement } from './statement-holding.ts';

type RowKind =
  | ('FILL' | 'SPLIT' | 'MERGE' | 'REDEMPTION' | 'PAYOUT' | 'UNATTRIBUTED' | 'LOT' | 'HELD')
  | ('DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER');

/** A row of a statement. Amounts are in 1e-10 dollars, units in micro-shares. */
export interface StatementRow {
  readonly at: UnixMillis;
  readonly owner: string;
  readonly venue: Venue;
  readonly address: string;
  readonly kind: RowKind;
  /** The id of the fill or the action. Empty for any other row. */
  readonly id: string;
  readonly orderId: string;
  readonly action: string;
  readonly side: string;
  /** Null means that no shares moved. */
  readonly units: bigint | null;
  /** The price in ticks, of the side that was traded. */
  readonly price: bigint | null;
  /** The cash, including fees. */
  readonly cash: bigint;
  readonly fee: bigint;
  readonly lot: Partial<ClosedLot> | null;
}

/** A movement of a holding whose closed lots are not known yet. */
type Source = Pick<StatementRow, 'kind' | 'id' | 'orderId' | 'action' | 'side' | 'price' | 'fee'> & Movement;

interface Market {
  readonly owner: string;
  readonly venue: Venue;
  readonly address: string;
  readonly sources: Source[];
}

const HALF = BigInt(TICKS_PER_DOLLAR / 2);
const NO_ORDER = { id: '', orderId: '', action: '', side: '', fee: 0n };

/** All rows from `from` until before `to`, by time. The lots that are held at `to` come last. */
export function statementRows(reader: Reader<OrderTable>, from: UnixMillis, to: UnixMillis): readonly StatementRow[] {
  const markets = new Markets();
  const orders = new OrderReader(reader);
  for (const { key, value } of orders.rows('fills')) markets.addFill(orders, fillCodec.decode(value, key));
  for (const { key, value } of orders.rows('actions')) markets.addAction(actionCodec.decode(value, key));
  const positions = Array.from(orders.rows('positions'), ({ key, value }) => ({
    owner: readScope(key).owner,
    position: positionCodec.decode(value, key),
  }));
  const rows = positions.flatMap(({ owner, position }) => rowsOf(markets.of(owner, position), position, from, to));
  return rows.toSorted((one, other) => one.at - other.at);
}

class Markets {
  readonly #markets = new Map<string, Market>();

  of(owner: string, { venue, address }: Pick<Position, 'venue' | 'address'>): Market {
    const name = `${owner} ${venue} ${address}`;
    const market = this.#markets.get(name) ?? { owner, venue, address, sources: [] };
    this.#markets.set(name, market);
    return market;
  }

  addFill(orders: OrderReader, { fill, orderId }: StoredFill): void {
    // A fill without an order has no direction. The position shows what such a fill has paid.
    const order = orderId === null ? undefined : orders.order(orderId)?.order;
    if (order === undefined || fill.settlement === 'FAILED') return;
    const { address, positionChange, addressPrice } = movementOf(order, fill);
    this.of(order.actorId, { venue: order.request.venue, address }).sources.push({
      at: fill.executedAt,
      change: BigInt(positionChange),
      addressPrice: BigInt(addressPrice),
      cash: null,
      kind: 'FILL',
      id: fill.fillId,
      orderId: order.orderId,
      price: BigInt(fill.price),
      fee: BigInt(fill.fee),
      ...termsOf(order),
    });
  }

  addAction(action: WalletAction): void {
    const { kind, status, actionId: id, actorId, shares, payout, tokenId, complementId, updatedAt: at } = action;
    // A redeem of the whole wallet closes positions of all owners. The positions show it.
    if (status !== 'CONFIRMED' || action.isOfWallet) return;
    const isRedeem = kind === 'REDEEM';
    const price = isRedeem ? BigInt(payout ?? 0) : HALF;
    const change = kind === 'SPLIT' ? BigInt(shares) : -BigInt(shares);
    const source = { ...NO_ORDER, id, at, change, price, addressPrice: price, cash: null };
    for (const address of isRedeem ? [tokenId] : [tokenId, complementId])
      this.of(actorId, { venue: 'venue_a', address }).sources.push({
        ...source,
        kind: isRedeem ? 'REDEMPTION' : kind,
      });
  }
}

function termsOf({ request }: Order): { readonly action: string; readonly side: string } {
  return request.venue === 'venue_b'
    ? { action: request.action, side: request.side }
    : { action: request.side, side: '' };
}

function rowsOf(market: Market, position: Position, from: UnixMillis, to: UnixMillis): readonly StatementRow[] {
  const { owner, venue, address, sources } = market;
  const [whole, untilTo] = [new Holding(venue), new Holding(venue)];
  const sorted = sources.toSorted((one, other) => one.at - other.at);
  for (const it of sorted) whole.move(it);
  const paid = paidOut(market, position, whole);
  const all =
    paid === null ? sorted : [...sorted, { ...paid, at: Math.max(paid.at, sorted.at(-1)?.at ?? 0) as UnixMillis }];
  const rows = all
    .filter(({ at }) => at < to)
    .flatMap(source => {
      const { cash, closed } = untilTo.move(source);
      const { at, kind, id, orderId, action, side, change, price, fee } = source;
      const common = { at, owner, venue, address };
      const moved = { ...common, kind, id, orderId, action, side, units: magnitude(change), price, fee };
      const lots = closed.map(lot => ({ ...common, ...lotRow('LOT', lot, venue), id, orderId }));
      return at < from ? [] : [{ ...moved, cash: cash - fee * COST_PER_MICRO_DOLLAR, lot: null }, ...lots];
    });
  const held = untilTo.held().map(lot => ({ at: to, owner, venue, address, ...lotRow('HELD', lot, venue) }));
  return isNobodys(owner) ? rows.filter(({ kind }) => kind !== 'LOT') : [...rows, ...held];
}

function lotRow(kind: RowKind, lot: Omit<ClosedLot, 'proceeds'>, venue: Venue) {
  const side = venue === 'venue_a' ? '' : lot.units < 0n ? 'NO' : 'YES';
  return { ...NO_ORDER, kind, side, units: magnitude(lot.units), price: null, cash: 0n, lot };
}

/** The position's gain or loss beyond its fills and actions, which are in `whole`. Returns null if there is none. */
function paidOut({ owner, venue }: Market, position: Position, whole: Holding): Source | null {
  const change = BigInt(position.size) - whole.size;
  const cash = cashOf(position) - whole.cash;
  if (change === 0n && cash === 0n) return null;
  const kind = isNobodys(owner) ? 'UNATTRIBUTED' : venue === 'venue_a' && cash > 0n ? 'REDEMPTION' : 'PAYOUT';
  const price = change === 0n ? null : cash / magnitude(change);
  const side = venue === 'venue_a' || change === 0n ? '' : change > 0n ? 'NO' : 'YES';
  return { ...NO_ORDER, kind, side, at: position.updatedAt, change, cash, price, addressPrice: 0n };
}

/** The cash that the position has paid in total, without fees: its profit less the cost of the shares held. */
function cashOf({ venue, size, average, realized }: Position): bigint {
  const units = BigInt(Math.abs(size));
  const cost = times(average, fraction(units));
  // A debt of tokens is kept like a NO, whose cost is one dollar less the price.
  const owed = venue === 'venue_a' && size < 0 ? units * BigInt(TICKS_PER_DOLLAR) : 0n;
  return roundHalfEven(plus(realized, negative(cost))) + owed;
}

function isNobodys(owner: string): boolean {
  return owner.startsWith(`${UNATTRIBUTED}:`);
}

function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}
