// Rows in which venue B keeps its state for its next start: a record with its market's ticker. House orders are not kept: the makers quote
// again. Thread of the paper exchanges.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import type { Held } from '../engine/accounts.ts';
import type { Engine } from '../engine/engine.ts';
import type { HoldingView } from '../engine/engine-types.ts';
import type { MarketResult, VenueBMarket } from './market.ts';
import type { FillRecord, OrderRecord, Owner, UpdateReason } from './records.ts';
import type { OwnerAccount, VenueBOrder } from './venue-b-order.ts';

/** A record as it is kept: its market by ticker. */
export type Kept<T> = Omit<T, 'market'> & { readonly market: string };
export type KeptOrder = Kept<OrderRecord> & {
  readonly postOnly: boolean;
  readonly reason: UpdateReason | null;
  readonly number: number;
  /** The reservation of a resting order. */
  readonly held: Held | null;
};
export type KeptFill = Omit<FillRecord, 'trade'> & { readonly trade: Kept<FillRecord['trade']> };
export interface KeptAccount {
  readonly owner: Owner;
  readonly shard: number;
  readonly cash: MicroDollars;
}
export interface KeptHolding extends Pick<HoldingView, 'yes' | 'no'> {
  readonly owner: Owner;
  readonly market: string;
}
export interface KeptMarket {
  readonly outcome: MarketResult | null;
}

export function keyOfOwner({ userId, subaccount }: Owner): string {
  return `${userId}/${subaccount}`;
}

export function keptOrder(order: VenueBOrder, engine: Engine): KeptOrder {
  const view = order.status === 'resting' && order.engineId !== null ? engine.order(order.engineId) : undefined;
  const held = view === undefined ? null : { closing: view.closing, reserved: view.reserved };
  const { postOnly, reason, number } = order;
  return { ...named(order.record), postOnly, reason, number, held };
}

export function keptFill(fill: FillRecord): KeptFill {
  return { ...fill, trade: named(fill.trade) };
}

export function named<T extends { readonly market: VenueBMarket }>(record: T): Kept<T> {
  return { ...record, market: record.market.ticker };
}

export function keptHolding(account: OwnerAccount, market: VenueBMarket, engine: Engine): KeptHolding | null {
  const { owner } = account;
  const { yes, no } = engine.holding(account.idIn(market), market.id);
  return yes === 0 && no === 0 ? null : { owner, market: market.ticker, yes, no };
}

export function keptMarket({ outcome }: VenueBMarket): KeptMarket | null {
  return outcome === null ? null : { outcome };
}
