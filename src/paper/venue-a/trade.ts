// A trade of venue A during its settlement, and its parties: callers by their orders, the house by its accounts.

import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { AccountId } from '../engine/engine-types.ts';
import type { VenueAMarket } from './market.ts';
import type { TokenIndex, TradeRecord } from './records.ts';
import type { Wallet } from './wallet.ts';

/** An order as a trade needs it. */
export interface Party {
  readonly orderId: string;
  readonly owner: string;
  readonly makerAddress: string;
  readonly market: VenueAMarket;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  /** Limit in its own token. */
  readonly price: Ticks;
  readonly builderCode: string;
  readonly account: AccountId;
  /** Null for the house. */
  readonly wallet: Wallet | null;
}

/** Result of one fill for one party. */
export interface Part {
  readonly party: Party;
  readonly size: MicroShares;
  /** Payment for the shares, by or to the party. */
  readonly dollars: MicroDollars;
  readonly fee: MicroDollars;
  /** For a sale: cost of the shares. */
  readonly costSold: MicroDollars;
}

export interface Match {
  readonly taker: Part;
  readonly maker: Part;
}

export class Trade {
  /** Oldest first; one for each change of status, which are few. */
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

  /** State at that time; null if it had not happened yet. */
  asOf(at: UnixMillis): TradeRecord | null {
    return this.#pictures.findLast(it => it.updatedAt <= at) ?? null;
  }
}
