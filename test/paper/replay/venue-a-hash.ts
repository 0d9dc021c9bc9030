// Venue A's book hash from its description alone (venue-a.md §5.4), and a follower that folds a stream of the market
// channel and checks every hash. Shares no code with src/: it is the second opinion.

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

interface Message {
  readonly event_type: string;
  readonly market: string;
  readonly asset_id?: string;
  readonly timestamp: string;
  readonly price_changes?: readonly {
    readonly asset_id: string;
    readonly price: string;
    readonly size: string;
    readonly side: 'BUY' | 'SELL';
    readonly hash: string;
  }[];
}

/** Folds frames of the market channel, token by token, and counts the hashes that verify. */
export class HashFollower {
  verified = 0;
  readonly failures: string[] = [];
  readonly books = new Map<string, WireBook>();
  readonly #facts: HashFacts;

  constructor(facts: HashFacts) {
    this.#facts = facts;
  }

  take(text: string): void {
    const value = JSON.parse(text) as Message | Message[];
    for (const message of Array.isArray(value) ? value : [value]) {
      if (message.event_type === 'book') this.#book(message as unknown as WireBook);
      for (const change of message.price_changes ?? []) this.#change(message, change);
    }
  }

  #book(book: WireBook): void {
    const known = this.books.get(book.asset_id);
    const whole = { ...(known ?? {}), ...book } as WireBook;
    this.#check(whole, []);
  }

  #change(
    { timestamp }: Message,
    { asset_id, price, size, side, hash }: NonNullable<Message['price_changes']>[number],
  ): void {
    const book = this.books.get(asset_id);
    if (book === undefined) return;
    const [own, other] = side === 'BUY' ? (['bids', 'asks'] as const) : (['asks', 'bids'] as const);
    const levels = book[own].filter(level => level.price !== price);
    if (size !== '0') levels.push({ price, size });
    levels.sort((a, b) => (Number(a.price) - Number(b.price)) * (side === 'BUY' ? 1 : -1));
    const next = { ...book, timestamp, hash, [own]: levels, [other]: book[other] } as WireBook;
    const mirrored = (Math.round((1 - Number(price)) * 1e4) / 1e4).toFixed(4).replace(/0+$/, '');
    // A change that belongs to a trade is hashed with a last trade price that is announced later (venue-a.md §5.3).
    this.#check(next, [price.padEnd(5, '0'), mirrored.padEnd(5, '0')]);
  }

  #check(book: WireBook, lastTrades: readonly string[]): void {
    for (const lastTrade of [book.last_trade_price, ...lastTrades]) {
      const candidate = { ...book, last_trade_price: lastTrade };
      const { stated, own } = statedAndOwnHash(candidate, this.#facts);
      if (stated !== own) continue;
      this.verified += 1;
      this.books.set(book.asset_id, candidate);
      for (const [token, known] of this.books) {
        if (known.market === book.market) this.books.set(token, { ...known, last_trade_price: lastTrade });
      }
      return;
    }
    this.failures.push(`${book.asset_id} at ${book.timestamp}`);
    this.books.set(book.asset_id, book);
  }
}
