// How each venue reports a change of a synthetic book. Venue B sends deltas and trades (venue-b.md §10.4). Venue A sends mirrored absolute
// changes with hashes, and a trade as the three messages of venue-a.md §5.3. For tests.

import {
  complementTicks,
  formatTicks,
  type MicroShares,
  parseTicks,
  type Ticks,
} from '../../../src/core/domain/numbers.ts';
import type { Random } from '../../../src/core/runtime/random.ts';
import { lastTradeText, VenueABook, type VenueAFacts } from '../../../src/paper/replay/venue-a-book.ts';
import { countText, priceText } from '../../../src/paper/venue-b/wire-text.ts';
import { type LevelChange, SyntheticBook } from './book.ts';
import { type SyntheticListing, VENUE_B_STEP } from './markets.ts';

/** A frame, and how long after its cause the frame is sent. */
interface Utterance {
  readonly delayMs: number;
  readonly text: string;
}

/** A market of the session as its venue reports it. */
export interface SyntheticMarket {
  readonly book: SyntheticBook;
  /** Returns the book message with which the session starts. */
  opening(unixMs: number): string;
  say(change: LevelChange, unixMs: number, random: Random): readonly Utterance[];
}

const MICROS_PER_CENTI = 10_000;
/** The recordings show that the announcement of a trade comes about this long after the trade's effect on the book. */
const TRADE_DELAY_MS = 70;

export class SyntheticVenueB implements SyntheticMarket {
  readonly book = new SyntheticBook(VENUE_B_STEP);
  readonly #ticker: string;
  readonly #marketId: string;

  constructor({ listing, marketId }: SyntheticListing) {
    this.#ticker = listing.ticker;
    this.#marketId = marketId;
  }

  opening(): string {
    const bids = this.book.levels('bid').map(([price, size]) => [priceText(price), centis(size)]);
    const noBids = this.book
      .levels('ask')
      .map(([price, size]) => [priceText(complementTicks(price)), centis(size)])
      .reverse();
    return frame('orderbook_snapshot', {
      market_ticker: this.#ticker,
      market_id: this.#marketId,
      ...(bids.length > 0 ? { yes_dollars_fp: bids } : {}),
      ...(noBids.length > 0 ? { no_dollars_fp: noBids } : {}),
    });
  }

  say({ side, price, change, isTrade }: LevelChange, unixMs: number, random: Random): readonly Utterance[] {
    const delta = frame('orderbook_delta', {
      market_ticker: this.#ticker,
      market_id: this.#marketId,
      price_dollars: priceText(side === 'bid' ? price : complementTicks(price)),
      delta_fp: change < 0 ? `-${centis(-change)}` : centis(change),
      side: side === 'bid' ? 'yes' : 'no',
      ts: new Date(unixMs).toISOString(),
      ts_ms: unixMs,
    });
    if (!isTrade) return [{ delayMs: 0, text: delta }];
    const [takerSide, bookSide] = side === 'ask' ? ['yes', 'bid'] : ['no', 'ask'];
    const trade = frame('trade', {
      trade_id: uuid(random),
      market_ticker: this.#ticker,
      yes_price_dollars: priceText(price),
      no_price_dollars: priceText(complementTicks(price)),
      count_fp: centis(-change),
      taker_side: takerSide,
      taker_outcome_side: takerSide,
      taker_book_side: bookSide,
      is_block_trade: false,
      ts: Math.floor(unixMs / 1000),
      ts_ms: unixMs,
    });
    return [
      { delayMs: 0, text: delta },
      { delayMs: 0, text: trade },
    ];
  }
}

/** Makes a frame without sid and seq, which belong to the connection: the server puts them in. */
function frame(type: string, message: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ type, sid: 0, seq: 0, msg: message });
}

export class SyntheticVenueA implements SyntheticMarket {
  readonly book: SyntheticBook;
  readonly #wire: VenueABook;

  constructor(facts: VenueAFacts) {
    this.book = new SyntheticBook(parseTicks(facts.tickSize)!);
    this.#wire = new VenueABook(facts);
  }

  opening(unixMs: number): string {
    const [first, second] = this.#wire.facts.tokens;
    for (const side of ['bid', 'ask'] as const) {
      for (const [price, size] of this.book.levels(side)) this.#set(side, price, size);
    }
    this.#wire.timestamp = String(unixMs);
    return JSON.stringify([this.#wire.bookMessage(first), this.#wire.bookMessage(second)]);
  }

  say(change: LevelChange, unixMs: number, random: Random): readonly Utterance[] {
    const { tokens, conditionId } = this.#wire.facts;
    const { side, price, isTrade } = change;
    /** The resting order's own token. Its change is the first of the pair. */
    const own = random.below(2);
    const ownPrice = own === 0 ? price : complementTicks(price);
    this.#set(side, price, change.after);
    this.#wire.timestamp = String(unixMs);
    if (isTrade) this.#wire.lastTrade = lastTradeText(ownPrice);
    const changes = [own, 1 - own].map(index => this.#changeOf(index, change));
    const priceChange = {
      event_type: 'price_change',
      market: conditionId,
      timestamp: String(unixMs),
      price_changes: changes,
    };
    if (!isTrade) return [{ delayMs: 0, text: JSON.stringify(priceChange) }];
    // The taker holds the same token on the other side, or the other token on the same side (mint, merge).
    const taken = random.below(2);
    const takerBuys = (side === 'ask') === (taken === 0);
    const { tick_size: _tick, last_trade_price: _last, ...book } = this.#wire.bookMessage(tokens[taken]!);
    const announced = {
      event_type: 'last_trade_price',
      market: conditionId,
      asset_id: tokens[taken],
      price: formatTicks(taken === 0 ? price : complementTicks(price)),
      size: shares(-change.change),
      side: takerBuys ? 'BUY' : 'SELL',
      fee_rate_bps: '0',
      timestamp: String(unixMs + TRADE_DELAY_MS),
      transaction_hash: `0x${random.hex(64)}`,
    };
    return [
      { delayMs: 0, text: JSON.stringify(priceChange) },
      { delayMs: 0, text: JSON.stringify(book) },
      { delayMs: TRADE_DELAY_MS, text: JSON.stringify(announced) },
    ];
  }

  /** Returns the change as one of the two tokens shows it. */
  #changeOf(index: number, { side, price, after }: LevelChange): Readonly<Record<string, string>> {
    const token = this.#wire.facts.tokens[index]!;
    const bid = this.book.best('bid');
    const ask = this.book.best('ask');
    const [bestBid, bestAsk] = index === 0 ? [bid, ask] : [mirror(ask), mirror(bid)];
    return {
      asset_id: token,
      price: formatTicks(index === 0 ? price : complementTicks(price)),
      size: shares(after),
      side: (side === 'bid') === (index === 0) ? 'BUY' : 'SELL',
      hash: this.#wire.hash(token),
      best_bid: bestBid === null ? '0' : formatTicks(bestBid),
      best_ask: bestAsk === null ? '1' : formatTicks(bestAsk),
    };
  }

  #set(side: LevelChange['side'], price: Ticks, hundredths: number): void {
    this.#wire.set(this.#wire.facts.tokens[0], side === 'bid' ? 'BUY' : 'SELL', formatTicks(price), shares(hundredths));
  }
}

function mirror(price: Ticks | null): Ticks | null {
  return price === null ? null : complementTicks(price);
}

/** Writes hundredths of a share in venue B's form, always with two decimals. */
function centis(hundredths: number): string {
  return countText((hundredths * MICROS_PER_CENTI) as MicroShares);
}

/** Writes hundredths of a share in venue A's form, without trailing zeros. */
function shares(hundredths: number): string {
  return centis(hundredths).replace(/\.?0+$/, '');
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map(digits => random.hex(digits)).join('-');
}
