// Random requests of several users and the house: events, reads and the money agree after each.

import { describe, expect, it } from 'vitest';
import { ASK, BID, type Side } from '../../../../src/core/domain/market.ts';
import type { MicroShares, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { assert } from '../../../../src/core/domain/result.ts';
import { Random } from '../../../../src/core/runtime/random.ts';
import type { OrderId } from '../../../../src/paper/engine/engine-types.ts';
import type { Owner } from '../../../../src/paper/venue-b/records.ts';
import { Auditor } from './auditor.ts';
import { cents, contracts, dollars, Rig } from './rig.ts';

const STEPS = 2_500;
const MONEY = dollars(400);

class Crowd {
  readonly rig: Rig;
  readonly auditor: Auditor;
  readonly owners: readonly Owner[];
  readonly #random: Random;
  readonly #withHouse: boolean;
  readonly #groups: { owner: Owner; groupId: string }[] = [];
  #house: OrderId[] = [];

  constructor(seed: number, withHouse: boolean) {
    this.#random = new Random(seed);
    this.#withHouse = withHouse;
    this.rig = new Rig({ seed, feeMultiplier: '1', moneyMicros: MONEY });
    const { ann, bob, cat } = this.rig;
    this.owners = [ann, bob, cat, { ...ann, subaccount: 1 }];
    this.rig.exchange.deposit(this.owners[3]!, MONEY);
    this.auditor = new Auditor(this.rig.exchange);
    for (const owner of this.owners) {
      const group = this.rig.exchange.groups.create(owner, contracts(30));
      assert(group !== null, 'no group');
      this.#groups.push({ owner, groupId: group.groupId });
    }
  }

  step(): void {
    const random = this.#random;
    const die = random.below(100);
    const { exchange, timers } = this.rig;
    if (die < 50) this.#place();
    else if (die < 62) this.#change();
    else if (die < 70) this.#withOrder((owner, id) => exchange.orders.cancel(owner, id));
    else if (die < 88) this.#quote();
    else if (die < 91) timers.advance(random.below(4_000));
    else if (die < 93) this.#group();
    else if (die < 94) exchange.orders.cancelAll(random.pick(this.owners));
    else if (die < 95) this.#pause();
    this.auditor.check(this.owners);
  }

  #place(): void {
    const random = this.#random;
    const { rig } = this;
    const owner = random.pick(this.owners);
    const timeInForce = random.pick(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const);
    const group = this.#groups.find(other => other.owner === owner);
    rig.place(owner, this.#words(), {
      market: this.#market(),
      timeInForce,
      selfTrade: random.pick(['taker_at_cross', 'maker']),
      postOnly: timeInForce === 'GTC' && random.chance(0.2),
      reduceOnly: timeInForce !== 'GTC' && random.chance(0.3),
      orderGroupId: random.chance(0.3) ? (group?.groupId ?? null) : null,
      isCancelledOnPause: random.chance(0.3),
      expiresAt:
        timeInForce === 'GTC' && random.chance(0.3) ? ((rig.timers.now() + random.below(8_000)) as UnixMillis) : null,
    });
  }

  #change(): void {
    const random = this.#random;
    const { exchange } = this.rig;
    this.#withOrder((owner, id) => {
      const order = exchange.reads(0).order(owner, id);
      assert(order !== null, 'a resting order cannot be read');
      if (random.chance(0.4)) return exchange.orders.decrease(owner, id, { by: contracts(random.below(900) / 100) });
      return exchange.orders.amend(owner, id, {
        ticker: order.market.ticker,
        side: order.side,
        price: cents(30 + random.below(20)),
        total: (order.filled + contracts(random.below(2_000) / 100)) as MicroShares,
        expiresAt: random.pick(['as before', null, (this.rig.timers.now() + random.below(8_000)) as UnixMillis]),
        clientOrderId: order.clientOrderId,
        updatedClientOrderId: random.chance(0.3) ? `${id}-${random.below(9)}` : null,
      });
    });
  }

  #withOrder(work: (owner: Owner, orderId: string) => unknown): void {
    const owner = this.#random.pick(this.owners);
    const resting = [...this.rig.exchange.reads(0).restingOrders(owner)];
    if (resting.length > 0) work(owner, this.#random.pick(resting).orderId);
  }

  #quote(): void {
    if (!this.#withHouse) return;
    const random = this.#random;
    if (this.#house.length > 0 && random.chance(0.4)) {
      this.rig.exchange.desk.cancel(random.pick(this.#house));
      return;
    }
    const order = this.rig.quote(this.#words(), this.#market().ticker, random.pick(['rest', 'rest', 'take']));
    if (order !== null) this.#house = [...this.#house.slice(-20), order];
  }

  #group(): void {
    const { exchange } = this.rig;
    const { owner, groupId } = this.#random.pick(this.#groups);
    if (this.#random.chance(0.8)) exchange.groups.reset(owner, groupId);
    else exchange.groups.setLimit(owner, groupId, contracts(20 + this.#random.below(40)));
  }

  #pause(): void {
    const { exchange } = this.rig;
    const market = this.#market();
    if (this.#random.chance(0.5)) {
      exchange.life.setPaused(market, true);
      exchange.life.setPaused(market, false);
    } else {
      exchange.state.setTradingActive(false);
      exchange.state.setTradingActive(true);
    }
  }

  #market() {
    return this.rig.market(this.#random.pick(['M', 'M', 'TAPERED']));
  }

  #words(): string {
    const random = this.#random;
    const side: Side = random.pick([BID, ASK]);
    const size = random.chance(0.5) ? 1 + random.below(20) : (1 + random.below(2_000)) / 100;
    return `${side === BID ? 'bid' : 'ask'} ${size} @ ${30 + random.below(20)}`;
  }

  /** Ends everything. Then each owner has the initial money plus the results of the owner's trades. */
  settle(yesValues: readonly number[]): void {
    const { exchange, timers } = this.rig;
    for (const [index, market] of [...exchange.markets.values()].entries()) {
      exchange.life.determine(market, cents(yesValues[index]!));
    }
    timers.advance(3_600_000);
    this.auditor.check(this.owners);
    for (const owner of this.owners) this.auditor.checkMoney(owner, MONEY);
  }
}

describe('any requests', () => {
  it.each([1, 2, 3])('events, reads, books and money agree (seed %i)', seed => {
    const crowd = new Crowd(seed, true);
    for (let step = 0; step < STEPS; step++) {
      crowd.step();
      if (step % 250 !== 0) continue;
      for (const owner of crowd.owners) {
        crowd.rig.exchange.orders.cancelAll(owner);
        crowd.auditor.checkMoney(owner, MONEY);
      }
    }
    crowd.settle([100, 37, 0]);
    const heard = new Set(crowd.rig.heard.map(event => (event.type === 'order' ? event.reason : event.type)));
    expect(heard).toEqual(
      new Set([
        ...['level', 'trade', 'fill', 'position', 'group', 'lifecycle', null, 'Trade', 'Amend', 'Decrease'],
        ...['SelfTradeCancel', 'ExpiryCancel', 'CloseCancel', 'HaltCancel', 'PostOnlyCrossCancel', 'ReduceOnlyCancel'],
      ]),
    );
  });

  it('without the house no money comes or goes but in fees', () => {
    const crowd = new Crowd(4, false);
    for (let step = 0; step < STEPS; step++) crowd.step();
    crowd.settle([0, 12.3, 100]);
    const balances = crowd.owners.map(owner => crowd.rig.exchange.reads(0).balance(owner).available);
    const left = balances.reduce((sum, available) => sum + available, 0);
    expect(left + crowd.auditor.feesMicros).toBe(crowd.owners.length * MONEY);
    expect(crowd.auditor.feesMicros).toBeGreaterThan(0);
  });

  it('the same seed gives the same events', () => {
    const [one, same] = [5, 5].map(seed => {
      const crowd = new Crowd(seed, true);
      for (let step = 0; step < 400; step++) crowd.step();
      return crowd.rig.news();
    });
    expect(one).toEqual(same);
  });
});
