// A wallet's positions as the Data API shows them (venue-a.md §8): in its second version. Thread of
// the paper exchanges.

import {
  MICROS_PER_SHARE,
  type MicroDollars,
  type MicroShares,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import { limits } from '../../../limits.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { VenueAPosition } from '../order-requests.ts';
import { isoText, secondsOf } from '../rest/decimal-text.ts';
import { currentPrice } from '../rest/market-views.ts';
import { exactNumber, shownQuotient } from './json-number.ts';
import type { WalletHistory } from './wallet-history.ts';

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
