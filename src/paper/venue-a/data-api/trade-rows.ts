// Trades as the Data API shows them (venue-a.md §8): one row for each party, once they are on the chain. Thread of the paper
// exchanges.

import type { MicroDollars, MicroShares } from '../../../domain/numbers.ts';
import { yesCost } from '../../engine/money.ts';
import type { VenueAMarket } from '../market.ts';
import type { ConversionRecord, TokenIndex, TradeRecord } from '../records.ts';
import { secondsOf } from '../rest/decimal-text.ts';
import { exactNumber, shownQuotient } from './json-number.ts';

/** One party's part in a trade. */
export interface TradePart {
  readonly trade: TradeRecord;
  readonly isTaker: boolean;
  readonly wallet: string;
  readonly token: TokenIndex;
  readonly isBuy: boolean;
  readonly size: MicroShares;
  /** Payment for all of it. */
  readonly dollars: MicroDollars;
}

/** The taker's part first. Empty for a trade in no block (yet). */
export function partsOf(trade: TradeRecord): TradePart[] {
  if (trade.status !== 'MINED' && trade.status !== 'CONFIRMED') return [];
  const { makerAddress: wallet, token, isBuy, size, dollars } = trade;
  return [
    { trade, isTaker: true, wallet, token, isBuy, size, dollars },
    ...trade.makers.map(maker => ({
      trade,
      isTaker: false,
      wallet: maker.makerAddress,
      token: maker.token,
      isBuy: maker.isBuy,
      size: maker.size,
      dollars: yesCost(maker.price, maker.size),
    })),
  ];
}

export function tradeRow(part: TradePart): object {
  return {
    proxyWallet: part.wallet.toLowerCase(),
    side: part.isBuy ? 'BUY' : 'SELL',
    asset: part.trade.market.listing.tokens[part.token],
    conditionId: part.trade.market.conditionId,
    size: exactNumber(part.size),
    price: shownQuotient(part.dollars, part.size),
    timestamp: secondsOf(part.trade.matchedAt),
    ...labelsOf(part),
    transactionHash: part.trade.transactionHash,
  };
}

export function activityRow(part: TradePart): object {
  const { conditionId, side, asset, size, price, timestamp, transactionHash, proxyWallet, ...labels } = tradeRow(
    part,
  ) as Readonly<Record<string, unknown>>;
  const usdcSize = exactNumber(part.dollars);
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

/** Activity in both tokens has no outcome; the venue writes a number that is no index. */
export function conversionRow(conversion: ConversionRecord, wallet: string): object {
  const { type, market, size, dollars, at, transactionHash } = conversion;
  return {
    proxyWallet: wallet.toLowerCase(),
    timestamp: secondsOf(at),
    conditionId: market.conditionId,
    type,
    size: exactNumber(size),
    usdcSize: exactNumber(dollars),
    transactionHash,
    price: 0,
    asset: '',
    side: '',
    ...marketLabels(market),
    outcome: '',
    outcomeIndex: NO_OUTCOME,
    ...NO_PROFILE,
  };
}

const NO_OUTCOME = 999;

/** There are no profiles here. */
export const NO_PROFILE = { name: '', pseudonym: '', bio: '', profileImage: '', profileImageOptimized: '' };

function labelsOf({ trade: { market }, token }: TradePart) {
  return { ...marketLabels(market), outcome: market.listing.outcomes[token], outcomeIndex: token, ...NO_PROFILE };
}

function marketLabels({ listing, event }: VenueAMarket) {
  return { title: listing.question, slug: listing.slug, icon: '', eventSlug: event.slug };
}
