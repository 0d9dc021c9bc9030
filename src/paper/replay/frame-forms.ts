// Says which recorded frames a replay can play. A frame of an older form, or of another product, would leave a wrong book. It is
// reported, never skipped silently (venue-a.md §5.2, venue-b.md §3.1 and §10.4). Pure.

import { isObject, type JsonObject, textOf } from '../../core/domain/json.ts';
import type { Venue } from '../../core/domain/market.ts';
import { parseMicroShares, parseTicks } from '../../core/domain/numbers.ts';
import { parseMarketFrame } from './venue-a-facts.ts';
import { parseBroadcast } from './venue-b-frame.ts';

/** The frame states a market's book, or changes it. */
export interface BookWord {
  readonly market: string;
  readonly type: 'book' | 'change';
}

type FrameJudgement =
  | { readonly type: 'plays'; readonly books: readonly BookWord[] }
  /** A frame without anything to play: acknowledgements, errors, private messages. `what` names the kind. */
  | { readonly type: 'skipped'; readonly what: string }
  /** `form` names the form, or the error. */
  | { readonly type: 'refused'; readonly form: string };

type Check = (message: JsonObject) => boolean;
/** Forms that cannot be played, by the keys that only they have. */
type ForeignForm = readonly [form: string, isOfIt: Check];

const has =
  (...keys: string[]): Check =>
  message =>
    keys.some(key => Object.hasOwn(message, key));

const VENUE_A_FORMS: Readonly<Record<string, readonly ForeignForm[]>> = {
  book: [
    ['venue A’s oldest book, with "buys" and "sells"', has('buys', 'sells')],
    [
      'a book of venue A without "market" and "asset_id"',
      message => !isText(message.market) || !isText(message.asset_id),
    ],
    [
      'a book of venue A with a level that is not {"price","size"} in decimal text',
      m => !sides(m, 'bids', 'asks').every(isRow),
    ],
  ],
  price_change: [
    ['venue A’s price change of before September 2025, with "changes"', has('changes')],
    ['venue A’s price change of before September 2025, one level in the message itself', has('price')],
    [
      'a price change of venue A without "market" and "price_changes"',
      m => !isText(m.market) || !Array.isArray(m.price_changes),
    ],
    [
      'a price change of venue A that is not {"asset_id","side","price","size"} in decimal text',
      m => !sides(m, 'price_changes').every(isChangeA),
    ],
  ],
};

const PERPETUALS = 'the sister product’s (perpetuals)';
const VENUE_B_FORMS: Readonly<Record<string, readonly ForeignForm[]>> = {
  orderbook_snapshot: [
    [`${PERPETUALS} snapshot, with "bid" and "ask"`, has('bid', 'ask')],
    ['venue B’s snapshot of before 2026, in whole cents or whole contracts', isOlderSnapshot],
    ['a snapshot of venue B without "market_ticker"', message => !isText(message.market_ticker)],
    [
      'a snapshot of venue B with a level that is not [price, size] in decimal text',
      m => !sides(m, 'yes_dollars_fp', 'no_dollars_fp').every(isPair),
    ],
  ],
  orderbook_delta: [
    [`${PERPETUALS} change, of a "bid" or an "ask"`, ({ side }) => side === 'bid' || side === 'ask'],
    [
      'venue B’s change of before 2026, in whole cents or whole contracts',
      message => !has('price_dollars')(message) || !has('delta_fp')(message),
    ],
    [
      'a change of venue B that is not {"market_ticker","side","price_dollars","delta_fp"} in decimal text',
      m => !isChangeB(m),
    ],
  ],
};

/** `venue`: by the head of `frame`. */
export function judgeFrame(venue: Venue, text: string, frame: unknown): FrameJudgement {
  return venue === 'venue_a' ? judgeVenueA(text, frame) : judgeVenueB(text, frame as JsonObject);
}

function judgeVenueA(text: string, frame: unknown): FrameJudgement {
  const messages = Array.isArray(frame) ? frame : [frame];
  const books: BookWord[] = [];
  for (const message of messages) {
    if (!isObject(message) || !isText(message.event_type))
      return { type: 'refused', form: 'a message of venue A without "event_type"' };
    const forms = Object.hasOwn(VENUE_A_FORMS, message.event_type) ? VENUE_A_FORMS[message.event_type] : undefined;
    const foreign = forms?.find(([, isOfIt]) => isOfIt(message));
    if (foreign !== undefined) return { type: 'refused', form: foreign[0] };
    if (forms !== undefined)
      books.push({ market: textOf(message.market), type: message.event_type === 'book' ? 'book' : 'change' });
  }
  if (parseMarketFrame(text, frame) !== null) return { type: 'plays', books };
  return { type: 'skipped', what: `${textOf((messages[0] as JsonObject).event_type)} of the user channel` };
}

function judgeVenueB(text: string, frame: JsonObject): FrameJudgement {
  const type = textOf(frame.type);
  const forms = Object.hasOwn(VENUE_B_FORMS, type) ? VENUE_B_FORMS[type] : undefined;
  const message = isObject(frame.msg) ? frame.msg : {};
  const foreign = forms?.find(([, isOfIt]) => isOfIt(message));
  if (foreign !== undefined) return { type: 'refused', form: foreign[0] };
  if (forms !== undefined && typeof frame.seq !== 'number') {
    return { type: 'refused', form: 'a book of venue B, or a change of one, without "seq"' };
  }
  if (parseBroadcast(text, frame) === null) return { type: 'skipped', what: type };
  const word = {
    market: textOf(message.market_ticker),
    type: type === 'orderbook_snapshot' ? 'book' : 'change',
  } as const;
  return { type: 'plays', books: forms === undefined ? [] : [word] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Rows of some lists; an absent list is empty; null stands for a value that is no list. */
function sides(message: JsonObject, ...keys: readonly string[]): unknown[] {
  return keys.flatMap(key => {
    const rows = message[key] ?? [];
    return Array.isArray(rows) ? rows : [null];
  });
}

function isLevel(price: unknown, size: unknown): boolean {
  return parseTicks(textOf(price)) !== null && parseMicroShares(textOf(size)) !== null;
}

function isRow(row: unknown): boolean {
  return isObject(row) && isLevel(row.price, row.size);
}

function isPair(row: unknown): boolean {
  return Array.isArray(row) && isLevel(row[0], row[1]);
}

function isChangeA(row: unknown): boolean {
  return (
    isRow(row) && isText((row as JsonObject).asset_id) && ['BUY', 'SELL'].includes(textOf((row as JsonObject).side))
  );
}

function isChangeB({ market_ticker: ticker, side, price_dollars: price, delta_fp: change }: JsonObject): boolean {
  return isText(ticker) && ['yes', 'no'].includes(textOf(side)) && isLevel(price, textOf(change).replace(/^[-+]/, ''));
}

/** A side may be absent. So a key of the older form shows the older form only without a key of today's. */
function isOlderSnapshot(message: JsonObject): boolean {
  return ['yes', 'no'].some(side => {
    const isOld = has(side, `${side}_dollars`)(message);
    return isOld && !Object.hasOwn(message, `${side}_dollars_fp`);
  });
}
