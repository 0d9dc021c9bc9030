// Reads the bytes of records as events, the reverse of encode.ts. Each file has one decoder. Pure.

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
import { ByteReader, unzigzag } from './bytes.ts';
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
  LEVEL_PRICE_MASK,
  MICROS_PER_CENTI,
  type RecordedChange,
  type RecordedEvent,
  type RecordedMarket,
} from './format.ts';

interface MarketPlace {
  readonly market: RecordedMarket;
  epoch: number;
  seq: number;
}

/** The bound ensures that the difference of two positions has an encoding. */
const POSITION_MAX = 2 ** 52 - 1;
/** Bytes of the shortest level. */
const LEVEL_BYTES_MIN = 3;

export class RecordDecoder {
  readonly #marketOf: (venue: Venue, address: string) => RecordedMarket;
  readonly #places: MarketPlace[] = [];
  #at = 0;

  /** `marketOf`: the market of that name, the same object each time. */
  constructor(marketOf: (venue: Venue, address: string) => RecordedMarket) {
    this.#marketOf = marketOf;
  }

  /** The events of a block. Throws a RangeError if these bytes are no records. */
  *events(payload: Buffer, startedAt: number): Generator<RecordedEvent> {
    const bytes = new ByteReader(payload);
    this.#at = within(TIME_MAX, startedAt);
    while (!bytes.isAtEnd) {
      const kind = bytes.u8();
      if (kind === KIND_MARKET) this.#learn(bytes);
      else yield this.#event(kind, bytes);
    }
  }

  #learn(bytes: ByteReader): void {
    const market = this.#marketOf(entryOf(VENUES, bytes.u8()), bytes.text());
    this.#places.push({ market, epoch: 0, seq: 0 });
  }

  #event(kind: number, bytes: ByteReader): RecordedEvent {
    const place = entryOf(this.#places, bytes.varint());
    this.#at = within(TIME_MAX, this.#at + bytes.varint());
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
        return { kind: 'gap', market, at, why: entryOf(GAP_REASONS, bytes.u8()) };
      default:
        throw new RangeError(`no record has the kind ${kind}`);
    }
  }
}

function positionOf(bytes: ByteReader, place: MarketPlace): { epoch: number; seq: number } {
  place.epoch = within(POSITION_MAX, place.epoch + bytes.signed());
  place.seq = within(POSITION_MAX, place.seq + bytes.signed());
  return { epoch: place.epoch, seq: place.seq };
}

function timesOf(bytes: ByteReader, at: UnixMillis): { receivedAt: UnixMillis; venueTime: UnixMillis } {
  const receivedAt = within(TIME_MAX, at - bytes.signed()) as UnixMillis;
  const stated = bytes.varint();
  const venueTime = stated === 0 ? 0 : within(TIME_MAX, receivedAt - unzigzag(stated - 1));
  return { receivedAt, venueTime: venueTime as UnixMillis };
}

function stateOf(bytes: ByteReader): { state: BookState; reason: StateReason } {
  return { state: entryOf(BOOK_STATES, bytes.u8()), reason: entryOf(STATE_REASONS, bytes.u8()) };
}

function changesOf(bytes: ByteReader): { checksum: number; changes: readonly RecordedChange[] } {
  return { checksum: bytes.u32(), changes: manyOf(bytes, changeOf) };
}

function bookOf(bytes: ByteReader) {
  const checksum = bytes.u32();
  const { state, reason } = stateOf(bytes);
  const lastTrade = priceOf(bytes.varint());
  return { checksum, state, reason, lastTrade, bids: manyOf(bytes, levelOf), asks: manyOf(bytes, levelOf) };
}

function tradeOf(bytes: ByteReader) {
  const takerSide = bytes.u8();
  if (takerSide > TAKER_SELL) throw new RangeError(`unknown side of a taker: ${takerSide}`);
  return { takerSide: takerSide as TakerSide, ...levelOf(bytes), tradeId: bytes.text() };
}

/** A count, then as many. */
function manyOf<T>(bytes: ByteReader, read: (bytes: ByteReader) => T): T[] {
  const count = bytes.varint();
  // The check comes before any memory is taken for them.
  if (count * LEVEL_BYTES_MIN > bytes.left) throw new RangeError('the bytes end too early');
  return Array.from({ length: count }, () => read(bytes));
}

function changeOf(bytes: ByteReader): RecordedChange {
  const word = bytes.u16();
  const side: Side = (word & LEVEL_IS_ASK) === 0 ? BID : ASK;
  return { side, ...sizedOf(word, bytes) };
}

function levelOf(bytes: ByteReader): Level {
  return sizedOf(bytes.u16(), bytes);
}

function sizedOf(word: number, bytes: ByteReader): Level {
  const price = priceOf(word & LEVEL_PRICE_MASK);
  const size = bytes.varint() * ((word & LEVEL_IN_CENTIS) === 0 ? 1 : MICROS_PER_CENTI);
  if (!Number.isSafeInteger(size)) throw new RangeError('a size above 2^53');
  return { price, size: size as MicroShares };
}

function priceOf(value: number): Ticks {
  return within(TICKS_PER_DOLLAR, value) as Ticks;
}

function within(max: number, value: number): number {
  if (!(value >= 0 && value <= max)) throw new RangeError(`${value} is not from 0 to ${max}`);
  return value;
}

function entryOf<T>(table: readonly T[], code: number): T {
  const entry = table[code];
  if (entry === undefined) throw new RangeError(`unknown code ${code}`);
  return entry;
}
