// A wallet's positions as the Data API's second version shows them (venue-a.md §8), with their history of fees and times. JSON numbers are
// made from the decimal text of an integer, so that no sum or product is ever a fraction. Thread of the paper exchanges.

import {
  formatMicroShares,
  formatTicks,
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { limits } from '../../../limits.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { ConversionRecord, TokenIndex, TradeRecord, VenueAPosition } from '../records.ts';
import { isoText, secondsOf } from '../rest/decimal-text.ts';
import { currentPrice } from '../rest/market-views.ts';

/** A position and its value. */
export interface ValuedPosition extends VenueAPosition {
  readonly price: MicroDollars;
  readonly value: MicroDollars;
  /** Value less cost. */
  readonly cashPnl: MicroDollars;
}

export function valued(position: VenueAPosition): ValuedPosition {
  const price = currentPrice(position.market, position.token);
  const value = worthOf(position.size, price);
  return { ...position, price, value, cashPnl: (value - position.cost) as MicroDollars };
}

/** Fees are separate from cost. */
export function positionRow(position: ValuedPosition, exchange: VenueAExchange, history: WalletHistory): object {
  const { wallet, market, token, size, cost, value, cashPnl, price, bought, realizedPnl } = position;
  const { fees, firstAt, lastAt } = history.of(position);
  const { listing, event } = market;
  return {
    proxy_wallet: wallet.toLowerCase(),
    token_id: listing.tokens[token],
    condition_id: listing.conditionId,
    current_size: exactNumber(size),
    avg_price: shownQuotient(cost, size),
    entry_cost_usdc: exactNumber(cost),
    entry_fees_usdc: exactNumber(fees),
    total_cost_usdc: exactNumber((cost + fees) as MicroDollars),
    current_price: exactNumber(price),
    current_value: exactNumber(value),
    total_size: exactNumber(bought),
    realized_pnl: exactNumber(realizedPnl),
    unrealized_pnl: exactNumber(cashPnl),
    total_pnl: exactNumber((realizedPnl + cashPnl) as MicroDollars),
    percent_pnl: shownQuotient(cashPnl, cost, 100),
    status: statusOf(position),
    redeemable: size > 0 && market.resolution !== null,
    mergeable: isMergeable(position, exchange),
    negative_risk: listing.isNegRisk,
    event_id: event.id,
    event_slug: event.slug,
    title: listing.question,
    slug: listing.slug,
    outcome: listing.outcomes[token],
    outcome_index: token,
    opposite_outcome: listing.outcomes[token === 0 ? 1 : 0],
    opposite_token_id: listing.tokens[token === 0 ? 1 : 0],
    end_date: isoText(listing.endAt),
    first_entry_at: secondsOf(firstAt),
    last_event_at: secondsOf(lastAt),
    archived: isArchived(market, exchange.now()),
    icon: '',
    name: '',
    profile_image: '',
    verified: false,
    percent_realized_pnl: shownQuotient(realizedPnl, cost, 100),
  };
}

type PositionStatus = 'OPEN' | 'REDEEMABLE' | 'REDEEMABLE_LOST' | 'CLOSED';

export function statusOf({ size, market, value }: ValuedPosition): PositionStatus {
  if (size === 0) return 'CLOSED';
  if (market.resolution === null) return 'OPEN';
  return value > 0 ? 'REDEEMABLE' : 'REDEEMABLE_LOST';
}

/** Positions of markets that were resolved long ago are left out of lists that do not ask for them. */
export function isArchived({ resolution }: VenueAMarket, now: UnixMillis): boolean {
  return resolution !== null && now - resolution.at >= limits.paperDataArchivedAfterMs;
}

/** Value of `size` shares at a price in micro-dollars, which may lie between two ticks. */
function worthOf(size: MicroShares, price: MicroDollars): MicroDollars {
  return Number((BigInt(size) * BigInt(price)) / BigInt(MICROS_PER_SHARE)) as MicroDollars;
}

export function isMergeable({ wallet, market, token, size }: VenueAPosition, exchange: VenueAExchange): boolean {
  return size > 0 && exchange.shares(wallet, market, token === 0 ? 1 : 0) > 0;
}

interface PositionHistory {
  readonly fees: MicroDollars;
  /** 0 without a kept event. */
  readonly firstAt: UnixMillis;
  readonly lastAt: UnixMillis;
}

/** Effect of one event on a position. */
interface Entry {
  readonly fees: number;
  readonly at: UnixMillis;
}

export class WalletHistory {
  readonly #wallet: string;
  readonly #trades: ReadonlyMap<VenueAMarket, readonly TradeRecord[]>;
  readonly #conversions: ReadonlyMap<VenueAMarket, readonly ConversionRecord[]>;

  constructor(exchange: VenueAExchange, wallet: string) {
    this.#wallet = wallet.toLowerCase();
    this.#trades = Map.groupBy(exchange.tradesOfWallet(wallet), ({ market }) => market);
    this.#conversions = Map.groupBy(exchange.conversions(wallet), ({ market }) => market);
  }

  of({ market, token }: Pick<VenueAPosition, 'market' | 'token'>): PositionHistory {
    let [fees, firstAt, lastAt] = [0, 0, 0];
    for (const entry of this.#entries(market, token)) {
      fees += entry.fees;
      firstAt = firstAt === 0 ? entry.at : Math.min(firstAt, entry.at);
      lastAt = Math.max(lastAt, entry.at);
    }
    return { fees: fees as MicroDollars, firstAt: firstAt as UnixMillis, lastAt: lastAt as UnixMillis };
  }

  *#entries(market: VenueAMarket, token: TokenIndex): Generator<Entry> {
    for (const trade of this.#trades.get(market) ?? [])
      if (trade.status !== 'FAILED') yield* this.#ofTrade(trade, token);
    for (const { at } of this.#conversions.get(market) ?? []) yield { fees: 0, at };
  }

  *#ofTrade(trade: TradeRecord, token: TokenIndex): Generator<Entry> {
    const { matchedAt: at, isBuy } = trade;
    if (this.#isOwn(trade.makerAddress) && trade.token === token) yield { fees: isBuy ? trade.takerFee : 0, at };
    for (const maker of trade.makers)
      if (this.#isOwn(maker.makerAddress) && maker.token === token) yield { fees: 0, at };
  }

  #isOwn(address: string): boolean {
    return address.toLowerCase() === this.#wallet;
  }
}

/** The venue shows quotients and positions with four decimals, as many as a tick has. */
const SHOWN_PARTS = 10_000;

/** The number with all six decimals. */
export function exactNumber(amount: MicroDollars | MicroShares): number {
  return fromText(amount, formatMicroShares(Math.abs(amount) as MicroShares));
}

/** numerator ÷ denominator with four decimals; 0 if the denominator is 0. `scale`: 100 for percent. */
export function shownQuotient(numerator: number, denominator: number, scale: 1 | 100 = 1): number {
  if (denominator === 0) return 0;
  // A sum in micros times a million exceeds 2^53.
  const wide = BigInt(Math.abs(numerator)) * BigInt(SHOWN_PARTS * scale);
  const [quotient, remainder] = [wide / BigInt(denominator), wide % BigInt(denominator)];
  const rounded = quotient + (remainder * 2n >= BigInt(denominator) ? 1n : 0n);
  return fromText(numerator, formatTicks(Number(rounded) as Ticks));
}

function fromText(sign: number, magnitude: string): number {
  return sign < 0 && magnitude !== '0' ? -Number(magnitude) : Number(magnitude);
}
