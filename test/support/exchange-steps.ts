// Random operations on a matching engine. A step is a number. The operation depends on the number and on the engine's state, so that a list
// of steps can be shortened and still means something. The weights make everything possible happen: crossings, an account that meets its
// own order, closings, pauses, settlements, amends at the touch, too little money.

import { ASK, BID, type Side } from '../../src/core/domain/market.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../src/core/domain/numbers.ts';
import { Random } from '../../src/core/runtime/random.ts';
import type {
  AccountId,
  Effect,
  MarketId,
  MarketSpec,
  NewOrder,
  OrderId,
  TimeInForce,
} from '../../src/paper/engine/engine-types.ts';
import type { ExchangeWorld, LiveOrder } from './exchange-world.ts';

/** One call of an engine's public method, with the market to list in place of a settled one. */
export type Request =
  | { call: 'place'; order: NewOrder; now: UnixMillis }
  | { call: 'cancel'; account: AccountId; order: OrderId; now: UnixMillis }
  | { call: 'cancelAll'; account: AccountId; market: MarketId | null; now: UnixMillis }
  | { call: 'decrease'; account: AccountId; order: OrderId; to: MicroShares; now: UnixMillis }
  | { call: 'amend'; account: AccountId; order: OrderId; price: Ticks; resting: MicroShares; now: UnixMillis }
  | { call: 'expire'; now: UnixMillis }
  | { call: 'setState'; market: MarketId; state: 'OPEN' | 'PAUSED' | 'CLOSED'; now: UnixMillis }
  | { call: 'settle'; market: MarketId; yesValue: Ticks }
  | { call: 'mintPair' | 'redeemPair'; account: AccountId; market: MarketId; size: MicroShares }
  | { call: 'giveShares'; account: AccountId; to: AccountId; market: MarketId; side: Side; size: MicroShares }
  | { call: 'deposit'; account: AccountId; amount: MicroDollars }
  | { call: 'addMarket'; slot: number };

/** A price around which orders of a market gather. */
export interface Place {
  readonly spec: MarketSpec;
  readonly centre: Ticks;
  readonly priceStep: Ticks;
  /** The largest size of its orders. */
  readonly sizeMost: MicroShares;
  readonly depositMost: MicroDollars;
}

/** The random choices of a seed. */
export class Dice {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** Returns 32 random bits. */
  next(): number {
    return this.#random.next() * 2 ** 32;
  }

  /** Returns a number from 0 to bound − 1. */
  below(bound: number): number {
    return this.#random.below(bound);
  }

  /** Returns true with a probability of `chances` in a thousand. */
  permille(chances: number): boolean {
    return this.below(1_000) < chances;
  }

  of<T>(choices: readonly T[]): T {
    return this.#random.pick(choices);
  }
}

export function requestOf(step: number, world: ExchangeWorld): Request {
  const dice = new Dice(step);
  const now = world.tick(dice.below(3));
  const slot = dice.below(world.slots.length);
  const market = world.slots[slot]!;
  const state = world.stateOf(market);
  if (state === 'SETTLED' && dice.permille(300)) return { call: 'addMarket', slot };
  if (state !== 'OPEN' && dice.permille(100))
    return { call: 'setState', market, state: dice.permille(800) ? 'OPEN' : 'CLOSED', now };
  const chance = dice.below(1_000);
  if (chance < 620) return { call: 'place', order: orderOf(dice, world, slot, now), now };
  if (chance < 960) return onLiveOrder(dice, world, now);
  if (chance < 966) return { call: 'cancelAll', account: someone(dice, world), market: dice.of([market, null]), now };
  if (chance < 970) return { call: 'expire', now };
  if (chance < 974) return { call: 'setState', market, state: dice.of(['OPEN', 'PAUSED', 'PAUSED', 'CLOSED']), now };
  if (chance < 976) return { call: 'settle', market, yesValue: someValue(dice) };
  if (chance < 984) return { call: 'deposit', account: someone(dice, world), amount: someAmount(dice, world) };
  if (chance < 996) return pairsOf(dice, world, slot);
  return giftOf(dice, world, slot);
}

function orderOf(dice: Dice, world: ExchangeWorld, slot: number, now: UnixMillis): NewOrder {
  const account = someone(dice, world);
  const side = dice.of<Side>([BID, ASK]);
  const effect = effectOf(dice, world, account);
  const timeInForce = timeInForceOf(dice, now);
  const isAtOnce = timeInForce.type === 'IOC' || timeInForce.type === 'FOK';
  const market = dice.permille(2) ? (99_999 as MarketId) : world.slots[slot]!;
  const price = dice.permille(4) ? dice.of([0, 10_000, -100, 3_333.5] as Ticks[]) : priceOf(dice, world, slot, side);
  return {
    account,
    market,
    side,
    effect,
    price,
    size: dice.permille(4) ? oddSize(dice) : sizeOf(dice, world, slot, { account, side, effect, price }),
    timeInForce,
    postOnly: !isAtOnce && dice.permille(120),
    reduceOnly: effect === 'net' && isAtOnce && dice.permille(300),
    selfTrade: dice.of(['taker', 'maker', 'allow']),
  };
}

function onLiveOrder(dice: Dice, world: ExchangeWorld, now: UnixMillis): Request {
  const live = [...world.live.values()];
  const order = live.length > 0 && !dice.permille(15) ? dice.of(live) : world.past(dice.next());
  const account = dice.permille(15) ? someone(dice, world) : order.account;
  const chance = dice.below(100);
  if (chance < 50) return { call: 'cancel', account, order: order.id, now };
  if (chance < 65) return { call: 'decrease', account, order: order.id, to: lessThan(dice, world, order), now };
  const slot = Math.max(0, world.slots.indexOf(order.market));
  const price = dice.permille(400) ? order.price : priceOf(dice, world, slot, order.side);
  if (dice.permille(30)) return { call: 'amend', account, order: order.id, price, resting: oddSize(dice), now };
  const resting = dice.permille(500) ? lessThan(dice, world, order) : sizeOf(dice, world, slot, { ...order, price });
  return { call: 'amend', account, order: order.id, price, resting, now };
}

/**
 * Mints or redeems pairs, for venues with outcome tokens: an account with one signed position has no pairs. The request often takes
 * everything that the account has, so that fees are hard to pay.
 */
function pairsOf(dice: Dice, world: ExchangeWorld, slot: number): Request {
  const account = dice.of(world.accounts.filter(it => !world.isNet(it)));
  const market = world.slots[slot]!;
  const call = dice.of(['mintPair', 'redeemPair'] as const);
  const held = Math.min(world.held(account, market, BID), world.held(account, market, ASK));
  const all = call === 'mintPair' ? world.cash(account) : held;
  const size = dice.of([all, dice.below(all), dice.below(1_000), 0, world.places[slot]!.sizeMost]);
  return { call, account, market, size: size as MicroShares };
}

/**
 * Gives shares from one account with outcome tokens to another. The size is often everything that the account has, and now and then
 * more.
 */
function giftOf(dice: Dice, world: ExchangeWorld, slot: number): Request {
  const dealers = world.accounts.filter(it => !world.isNet(it));
  const [account, market, side] = [dice.of(dealers), world.slots[slot]!, dice.of<Side>([BID, ASK])];
  const to = dice.permille(20) ? (99_999 as AccountId) : dice.of(dealers);
  const held = world.held(account, market, side === BID ? ASK : BID);
  const size = dice.of([held, dice.below(held), held + 1, 0]);
  return { call: 'giveShares', account, to, market, side, size: size as MicroShares };
}

/** Draws a price. Six in ten stay on their own side of the middle, one in ten takes the touch, and the others are anywhere near. */
function priceOf(dice: Dice, world: ExchangeWorld, slot: number, side: Side): Ticks {
  const { centre, priceStep } = world.places[slot]!;
  const chance = dice.below(10);
  const touch = world.best(world.slots[slot]!, dice.of([BID, ASK]));
  if (chance === 0 && touch !== null) return touch;
  const away = dice.below(5) * (side === BID ? -1 : 1);
  return (centre + (chance < 7 ? away : dice.below(9) - 4) * priceStep) as Ticks;
}

/** Draws a size: a few steps, any size, the size that could be closed, or now and then all that there is money for. */
function sizeOf(dice: Dice, world: ExchangeWorld, slot: number, { account, side, effect, price }: Intent): MicroShares {
  const { spec, sizeMost } = world.places[slot]!;
  const steps = Math.floor(sizeMost / spec.sizeStep);
  const chance = dice.below(20);
  const random = 1 + dice.below(chance < 6 ? 9 : steps);
  const held = Math.floor(world.held(account, world.slots[slot]!, side) / spec.sizeStep);
  if (chance === 19)
    return (Math.min(steps, affordable(dice, world, { account, side, effect, price }, spec)) *
      spec.sizeStep) as MicroShares;
  const count = effect === 'open' || held === 0 || dice.permille(300) ? random : Math.min(random, held);
  return (count * spec.sizeStep) as MicroShares;
}

interface Intent {
  readonly account: AccountId;
  readonly side: Side;
  readonly effect: Effect;
  readonly price: Ticks;
}

/** Returns the size that the account can pay, in steps, with or without a remainder for fees. */
function affordable(
  dice: Dice,
  world: ExchangeWorld,
  { account, side, price }: Intent,
  { sizeStep }: MarketSpec,
): number {
  const each = Math.max(1, side === BID ? price : TICKS_PER_DOLLAR - price) + dice.of([0, 0, 210]);
  return Math.max(1, Math.floor((world.cash(account) * TICKS_PER_DOLLAR) / each / sizeStep));
}

function lessThan(dice: Dice, world: ExchangeWorld, order: LiveOrder): MicroShares {
  const slot = Math.max(0, world.slots.indexOf(order.market));
  const { sizeStep } = world.places[slot]!.spec;
  return (dice.below(Math.floor(order.rest / sizeStep) + 1) * sizeStep) as MicroShares;
}

function effectOf(dice: Dice, world: ExchangeWorld, account: AccountId): Effect {
  if (world.isNet(account)) return 'net';
  return world.isMixed(account) ? dice.of(['net', 'open', 'close']) : dice.of(['open', 'open', 'close']);
}

function timeInForceOf(dice: Dice, now: UnixMillis): TimeInForce {
  const chance = dice.below(100);
  if (chance < 60) return { type: 'GTC' };
  if (chance < 75) return { type: 'GTD', expiresAt: (now - 2 + dice.below(150)) as UnixMillis };
  return { type: chance < 88 ? 'IOC' : 'FOK' };
}

function someone(dice: Dice, world: ExchangeWorld): AccountId {
  return dice.permille(2) ? (777 as AccountId) : dice.of(world.accounts);
}

function someValue(dice: Dice): Ticks {
  return dice.of([0, 10_000, 5_000, 3_333, -1, 10_001]) as Ticks;
}

/** Draws an amount, mostly a deposit, sometimes a withdrawal. */
function someAmount(dice: Dice, world: ExchangeWorld): MicroDollars {
  const most = dice.of(world.places).depositMost;
  return (dice.below(most) - (dice.permille(300) ? most : 0)) as MicroDollars;
}

function oddSize(dice: Dice): MicroShares {
  return dice.of([0, -10_000, 0.5, Number.NaN, 2 ** 53, 2 ** 53 - 1, 9_007_199_254_740_900]) as MicroShares;
}
