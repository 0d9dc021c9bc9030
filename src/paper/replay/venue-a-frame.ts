// Parsed frames of venue A: their tokens and their messages. Replay thread.

import { type JsonObject, objectsOf, parseJson, stringsOf, textOf } from '../../core/domain/json.ts';

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
