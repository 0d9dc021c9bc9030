// Sums of all money of venue A's exchange, to check that none appears or disappears. Pure.

import type { MicroDollars } from '../../core/domain/numbers.ts';
import type { Engine } from '../engine/engine.ts';
import type { AccountId } from '../engine/engine-types.ts';
import type { HouseAccounts } from './house-accounts.ts';
import type { VenueAMarket } from './market.ts';
import type { Wallets } from './wallet.ts';

/** Always `wallets + house + escrow + pots + fees = deposited`. */
export interface MoneyAudit {
  /** Free and reserved dollars. */
  readonly wallets: MicroDollars;
  readonly house: MicroDollars;
  readonly escrow: MicroDollars;
  /** Part of the escrow that callers see: proceeds that will fail, and unredeemed shares. */
  readonly owed: MicroDollars;
  /** A dollar for each pair of shares. */
  readonly pots: MicroDollars;
  readonly fees: MicroDollars;
  readonly deposited: MicroDollars;
}

export function auditMoney(
  engine: Engine,
  markets: Iterable<VenueAMarket>,
  wallets: Wallets,
  house: HouseAccounts,
): MoneyAudit {
  const moneyOf = (id: AccountId) => {
    const { cash, reserved } = engine.account(id);
    return cash + reserved;
  };
  const sum = <T>(items: Iterable<T>, value: (item: T) => number) => {
    let total = 0;
    for (const item of items) total += value(item);
    return total as MicroDollars;
  };
  return {
    wallets: sum(wallets, it => moneyOf(it.account)),
    house: sum([house.quotes, house.takes, house.treasury], moneyOf),
    escrow: moneyOf(house.escrow) as MicroDollars,
    owed: sum(wallets, it => it.withheld + sum(it.claims.values(), claim => claim)),
    pots: sum(markets, it => engine.pot(it.id)),
    fees: engine.feesTaken,
    deposited: (wallets.deposited + house.deposited) as MicroDollars,
  };
}
