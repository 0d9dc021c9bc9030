// History of a wallet's positions, as far as kept: payments for their shares, fees, and times (venue-a.md §8). Scanned once for all rows of
// a page. Thread of the paper exchanges.

import type { MicroDollars, UnixMillis } from '../../../domain/numbers.ts';
import { yesCost } from '../../engine/money.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { VenueAPosition } from '../order-requests.ts';
import type { ConversionRecord, TokenIndex, TradeRecord } from '../records.ts';
import { halvesOf } from '../wallet.ts';

interface PositionHistory {
  readonly paid: MicroDollars;
  readonly fees: MicroDollars;
  /** 0 without a kept event. */
  readonly firstAt: UnixMillis;
  readonly lastAt: UnixMillis;
}

/** Effect of one event on a position. */
interface Entry {
  readonly paid: number;
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
    let [paid, fees, firstAt, lastAt] = [0, 0, 0, 0];
    for (const entry of this.#entries(market, token)) {
      paid += entry.paid;
      fees += entry.fees;
      firstAt = firstAt === 0 ? entry.at : Math.min(firstAt, entry.at);
      lastAt = Math.max(lastAt, entry.at);
    }
    return {
      paid: paid as MicroDollars,
      fees: fees as MicroDollars,
      firstAt: firstAt as UnixMillis,
      lastAt: lastAt as UnixMillis,
    };
  }

  *#entries(market: VenueAMarket, token: TokenIndex): Generator<Entry> {
    for (const trade of this.#trades.get(market) ?? [])
      if (trade.status !== 'FAILED') yield* this.#ofTrade(trade, token);
    for (const { type, size, at } of this.#conversions.get(market) ?? [])
      yield { paid: type === 'SPLIT' ? halvesOf(size)[token] : 0, fees: 0, at };
  }

  *#ofTrade(trade: TradeRecord, token: TokenIndex): Generator<Entry> {
    const { matchedAt: at, isBuy } = trade;
    if (this.#isOwn(trade.makerAddress) && trade.token === token)
      yield { paid: isBuy ? trade.dollars : 0, fees: isBuy ? trade.takerFee : 0, at };
    for (const maker of trade.makers) {
      if (!this.#isOwn(maker.makerAddress) || maker.token !== token) continue;
      yield { paid: maker.isBuy ? yesCost(maker.price, maker.size) : 0, fees: 0, at };
    }
  }

  #isOwn(address: string): boolean {
    return address.toLowerCase() === this.#wallet;
  }
}
