// Venue A's view of one market during a replay: one logical book of two mirrored tokens (venue-a.md §9.1), with the venue's hash for each
// token. It serialises the whole book for each hash, which is simple on purpose.

import { createHash } from 'node:crypto';
import { isObject, type JsonObject, objectsOf, parseJson, stringsOf, textOf } from '../../core/domain/json.ts';
import { complementTicks, formatTicks, parseTicks, type Ticks } from '../../core/domain/numbers.ts';

export interface VenueAFacts {
  readonly conditionId: string;
  /** The tokens; the first token of the market comes first. */
  readonly tokens: readonly [string, string];
  readonly outcomes: readonly [string, string];
  /** The least size, which enters the hash as it is written here. */
  readonly minOrderSize: string;
  readonly tickSize: string;
  readonly negRisk: boolean;
}

interface WireLevel {
  readonly price: string;
  readonly size: string;
}

/** A token's book. Bids ascend and asks descend, so that the best level is the last one of each side. */
interface WireBook {
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

export class VenueABook {
  readonly facts: VenueAFacts;
  tickSize: string;
  isResolved = false;
  /** The time of the last message that changed the book: milliseconds as text. */
  timestamp = '0';
  /** The last trade of the market, which has the same text for both tokens. */
  lastTrade = '0.500';
  /** The sizes as the venue wrote them, by price in the first token's frame. */
  #bids = new Map<Ticks, string>();
  #asks = new Map<Ticks, string>();
  /**
   * The time of the last `book`. 0 once a change is proven to come after that book. A change that is no later than this time may be in the
   * book already.
   */
  #bookTime = 0;

  constructor(facts: VenueAFacts) {
    this.facts = facts;
    this.tickSize = facts.tickSize;
  }

  /** Applies a message of the market channel. Messages that do not concern the book have no effect. */
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

  /** Sets the size of a token's level; `"0"` removes the level. Other tokens and unreadable prices have no effect. */
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

  /** Returns the SHA-1 of a token's whole book, in hex (venue-a.md §5.4). */
  hash(token: string, lastTrade = this.lastTrade): string {
    return createHash('sha1')
      .update(JSON.stringify(this.#hashed(token, lastTrade)))
      .digest('hex');
  }

  /** Returns the answer of `GET /book`. */
  restBook(token: string): JsonObject {
    return { ...this.#hashed(token, this.lastTrade), hash: this.hash(token) };
  }

  /** Returns the `book` message of a token that begins a subscription. */
  bookMessage(token: string): JsonObject {
    const { last_trade_price, min_order_size: _size, neg_risk: _risk, ...message } = this.restBook(token);
    return { ...message, event_type: 'book', last_trade_price };
  }

  /** Returns the input of the hash: these keys in this order, with an empty `hash`. */
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

  /**
   * Applies a change. Recorded sessions have changes after a `book` that the book contains already. The hash of such a change does not
   * match, and it is undone.
   */
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
    // This is the book of the other token, which an earlier message has given already.
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
   * later (venue-a.md §5.3). This price is that of the changed level, or its complement.
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

/** Writes a price as `last_trade_price` inside a book: with at least three decimals, at the ticks 0.01 and 0.001 alike (recorded). */
export function lastTradeText(price: Ticks): string {
  const [whole, fraction = ''] = formatTicks(price).split('.');
  return `${whole}.${fraction.padEnd(3, '0')}`;
}

function rows(levels: ReadonlyMap<Ticks, string>, descending: boolean): WireLevel[] {
  const sorted = [...levels].sort(([a], [b]) => (descending ? b - a : a - b));
  return sorted.map(([price, size]) => ({ price: formatTicks(price), size }));
}

/** Returns the levels of the other token, ascending. */
function mirroredRows(levels: ReadonlyMap<Ticks, string>): WireLevel[] {
  const sorted = [...levels].sort(([a], [b]) => b - a);
  return sorted.map(([price, size]) => ({ price: formatTicks(complementTicks(price)), size }));
}

// Finds facts that a recording lacks. They are the first token of a market, and the two inputs of the book hash that no frame has
// (min_order_size, neg_risk). Plausible values are tried against a recorded hash.

/** The sizes that are tried. Every market recorded so far has 5. The other values are in the venue's documents and in older markets. */
const MIN_ORDER_SIZES = ['5', '15', '1', '10', '20', '50', '100', '0.1', '0.01', '0'];

export interface FoundFacts extends VenueAFacts {
  /** The tokens that the recording names, which may be only one. */
  readonly named: readonly string[];
  /** Whether a recorded hash confirmed the facts. If not, the market's hashes may not verify. */
  readonly isConfirmed: boolean;
}

/** Finds the facts of every condition in the messages, in order of appearance. */
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
    const facts = confirmedFacts(conditionId, [first, second ?? secondTokenName(first)], own);
    return [{ ...facts, named: named.slice(0, 2) }];
  });
}

/**
 * Returns the tokens of a market. The token of the first book is taken as the first token, or without a book the token that is named first.
 */
function tokensInOrder(messages: readonly JsonObject[]): string[] {
  const ordered = [...messages].sort((a, b) => Number(b.event_type === 'book') - Number(a.event_type === 'book'));
  return [...new Set(ordered.flatMap(message => tokensNamed(message)))];
}

/** Returns the tokens that a message and its changes name, the first one first. */
export function tokensNamed(message: JsonObject): string[] {
  const changes = Array.isArray(message.price_changes) ? message.price_changes : [];
  const named = [message, ...changes].map(item => textOf(item.asset_id));
  return named.filter(token => token !== '');
}

/** Makes a name for a second token. A recording may show only one token of a market, but the mirror needs a name. */
function secondTokenName(seed: string): string {
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

/** Returns the tick that fits every changed price. */
function finestTick(messages: readonly JsonObject[]): string {
  const decimals = JSON.stringify(messages).matchAll(/"price":"0\.(\d+)"/g);
  const most = Math.max(2, ...[...decimals].map(([, digits = '']) => digits.length));
  return `0.${'1'.padStart(most, '0')}`;
}

export interface MarketFrame {
  readonly text: string;
  readonly messages: readonly JsonObject[];
  /** Every token that a message of the frame names. */
  readonly tokens: ReadonlySet<string>;
  /** Whether the frame is sent only to clients that set `custom_feature_enabled` (venue-a.md §5.1). */
  readonly isCustom: boolean;
}

const CUSTOM_EVENTS = new Set(['best_bid_ask', 'new_market', 'market_resolved']);
/** The messages of the user channel, which a replay does not send. */
const PRIVATE_EVENTS = new Set(['order', 'trade']);

/**
 * Reads a frame, which is one message or an array of messages. Returns null if none is of the market channel. `value` must be the JSON of
 * `text`.
 */
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
