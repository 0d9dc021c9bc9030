// Trades as the Data API shows them (venue-a.md §8): one row for each party, once the chain has them. Thread of the paper
// exchanges.

import type { MicroDollars, MicroShares, Ticks } from '../../../domain/numbers.ts';
import { formatTicks } from '../../../domain/numbers.ts';
import { yesCost } from '../../engine/money.ts';
import type { TokenIndex, TradeRecord } from '../records.ts';
import { secondsOf } from '../rest/decimal-text.ts';
import { exactNumber } from './json-number.ts';

/** What one party of a trade did. */
export interface TradePart {
  readonly trade: TradeRecord;
  readonly isTaker: boolean;
  readonly wallet: string;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  readonly price: Ticks;
  readonly size: MicroShares;
}

/** The taker's part first. None of a trade that is in no block (yet). */
export function partsOf(trade: TradeRecord): TradePart[] {
  if (trade.status !== 'MINED' && trade.status !== 'CONFIRMED') return [];
  const { makerAddress: wallet, token, isBuy, price, size } = trade;
  return [
    { trade, isTaker: true, wallet, token, isBuy, price, size },
    ...trade.makers.map(maker => ({
      trade,
      isTaker: false,
      wallet: maker.makerAddress,
      token: maker.token,
      isBuy: maker.isBuy,
      price: maker.price,
      size: maker.size,
    })),
  ];
}

export function cashOf({ price, size }: TradePart): MicroDollars {
  return yesCost(price, size);
}

export function tradeRow(part: TradePart): object {
  return {
    proxyWallet: part.wallet.toLowerCase(),
    side: part.isBuy ? 'BUY' : 'SELL',
    asset: part.trade.market.listing.tokens[part.token],
    conditionId: part.trade.market.conditionId,
    size: exactNumber(part.size),
    price: Number(formatTicks(part.price)),
    timestamp: secondsOf(part.trade.matchedAt),
    ...labelsOf(part),
    transactionHash: part.trade.transactionHash,
  };
}

export function activityRow(part: TradePart): object {
  const { conditionId, side, asset, size, price, timestamp, transactionHash, proxyWallet, ...labels } = tradeRow(
    part,
  ) as Readonly<Record<string, unknown>>;
  const usdcSize = exactNumber(cashOf(part));
  return {
    proxyWallet,
    timestamp,
    conditionId,
    type: 'TRADE',
    size,
    usdcSize,
    transactionHash,
    price,
    asset,
    side,
    ...labels,
  };
}

/** Nobody here has a profile. */
export const NO_PROFILE = { name: '', pseudonym: '', bio: '', profileImage: '', profileImageOptimized: '' };

function labelsOf({ trade: { market }, token }: TradePart) {
  const { listing, event } = market;
  return {
    title: listing.question,
    slug: listing.slug,
    icon: '',
    eventSlug: event.slug,
    outcome: listing.outcomes[token],
    outcomeIndex: token,
    ...NO_PROFILE,
  };
}
