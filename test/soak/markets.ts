// Markets to trade, with prices in the middle. Their games begin days from now, so that no market settles during a run.

import { ask } from '../support/paper-traders.ts';
import type { PaperProcess } from './paper-process.ts';

export type SoakMarket =
  | { readonly venue: 'venue_a'; readonly tokenId: string; readonly midCents: number }
  | { readonly venue: 'venue_b'; readonly ticker: string; readonly midCents: number };

/** The number is small, so that traders meet each other. */
const MARKETS_PER_VENUE = 2;
const DAY_MS = 86_400_000;

export async function marketsToTrade(urls: PaperProcess['urls']): Promise<readonly SoakMarket[]> {
  return [...(await marketsOfA(urls['venue_a gamma'])), ...(await marketsOfB(urls['venue_b rest']))];
}

async function marketsOfB(restUrl: string): Promise<readonly SoakMarket[]> {
  type Market = Readonly<Record<'ticker' | 'yes_bid_dollars' | 'yes_ask_dollars' | 'occurrence_datetime', string>>;
  const { body } = await ask<{ readonly markets: readonly Market[] }>(`${restUrl}/markets?limit=1000&status=open`);
  const usable = body.markets.filter(
    ({ yes_ask_dollars, occurrence_datetime }) => isMiddling(Number(yes_ask_dollars)) && isFar(occurrence_datetime),
  );
  return usable.slice(0, MARKETS_PER_VENUE).map(({ ticker, yes_bid_dollars, yes_ask_dollars }) => {
    return { venue: 'venue_b', ticker, midCents: centsBetween(Number(yes_bid_dollars), Number(yes_ask_dollars)) };
  });
}

/** Returns both tokens of each market. */
async function marketsOfA(gammaUrl: string): Promise<readonly SoakMarket[]> {
  interface Market {
    readonly bestBid: number;
    readonly bestAsk: number;
    readonly acceptingOrders: boolean;
    readonly gameStartTime: string;
    readonly orderPriceMinTickSize: number;
    /** JSON. */
    readonly clobTokenIds: string;
  }
  const { body } = await ask<readonly Market[]>(`${gammaUrl}/markets?limit=500&closed=false`);
  const usable = body.filter(
    it => isMiddling(it.bestAsk) && it.acceptingOrders && isFar(it.gameStartTime) && it.orderPriceMinTickSize === 0.01,
  );
  return usable.slice(0, MARKETS_PER_VENUE).flatMap(({ bestBid, bestAsk, clobTokenIds }) => {
    const [first = '', second = ''] = JSON.parse(clobTokenIds) as string[];
    const midCents = centsBetween(bestBid, bestAsk);
    return [
      { venue: 'venue_a', tokenId: first, midCents },
      { venue: 'venue_a', tokenId: second, midCents: 100 - midCents },
    ] as const;
  });
}

function isMiddling(price: number): boolean {
  return price > 0.35 && price < 0.65;
}

function isFar(when: string): boolean {
  return new Date(when).getTime() - Date.now() > 2 * DAY_MS;
}

function centsBetween(bid: number, ask: number): number {
  return Math.round((100 * (bid + ask)) / 2);
}
