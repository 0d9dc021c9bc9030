// Views of an actor's positions, balances and limits (interface §2.3, §2.4, contract §4.11, §5). Any thread.

import { type Fraction, fraction, roundHalfEven, times } from '../domain/fraction.ts';
import type { ActorLimits } from '../domain/identity.ts';
import type { Venue } from '../domain/market.ts';
import {
  COST_PER_MICRO_DOLLAR,
  formatMicroDollars,
  formatMicroShares,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  type UnixMillis,
} from '../domain/numbers.ts';
import type { ValuedPosition } from '../domain/position.ts';
import { formatTime } from './time-text.ts';

// Positions (interface §2.3, contract §5). All amounts are exact until here, and are rounded once, half to even: money and prices to six
// decimals, venue B's integers to whole cents.

interface VenueAPositionView {
  readonly tokenId: string;
  readonly size: string;
  readonly averagePrice: string;
  readonly mark: string;
  readonly valueUsd: string;
  readonly unrealizedPnlUsd: string;
  readonly redeemable: boolean;
}

interface VenueBPositionView {
  readonly ticker: string;
  readonly side: 'YES' | 'NO';
  /** The position in whole contracts. */
  readonly contracts: number;
  readonly averagePriceCents: number;
  readonly markCents: number;
  /** The exact average price. `size` is exact, too; the members above are in whole contracts and cents. */
  readonly averagePrice: string;
  readonly mark: string;
  readonly size: string;
  readonly valueUsd: string;
  readonly unrealizedPnlUsd: string;
}

export type PositionView = VenueAPositionView | VenueBPositionView;

export function positionView(valued: ValuedPosition): PositionView {
  return valued.position.venue === 'venue_a' ? venueAView(valued) : venueBView(valued);
}

function venueAView({ position, average, mark, value, unrealized }: ValuedPosition): VenueAPositionView {
  return {
    tokenId: position.address,
    size: formatMicroShares(position.size),
    averagePrice: priceText(average),
    mark: priceText(mark),
    valueUsd: dollarsText(value),
    unrealizedPnlUsd: dollarsText(unrealized),
    redeemable: position.isRedeemable,
  };
}

function venueBView({ position, average, mark, value, unrealized }: ValuedPosition): VenueBPositionView {
  return {
    ticker: position.address,
    side: position.size < 0 ? 'NO' : 'YES',
    contracts: wholeContracts(position.size),
    averagePriceCents: cents(average),
    markCents: cents(mark),
    averagePrice: priceText(average),
    mark: priceText(mark),
    size: formatMicroShares(Math.abs(position.size) as MicroShares),
    valueUsd: dollarsText(value),
    unrealizedPnlUsd: dollarsText(unrealized),
  };
}

const MICRO_DOLLARS_PER_TICK = fraction(100n);
const CENTS_PER_TICK = fraction(1n, 100n);
/** The micro-dollars of a unit. A unit is a tick × a micro-share. */
const MICRO_DOLLARS_PER_UNIT = fraction(1n, COST_PER_MICRO_DOLLAR);

function priceText(ticks: Fraction): string {
  return microDollarsText(times(ticks, MICRO_DOLLARS_PER_TICK));
}

function dollarsText(worth: Fraction): string {
  return microDollarsText(times(worth, MICRO_DOLLARS_PER_UNIT));
}

function microDollarsText(microDollars: Fraction): string {
  return formatMicroDollars(Number(roundHalfEven(microDollars)) as MicroDollars);
}

function cents(ticks: Fraction): number {
  return Number(roundHalfEven(times(ticks, CENTS_PER_TICK)));
}

function wholeContracts(size: MicroShares): number {
  return Math.floor(Math.abs(size) / MICROS_PER_SHARE);
}

// Balances (interface §2.4, contract §5): JSON numbers in dollars, written digit by digit from integers.

interface BalanceAmounts {
  /** The cash without the money that resting orders hold. */
  readonly available: MicroDollars;
  readonly committed: MicroDollars;
  readonly claimable: MicroDollars;
  readonly unconverted: MicroDollars;
  /** The available money in each shard of venue B. */
  readonly shards?: readonly { readonly shard: number; readonly available: MicroDollars }[];
}

/** Returns the balance as JSON text. */
export function balanceText(venue: Venue, { shards = [], ...amounts }: BalanceAmounts): string {
  const { available, committed, claimable, unconverted } = amounts;
  const spendable = `"available":${usd(available)}`;
  if (venue === 'venue_b') {
    const cash = shards.map(it => `{"index":${it.shard},"available":${usd(it.available)}}`);
    return `{${spendable},"shards":[${cash.join(',')}]}`;
  }
  const total = usd(available, unconverted, claimable, committed);
  return `{${spendable},"unconverted":${usd(unconverted)},"claimable":${usd(claimable)},"total":${total}}`;
}

/** The older family's view of a balance, over all venues. */
interface OlderBalance {
  readonly cash: MicroDollars;
  readonly reserved: MicroDollars;
  readonly positions: MicroDollars;
  readonly retrievedAt: UnixMillis;
}

/** Returns the older family's balance as JSON text. */
export function olderBalanceText({ cash, reserved, positions, retrievedAt }: OlderBalance): string {
  const amounts = `"cash":${usd(cash)},"reserved":${usd(reserved)},"positions":${usd(positions)}`;
  return `{${amounts},"retrievedAt":"${formatTime(retrievedAt)}"}`;
}

/** Returns the sum of the parts in dollars. The result is never below 0: if more is committed than available, nothing is left to spend. */
function usd(...parts: readonly MicroDollars[]): string {
  const sum = parts.reduce<number>((total, part) => total + Math.max(0, part), 0);
  return formatMicroDollars(sum as MicroDollars);
}

// An actor's limits (contract §4.11): money and sizes as canonical decimals.

/** The view of an actor's limits. Null means no limit. */
export interface ActorLimitsView
  extends Omit<
    ActorLimits,
    'notionalMax' | 'positionMax' | 'sizeMax' | 'collarWithoutBook' | 'exposureMax' | 'podExposureMax'
  > {
  readonly notionalMax: string | null;
  readonly positionMax: string | null;
  readonly sizeMax: string | null;
  readonly exposureMax: string | null;
  readonly podExposureMax: string | null;
  readonly collarWithoutBook: 'PASS' | 'REFUSE';
}

export function actorLimitsView(own: ActorLimits): ActorLimitsView {
  const { notionalMax, positionMax, sizeMax, collarWithoutBook, exposureMax, podExposureMax } = own;
  return {
    ...own,
    notionalMax: notionalMax === null ? null : formatMicroDollars(notionalMax),
    positionMax: positionMax === null ? null : formatMicroShares(positionMax),
    sizeMax: sizeMax === null ? null : formatMicroShares(sizeMax),
    collarWithoutBook: collarWithoutBook ?? 'REFUSE',
    exposureMax: exposureMax === null ? null : formatMicroDollars(exposureMax),
    podExposureMax: podExposureMax === null ? null : formatMicroDollars(podExposureMax),
  };
}
