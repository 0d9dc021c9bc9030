// A trade of venue A (venue-a.md §3.6, §6.3; REST and stream write it alike), as fills of our orders. It has one taker and some makers,
// all at the makers' prices: so a taker has one fill for each maker, at a price of the grid, and not one at their average. Pure.

import { isFinal, type Settlement } from '../../../domain/fill.ts';
import { isObject, isUnsaid, type JsonObject, textOf } from '../../../domain/json.ts';
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

/** Who took part in a trade. Empty: not said, or not readable. */
export interface Party {
  readonly orderId: string;
  readonly owner: string;
  readonly address: string;
  readonly tokenId: string;
}

export interface Maker extends Party {
  readonly isBuy: boolean;
  readonly size: MicroShares;
  /** In the maker's own token. */
  readonly price: Ticks;
}

/** A part that cannot be read. `isGarbled`: it says something that is no value; else it only says nothing yet. */
export interface UnreadParty extends Party {
  readonly isGarbled: boolean;
}

/** Its own order, token and owner are the taker's, whose numbers may be missing: null. */
export interface Trade extends UnreadParty {
  readonly type: 'trade';
  readonly tradeId: string;
  readonly conditionId: string;
  readonly settlement: Settlement;
  readonly executedAt: UnixMillis;
  readonly isBuy: boolean | null;
  readonly size: MicroShares | null;
  /** The average of its fills, rounded; null if it cannot be read, which matters where the makers are not told. */
  readonly price: Ticks | null;
  readonly makers: readonly Maker[];
  /** Makers whose parts cannot be read. */
  readonly unread: readonly UnreadParty[];
  /** As it came. */
  readonly row: unknown;
}

/** A row of the list without a readable id or status: whose it is, as far as it says so. */
export interface UnreadTrade extends Pick<Trade, 'tradeId' | 'conditionId' | 'executedAt' | 'row'> {
  readonly type: 'unread';
  readonly parties: readonly Party[];
}

export type TradeRow = Trade | UnreadTrade;

const NANO_DIGITS = 6;
const SETTLEMENTS: readonly (readonly [prefix: string, settlement: Settlement])[] = [
  ['MATCHED', 'MATCHED'],
  ['MINED', 'MINED'],
  ['CONFIRMED', 'CONFIRMED'],
  ['RETRYING', 'RETRYING'],
  ['FAILED', 'FAILED'],
];

export function readTrade(row: unknown): TradeRow {
  const value = isObject(row) ? row : {};
  const taker = partyOf(value, value.taker_order_id);
  const settlement = settlementOf(value.status);
  const tradeId = venueIdOf(value.id);
  const common = { tradeId, conditionId: textOf(value.market), executedAt: matchTimeOf(value), row };
  const [isBuy, size] = [sideOf(value.side), sharesOf(value.size)];
  const side = { isBuy, tokenId: taker.tokenId };
  const listed = Array.isArray(value.maker_orders) ? (value.maker_orders as readonly unknown[]) : [];
  // What was cut to nothing (venue-a.md §9.4) is nobody's fill.
  const parts = listed.filter(it => !isCutToNothing(it)).map(it => readMaker(it, side));
  if (settlement === null || tradeId === '') {
    return { type: 'unread', ...common, parties: [taker, ...parts] };
  }
  const { makers, unread } = byOrder(parts);
  const isGarbled =
    (isBuy === null && !isUnsaid(value.side)) ||
    (!(size !== null && size > 0) && !isUnsaid(value.size)) ||
    (taker.tokenId === '' && !isUnsaid(value.asset_id)) ||
    (taker.orderId === '' && !isUnsaid(value.taker_order_id));
  const price = averagePriceOf(value.price);
  return {
    type: 'trade',
    ...common,
    ...taker,
    isGarbled,
    settlement,
    isBuy,
    size: size || null,
    price,
    makers,
    unread,
  };
}

/** Rows of the list of trades. */
export const TRADE_ROWS: RowReader<TradeRow> = { read: readTrade, idOf: ({ tradeId }) => tradeId };

/** Whose fills are wanted: of an account by its key or wallet, or of one order. */
export interface Wanted {
  is(party: Party): boolean;
  /** Whether it does not say whose it is. */
  mayBe(party: Party): boolean;
}

/** Of a trade that is told as far as it is wanted (`lostOf`). */
export function fillsOf(trade: Trade, wanted: Wanted, fees: FeeTerms): VenueFill[] {
  const fills: VenueFill[] = wanted.is(trade) && isTakerTold(trade) ? takerFills(trade, fees) : [];
  for (const maker of trade.makers) if (wanted.is(maker)) fills.push(makerFill(trade, maker, fees));
  return fills;
}

/** Wanted parts, or such as may be, that cannot be told. */
export function lostOf(trade: TradeRow, wanted: Wanted): readonly Party[] {
  const isMeant = (party: Party) => wanted.is(party) || wanted.mayBe(party);
  if (trade.type === 'unread') return trade.parties.filter(isMeant);
  const lost: Party[] = trade.unread.filter(isMeant);
  if (isMeant(trade) && !isTakerTold(trade)) lost.push(trade);
  if (lost.length > 0 || [trade, ...trade.makers].some(wanted.is)) return lost;
  // In a list of somebody's trades one part is theirs: that which does not say whose it is.
  return [trade, ...trade.makers].filter(wanted.mayBe);
}

/** Whether nothing that is wanted of it could be told better: a taker's fills are told apart by the makers. */
export function isWhole(trade: TradeRow, wanted: Wanted): trade is Trade {
  if (trade.type === 'unread' || lostOf(trade, wanted).length > 0) return false;
  return !wanted.is(trade) || tellsMakers(trade);
}

/** Without its makers a trade is told by its own account of the whole, once nothing more will be said of it. */
function isTakerTold(trade: Trade): trade is Trade & { readonly isBuy: boolean; readonly size: MicroShares } {
  const { isGarbled, isBuy, size, price, tokenId, settlement } = trade;
  if (isGarbled || isBuy === null || size === null || tokenId === '') return false;
  return tellsMakers(trade) || (isFinal(settlement) && price !== null);
}

/** Whether all makers are told, each cut to hundredths. */
function tellsMakers({ size, makers }: Trade): boolean {
  const told = makers.reduce((sum, maker) => sum + maker.size, 0);
  return size !== null && makers.length > 0 && Math.abs(told - size) <= makers.length * DUST_SHARES;
}

function takerFills(
  trade: Trade & { readonly isBuy: boolean; readonly size: MicroShares },
  fees: FeeTerms,
): VenueFill[] {
  if (!tellsMakers(trade)) {
    const { size, price } = trade;
    assert(price !== null, 'without makers and a price a trade is not told');
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
  const { size, price } = maker;
  const fee = fees.isTakerOnly ? (0 as MicroDollars) : takerFee(fees, price, size);
  return fill(trade, maker, { counterparty: trade.orderId, size, price, liquidity: 'MAKER', fee });
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

function isCutToNothing(value: unknown): boolean {
  return isObject(value) && !isUnsaid(value.matched_amount) && sharesOf(value.matched_amount) === 0;
}

function partyOf(value: JsonObject, orderId: unknown): Party {
  const tokenId = textOf(value.asset_id);
  return {
    orderId: venueIdOf(orderId).toLowerCase(),
    owner: textOf(value.owner),
    address: textOf(value.maker_address).toLowerCase(),
    tokenId: isTokenId(tokenId) ? tokenId : '',
  };
}

/** `taker`: by it a maker's side is told where the venue does not say it. */
function readMaker(
  it: unknown,
  taker: { readonly isBuy: boolean | null; readonly tokenId: string },
): Maker | UnreadParty {
  const value = isObject(it) ? it : {};
  const party = partyOf(value, value.order_id);
  const [size, price] = [sharesOf(value.matched_amount), ticksOf(value.price)];
  // Of the same token somebody sells and somebody buys; of both tokens both do the same.
  const isOpposite = party.tokenId === taker.tokenId;
  const isBuy =
    sideOf(value.side) ?? (taker.isBuy === null || taker.tokenId === '' ? null : taker.isBuy !== isOpposite);
  const isNamed = party.orderId !== '' && party.tokenId !== '';
  if (isNamed && size !== null && isTradable(price) && isBuy !== null) return { ...party, isBuy, size, price };
  const isGarbled =
    (size === null && !isUnsaid(value.matched_amount)) ||
    (!isTradable(price) && !isUnsaid(value.price)) ||
    (party.orderId === '' && !isUnsaid(value.order_id)) ||
    (party.tokenId === '' && !isUnsaid(value.asset_id));
  return { ...party, isGarbled };
}

/** One entry for each maker's order: it has one price, and fills are told apart by it. What is missing of one is missing of all of it. */
function byOrder(parts: readonly (Maker | UnreadParty)[]): Pick<Trade, 'makers' | 'unread'> {
  const unread = parts.filter(part => !('size' in part)) as UnreadParty[];
  const makers = new Map<string, Maker>();
  for (const part of parts) {
    if (!('size' in part) || unread.some(it => it.orderId === part.orderId)) continue;
    const size = ((makers.get(part.orderId)?.size ?? 0) + part.size) as MicroShares;
    makers.set(part.orderId, { ...part, size });
  }
  for (const maker of makers.values()) {
    if (Number.isSafeInteger(maker.size)) continue;
    makers.delete(maker.orderId);
    unread.push({ ...maker, isGarbled: true });
  }
  return { makers: [...makers.values()], unread };
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
  return timeOf([value.match_time, value.matchtime, value.timestamp].find(time => !isUnsaid(time)));
}
