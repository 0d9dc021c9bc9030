// One market's book as the market channel has sent it so far, with the hash of each token's whole book (venue-a.md §5.4). The engine's book
// is not enough: each changed level has a message of its own, so within a request the engine is ahead of clients. The hash must cover the
// clients' state. A page is kept only while its market has a listener. Thread of the paper exchanges.

import { hash } from 'node:crypto';
import { ASK, BID, type Side } from '../../../core/domain/market.ts';
import {
  complementTicks,
  formatMicroShares,
  formatTicks,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../../core/domain/numbers.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex } from '../records.ts';

/** A level, with its text in each token's book. */
interface Row {
  readonly price: Ticks;
  /** The text in the first token's frame, then the text in the second's. */
  readonly texts: readonly [string, string];
}

/** The JSON array of a side, for each token. Empty means that it must be written again. */
type SideTexts = [string, string];

export class BookPage {
  readonly market: VenueAMarket;
  /** The last trade as it stands in the hash. */
  lastTradeText: string;
  #tickSize: string;
  #timestamp: UnixMillis;
  /** The rows in terms of the first token, worst first: bids ascending, asks descending. Both tokens write them in this order. */
  readonly #rows: Readonly<Record<Side, Row[]>> = { [BID]: [], [ASK]: [] };
  readonly #sideTexts: Readonly<Record<Side, SideTexts>> = { [BID]: ['', ''], [ASK]: ['', ''] };
  /** The hash of each token's book. Empty means that it must be computed again. */
  readonly #hashes: [string, string] = ['', ''];

  constructor(market: VenueAMarket) {
    this.market = market;
    this.lastTradeText = market.lastTradeText;
    this.#tickSize = market.tickSize;
    this.#timestamp = market.bookAt;
    for (const side of [BID, ASK] as const) {
      for (const { price, size } of market.levels(side)) this.#rows[side].push(rowOf(price, size));
      this.#rows[side].reverse();
    }
  }

  get timestamp(): UnixMillis {
    return this.#timestamp;
  }

  get tickSize(): string {
    return this.#tickSize;
  }

  /** Returns the best price of the first token. Null means that the side is empty. */
  best(side: Side): Ticks | null {
    return this.#rows[side].at(-1)?.price ?? null;
  }

  /** Whether a level at this price would cross the other side. */
  wouldCross(side: Side, price: Ticks): boolean {
    const opposite = this.best(side === BID ? ASK : BID);
    return opposite !== null && (side === BID ? price >= opposite : price <= opposite);
  }

  /** Sets the size of a level. 0 removes the level. */
  set(side: Side, price: Ticks, size: MicroShares, at: UnixMillis): void {
    const rows = this.#rows[side];
    const index = placeOf(rows, side, price);
    const isThere = rows[index]?.price === price;
    if (size > 0) rows.splice(index, isThere ? 1 : 0, rowOf(price, size));
    else if (isThere) rows.splice(index, 1);
    this.#sideTexts[side].fill('');
    this.#timestamp = at;
    this.#hashes.fill('');
  }

  /** Sets the tick size and the last trade, which the next hash covers. */
  setTerms(tickSize: string, lastTradeText: string): void {
    this.#tickSize = tickSize;
    this.lastTradeText = lastTradeText;
    this.#hashes.fill('');
  }

  /** Returns the bids and asks of a token's book, each as a JSON array. */
  sides(token: TokenIndex): { readonly bids: string; readonly asks: string } {
    return token === 0
      ? { bids: this.#side(BID, 0), asks: this.#side(ASK, 0) }
      : { bids: this.#side(ASK, 1), asks: this.#side(BID, 1) };
  }

  /** Returns the SHA-1 of a token's whole book, in hex. */
  hash(token: TokenIndex): string {
    const known = this.#hashes[token];
    if (known !== '') return known;
    const computed = hash('sha1', this.#textWith('', token));
    this.#hashes[token] = computed;
    return computed;
  }

  /** Returns the JSON of a token's book for `GET /book` (venue-a.md §4): the hashed fields in the hashed order, with the hash. */
  text(token: TokenIndex): string {
    return this.#textWith(this.hash(token), token);
  }

  #textWith(itsHash: string, token: TokenIndex): string {
    const { conditionId, tokens, minOrderSize, isNegRisk } = this.market.listing;
    const { bids, asks } = this.sides(token);
    return (
      `{"market":"${conditionId}","asset_id":"${tokens[token]}","timestamp":"${this.#timestamp}","hash":"${itsHash}",` +
      `"bids":${bids},"asks":${asks},"min_order_size":"${minOrderSize}","tick_size":"${this.#tickSize}",` +
      `"neg_risk":${isNegRisk},"last_trade_price":"${this.lastTradeText}"}`
    );
  }

  #side(side: Side, token: TokenIndex): string {
    const texts = this.#sideTexts[side];
    if (texts[token] === '') texts[token] = `[${this.#rows[side].map(row => row.texts[token]).join(',')}]`;
    return texts[token];
  }
}

function rowOf(price: Ticks, size: MicroShares): Row {
  const sizeText = formatMicroShares(size);
  const text = (own: Ticks): string => `{"price":"${formatTicks(own)}","size":"${sizeText}"}`;
  return { price, texts: [text(price), text(complementTicks(price))] };
}

/** Returns the index of a price, or the index at which it would be inserted. */
function placeOf(rows: readonly Row[], side: Side, price: Ticks): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBefore = side === BID ? rows[middle]!.price < price : rows[middle]!.price > price;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}
