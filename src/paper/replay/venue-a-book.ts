// Venue A's view of one market during a replay. It is one logical book of two mirrored tokens (venue-a.md §9.1), with the venue's hash
// for either. Simple on purpose: it serialises the whole book for each hash. Replay thread.

import { createHash } from 'node:crypto';
import { isObject, type JsonObject, objectsOf, textOf } from '../../core/domain/json.ts';
import { complementTicks, formatTicks, parseTicks, type Ticks } from '../../core/domain/numbers.ts';

export interface VenueAFacts {
  readonly conditionId: string;
  /** The first token comes first. */
  readonly tokens: readonly [string, string];
  readonly outcomes: readonly [string, string];
  /** Part of the hash, as written here. */
  readonly minOrderSize: string;
  readonly tickSize: string;
  readonly negRisk: boolean;
}

interface WireLevel {
  readonly price: string;
  readonly size: string;
}

/** Bids ascending, asks descending: the best level is last on both sides. */
interface WireBook {
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

export class VenueABook {
  readonly facts: VenueAFacts;
  tickSize: string;
  isResolved = false;
  /** Milliseconds as text, of the last message that changed the book. */
  timestamp = '0';
  /** The last trade of the market: the same text for both tokens. */
  lastTrade = '0.500';
  /** Sizes as the venue wrote them, in the first token's frame. */
  #bids = new Map<Ticks, string>();
  #asks = new Map<Ticks, string>();
  /** Time of the last `book`, until a change after it is proven. Changes that are not later may be in that book already. */
  #bookTime = 0;

  constructor(facts: VenueAFacts) {
    this.facts = facts;
    this.tickSize = facts.tickSize;
  }

  /** Applies one message of the market channel; ignores messages that do not concern the book. */
  apply(message: JsonObject): void {
    switch (message.event_type) {
      case 'book':
        this.#replace(message);
        return;
      case 'price_change':
        this.#change(message);
        return;
      case 'tick_size_change':
        this.tickSize = textOf(message.new_tick_size) || this.tickSize;
        return;
      case 'market_resolved':
        this.isResolved = true;
        return;
      default:
    }
  }

  /** Sets the absolute size of a token's level; `"0"` removes it. Ignores other tokens and unreadable prices. */
  set(token: string, side: string, price: string, size: string): void {
    const ticks = parseTicks(price);
    if (ticks === null || !this.facts.tokens.includes(token)) return;
    const isMirror = token === this.facts.tokens[1];
    const levels = (side === 'BUY') === isMirror ? this.#asks : this.#bids;
    const own = isMirror ? complementTicks(ticks) : ticks;
    if (Number(size) === 0) levels.delete(own);
    else levels.set(own, size);
  }

  levels(token: string): WireBook {
    if (token === this.facts.tokens[0]) return { bids: rows(this.#bids, false), asks: rows(this.#asks, true) };
    return { bids: mirrored(this.#asks), asks: mirrored(this.#bids).reverse() };
  }

  /** SHA-1 over a token's whole book, in hex (venue-a.md §5.4). */
  hash(token: string, lastTrade = this.lastTrade): string {
    return createHash('sha1')
      .update(JSON.stringify(this.#hashed(token, lastTrade)))
      .digest('hex');
  }

  /** The answer of `GET /book`. */
  restBook(token: string): JsonObject {
    return { ...this.#hashed(token, this.lastTrade), hash: this.hash(token) };
  }

  /** A token's `book` message, as a subscription starts with it. */
  bookMessage(token: string): JsonObject {
    const { last_trade_price, min_order_size: _size, neg_risk: _risk, ...message } = this.restBook(token);
    return { ...message, event_type: 'book', last_trade_price };
  }

  /** Input of the hash, in this order of keys, with an empty `hash`. */
  #hashed(token: string, lastTrade: string): JsonObject {
    return {
      market: this.facts.conditionId,
      asset_id: token,
      timestamp: this.timestamp,
      hash: '',
      ...this.levels(token),
      min_order_size: this.facts.minOrderSize,
      tick_size: this.tickSize,
      neg_risk: this.facts.negRisk,
      last_trade_price: lastTrade,
    };
  }

  /** Recorded sessions have changes after a `book` that are already in it: the hashes that they state do not match. */
  #change(message: JsonObject): void {
    const changes = objectsOf(message.price_changes);
    const mayBeInBook = Number(message.timestamp) <= this.#bookTime;
    const before = mayBeInBook ? ([new Map(this.#bids), new Map(this.#asks), this.timestamp] as const) : null;
    this.timestamp = textOf(message.timestamp);
    for (const change of changes) {
      this.set(textOf(change.asset_id), textOf(change.side), textOf(change.price), textOf(change.size));
    }
    if (this.#leadsTo(changes.at(-1))) this.#bookTime = 0;
    else if (before !== null) [this.#bids, this.#asks, this.timestamp] = before;
  }

  #replace(message: JsonObject): void {
    // The other token's price, from an earlier message.
    if (Number(message.timestamp) <= this.#bookTime) return;
    this.#bookTime = Number(message.timestamp);
    this.#bids.clear();
    this.#asks.clear();
    this.timestamp = textOf(message.timestamp);
    this.tickSize = textOf(message.tick_size) || this.tickSize;
    this.lastTrade = textOf(message.last_trade_price) || this.lastTrade;
    const token = textOf(message.asset_id);
    for (const { price, size } of objectsOf(message.bids)) this.set(token, 'BUY', textOf(price), textOf(size));
    for (const { price, size } of objectsOf(message.asks)) this.set(token, 'SELL', textOf(price), textOf(size));
  }

  /**
   * Whether the book has the hash that a change states. The first message of a trade is hashed with a last trade price that is announced
   * later (venue-a.md §5.3). It is the price of the changed level, or its complement.
   */
  #leadsTo(stated: JsonObject | undefined): boolean {
    if (!isObject(stated) || typeof stated.hash !== 'string') return false;
    const token = textOf(stated.asset_id);
    const ticks = parseTicks(textOf(stated.price));
    if (ticks === null) return false;
    const prices = [ticks, complementTicks(ticks)].map(lastTradeText);
    const lastTrade = [this.lastTrade, ...prices].find(it => this.hash(token, it) === stated.hash);
    this.lastTrade = lastTrade ?? this.lastTrade;
    return lastTrade !== undefined;
  }
}

/** A price as `last_trade_price` inside a book: at least three decimals, at the ticks 0.01 and 0.001 alike (recorded). */
export function lastTradeText(price: Ticks): string {
  const [whole, fraction = ''] = formatTicks(price).split('.');
  return `${whole}.${fraction.padEnd(3, '0')}`;
}

function rows(levels: ReadonlyMap<Ticks, string>, descending: boolean): WireLevel[] {
  const sorted = [...levels].sort(([a], [b]) => (descending ? b - a : a - b));
  return sorted.map(([price, size]) => ({ price: formatTicks(price), size }));
}

/** Ascending levels of the other token. */
function mirrored(levels: ReadonlyMap<Ticks, string>): WireLevel[] {
  const sorted = [...levels].sort(([a], [b]) => b - a);
  return sorted.map(([price, size]) => ({ price: formatTicks(complementTicks(price)), size }));
}
