// Infers facts of venue A's markets that a recording does not state. They are the first token, and the two inputs of every book hash that
// no frame has (min_order_size, neg_risk). It tries plausible values against a recorded hash.

import { createHash } from 'node:crypto';
import { type JsonObject, objectsOf, parseJson, stringsOf, textOf } from '../../core/domain/json.ts';
import { VenueABook, type VenueAFacts } from './venue-a-book.ts';

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
