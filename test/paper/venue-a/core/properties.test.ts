// Random acts of callers, the house, time and faults on venue A's exchange, in any order. Events agree with reads, and orders have matched what their
// trades say. Wallets own the results of their trades, without the failed trades. This holds to the micro-dollar after every step. A failure names
// its seed and step.

import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../src/core/domain/error-words.ts';
import { ASK, BID, type Side } from '../../../../src/core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../../src/core/domain/numbers.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import type { OrderId } from '../../../../src/paper/engine/engine-types.ts';
import { SIZE_STEP, type VenueAMarket } from '../../../../src/paper/venue-a/market.ts';
import type { OrderRecord, OrderType, TokenIndex, TradeRecord } from '../../../../src/paper/venue-a/records.ts';
import { CoreRig, dollars, keyOf, shares, walletOf } from './core-rig.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];
const STEPS = 600;
const NAMES = ['ann', 'bob', 'cat'];
const CASH = 300;
const TYPES: readonly OrderType[] = ['GTC', 'GTC', 'GTC', 'GTD', 'FOK', 'FAK'];

/** The state as a caller knows it who only listens to events. */
class Listener {
  readonly levels = new Map<string, MicroShares>();
  readonly orders = new Map<string, OrderRecord>();
  readonly trades = new Map<string, TradeRecord>();
  /** The number of times that each thing has happened, so that a run cannot pass without any activity. */
  readonly counts = new Map<string, number>();

  constructor({ exchange }: CoreRig) {
    exchange.observe(event => {
      if (event.type === 'level') this.#hearLevel(event);
      if (event.type === 'trade' || event.type === 'trade-status') this.trades.set(event.trade.tradeId, event.trade);
      if (event.type === 'trade-status') this.count(event.trade.status);
      if (event.type !== 'order') return;
      this.orders.set(event.order.orderId, event.order);
      this.count(`${event.change} ${event.order.status}`);
    });
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  #hearLevel(event: { market: VenueAMarket; side: Side; price: Ticks; size: MicroShares }): void {
    const place = `${event.market.conditionId} ${event.side} ${event.price}`;
    if (event.size === 0) this.levels.delete(place);
    else this.levels.set(place, event.size);
  }
}

/** The sums of one wallet's trades, from the reported trades. */
interface Account {
  deposited: number;
  money: number;
  readonly shares: Map<string, number>;
}

class Session {
  readonly rig: CoreRig;
  readonly listener: Listener;
  readonly #random: Random;
  readonly #quotes: OrderId[] = [];
  /** The dollars and shares that came and went without a trade. */
  readonly #besides = new Map<string, Account>();

  constructor(seed: number) {
    const first = { fees: { rate: '0.05', exponent: 1 as const } };
    this.rig = new CoreRig({ seed, cash: CASH, first, second: { takerDelayS: 1, tickSize: '0.001' } });
    this.listener = new Listener(this.rig);
    this.#random = new Random(seed);
    for (const name of NAMES) this.#besides.set(name, { deposited: CASH * 1e6, money: CASH * 1e6, shares: new Map() });
  }

  step(): void {
    const { rig } = this;
    const random = this.#random;
    const chance = random.below(100);
    const name = random.pick(NAMES);
    const market = random.pick([rig.market, rig.market, rig.other]);
    if (chance < 40) this.#place(name, market);
    else if (chance < 55) this.#quote(market);
    else if (chance < 62) this.#cancel(name);
    else if (chance < 66) rig.exchange.desk.cancel(random.pick([...this.#quotes, 0 as OrderId]));
    else if (chance < 67) rig.exchange.cancels.cancelAll(keyOf(name), random.pick([market, null]), null);
    else if (chance < 72) this.#split(name, market);
    else if (chance < 75) rig.faults.fate = random.pick(['fails', 'retries', null, null] as const);
    else if (chance < 76) rig.exchange.heartbeats.beat(keyOf(name), '');
    else if (chance < 77) rig.exchange.setTickSize(rig.market, '0.001');
    else if (chance < 83) this.#deposit(name);
    else rig.timers.advance(random.pick([1, 100, 1_000, 3_000]));
  }

  /** Ends everything: trades settle, markets resolve, and all positions are redeemed. */
  finish(): void {
    const { exchange, market, other, timers } = this.rig;
    exchange.resolutions.resolve(market, 1);
    exchange.resolutions.resolve(other, null);
    this.check();
    timers.advance(100_000);
    this.check();
    for (const name of NAMES) for (const it of [market, other]) this.#redeem(name, it);
    this.check();
  }

  check(): void {
    this.#checkBooks();
    this.#checkOrders();
    for (const name of NAMES) this.#checkWallet(name);
    const { wallets, house, escrow, owed, pots, fees, deposited } = this.rig.exchange.audit();
    same(wallets + house + escrow + pots + fees, deposited, 'all money');
    same(escrow >= owed, true, 'escrow');
  }

  #place(name: string, market: VenueAMarket): void {
    const random = this.#random;
    const type = random.pick(TYPES);
    const isBuy = random.chance(0.65);
    const price = this.#price(market);
    const spends = isBuy && (type === 'FOK' || type === 'FAK') ? dollars(random.pick([1, 2.5, 7.77])) : null;
    // The size is calculated as the venue's clients do: the shares that the dollars buy at the limit price, to four decimals.
    const atLimit = spends === null ? null : Math.floor(spends / price) / 10_000;
    const size = atLimit ?? random.pick([5, 5.5, 10, 20, 35.01]);
    const expirationS = type === 'GTD' ? Math.floor(this.rig.timers.now() / 1_000) + 181 + random.below(20) : 0;
    const text = `${isBuy ? 'buy' : 'sell'} ${random.pick(['yes', 'no'])} ${size} @ ${price}`;
    const postOnly = type === 'GTC' && random.chance(0.15);
    const result = this.rig.place(name, text, { type, market, spends, expirationS, postOnly });
    this.listener.count(result.ok ? result.value.outcome : result.error);
  }

  #quote(market: VenueAMarket): void {
    const { desk } = this.rig.exchange;
    const random = this.#random;
    const it = desk.markets.find(other => other.address === market.conditionId)!;
    const price = (this.#price(market) * 100) as Ticks;
    const order = desk.place(it, random.pick([BID, ASK]), price, shares(random.pick([3, 8, 30])), random.pick(['rest', 'rest', 'take'])); // biome-ignore format: one choice after the other
    if (order !== null) this.#quotes.push(order);
  }

  /** Returns a price near the middle, in cents. */
  #price(market: VenueAMarket): number {
    const price = 45 + this.#random.below(11);
    return market.tickSize === '0.001' && this.#random.chance(0.3) ? price + 0.5 : price;
  }

  #cancel(name: string): void {
    const open = this.rig.open(name);
    if (open.length > 0) this.rig.exchange.cancels.cancel(keyOf(name), [this.#random.pick(open).orderId, '0x1']);
  }

  #deposit(name: string): void {
    const account = this.#besides.get(name)!;
    const amount = dollars(this.#random.pick([-200, -100, 100]));
    if (account.deposited + amount > 2 * CASH * 1e6) return;
    if (!this.rig.exchange.deposit(walletOf(name), amount)) return;
    account.money += amount;
    account.deposited += amount;
  }

  #split(name: string, market: VenueAMarket): void {
    const size = shares(this.#random.pick([1, 20, 50.5]));
    const { exchange } = this.rig;
    const isSplit = this.#random.chance(0.7);
    const isDone = isSplit
      ? exchange.split(walletOf(name), market, size)
      : exchange.merge(walletOf(name), market, size);
    if (!isDone) return;
    const account = this.#besides.get(name)!;
    const more = isSplit ? size : -size;
    account.money -= more;
    for (const token of [0, 1] as const) add(account.shares, keyOfShares(market, token), more);
  }

  #redeem(name: string, market: VenueAMarket): void {
    const account = this.#besides.get(name)!;
    const [first, second] = this.rig.held(name, market);
    const worth = market === this.rig.market ? second! : (first! + second!) / 2;
    expect(this.rig.exchange.redeem(walletOf(name), market)).toBeCloseTo(worth * 1e6, 0);
    account.money += Math.round(worth * 1e6);
    add(account.shares, keyOfShares(market, 0), -shares(first!));
    add(account.shares, keyOfShares(market, 1), -shares(second!));
  }

  #checkBooks(): void {
    let count = 0;
    for (const market of [this.rig.market, this.rig.other])
      for (const side of [BID, ASK] as const)
        for (const { price, size } of market.levels(side)) {
          same(this.listener.levels.get(`${market.conditionId} ${side} ${price}`), size, 'level');
          count += 1;
        }
    same(this.listener.levels.size, count, 'levels');
  }

  #checkOrders(): void {
    const { exchange } = this.rig;
    const matched = new Map<string, number>();
    for (const trade of this.listener.trades.values()) {
      add(matched, trade.takerOrderId, trade.size);
      for (const maker of trade.makers) add(matched, maker.orderId, maker.size);
    }
    const open = new Set<OrderRecord>();
    for (const order of this.listener.orders.values()) {
      const { orderId, owner, status, reason } = order;
      if (status === 'UNMATCHED' && reason !== '') continue;
      same(exchange.order(owner, orderId, 0), order, 'order');
      same(order.matched, matched.get(orderId) ?? 0, `matched of ${orderId}`);
      const mayRest = order.type === 'GTC' || order.type === 'GTD';
      if (status === 'LIVE' || status === 'DELAYED' || (status === 'UNMATCHED' && mayRest)) open.add(order);
      const rest = order.size - order.matched;
      if (rest < 0 || (status === 'MATCHED' && rest >= SIZE_STEP)) throw new Error(`order ${orderId} has ${rest} left`);
    }
    const shown = NAMES.flatMap(name => this.rig.open(name));
    same(shown.length, open.size, 'open orders');
    for (const order of shown) same(open.has(order), true, 'open order');
  }

  #checkWallet(name: string): void {
    const { exchange, market, other } = this.rig;
    const { money, fees, held } = this.#account(name);
    same(exchange.collateral(walletOf(name)), money, `money of ${name}`);
    for (const it of [market, other])
      for (const token of [0, 1] as const)
        same(exchange.shares(walletOf(name), it, token), held.get(keyOfShares(it, token)) ?? 0, `shares of ${name}`);
    let spent = fees;
    for (const { cost, realizedPnl } of exchange.positions(walletOf(name))) spent += cost - realizedPnl;
    same(money + spent, this.#besides.get(name)!.deposited, `what ${name} has paid in`);
  }

  /** Calculates the wallet from the reported trades alone, without the exchange. */
  #account(name: string): { money: number; fees: number; held: Map<string, number> } {
    const besides = this.#besides.get(name)!;
    const held = new Map(besides.shares);
    let [money, fees] = [besides.money, 0];
    const deal = (market: VenueAMarket, token: TokenIndex, isBuy: boolean, size: number, amount: number) => {
      add(held, keyOfShares(market, token), isBuy ? size : -size);
      money += isBuy ? -amount : amount;
    };
    for (const { status, market, owner, token, isBuy, makers, takerFee } of this.listener.trades.values()) {
      if (status === 'FAILED') continue;
      for (const maker of makers) {
        const amount = (maker.size / 10_000) * maker.price;
        if (maker.owner === keyOf(name)) deal(market, maker.token, maker.isBuy, maker.size, amount);
        if (owner === keyOf(name))
          deal(market, token, isBuy, maker.size, maker.token === token ? amount : maker.size - amount);
      }
      if (owner === keyOf(name)) fees += takerFee;
    }
    return { money: (money - fees) as MicroDollars, fees, held };
  }
}

function keyOfShares(market: VenueAMarket, token: TokenIndex): string {
  return `${market.conditionId} ${token}`;
}

/** Compares as `toBe` does, but is fast enough for hundreds of thousands of calls. */
function same(found: unknown, expected: unknown, what: string): void {
  if (found !== expected) expect(found, what).toBe(expected);
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

function play(seed: number, isChecked: boolean): Session {
  const session = new Session(seed);
  for (let step = 0; step < STEPS; step += 1) {
    try {
      session.step();
      if (isChecked) session.check();
    } catch (error) {
      throw new Error(`seed ${seed}, step ${step}: ${wordsOf(error)}`, {
        cause: error,
      });
    }
  }
  return session;
}

describe('after any events', () => {
  const counts = new Map<string, number>();

  it.each(SEEDS)('books, orders and wallets agree with the events: seed %d', seed => {
    const session = play(seed, true);
    session.finish();
    for (const [what, count] of session.listener.counts) add(counts, what, count);
  });

  it('every kind of event has happened', () => {
    const wanted = [
      ...['live', 'matched', 'delayed', 'not-enough-balance', 'post-only-crosses', 'fok-not-filled', 'fak-no-match'],
      ...['MINED', 'CONFIRMED', 'RETRYING', 'FAILED'],
      ...['PLACEMENT LIVE', 'PLACEMENT DELAYED', 'UPDATE LIVE', 'UPDATE MATCHED', 'UPDATE UNMATCHED'],
      ...['CANCELLATION CANCELED', 'CANCELLATION INVALID', 'CANCELLATION CANCELED_MARKET_RESOLVED'],
    ];
    expect(wanted.filter(what => !((counts.get(what) ?? 0) >= 3))).toEqual([]);
  });

  it('happens again from the same seed', () => {
    const [one, other] = [play(9, false).rig, play(9, false).rig];
    const story = (rig: CoreRig) => rig.reported().concat([...rig.exchange.tradesOfWallet(null)].map(it => it.tradeId));
    expect(story(one)).toEqual(story(other));
    expect(one.exchange.audit()).toEqual(other.exchange.audit());
  });
});
