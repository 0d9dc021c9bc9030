// A trading desk for the engine's tests. It has one market and three accounts, and writes orders and events as short texts.

import { ASK, BID } from '../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { Engine } from '../../../src/paper/engine/engine.ts';
import type {
  AccountId,
  EngineEvent,
  EngineRefusal,
  FeeSchedule,
  MarketId,
  NewOrder,
  OrderId,
  Placed,
} from '../../../src/paper/engine/engine-types.ts';

export const NOW = 1_800_000_000_000 as UnixMillis;
const SHARE = 1_000_000;
const CENT = 100;
const CASH = 1_000 * SHARE;

export const noFees: FeeSchedule = {
  maxCharge: () => 0 as MicroDollars,
  meter: () => ({ charge: () => 0 as MicroDollars }),
};

/** The fees in this schedule are two cents a share for the taker and one cent for the maker. */
export const centFees: FeeSchedule = {
  maxCharge: (_price, size) => Math.ceil(size / 50) as MicroDollars,
  meter: () => ({ charge: (role, _price, size) => Math.floor(size / (role === 'taker' ? 50 : 100)) as MicroDollars }),
};

/** The terms of an order beside price, size, side and account. The method `at` turns whole shares and cents into the engine's units. */
export type Wish = Partial<Omit<NewOrder, 'price' | 'size' | 'side' | 'account'>>;

export class Desk {
  readonly events: EngineEvent[] = [];
  readonly engine = new Engine({ emit: event => this.events.push(event) });
  readonly market: MarketId;
  readonly ann: AccountId;
  readonly bob: AccountId;
  readonly cat: AccountId;

  constructor({ fees = noFees, sizeStep = 10_000, cash = CASH, step = CENT } = {}) {
    [this.ann, this.bob, this.cat] = [0, 1, 2].map(() => this.engine.addAccount(cash as MicroDollars)) as [
      AccountId,
      AccountId,
      AccountId,
    ];
    this.market = this.engine.addMarket({
      isOnGrid: price => price % step === 0,
      sizeStep: sizeStep as MicroShares,
      fees,
    });
  }

  /** Places an order such as `"bid 10 @ 40"`, in whole shares and cents or fractions of them. */
  place(account: AccountId, text: string, wish: Wish = {}, now = NOW) {
    const [side, size, , price] = text.split(' ');
    return this.engine.place(
      {
        account,
        market: this.market,
        side: side === 'bid' ? BID : ASK,
        effect: 'net',
        price: Math.round(Number(price) * CENT) as Ticks,
        size: shares(Number(size)),
        timeInForce: { type: 'GTC' },
        postOnly: false,
        reduceOnly: false,
        selfTrade: 'taker',
        ...wish,
      },
      now,
    );
  }

  /** Places an order as `place` does, and fails if the order is refused. */
  order(account: AccountId, text: string, wish: Wish = {}): OrderId {
    return this.placed(account, text, wish).order;
  }

  placed(account: AccountId, text: string, wish: Wish = {}): Placed {
    const result = this.place(account, text, wish);
    if (!result.ok) throw new Error(`${text}: ${result.error}`);
    return result.value;
  }

  refusal(account: AccountId, text: string, wish: Wish = {}): EngineRefusal | null {
    const result = this.place(account, text, wish);
    return result.ok ? null : result.error;
  }

  /** Gives an account YES and NO for a dollar a pair. */
  mint(account: AccountId, pairs: number): void {
    const minted = this.engine.mintPair(account, this.market, shares(pairs));
    if (!minted.ok) throw new Error(minted.error);
  }

  /** Gives an account shares of one outcome for 50 cents a share; cat gets the other outcome. Clears the recorded events. */
  hold(account: AccountId, outcome: 'yes' | 'no', size: number): void {
    const [own, other] = outcome === 'yes' ? ['bid', 'ask'] : ['ask', 'bid'];
    this.placed(this.cat, `${other} ${size} @ 50`, { effect: 'open' });
    this.placed(account, `${own} ${size} @ 50`, { effect: 'open' });
    this.events.length = 0;
  }

  /** Returns the free and the reserved dollars of the account. */
  money(account: AccountId): [free: number, reserved: number] {
    const { cash, reserved } = this.engine.account(account);
    return [cash / SHARE, reserved / SHARE];
  }

  /** Returns the YES and the NO shares of the account. */
  shares(account: AccountId): [yes: number, no: number] {
    const { yes, no } = this.engine.holding(account, this.market);
    return [yes / SHARE, no / SHARE];
  }

  /** Returns the levels of one side, as `['40 x 10', …]`, best first. */
  book(side: 'bids' | 'asks'): string[] {
    const levels = [...this.engine.levels(this.market, side === 'bids' ? BID : ASK)];
    return levels.map(({ price, size }) => `${price / CENT} x ${size / SHARE}`);
  }

  /** Returns the messages since the last call. */
  said(): string[] {
    return this.events.splice(0).map(inWords);
  }

  /** Returns the sum of all money in micro-dollars: accounts, pot and fees. */
  total(): number {
    const accounts = [this.ann, this.bob, this.cat].map(id => this.engine.account(id));
    const money = accounts.reduce((sum, { cash, reserved }) => sum + cash + reserved, 0);
    return money + this.engine.pot(this.market) + this.engine.feesTaken;
  }
}

export function shares(count: number): MicroShares {
  return Math.round(count * SHARE) as MicroShares;
}

export function cents(count: number): Ticks {
  return Math.round(count * CENT) as Ticks;
}

function inWords(event: EngineEvent): string {
  switch (event.type) {
    case 'accepted':
      return `accepted ${event.order}`;
    case 'cancelled':
      return `cancelled ${event.order}: ${event.size / SHARE} ${event.reason}`;
    case 'amended':
      return `amended ${event.order}: ${event.resting / SHARE} @ ${event.price / CENT}`;
    case 'fill':
      return `fill ${event.taker} with ${event.maker}: ${event.size / SHARE} @ ${event.price / CENT}, minted ${event.minted / SHARE}`;
    case 'level':
      return `${event.side === BID ? 'bids' : 'asks'} ${event.price / CENT} x ${event.size / SHARE}`;
    case 'market':
      return `market ${event.state}`;
    default:
      return `settled ${event.yesValue / CENT}`;
  }
}
