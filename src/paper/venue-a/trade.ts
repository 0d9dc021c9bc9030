// A trade of venue A while it settles, and who takes part in it: callers by their orders, the house by its accounts.

import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { AccountId } from '../engine/engine-types.ts';
import type { VenueAMarket } from './market.ts';
import type { TokenIndex, TradeRecord } from './records.ts';
import type { Wallet } from './wallet.ts';

/** An order of somebody, as a trade needs it. */
export interface Party {
  readonly orderId: string;
  readonly owner: string;
  readonly makerAddress: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** Limit, of its own token. */
  readonly price: Ticks;
  readonly builderCode: string;
  readonly account: AccountId;
  /** Null of the house. */
  readonly wallet: Wallet | null;
}

/** What one party gave and got in one fill. */
export interface Part {
  readonly party: Party;
  readonly size: MicroShares;
  /** What it paid for the shares, or was paid. */
  readonly dollars: MicroDollars;
  readonly fee: MicroDollars;
  /** Of a sale: what the shares had cost. */
  readonly costSold: MicroDollars;
}

export interface Match {
  readonly taker: Part;
  readonly maker: Part;
}

export class Trade {
  /** Oldest first; as many as there are changes of status, which are few. */
  readonly #pictures: TradeRecord[];

  constructor(record: TradeRecord) {
    this.#pictures = [record];
  }

  get record(): TradeRecord {
    return this.#pictures.at(-1)!;
  }

  change(updatedAt: UnixMillis, change: Partial<Pick<TradeRecord, 'status' | 'transactionHash'>>): TradeRecord {
    const record = { ...this.record, ...change, updatedAt };
    this.#pictures.push(record);
    return record;
  }

  /** As it was at that time; null if it had not happened. */
  asOf(at: UnixMillis): TradeRecord | null {
    return this.#pictures.findLast(it => it.updatedAt <= at) ?? null;
  }
}
