// The amounts of venue A's orders (venue-a.md §2.2): price and size, or a market order's amount, become the two whole numbers that are
// signed. The reverse is here, too. Applies the venue's rounding rules in integers: no floats, no other rounding. Pure.

import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { BUY, type OrderSide, SELL, type VenueAOrder } from './typed-data.ts';

/** Millionths of a dollar or of a share: both have six decimals on the chain. */
export type TokenAmount = number & { readonly unit: 'millionths' };

/** The signed amounts: a buyer gives (makes) dollars and takes shares, a seller the reverse. */
export type OrderAmounts = Pick<VenueAOrder, 'makerAmount' | 'takerAmount'>;

/** The rounding rules of a market with this tick. */
export interface AmountRules {
  readonly tick: Ticks;
  /** The step of prices, by their decimals. A tick of 0.0025 has prices of four decimals. */
  readonly priceStep: Ticks;
  /** The most decimals of a limit order's dollars. */
  readonly dollarDecimals: number;
}

export type AmountRefusal =
  /** The price is below one tick, or above one dollar less a tick. */
  | 'price-out-of-range'
  /** Rounding leaves nothing to give or to take. */
  | 'nothing-left'
  /** The order is so small that rounding worsens its price beyond the limit, even from one tick on the safe side. */
  | 'price-lost'
  /** An amount exceeds 2^53. */
  | 'too-large';

/** The limit price and size that two amounts mean. */
interface OrderLimit {
  /** The price to the nearest tick; its range is not checked. */
  readonly price: Ticks;
  readonly size: MicroShares;
  /** Whether the amounts match this price exactly, as the amounts of limit orders do. */
  readonly isExact: boolean;
}

/** The decimals of prices, and of a limit order's dollars, by tick. */
const DECIMALS: ReadonlyMap<Ticks, readonly [price: number, dollars: number]> = new Map([
  [1_000 as Ticks, [1, 3]],
  [100 as Ticks, [2, 4]],
  [50 as Ticks, [3, 5]],
  [25 as Ticks, [4, 6]],
  [10 as Ticks, [3, 5]],
  [1 as Ticks, [4, 6]],
]);
/** The step of the stated amount, shares or dollars: two decimals with every tick. */
export const STATED_STEP = 10_000;
/** The step of a market order's taker amount: the venue computes it with at most four decimals, with every tick. */
const MARKET_STEP = 100n;
const PRICE_DECIMALS = 4;
const AMOUNT_DECIMALS = 6;

/** Returns the rules of a tick, or null if the venue does not have the tick. */
export function amountRules(tick: Ticks): AmountRules | null {
  const decimals = DECIMALS.get(tick);
  if (decimals === undefined) return null;
  const [price, dollarDecimals] = decimals;
  return { tick, priceStep: (10 ** (PRICE_DECIMALS - price)) as Ticks, dollarDecimals };
}

/** Returns the amounts of a limit order. The price is rounded half up, the size down; their product is exact. */
export function limitAmounts(
  side: OrderSide,
  price: Ticks,
  size: MicroShares,
  rules: AmountRules,
): Result<OrderAmounts, AmountRefusal> {
  if (!isInRange(price, rules)) return fail('price-out-of-range');
  const step = rules.priceStep;
  const shares = stated(size);
  return amountsOf(side, dollarsFor(shares, (Math.floor((2 * price + step) / (2 * step)) * step) as Ticks), shares);
}

/**
 * Returns the amounts of a market order (FOK, FAK). `amount` is the dollars to spend or the shares to sell, `price` the worst acceptable
 * price. Both are rounded down, and so is the taker amount, to four decimals. Rounding makes the price that the two amounts mean worse. If
 * that price does not round to the limit any more, the amounts are those of one tick on the safe side.
 */
export function marketAmounts(
  side: OrderSide,
  amount: TokenAmount,
  price: Ticks,
  rules: AmountRules,
): Result<OrderAmounts, AmountRefusal> {
  if (!isInRange(price, rules)) return fail('price-out-of-range');
  const limit = (price - (price % rules.priceStep)) as Ticks;
  const safer = (limit + (side === BUY ? -rules.tick : rules.tick)) as Ticks;
  const given = stated(amount);
  const atLimit = amountsAt(side, given, limit);
  if (!atLimit.ok || isNoWorse(side, atLimit.value, limit, rules)) return atLimit;
  const atSafer = isInRange(safer, rules) ? amountsAt(side, given, safer) : atLimit;
  return !atSafer.ok || isNoWorse(side, atSafer.value, limit, rules) ? atSafer : fail('price-lost');
}

/** Whether the market allows orders at this price. */
export function isInRange(price: Ticks, rules: AmountRules): boolean {
  return price >= rules.tick && price <= TICKS_PER_DOLLAR - rules.tick;
}

/** Whether amounts have no more decimals than the venue accepts. */
export function isRounded(
  side: OrderSide,
  kind: 'limit' | 'market',
  { makerAmount, takerAmount }: OrderAmounts,
  rules: AmountRules,
): boolean {
  if (kind === 'market') return makerAmount % BigInt(STATED_STEP) === 0n && takerAmount % MARKET_STEP === 0n;
  const { dollars, shares } = sidesOf(side, { makerAmount, takerAmount });
  return shares % BigInt(STATED_STEP) === 0n && dollars % 10n ** BigInt(AMOUNT_DECIMALS - rules.dollarDecimals) === 0n;
}

/** Whether the taker amount is the amount of a market order at the price, within one rounding step. */
export function isMarketPrice(side: OrderSide, amounts: OrderAmounts, price: Ticks): boolean {
  const { dollars, shares } = sidesOf(side, amounts);
  const difference = dollars * BigInt(TICKS_PER_DOLLAR) - shares * BigInt(price);
  const step = MARKET_STEP * BigInt(side === BUY ? price : TICKS_PER_DOLLAR);
  return -step <= difference && difference <= step;
}

/** Returns price and size from amounts. Returns null if there are no shares, or if price or size exceeds 2^53. */
export function limitOf(side: OrderSide, amounts: OrderAmounts, rules: AmountRules): OrderLimit | null {
  const { dollars, shares } = sidesOf(side, amounts);
  if (shares === 0n) return null;
  const dividend = dollars * BigInt(TICKS_PER_DOLLAR);
  const divisor = shares * BigInt(rules.tick);
  const inTicks = (2n * dividend + divisor) / (2n * divisor);
  const price = Number(inTicks) * rules.tick;
  const size = Number(shares);
  if (!Number.isSafeInteger(price) || !Number.isSafeInteger(size)) return null;
  return { price: price as Ticks, size: size as MicroShares, isExact: inTicks * divisor === dividend };
}

function amountsOf(side: OrderSide, dollars: number, shares: number): Result<OrderAmounts, AmountRefusal> {
  if (dollars <= 0 || shares <= 0) return fail('nothing-left');
  if (!Number.isSafeInteger(dollars) || !Number.isSafeInteger(shares)) return fail('too-large');
  const [maker, taker] = side === BUY ? [dollars, shares] : [shares, dollars];
  return ok({ makerAmount: BigInt(maker), takerAmount: BigInt(taker) });
}

function stated(amount: TokenAmount | MicroShares): number {
  return amount - (amount % STATED_STEP);
}

function sidesOf(
  side: OrderSide,
  { makerAmount, takerAmount }: OrderAmounts,
): { readonly dollars: bigint; readonly shares: bigint } {
  return side === BUY ? { dollars: makerAmount, shares: takerAmount } : { dollars: takerAmount, shares: makerAmount };
}

/**
 * Returns the dollars for shares at a price. Hundredths of a share × ticks are micro-dollars: exact, and below 2^53 while the shares are.
 */
function dollarsFor(shares: number, price: Ticks): number {
  return (shares / STATED_STEP) * price;
}

/** Returns the amounts of a market order, with the taker amount rounded down. */
function amountsAt(side: OrderSide, given: number, price: Ticks): Result<OrderAmounts, AmountRefusal> {
  if (side === SELL) return amountsOf(side, roundedDown(BigInt(dollarsFor(given, price))), given);
  return amountsOf(side, given, roundedDown((BigInt(given) * BigInt(TICKS_PER_DOLLAR)) / BigInt(price)));
}

function roundedDown(amount: bigint): number {
  return Number(amount - (amount % MARKET_STEP));
}

/** Whether the price that the amounts mean, to the nearest tick, is the limit or on its safe side. Half a tick off is too far. */
function isNoWorse(side: OrderSide, amounts: OrderAmounts, limit: Ticks, { tick }: AmountRules): boolean {
  const { dollars, shares } = sidesOf(side, amounts);
  const twice = 2n * BigInt(TICKS_PER_DOLLAR) * dollars;
  return side === BUY ? twice < shares * BigInt(2 * limit + tick) : twice > shares * BigInt(2 * limit - tick);
}
