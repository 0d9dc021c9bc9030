// Encodes events as the bytes of records, a block at a time. Each file has one encoder, which numbers the markets and writes epoch, seq and
// times as differences. Pure.

import {
  ASK,
  BID,
  BOOK_STATES,
  type BookState,
  type Level,
  type Side,
  STATE_REASONS,
  type StateReason,
  TAKER_SELL,
  type TakerSide,
  VENUES,
  type Venue,
} from '../../core/domain/market.ts';
import {
  type MicroShares,
  TICKS_PER_DOLLAR,
  TIME_MAX,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import {
  ByteReader,
  ByteWriter,
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
  LEVEL_PRICE_MASK,
  MICROS_PER_CENTI,
  type RecordedChange,
  type RecordedEvent,
  type RecordedMarket,
  unzigzag,
  zigzag,
} from './format.ts';

/** The number of a market in the file, and the position of its last record. The position of its next record is written as a difference. */
interface WrittenPlace {
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
  readonly #places = new Map<RecordedMarket, WrittenPlace>();
  #records = 0;
  /** The time of the first record in the block. */
  #startedAt = 0;
  #lastAt = 0;

  /** The number of bytes in the block so far. */
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

  /** Returns the block and begins the next one. The returned bytes are valid until the next `add`. */
  take(): { readonly payload: Buffer; readonly records: number; readonly startedAt: number } {
    const block = { payload: this.#bytes.written(), records: this.#records, startedAt: this.#startedAt };
    this.#bytes.clear();
    this.#records = 0;
    return block;
  }

  #number(market: RecordedMarket): WrittenPlace {
    const place = { index: this.#places.size, epoch: 0, seq: 0 };
    this.#places.set(market, place);
    this.#bytes.u8(KIND_MARKET);
    this.#bytes.u8(VENUES.indexOf(market.venue));
    this.#bytes.text(market.address);
    return place;
  }

  #addBody(event: RecordedEvent, place: WrittenPlace): void {
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

  #position({ epoch, seq }: Positioned, place: WrittenPlace): void {
    this.#bytes.signed(epoch - place.epoch);
    this.#bytes.signed(seq - place.seq);
    place.epoch = epoch;
    place.seq = seq;
  }

  /** Writes the venue's time as 1 plus its encoded distance, because 0 means that the venue states no time. */
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

// Reads the bytes of records as events. Each file has one decoder.

interface ReadPlace {
  readonly market: RecordedMarket;
  epoch: number;
  seq: number;
}

/** The largest epoch or seq. This bound ensures that the difference of two positions has an encoding. */
const POSITION_MAX = 2 ** 52 - 1;
/** The number of bytes of the shortest level. */
const LEVEL_BYTES_MIN = 3;

export class RecordDecoder {
  readonly #marketOf: (venue: Venue, address: string) => RecordedMarket;
  readonly #places: ReadPlace[] = [];
  #at = 0;

  /** `marketOf` returns the market of that venue and address, the same object each time. */
  constructor(marketOf: (venue: Venue, address: string) => RecordedMarket) {
    this.#marketOf = marketOf;
  }

  /** Returns the events of a block. Throws a RangeError if the bytes are not records. */
  *events(payload: Buffer, startedAt: number): Generator<RecordedEvent> {
    const bytes = new ByteReader(payload);
    this.#at = checkedWithin(TIME_MAX, startedAt);
    while (!bytes.isAtEnd) {
      const kind = bytes.u8();
      if (kind === KIND_MARKET) this.#readMarket(bytes);
      else yield this.#event(kind, bytes);
    }
  }

  #readMarket(bytes: ByteReader): void {
    const market = this.#marketOf(entryAt(VENUES, bytes.u8()), bytes.text());
    this.#places.push({ market, epoch: 0, seq: 0 });
  }

  #event(kind: number, bytes: ByteReader): RecordedEvent {
    const place = entryAt(this.#places, bytes.varint());
    this.#at = checkedWithin(TIME_MAX, this.#at + bytes.varint());
    const { market } = place;
    const at = this.#at as UnixMillis;
    switch (kind) {
      case KIND_CHANGES: {
        const position = positionOf(bytes, place);
        return { kind: 'changes', market, at, ...position, ...timesOf(bytes, at), ...changesOf(bytes) };
      }
      case KIND_BOOK: {
        const position = positionOf(bytes, place);
        return { kind: 'book', market, at, ...position, ...timesOf(bytes, at), ...bookOf(bytes) };
      }
      case KIND_STATE:
        return { kind: 'state', market, at, ...positionOf(bytes, place), ...stateOf(bytes) };
      case KIND_TRADE: {
        const position = positionOf(bytes, place);
        return { kind: 'trade', market, at, ...position, ...timesOf(bytes, at), ...tradeOf(bytes) };
      }
      case KIND_TRADES_MISSED:
        return { kind: 'tradesMissed', market, at };
      case KIND_END:
        return { kind: 'end', market, at };
      case KIND_GAP:
        return { kind: 'gap', market, at, why: entryAt(GAP_REASONS, bytes.u8()) };
      default:
        throw new RangeError(`no record has the kind ${kind}`);
    }
  }
}

function positionOf(bytes: ByteReader, place: ReadPlace): { epoch: number; seq: number } {
  place.epoch = checkedWithin(POSITION_MAX, place.epoch + bytes.signed());
  place.seq = checkedWithin(POSITION_MAX, place.seq + bytes.signed());
  return { epoch: place.epoch, seq: place.seq };
}

function timesOf(bytes: ByteReader, at: UnixMillis): { receivedAt: UnixMillis; venueTime: UnixMillis } {
  const receivedAt = checkedWithin(TIME_MAX, at - bytes.signed()) as UnixMillis;
  const stated = bytes.varint();
  const venueTime = stated === 0 ? 0 : checkedWithin(TIME_MAX, receivedAt - unzigzag(stated - 1));
  return { receivedAt, venueTime: venueTime as UnixMillis };
}

function stateOf(bytes: ByteReader): { state: BookState; reason: StateReason } {
  return { state: entryAt(BOOK_STATES, bytes.u8()), reason: entryAt(STATE_REASONS, bytes.u8()) };
}

function changesOf(bytes: ByteReader): { checksum: number; changes: readonly RecordedChange[] } {
  return { checksum: bytes.u32(), changes: readItems(bytes, changeOf) };
}

function bookOf(bytes: ByteReader) {
  const checksum = bytes.u32();
  const { state, reason } = stateOf(bytes);
  const lastTrade = priceOf(bytes.varint());
  return { checksum, state, reason, lastTrade, bids: readItems(bytes, levelOf), asks: readItems(bytes, levelOf) };
}

function tradeOf(bytes: ByteReader) {
  const takerSide = bytes.u8();
  if (takerSide > TAKER_SELL) throw new RangeError(`unknown side of a taker: ${takerSide}`);
  return { takerSide: takerSide as TakerSide, ...levelOf(bytes), tradeId: bytes.text() };
}

/** Reads a count, then that many items. */
function readItems<T>(bytes: ByteReader, read: (bytes: ByteReader) => T): T[] {
  const count = bytes.varint();
  // The check comes before any memory is allocated for the items.
  if (count * LEVEL_BYTES_MIN > bytes.left) throw new RangeError('the bytes end too early');
  return Array.from({ length: count }, () => read(bytes));
}

function changeOf(bytes: ByteReader): RecordedChange {
  const word = bytes.u16();
  const side: Side = (word & LEVEL_IS_ASK) === 0 ? BID : ASK;
  return { side, ...levelOfWord(word, bytes) };
}

function levelOf(bytes: ByteReader): Level {
  return levelOfWord(bytes.u16(), bytes);
}

function levelOfWord(word: number, bytes: ByteReader): Level {
  const price = priceOf(word & LEVEL_PRICE_MASK);
  const size = bytes.varint() * ((word & LEVEL_IN_CENTIS) === 0 ? 1 : MICROS_PER_CENTI);
  if (!Number.isSafeInteger(size)) throw new RangeError('a size above 2^53');
  return { price, size: size as MicroShares };
}

function priceOf(value: number): Ticks {
  return checkedWithin(TICKS_PER_DOLLAR, value) as Ticks;
}

function checkedWithin(max: number, value: number): number {
  if (!(value >= 0 && value <= max)) throw new RangeError(`${value} is not from 0 to ${max}`);
  return value;
}

function entryAt<T>(table: readonly T[], code: number): T {
  const entry = table[code];
  if (entry === undefined) throw new RangeError(`unknown code ${code}`);
  return entry;
}
