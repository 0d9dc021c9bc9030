// History of a wallet's positions, as far as kept: fees and times (venue-a.md §8). Scanned once for all rows of
// a page. Thread of the paper exchanges.

import type { MicroDollars, UnixMillis } from '../../../core/domain/numbers.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { VenueAPosition } from '../order-requests.ts';
import type { ConversionRecord, TokenIndex, TradeRecord } from '../records.ts';

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
