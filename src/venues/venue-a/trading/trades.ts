// Reads a trade of venue A (venue-a.md §3.6, §6.3; the same form in REST and on the stream) as fills of our orders. A trade has one taker
// and some makers, all at the makers' prices. So a taker gets one fill per maker, at a price of the grid, instead of one fill at the
// average. Pure.

import { isFinal, SETTLEMENTS, type Settlement } from '../../../core/domain/fill.ts';
import { isAbsent, isObject, type JsonObject, textOf } from '../../../core/domain/json.ts';
import { isTokenId } from '../../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../core/domain/numbers.ts';
import { complementTicks, TICKS_PER_DOLLAR } from '../../../core/domain/numbers.ts';
import { DUST_SHARES } from '../../../core/domain/order-sums.ts';
import { assert } from '../../../core/domain/result.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import type { VenueFill } from '../../venue.ts';
import { ticksOf, venueIdOf } from '../../wire-values.ts';
import { type FeeTerms, takerFee } from './market-terms.ts';
import type { RowReader } from './pages.ts';
import { averagePriceOf, sharesOf, timeOf } from './wire-numbers.ts';

/** A participant of a trade. An empty text means that the value is not stated, or unreadable. */
export interface Party {
  readonly orderId: string;
  readonly owner: string;
  readonly address: string;
  readonly tokenId: string;
}

interface Maker extends Party {
  readonly isBuy: boolean;
  readonly size: MicroShares;
  /** The price in the maker's own token. */
  readonly price: Ticks;
}

/** A part of a trade that is unreadable. `isGarbled` means that a value is invalid; otherwise values are only missing so far. */
interface UnreadParty extends Party {
  readonly isGarbled: boolean;
}

/** A trade. Its order, token and owner are the taker's. A number is null if it is missing. */
export interface Trade extends UnreadParty {
  readonly type: 'trade';
  readonly tradeId: string;
  readonly conditionId: string;
  readonly settlement: Settlement;
  readonly executedAt: UnixMillis;
  readonly isBuy: boolean | null;
  readonly size: MicroShares | null;
  /** The rounded average price of the taker's fills. Null if unreadable, which matters only without makers. */
  readonly price: Ticks | null;
  readonly makers: readonly Maker[];
  /** Makers with unreadable parts. */
  readonly unread: readonly UnreadParty[];
  /** The row as received. */
  readonly row: unknown;
}

/** A row of the list whose id or status is unreadable, with its readable participants. */
interface UnreadTrade extends Pick<Trade, 'tradeId' | 'conditionId' | 'executedAt' | 'row'> {
  readonly type: 'unread';
  readonly parties: readonly Party[];
}

export type TradeRow = Trade | UnreadTrade;

const NANO_DIGITS = 6;

export function readTrade(row: unknown): TradeRow {
  const value = isObject(row) ? row : {};
  const taker = partyOf(value, value.taker_order_id);
  const settlement = settlementOf(value.status);
  const tradeId = venueIdOf(value.id);
  const common = { tradeId, conditionId: textOf(value.market), executedAt: matchTimeOf(value), row };
  const [isBuy, size] = [sideOf(value.side), sharesOf(value.size)];
  const side = { isBuy, tokenId: taker.tokenId };
  const listed = Array.isArray(value.maker_orders) ? (value.maker_orders as readonly unknown[]) : [];
  // A part whose size was cut to nothing (venue-a.md §9.4) is not a fill.
  const parts = listed.filter(it => !isCutToNothing(it)).map(it => readMaker(it, side));
  if (settlement === null || tradeId === '') {
    return { type: 'unread', ...common, parties: [taker, ...parts] };
  }
  const { makers, unread } = byOrder(parts);
  const isGarbled =
    (isBuy === null && !isAbsent(value.side)) ||
    (!(size !== null && size > 0) && !isAbsent(value.size)) ||
    (taker.tokenId === '' && !isAbsent(value.asset_id)) ||
    (taker.orderId === '' && !isAbsent(value.taker_order_id));
  const numbers = { isBuy, size: size || null, price: averagePriceOf(value.price) };
  return { type: 'trade', ...common, ...taker, isGarbled, settlement, ...numbers, makers, unread };
}

/** The reader for rows of the list of trades. */
export const TRADE_ROWS: RowReader<TradeRow> = { read: readTrade, idOf: ({ tradeId }) => tradeId };

/** Says which fills are wanted: those of an account, by its key or wallet, or those of one order. */
export interface Wanted {
  is(party: Party): boolean;
  /** Whether the party does not state its owner. */
  mayBe(party: Party): boolean;
}

/** Returns the wanted fills of a trade that are readable; `lostOf` has the others. */
export function fillsOf(trade: Trade, wanted: Wanted, fees: FeeTerms): VenueFill[] {
  const fills: VenueFill[] = wanted.is(trade) && isTakerReported(trade) ? takerFills(trade, fees) : [];
  for (const maker of trade.makers) {
    if (!wanted.is(maker)) continue;
    const { size, price } = maker;
    const fee = fees.isTakerOnly ? (0 as MicroDollars) : takerFee(fees, price, size);
    fills.push(fill(trade, maker, trade.orderId, { size, price, liquidity: 'MAKER', fee }));
  }
  return fills;
}

/** Returns the unreadable parts that are wanted, or may be. */
export function lostOf(trade: TradeRow, wanted: Wanted): readonly Party[] {
  const isMeant = (party: Party) => wanted.is(party) || wanted.mayBe(party);
  if (trade.type === 'unread') return trade.parties.filter(isMeant);
  const lost: Party[] = trade.unread.filter(isMeant);
  if (isMeant(trade) && !isTakerReported(trade)) lost.push(trade);
  if (lost.length > 0 || [trade, ...trade.makers].some(wanted.is)) return lost;
  // In a list of one account's trades, one party is the account's. If no party is known to be, it is a party that does not state its owner.
  return [trade, ...trade.makers].filter(wanted.mayBe);
}

/** Whether nothing wanted is missing, so that a further read could add nothing: a taker's fills need all makers. */
export function isWhole(trade: TradeRow, wanted: Wanted): trade is Trade {
  if (trade.type === 'unread' || lostOf(trade, wanted).length > 0) return false;
  return !wanted.is(trade) || reportsMakers(trade);
}

/** Whether the taker's fills are known. A trade without its makers counts as one fill of the whole size, once its settlement is final. */
function isTakerReported(trade: Trade): trade is Trade & { readonly isBuy: boolean; readonly size: MicroShares } {
  const { isGarbled, isBuy, size, price, tokenId, settlement } = trade;
  if (isGarbled || isBuy === null || size === null || tokenId === '') return false;
  return reportsMakers(trade) || (isFinal(settlement) && price !== null);
}

/** Whether the sizes of the makers, each cut to hundredths, add up to the whole trade. */
function reportsMakers({ size, makers }: Trade): boolean {
  const reported = makers.reduce((sum, maker) => sum + maker.size, 0);
  return size !== null && makers.length > 0 && Math.abs(reported - size) <= makers.length * DUST_SHARES;
}

function takerFills(
  trade: Trade & { readonly isBuy: boolean; readonly size: MicroShares },
  fees: FeeTerms,
): VenueFill[] {
  const part = (counterparty: string, size: MicroShares, price: Ticks) =>
    fill(trade, trade, counterparty, { size, price, liquidity: 'TAKER', fee: takerFee(fees, price, size) });
  if (reportsMakers(trade)) {
    return trade.makers.map(({ orderId, tokenId, size, price }) =>
      part(orderId, size, tokenId === trade.tokenId ? price : complementTicks(price)),
    );
  }
  assert(trade.price !== null, 'a trade without makers and a price is unread');
  return [part('', trade.size, trade.price)];
}

/** Returns a fill. `counterparty` is the order on the other side; empty if not stated. */
function fill(
  { tradeId, settlement, executedAt }: Trade,
  { orderId, tokenId, isBuy }: { readonly orderId: string; readonly tokenId: string; readonly isBuy: boolean },
  counterparty: string,
  part: Pick<VenueFill, 'size' | 'price' | 'liquidity' | 'fee'>,
): VenueFill {
  return {
    fillId: `${tradeId}:${orderId}:${counterparty}`,
    venueTradeId: tradeId,
    ...part,
    settlement,
    executedAt,
    venueOrderId: orderId,
    clientOrderId: null,
    address: tokenId,
    positionChange: (isBuy ? part.size : -part.size) as MicroShares,
    addressPrice: part.price,
  };
}

function isCutToNothing(value: unknown): boolean {
  return isObject(value) && !isAbsent(value.matched_amount) && sharesOf(value.matched_amount) === 0;
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

/** Reads a maker. `taker` gives the maker's side if the venue does not state it. */
function readMaker(
  it: unknown,
  taker: { readonly isBuy: boolean | null; readonly tokenId: string },
): Maker | UnreadParty {
  const value = isObject(it) ? it : {};
  const party = partyOf(value, value.order_id);
  const [size, price] = [sharesOf(value.matched_amount), ticksOf(value.price)];
  // In one token the sides of taker and maker are opposite; across both tokens they are equal.
  const isOpposite = party.tokenId === taker.tokenId;
  const isBuy =
    sideOf(value.side) ?? (taker.isBuy === null || taker.tokenId === '' ? null : taker.isBuy !== isOpposite);
  const isNamed = party.orderId !== '' && party.tokenId !== '';
  if (isNamed && size !== null && isTradable(price) && isBuy !== null) return { ...party, isBuy, size, price };
  const isGarbled =
    (size === null && !isAbsent(value.matched_amount)) ||
    (!isTradable(price) && !isAbsent(value.price)) ||
    (party.orderId === '' && !isAbsent(value.order_id)) ||
    (party.tokenId === '' && !isAbsent(value.asset_id));
  return { ...party, isGarbled };
}

/**
 * Groups the parts by maker order, which has one price and identifies a fill. If one part of a maker order is unreadable, all of its parts
 * are.
 */
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

/** Returns the settlement by the beginning of the text, as in `TRADE_STATUS_MATCHED_NOT_BROADCASTED`. */
function settlementOf(value: unknown): Settlement | null {
  const status = textOf(value)
    .toUpperCase()
    .replace(/^TRADE_STATUS_/, '');
  const settlement = SETTLEMENTS.find(it => status.startsWith(it)) ?? null;
  if (settlement === null) countUnknown('venue_a', 'trade_status', status);
  return settlement;
}

function sideOf(value: unknown): boolean | null {
  const side = textOf(value).toUpperCase();
  if (side !== 'BUY' && side !== 'SELL') countUnknown('venue_a', 'trade_side', side);
  return side === 'BUY' ? true : side === 'SELL' ? false : null;
}

function isTradable(price: Ticks | null): price is Ticks {
  return price !== null && price > 0 && price < TICKS_PER_DOLLAR;
}

function matchTimeOf(value: JsonObject): UnixMillis {
  const nanos = textOf(value.match_time_nano);
  if (/^\d{19}$/.test(nanos)) return Number(nanos.slice(0, -NANO_DIGITS)) as UnixMillis;
  return timeOf([value.match_time, value.matchtime, value.timestamp].find(time => !isAbsent(time)));
}
