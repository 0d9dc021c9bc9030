// Venue A's book hash, written from its description alone (venue-a.md §5.4). It shares no code with src/, so it is an independent check.

import { createHash } from 'node:crypto';

interface WireLevel {
  readonly price: string;
  readonly size: string;
}

export interface WireBook {
  readonly market: string;
  readonly asset_id: string;
  readonly timestamp: string;
  readonly hash: string;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
  readonly tick_size: string;
  readonly last_trade_price: string;
}

interface HashFacts {
  readonly minOrderSize: string;
  readonly negRisk: boolean;
}

export function statedAndOwnHash(book: WireBook, facts: HashFacts): { stated: string; own: string } {
  const hashed = {
    market: book.market,
    asset_id: book.asset_id,
    timestamp: book.timestamp,
    hash: '',
    bids: book.bids,
    asks: book.asks,
    min_order_size: facts.minOrderSize,
    tick_size: book.tick_size,
    neg_risk: facts.negRisk,
    last_trade_price: book.last_trade_price,
  };
  return { stated: book.hash, own: createHash('sha1').update(JSON.stringify(hashed)).digest('hex') };
}
