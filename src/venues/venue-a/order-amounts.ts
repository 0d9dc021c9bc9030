// What an order of venue A gives and takes (venue-a.md §2.2): from price and size, or from an amount at the market, to the two
// whole numbers that are signed, and back. The venue's rounding rules on whole numbers: no float, nothing rounded that the
// rules do not round. Pure.

import { type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../../domain/numbers.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { BUY, type OrderSide, SELL, type VenueAOrder } from './typed-data.ts';

/** Millionths of a dollar or of a share, whichever is meant: both have six decimals on the chain. */
export type TokenAmount = number & { readonly unit: 'millionths' };

/** As signed: a buyer gives (makes) dollars and takes shares, a seller the reverse. */
export type OrderAmounts = Pick<VenueAOrder, 'makerAmount' | 'takerAmount'>;

/** How a market with this tick rounds. */
export interface AmountRules {
  readonly tick: Ticks;
  /** Of prices. A tick of 0.0025 has prices of four decimals. */
  readonly priceStep: Ticks;
  /** Of what is computed: dollars, or the shares that a market order buys. */
  readonly computedStep: TokenAmount;
}

export type AmountRefusal =
  /** Outside of one tick to one dollar less a tick. */
  | 'price-out-of-range'
  /** Rounding leaves nothing to give or to take. */
  | 'nothing-left'
  /** An amount passes 2^53. */
  | 'too-large';

/** Limit price and size that amounts stand for. */
export interface OrderLimit {
  /** To the nearest tick; not checked for range. */
  readonly price: Ticks;
  readonly size: MicroShares;
  /** Whether the amounts stand for just this price, as those of limit orders do. */
  readonly isExact: boolean;
}

/** Decimals of prices and of computed amounts, by tick. */
const DECIMALS: ReadonlyMap<Ticks, readonly [price: number, computed: number]> = new Map([
  [1_000 as Ticks, [1, 3]],
  [100 as Ticks, [2, 4]],
  [50 as Ticks, [3, 5]],
  [25 as Ticks, [4, 6]],
  [10 as Ticks, [3, 5]],
  [1 as Ticks, [4, 6]],
]);
/** What is stated, be it shares or dollars, has two decimals with every tick. */
export const STATED_STEP = 10_000;
const PRICE_DECIMALS = 4;
const AMOUNT_DECIMALS = 6;

/** Null for a tick that the venue does not have. */
export function amountRules(tick: Ticks): AmountRules | null {
  const decimals = DECIMALS.get(tick);
  if (decimals === undefined) return null;
  const [price, computed] = decimals;
  return {
    tick,
    priceStep: (10 ** (PRICE_DECIMALS - price)) as Ticks,
    computedStep: (10 ** (AMOUNT_DECIMALS - computed)) as TokenAmount,
  };
}

/** Of a limit order: the price is rounded half up, the size down; their product is exact. */
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
 * Of a market order (FOK, FAK): `amount` is the dollars to spend or the shares to sell; it and the price, the worst to be
 * taken, are rounded down. A buyer's shares are rounded down too, so that its amounts stand for slightly more than the price.
 */
export function marketAmounts(
  side: OrderSide,
  amount: TokenAmount,
  price: Ticks,
  rules: AmountRules,
): Result<OrderAmounts, AmountRefusal> {
  if (!isInRange(price, rules)) return fail('price-out-of-range');
  const rounded = (price - (price % rules.priceStep)) as Ticks;
  const given = stated(amount);
  if (side === SELL) return amountsOf(side, dollarsFor(given, rounded), given);
  return amountsOf(side, given, sharesFor(given, rounded, rules.computedStep));
}

/** Whether an order at this price can be in the market at all. */
export function isInRange(price: Ticks, rules: AmountRules): boolean {
  return price >= rules.tick && price <= TICKS_PER_DOLLAR - rules.tick;
}

/** Whether amounts have no more decimals than the rules leave them. */
export function isRounded(
  side: OrderSide,
  kind: 'limit' | 'market',
  { makerAmount, takerAmount }: OrderAmounts,
  rules: AmountRules,
): boolean {
  // What a market order gives is stated, and the shares of a limit order.
  const isMakerStated = kind === 'market' || side === SELL;
  const [given, computed] = isMakerStated ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
  return given % BigInt(STATED_STEP) === 0n && computed % BigInt(rules.computedStep) === 0n;
}

/** Price and size from amounts; null without shares, or if price or size passes 2^53. */
export function limitOf(side: OrderSide, amounts: OrderAmounts, rules: AmountRules): OrderLimit | null {
  const { makerAmount, takerAmount } = amounts;
  const [dollars, shares] = side === BUY ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
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

/** Hundredths of a share × ticks are micro-dollars: exact, and below 2^53 as long as the shares are. */
function dollarsFor(shares: number, price: Ticks): number {
  return (shares / STATED_STEP) * price;
}

/** Rounded down. */
function sharesFor(dollars: number, price: Ticks, step: TokenAmount): number {
  const shares = (BigInt(dollars) * BigInt(TICKS_PER_DOLLAR)) / BigInt(price);
  return Number(shares - (shares % BigInt(step)));
}
