// The same requests give the same events, byte for byte: a random session of both venues' kinds of orders, played twice. And
// with any seed no micro-dollar comes or goes.

import { describe, expect, it } from 'vitest';
import type { Side } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import type { AccountId, MarketState, OrderId, TimeInForce } from '../../../src/paper/engine/engine-types.ts';
import { centFees, Desk, NOW } from './desk.ts';

const REQUESTS = 3_000;
const EFFECTS = ['net', 'net', 'open', 'close'] as const;
const SELF_TRADES = ['taker', 'maker', 'allow'] as const;
const STATES = ['OPEN', 'OPEN', 'PAUSED'] as const satisfies MarketState[];

/** Plays a session; returns its events and answers as one text. */
function play(seed: number): string {
  const below = generator(seed);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;
  const desk = new Desk({ fees: centFees, sizeStep: 100, cash: 50_000_000 });
  const { engine, market } = desk;
  const log: unknown[] = [];
  let lastOrder = 0;
  for (let index = 0; index < REQUESTS; index++) {
    const now = (NOW + 10 * index) as UnixMillis;
    const account = below(3) as AccountId;
    const order = Math.max(0, lastOrder - below(20)) as OrderId;
    const price = ((30 + below(40)) * 100) as Ticks;
    const size = ((1 + below(50_000)) * 100) as MicroShares;
    const timeInForce: TimeInForce = pick([
      { type: 'GTC' },
      { type: 'IOC' },
      { type: 'FOK' },
      { type: 'GTD', expiresAt: (now + below(500)) as UnixMillis },
    ]);
    const dice = below(100);
    if (dice < 60) {
      const side = below(2) as Side;
      const terms = {
        account,
        market,
        side,
        effect: pick(EFFECTS),
        price,
        size,
        timeInForce,
        selfTrade: pick(SELF_TRADES),
      };
      const placed = engine.place({ ...terms, postOnly: below(8) === 0, reduceOnly: false }, now);
      if (placed.ok) lastOrder = placed.value.order;
      log.push(placed);
    } else if (dice < 75) log.push(engine.cancel(engine.order(order)?.account ?? account, order, now));
    else if (dice < 85) log.push(engine.amend(engine.order(order)?.account ?? account, order, price, size, now));
    else if (dice < 92) log.push(engine.decrease(engine.order(order)?.account ?? account, order, size, now));
    else if (dice < 95) log.push(engine.mintPair(account, market, size));
    else if (dice < 98) log.push(engine.redeemPair(account, market, size));
    else if (dice < 99) engine.setState(market, pick(STATES), now);
    else log.push(engine.cancelAll(account, null, now));
    expect(desk.total()).toBe(150_000_000);
  }
  engine.setState(market, 'OPEN', NOW);
  desk.order(desk.ann, 'bid 0.01 @ 1');
  log.push(engine.settle(market, 3_333 as Ticks), desk.events);
  expect(desk.total()).toBe(150_000_000);
  return JSON.stringify(log);
}

describe('a session', () => {
  it('is the same whenever it is played again', () => {
    const log = play(1);
    // The comparison is outside of expect, since a failure would print a megabyte of differences.
    expect(play(1) === log).toBe(true);
    expect(play(2) === log).toBe(false);
    const words = ['fill', 'amended', 'level', 'user', 'ioc', 'expiry', 'self-trade', 'close', 'fok-insufficient'];
    expect(words.filter(word => !log.includes(`"${word}"`))).toEqual([]);
  });
});

/** Whole numbers below a bound, from a linear congruential generator. */
function generator(seed: number): (bound: number) => number {
  let state = seed;
  return bound => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 8) / 2 ** 24) * bound);
  };
}
