// A trade of venue A (venue-a.md §3.6, §6.3; REST and stream write it alike), as fills of our orders. It has one taker and some makers,
// all at the makers' prices: so a taker has one fill for each maker, at a price of the grid, and not one at their average. Pure.

import type { Settlement } from '../../../domain/fill.ts';
import { decimalTextOf, isObject, type JsonObject, objectsOf, textOf } from '../../../domain/json.ts';
import { isTokenId } from '../../../domain/market-address.ts';
import {
  complementTicks,
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../../domain/numbers.ts';
import { DUST_SHARES } from '../../../domain/order-sums.ts';
import { assert } from '../../../domain/result.ts';
import type { VenueFill } from '../../venue.ts';
import { venueIdOf } from '../../venue-names.ts';
import type { RowReader } from './pages.ts';
import { type FeeTerms, takerFee } from './taker-fee.ts';
import { averagePriceOf, sharesOf, ticksOf, timeOf } from './wire-numbers.ts';

export interface Maker {
  readonly orderId: string;
  readonly owner: string;
  readonly address: string;
  readonly tokenId: string;
  /** Null where the venue does not say it. */
  readonly isBuy: boolean | null;
  readonly size: MicroShares;
  /** In the maker's own token. */
  readonly price: Ticks;
}

export interface Trade {
  readonly tradeId: string;
  readonly conditionId: string;
  readonly settlement: Settlement;
  readonly executedAt: UnixMillis;
  /** What follows is the taker's. */
  readonly orderId: string;
  readonly owner: string;
  readonly address: string;
  readonly tokenId: string;
  readonly isBuy: boolean;
  readonly size: MicroShares;
  /** The average of its fills, rounded; null if it cannot be read, which matters where the makers are not told. */
  readonly price: Ticks | null;
  readonly makers: readonly Maker[];
}

const NANO_DIGITS = 6;
const SETTLEMENTS: readonly (readonly [prefix: string, settlement: Settlement])[] = [
  ['MATCHED', 'MATCHED'],
  ['MINED', 'MINED'],
  ['CONFIRMED', 'CONFIRMED'],
  ['RETRYING', 'RETRYING'],
  ['FAILED', 'FAILED'],
];

/** Null if it cannot be read: it must not be passed over in silence. */
export function readTrade(value: unknown): Trade | null {
  if (!isObject(value)) return null;
  const settlement = settlementOf(value.status);
  const isBuy = sideOf(value.side);
  const size = sharesOf(value.size);
  const price = averagePriceOf(value.price);
  // What was cut to nothing (venue-a.md §9.4) is nobody's fill.
  const makers = objectsOf(value.maker_orders)
    .filter(it => !isCutToNothing(it))
    .map(readMaker);
  const tradeId = venueIdOf(value.id);
  const orderId = venueIdOf(value.taker_order_id).toLowerCase();
  const tokenId = textOf(value.asset_id);
  if (settlement === null || isBuy === null || size === null || size === 0) return null;
  if (tradeId === '' || !isTokenId(tokenId) || makers.includes(null)) return null;
  if (orderId === '' && textOf(value.taker_order_id) !== '') return null;
  const byOrder = merged(makers as readonly Maker[]);
  if (!byOrder.every(maker => Number.isSafeInteger(maker.size))) return null;
  return {
    tradeId,
    conditionId: textOf(value.market),
    settlement,
    executedAt: matchTimeOf(value),
    orderId,
    owner: textOf(value.owner),
    address: textOf(value.maker_address).toLowerCase(),
    tokenId,
    isBuy,
    size,
    price,
    makers: byOrder,
  };
}

/** Rows of the list of trades. */
export const TRADE_ROWS: RowReader<Trade> = { read: readTrade, idOf: ({ tradeId }) => tradeId };

/** Whose fills are wanted: of an account by its key or wallet, or of one order. */
export type Wanted = (party: { readonly orderId: string; readonly owner: string; readonly address: string }) => boolean;

export function fillsOf(trade: Trade, isWanted: Wanted, fees: FeeTerms): VenueFill[] {
  const fills: VenueFill[] = isWanted(trade) ? takerFills(trade, fees) : [];
  for (const maker of trade.makers) if (isWanted(maker)) fills.push(makerFill(trade, maker, fees));
  return fills;
}

/** Whether all makers are told, each cut to hundredths. */
export function tellsMakers({ size, makers }: Trade): boolean {
  const told = makers.reduce((sum, maker) => sum + maker.size, 0);
  return makers.length > 0 && Math.abs(told - size) <= makers.length * DUST_SHARES;
}

function takerFills(trade: Trade, fees: FeeTerms): VenueFill[] {
  // What is final without its makers leaves the taker's own account of the whole.
  if (!tellsMakers(trade)) {
    const { size, price } = trade;
    assert(price !== null, 'without makers and a price a trade is not read to its end');
    return [
      fill(trade, trade, { counterparty: '', size, price, liquidity: 'TAKER', fee: takerFee(fees, price, size) }),
    ];
  }
  return trade.makers.map(maker => {
    const { size } = maker;
    const price = maker.tokenId === trade.tokenId ? maker.price : complementTicks(maker.price);
    const part = {
      counterparty: maker.orderId,
      size,
      price,
      liquidity: 'TAKER',
      fee: takerFee(fees, price, size),
    } as const;
    return fill(trade, trade, part);
  });
}

function makerFill(trade: Trade, maker: Maker, fees: FeeTerms): VenueFill {
  const { size, price, tokenId } = maker;
  // Of the same token somebody sells and somebody buys; of both tokens both do the same.
  const isBuy = maker.isBuy ?? (tokenId === trade.tokenId ? !trade.isBuy : trade.isBuy);
  const fee = fees.isTakerOnly ? (0 as MicroDollars) : takerFee(fees, price, size);
  const party = { orderId: maker.orderId, tokenId, isBuy };
  return fill(trade, party, { counterparty: trade.orderId, size, price, liquidity: 'MAKER', fee });
}

interface Part {
  /** The order on the other side; empty where it is not told. */
  readonly counterparty: string;
  readonly size: MicroShares;
  readonly price: Ticks;
  readonly liquidity: 'MAKER' | 'TAKER';
  readonly fee: MicroDollars;
}

function fill(
  { tradeId, settlement, executedAt }: Trade,
  { orderId, tokenId, isBuy }: { readonly orderId: string; readonly tokenId: string; readonly isBuy: boolean },
  { counterparty, size, price, liquidity, fee }: Part,
): VenueFill {
  return {
    fillId: `${tradeId}:${orderId}:${counterparty}`,
    venueTradeId: tradeId,
    price,
    size,
    fee,
    liquidity,
    settlement,
    executedAt,
    venueOrderId: orderId,
    clientOrderId: null,
    address: tokenId,
    positionChange: (isBuy ? size : -size) as MicroShares,
    addressPrice: price,
  };
}

function isCutToNothing({ matched_amount }: JsonObject): boolean {
  return decimalTextOf(matched_amount) !== '' && sharesOf(matched_amount) === 0;
}

function readMaker(value: JsonObject): Maker | null {
  const size = sharesOf(value.matched_amount);
  const price = ticksOf(value.price);
  const orderId = venueIdOf(value.order_id).toLowerCase();
  const tokenId = textOf(value.asset_id);
  if (size === null || size === 0 || !isTradable(price) || orderId === '' || !isTokenId(tokenId)) return null;
  const [owner, address] = [textOf(value.owner), textOf(value.maker_address).toLowerCase()];
  return { orderId, owner, address, tokenId, isBuy: sideOf(value.side), size, price };
}

/** One entry for each maker's order: it has one price, and fills are told apart by it. */
function merged(makers: readonly Maker[]): readonly Maker[] {
  const byOrder = new Map<string, Maker>();
  for (const maker of makers) {
    const before = byOrder.get(maker.orderId);
    byOrder.set(maker.orderId, { ...maker, size: ((before?.size ?? 0) + maker.size) as MicroShares });
  }
  return byOrder.size === makers.length ? makers : [...byOrder.values()];
}

/** `TRADE_STATUS_MATCHED_NOT_BROADCASTED`: what stands at the beginning counts. */
function settlementOf(value: unknown): Settlement | null {
  const status = textOf(value)
    .toUpperCase()
    .replace(/^TRADE_STATUS_/, '');
  return SETTLEMENTS.find(([prefix]) => status.startsWith(prefix))?.[1] ?? null;
}

function sideOf(value: unknown): boolean | null {
  const side = textOf(value).toUpperCase();
  return side === 'BUY' ? true : side === 'SELL' ? false : null;
}

function isTradable(price: Ticks | null): price is Ticks {
  return price !== null && price > 0 && price < TICKS_PER_DOLLAR;
}

function matchTimeOf(value: JsonObject): UnixMillis {
  const nanos = textOf(value.match_time_nano);
  if (/^\d{19}$/.test(nanos)) return Number(nanos.slice(0, -NANO_DIGITS)) as UnixMillis;
  return timeOf(value.match_time ?? value.matchtime ?? value.timestamp);
}
