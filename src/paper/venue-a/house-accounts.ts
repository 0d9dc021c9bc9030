// The venue's own accounts, which are rich: one quotes, one takes, and a treasury refunds fees. An escrow holds money that callers may not
// spend yet.

import { ASK, type Side } from '../../core/domain/market.ts';
import {
  MICROS_PER_DOLLAR,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  type Ticks,
} from '../../core/domain/numbers.ts';
import type { Random } from '../../core/runtime/random.ts';
import { limits } from '../../limits.ts';
import { ZERO_BYTES32 } from '../../venues/venue-a/abi-words.ts';
import { checksumAddress, readAddress } from '../../venues/venue-a/address.ts';
import type { Engine } from '../engine/engine.ts';
import type { AccountId, OrderId } from '../engine/engine-types.ts';
import { uuid } from '../ids.ts';
import { type VenueAMarket, yesPriceOf } from './market.ts';
import type { Party } from './wallet.ts';

export interface HouseOrder {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly market: VenueAMarket;
  readonly side: Side;
  /** The price of YES. */
  readonly price: Ticks;
}

export class HouseAccounts {
  readonly quotes: AccountId;
  readonly takes: AccountId;
  readonly treasury: AccountId;
  readonly escrow: AccountId;
  readonly deposited: MicroDollars;
  /** The API key of the house. To callers the house looks like another caller, with an API key, a wallet and order ids. */
  readonly #owner: string;
  readonly #address: string;
  readonly #orderIdPrefix: string;
  readonly #engine: Engine;

  constructor(engine: Engine, random: Random) {
    const cash = (limits.paperHouseDollarsMax * MICROS_PER_DOLLAR) as MicroDollars;
    this.#engine = engine;
    this.quotes = engine.addAccount(cash);
    this.takes = engine.addAccount(cash);
    this.treasury = engine.addAccount(cash);
    this.escrow = engine.addAccount(0 as MicroDollars);
    this.deposited = (3 * cash) as MicroDollars;
    this.#owner = uuid(random);
    this.#address = checksumAddress(readAddress(`0x${random.hex(40)}`)!);
    this.#orderIdPrefix = `0x${random.hex(48)}`;
  }

  /** Returns the party of a house order, as a trade needs it. The house never sells: its asks buy the second token. */
  party({ id, account, market, side, price }: HouseOrder): Party {
    const token = side === ASK ? 1 : 0;
    return {
      orderId: [this.#orderIdPrefix, id.toString(16).padStart(16, '0')].join(''),
      owner: this.#owner,
      makerAddress: this.#address,
      market,
      token,
      isBuy: true,
      price: yesPriceOf(token, price),
      builderCode: ZERO_BYTES32,
      account,
      wallet: null,
    };
  }

  /** Returns the party of a resting order of the house. */
  quoting(order: Omit<HouseOrder, 'account'>): Party {
    return this.party({ ...order, account: this.quotes });
  }

  /** Merges pairs of shares into dollars. The house buys both tokens all day, and pairs would tie up its money. */
  mergePairs(market: VenueAMarket): void {
    for (const account of [this.quotes, this.takes]) {
      const { yes, no } = this.#engine.holding(account, market.id);
      const pairs = Math.min(yes, no) as MicroShares;
      if (pairs >= limits.paperHousePairsMax * MICROS_PER_SHARE) this.#engine.redeemPair(account, market.id, pairs);
    }
  }
}
