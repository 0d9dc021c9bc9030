// The naive twin of one venue A market, against which the feed is tested. The twin has maps of levels, and JSON.stringify writes every
// event of the venue's stream. The hashes of venue-a.md §5.4 cover the output of JSON.stringify.

import { createHash } from 'node:crypto';
import { ASK, BID, COMPLEMENT, PRIMARY, type Side, type View } from '../../../src/core/domain/market.ts';
import { formatMicroShares, formatTicks, type MicroShares, type Ticks } from '../../../src/core/domain/numbers.ts';

interface LevelJson {
  readonly price: string;
  readonly size: string;
}

const DOLLAR = 10_000;
/** The micro-shares of one share. */
export const SHARE = 1_000_000;

export class TwinMarket {
  readonly conditionId: string;
  readonly tokens: readonly [string, string];
  tickSize = '0.01';
  minOrderSize = 5;
  negRisk = false;
  lastTradePrice = '0.500';
  time = 1_786_845_510_000;
  /** The levels by side, as the first token has them. */
  readonly ladders = [new Map<number, number>(), new Map<number, number>()] as const;

  constructor(number: number) {
    const digest = createHash('sha256').update(`market ${number}`).digest('hex');
    this.conditionId = `0x${digest}`;
    // The ids have 76 to 78 digits, as on the venue.
    this.tokens = [0, 1].map(view => {
      const digits = BigInt(`0x${createHash('sha256').update(`token ${number} ${view}`).digest('hex')}`).toString();
      return digits.padStart(76 + (number % 3), '7');
    }) as unknown as [string, string];
  }

  seed(levels: readonly (readonly [Side, price: number, size: number])[]): this {
    for (const [side, price, size] of levels) this.ladders[side].set(price, size);
    return this;
  }

  levels(view: View, side: Side): LevelJson[] {
    const ladder = this.ladders[view === PRIMARY ? side : ((1 - side) as Side)];
    const levels = [...ladder].map(([price, size]) => [view === PRIMARY ? price : DOLLAR - price, size] as const);
    levels.sort(([one], [other]) => (side === BID ? one - other : other - one));
    return levels.map(([price, size]) => ({
      price: formatTicks(price as Ticks),
      size: formatMicroShares(size as MicroShares),
    }));
  }

  preimage(view: View): object {
    return {
      market: this.conditionId,
      asset_id: this.tokens[view],
      timestamp: String(this.time),
      hash: '',
      bids: this.levels(view, BID),
      asks: this.levels(view, ASK),
      min_order_size: String(this.minOrderSize),
      tick_size: this.tickSize,
      neg_risk: this.negRisk,
      last_trade_price: this.lastTradePrice,
    };
  }

  hash(view: View): string {
    return createHash('sha1')
      .update(JSON.stringify(this.preimage(view)))
      .digest('hex');
  }

  /** Returns the `book` event. The initial event states the tick and the last trade. An event after a trade does not. */
  bookEvent(view: View, isInitial = true): object {
    const preimage = this.preimage(view) as Record<string, unknown>;
    const { market, asset_id, timestamp, bids, asks, tick_size, last_trade_price } = preimage;
    const extra = isInitial ? { tick_size, last_trade_price } : {};
    return { market, asset_id, timestamp, hash: this.hash(view), bids, asks, event_type: 'book', ...extra };
  }

  /** Returns the answer of REST `GET /book`. */
  restBook(view: View = PRIMARY): object {
    return { ...this.preimage(view), hash: this.hash(view) };
  }

  /**
   * Sets a level of the first token, and returns the event that the venue sends. A size of 0 removes the level. `first` is the token of the
   * order that made the change.
   */
  change(side: Side, price: number, size: number, first: View = PRIMARY): object {
    if (size === 0) this.ladders[side].delete(price);
    else this.ladders[side].set(price, size);
    this.time += 1;
    const entry = (view: View) => {
      const ownSide = view === PRIMARY ? side : 1 - side;
      return {
        asset_id: this.tokens[view],
        price: formatTicks((view === PRIMARY ? price : DOLLAR - price) as Ticks),
        size: formatMicroShares(size as MicroShares),
        side: ownSide === BID ? 'BUY' : 'SELL',
        hash: this.hash(view),
        best_bid: this.levels(view, BID).at(-1)?.price ?? '0',
        best_ask: this.levels(view, ASK).at(-1)?.price ?? '1',
      };
    };
    const price_changes = first === PRIMARY ? [entry(PRIMARY), entry(COMPLEMENT)] : [entry(COMPLEMENT), entry(PRIMARY)];
    return { market: this.conditionId, price_changes, timestamp: String(this.time), event_type: 'price_change' };
  }

  tradeEvent(
    view: View,
    price: string,
    size: string,
    side: 'BUY' | 'SELL',
    transaction = `0x${'5a'.repeat(32)}`,
  ): object {
    return {
      ...{ market: this.conditionId, asset_id: this.tokens[view], price, size, fee_rate_bps: '0', side },
      ...{ timestamp: String(this.time), event_type: 'last_trade_price', transaction_hash: transaction },
    };
  }

  tickSizeEvent(newTickSize: string, view: View = PRIMARY): object {
    return {
      ...{ market: this.conditionId, asset_id: this.tokens[view], old_tick_size: this.tickSize },
      ...{ new_tick_size: newTickSize, timestamp: String(this.time), event_type: 'tick_size_change' },
    };
  }

  /** Returns the levels as text, best level last. Two books are equal if their texts are equal. */
  picture(): string {
    return pictureOf(this.ladders[BID], this.ladders[ASK]);
  }
}

export function pictureOf(bids: ReadonlyMap<number, number>, asks: ReadonlyMap<number, number>): string {
  const side = (ladder: ReadonlyMap<number, number>) =>
    [...ladder].sort(([one], [other]) => one - other).map(([price, size]) => `${price}:${size}`);
  return `${side(bids).join(' ')} | ${side(asks).join(' ')}`;
}
