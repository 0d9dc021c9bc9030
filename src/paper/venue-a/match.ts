// A match of venue A for its settlement, and its two parties: callers by their orders, the house by its accounts.

import type { MicroDollars, MicroShares, Ticks } from '../../domain/numbers.ts';
import type { AccountId } from '../engine/engine-types.ts';
import type { VenueAMarket } from './market.ts';
import type { TokenIndex } from './records.ts';
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
