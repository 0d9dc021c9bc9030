// A caller's order at venue A: its record, its place, and its recent pictures for stale reads.

import type { Side } from '../../core/domain/market.ts';
import type { MicroDollars, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { limits } from '../../limits.ts';
import type { AccountId, OrderId } from '../engine/engine-types.ts';
import { sideOf, type VenueAMarket, yesPriceOf } from './market.ts';
import type { NewOrder, OrderRecord, OrderStatus, TokenIndex } from './records.ts';
import type { Party, Wallet } from './wallet.ts';

const NO_TRADES: readonly string[] = [];

export class ClientOrder implements Party {
  readonly wallet: Wallet;
  readonly side: Side;
  readonly yesPrice: Ticks;
  readonly postOnly: boolean;
  readonly spends: MicroDollars | null;
  /** The number of the order, by arrival. */
  readonly number: number;
  /** The engine's id of the order, while the order stands in the engine's book. */
  engineId: OrderId | null = null;
  /** The neighbours among the open orders of the same owner. */
  newer: ClientOrder | null = null;
  older: ClientOrder | null = null;
  /** The pictures of the order, oldest first. */
  #pictures: OrderRecord[];

  constructor(order: NewOrder, wallet: Wallet, number: number, status: OrderStatus, at: UnixMillis) {
    const { orderId, owner, market, token, isBuy, price, size, type, expirationS } = order;
    this.wallet = wallet;
    this.side = sideOf(token, isBuy);
    this.yesPrice = yesPriceOf(token, price);
    this.postOnly = order.postOnly;
    this.spends = order.spends;
    this.number = number;
    this.#pictures = [
      {
        orderId,
        owner,
        makerAddress: order.wallet,
        market,
        token,
        isBuy,
        price,
        size,
        matched: 0 as OrderRecord['matched'],
        status,
        reason: '',
        type,
        expirationS,
        builderCode: order.builderCode,
        tradeIds: NO_TRADES,
        createdAt: at,
        updatedAt: at,
      },
    ];
  }

  get record(): OrderRecord {
    return this.#pictures.at(-1)!;
  }

  get orderId(): string {
    return this.record.orderId;
  }

  get owner(): string {
    return this.record.owner;
  }

  get makerAddress(): string {
    return this.record.makerAddress;
  }

  get market(): VenueAMarket {
    return this.record.market;
  }

  get token(): TokenIndex {
    return this.record.token;
  }

  get isBuy(): boolean {
    return this.record.isBuy;
  }

  get price(): Ticks {
    return this.record.price;
  }

  get builderCode(): string {
    return this.record.builderCode;
  }

  get account(): AccountId {
    return this.wallet.account;
  }

  /** Sets the state that an earlier run has kept. */
  takeUp(record: OrderRecord): void {
    this.#pictures = [record];
  }

  change(updatedAt: UnixMillis, change: Partial<OrderRecord>): OrderRecord {
    const pictures = this.#pictures;
    const record = { ...this.record, ...change, updatedAt };
    pictures.push(record);
    // The newest picture that is older than the maximum lag must stay, because a stale read may show it.
    const horizon = updatedAt - limits.paperStaleMsMax;
    while (pictures.length > limits.paperVenueAOrderPicturesMax || (pictures[1]?.updatedAt ?? Infinity) <= horizon)
      pictures.shift();
    return record;
  }

  /** Drops all pictures except the last. Call this once the order has been over for so long that no read can ask for an earlier state. */
  forgetPast(): void {
    this.#pictures = [this.record];
  }

  /** Returns the state at that time, as far as pictures are kept. Null means that the order had not been posted yet. */
  asOf(at: UnixMillis): OrderRecord | null {
    if (this.record.createdAt > at) return null;
    return this.#pictures.findLast(it => it.updatedAt <= at) ?? this.#pictures[0]!;
  }
}

/** Whether the order rests in the book or waits to be matched. */
export function isOpen({ status, type }: OrderRecord): boolean {
  return status === 'LIVE' || status === 'DELAYED' || (status === 'UNMATCHED' && type !== 'FAK' && type !== 'FOK');
}
