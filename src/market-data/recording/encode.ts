// Writes events as the bytes of records, a block at a time. Each file has one encoder: it numbers the markets, and writes only changes
// since the record before. Pure.

import { ASK, BOOK_STATES, type Level, type Side, STATE_REASONS, VENUES } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import { ByteWriter, zigzag } from './bytes.ts';
import {
  GAP_REASONS,
  KIND_BOOK,
  KIND_CHANGES,
  KIND_END,
  KIND_GAP,
  KIND_MARKET,
  KIND_STATE,
  KIND_TRADE,
  KIND_TRADES_MISSED,
  LEVEL_IN_CENTIS,
  LEVEL_IS_ASK,
  MICROS_PER_CENTI,
  type RecordedEvent,
  type RecordedMarket,
} from './format.ts';

/** The facts to which the next record of a market is relative. */
interface MarketPlace {
  readonly index: number;
  epoch: number;
  seq: number;
}

const KINDS: Readonly<Record<RecordedEvent['kind'], number>> = {
  changes: KIND_CHANGES,
  book: KIND_BOOK,
  state: KIND_STATE,
  trade: KIND_TRADE,
  tradesMissed: KIND_TRADES_MISSED,
  end: KIND_END,
  gap: KIND_GAP,
};

type Positioned = Extract<RecordedEvent, { readonly seq: number }>;
type Timed = Extract<RecordedEvent, { readonly receivedAt: number }>;

export class RecordEncoder {
  readonly #bytes = new ByteWriter();
  readonly #places = new Map<RecordedMarket, MarketPlace>();
  #records = 0;
  /** The time of the first record in the block. */
  #startedAt = 0;
  #lastAt = 0;

  /** Bytes of the block so far. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Adds an event to the block. Throws a RangeError for a number that no record can hold, such as a price above a dollar. */
  add(event: RecordedEvent): void {
    const place = this.#places.get(event.market) ?? this.#number(event.market);
    const bytes = this.#bytes;
    if (this.#records === 0) this.#startedAt = this.#lastAt = event.at;
    this.#records += 1;
    bytes.u8(KINDS[event.kind]);
    bytes.varint(place.index);
    bytes.varint(event.at - this.#lastAt);
    this.#lastAt = event.at;
    this.#addBody(event, place);
  }

  /** The block, whose bytes are valid until the next `add`; the next block begins. */
  take(): { readonly payload: Buffer; readonly records: number; readonly startedAt: number } {
    const block = { payload: this.#bytes.written(), records: this.#records, startedAt: this.#startedAt };
    this.#bytes.clear();
    this.#records = 0;
    return block;
  }

  #number(market: RecordedMarket): MarketPlace {
    const place = { index: this.#places.size, epoch: 0, seq: 0 };
    this.#places.set(market, place);
    this.#bytes.u8(KIND_MARKET);
    this.#bytes.u8(VENUES.indexOf(market.venue));
    this.#bytes.text(market.address);
    return place;
  }

  #addBody(event: RecordedEvent, place: MarketPlace): void {
    switch (event.kind) {
      case 'changes':
        this.#position(event, place);
        this.#times(event);
        this.#bytes.u32(event.checksum);
        this.#bytes.varint(event.changes.length);
        for (const { side, price, size } of event.changes) this.#level(side, price, size);
        return;
      case 'book':
        this.#position(event, place);
        this.#times(event);
        this.#bytes.u32(event.checksum);
        this.#state(event);
        this.#bytes.varint(event.lastTrade);
        this.#levels(event.bids);
        this.#levels(event.asks);
        return;
      case 'state':
        this.#position(event, place);
        this.#state(event);
        return;
      case 'trade':
        this.#position(event, place);
        this.#times(event);
        this.#bytes.u8(event.takerSide);
        this.#level(0, event.price, event.size);
        this.#bytes.text(event.tradeId);
        return;
      case 'gap':
        this.#bytes.u8(GAP_REASONS.indexOf(event.why));
        return;
      case 'tradesMissed':
      case 'end':
        return;
      default:
        unreachable(event);
    }
  }

  #position({ epoch, seq }: Positioned, place: MarketPlace): void {
    this.#bytes.signed(epoch - place.epoch);
    this.#bytes.signed(seq - place.seq);
    place.epoch = epoch;
    place.seq = seq;
  }

  /** The venue's time by one more, so that 0 stays free for a time that it does not state. */
  #times({ at, receivedAt, venueTime }: Timed): void {
    this.#bytes.signed(at - receivedAt);
    this.#bytes.varint(venueTime === 0 ? 0 : 1 + zigzag(receivedAt - venueTime));
  }

  #state({ state, reason }: Pick<Extract<RecordedEvent, { readonly kind: 'state' }>, 'state' | 'reason'>): void {
    this.#bytes.u8(BOOK_STATES.indexOf(state));
    this.#bytes.u8(STATE_REASONS.indexOf(reason));
  }

  #levels(levels: readonly Level[]): void {
    this.#bytes.varint(levels.length);
    for (const { price, size } of levels) this.#level(0, price, size);
  }

  #level(side: Side, price: Level['price'], size: Level['size']): void {
    const isWhole = size % MICROS_PER_CENTI === 0;
    if (!(price >= 0 && price <= TICKS_PER_DOLLAR)) throw new RangeError(`${price} is no price`);
    this.#bytes.u16(price | (isWhole ? LEVEL_IN_CENTIS : 0) | (side === ASK ? LEVEL_IS_ASK : 0));
    this.#bytes.varint(isWhole ? size / MICROS_PER_CENTI : size);
  }
}
