// A match of venue A for its settlement, and its two parties: callers by their orders, the house by its accounts.

import type { MicroDollars, MicroShares } from '../../core/domain/numbers.ts';
import type { AccountId } from '../engine/engine-types.ts';
import type { OrderRecord } from './records.ts';
import type { Wallet } from './wallet.ts';

type Known = 'orderId' | 'owner' | 'makerAddress' | 'market' | 'token' | 'isBuy' | 'price' | 'builderCode';

/** An order as a trade needs it. */
export interface Party extends Pick<OrderRecord, Known> {
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
  /** The cost of the shares in a sale. */
  readonly costSold: MicroDollars;
}

export interface Match {
  readonly taker: Part;
  readonly maker: Part;
}
