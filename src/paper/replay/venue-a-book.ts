// Venue A's view of one market during a replay. It is one logical book of two mirrored tokens (venue-a.md §9.1), with the venue's hash
// for either. Simple on purpose: it serialises the whole book for each hash.

import { createHash } from 'node:crypto';
import { isObject, type JsonObject, objectsOf, parseJson, stringsOf, textOf } from '../../core/domain/json.ts';
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
    return { bids: mirroredRows(this.#asks), asks: mirroredRows(this.#bids).reverse() };
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
function mirroredRows(levels: ReadonlyMap<Ticks, string>): WireLevel[] {
  const sorted = [...levels].sort(([a], [b]) => b - a);
  return sorted.map(([price, size]) => ({ price: formatTicks(complementTicks(price)), size }));
}

// A recording does not state the first token of a market, nor the two inputs of every book hash that no frame has (min_order_size,
// neg_risk). Plausible values are tried against a recorded hash.

/** Every market recorded so far has 5; the other values are in the venue's documents and in older markets. */
const MIN_ORDER_SIZES = ['5', '15', '1', '10', '20', '50', '100', '0.1', '0.01', '0'];

export interface FoundFacts extends VenueAFacts {
  /** Tokens that the recording names: it may name only one of them. */
  readonly named: readonly string[];
  /** Whether a recorded hash confirmed the facts. If not, the market's hashes may not verify. */
  readonly isConfirmed: boolean;
}

/** Facts of every condition in the messages, in order of appearance. */
export function findFacts(
  messages: readonly JsonObject[],
  tokensByCondition: ReadonlyMap<string, readonly [string, string]>,
): FoundFacts[] {
  const messagesByCondition = Map.groupBy(messages, message => textOf(message.market));
  messagesByCondition.delete('');
  return [...messagesByCondition].flatMap(([conditionId, own]) => {
    const named = tokensByCondition.get(conditionId) ?? tokensInOrder(own);
    const [first, second] = named;
    if (first === undefined) return [];
    const facts = confirmedFacts(conditionId, [first, second ?? standInToken(first)], own);
    return [{ ...facts, named: named.slice(0, 2) }];
  });
}

/** Assumes that the token of the first book is first; without a book, the first token named. */
function tokensInOrder(messages: readonly JsonObject[]): string[] {
  const ordered = [...messages].sort((a, b) => Number(b.event_type === 'book') - Number(a.event_type === 'book'));
  return [...new Set(ordered.flatMap(message => tokensNamed(message)))];
}

/** Tokens that a message and its changes name, the first one first. */
export function tokensNamed(message: JsonObject): string[] {
  const changes = Array.isArray(message.price_changes) ? message.price_changes : [];
  const named = [message, ...changes].map(item => textOf(item.asset_id));
  return named.filter(token => token !== '');
}

/** A recording may show only one token of a market; the mirror needs some name. */
function standInToken(seed: string): string {
  return BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`).toString();
}

function confirmedFacts(
  conditionId: string,
  tokens: readonly [string, string],
  messages: readonly JsonObject[],
): Omit<FoundFacts, 'named'> {
  const book = messages.find(message => message.event_type === 'book');
  const guess: VenueAFacts = {
    conditionId,
    tokens,
    outcomes: ['Yes', 'No'],
    minOrderSize: '5',
    tickSize: textOf(book?.tick_size) || finestTick(messages),
    negRisk: false,
  };
  if (book === undefined) return { ...guess, isConfirmed: false };
  for (const minOrderSize of MIN_ORDER_SIZES) {
    for (const negRisk of [false, true]) {
      const facts = { ...guess, minOrderSize, negRisk };
      const candidate = new VenueABook(facts);
      candidate.apply(book);
      if (candidate.hash(textOf(book.asset_id)) === book.hash) return { ...facts, isConfirmed: true };
    }
  }
  return { ...guess, isConfirmed: false };
}

/** The tick that fits every changed price. */
function finestTick(messages: readonly JsonObject[]): string {
  const decimals = JSON.stringify(messages).matchAll(/"price":"0\.(\d+)"/g);
  const most = Math.max(2, ...[...decimals].map(([, digits = '']) => digits.length));
  return `0.${'1'.padStart(most, '0')}`;
}

export interface MarketFrame {
  readonly text: string;
  readonly messages: readonly JsonObject[];
  /** Every token that a message names. */
  readonly tokens: ReadonlySet<string>;
  /** The frame is sent only to clients that set `custom_feature_enabled` (venue-a.md §5.1). */
  readonly isCustom: boolean;
}

const CUSTOM_EVENTS = new Set(['best_bid_ask', 'new_market', 'market_resolved']);
/** Messages of the user channel: not sent here. */
const PRIVATE_EVENTS = new Set(['order', 'trade']);

/** A frame is one message or an array of messages. Null if none is of the market channel. `value` is that of `text`. */
export function parseMarketFrame(text: string, value = parseJson(text)): MarketFrame | null {
  const messages = objectsOf(Array.isArray(value) ? value : [value]).filter(
    message => typeof message.event_type === 'string' && !PRIVATE_EVENTS.has(message.event_type),
  );
  if (messages.length === 0) return null;
  return {
    text,
    messages,
    tokens: new Set(messages.flatMap(tokensOf)),
    isCustom: messages.every(message => CUSTOM_EVENTS.has(textOf(message.event_type))),
  };
}

function tokensOf(message: JsonObject): string[] {
  const changed = objectsOf(message.price_changes).map(change => textOf(change.asset_id));
  return [textOf(message.asset_id), ...stringsOf(message.assets_ids), ...changed].filter(token => token !== '');
}
