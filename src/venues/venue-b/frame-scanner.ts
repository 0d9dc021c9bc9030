// Reads the two frequent frames, order book deltas and snapshots, straight from their bytes: no strings, no allocation. Keys may come in
// any order and with white space; a delta in the venue's own layout takes a shorter path. Accepted frames read as JSON.parse would read
// them. All others (an escape, a missing or repeated key, another type, a cut frame) are NOT_PLAIN and go to cold-frames.ts. Venue B's feed
// thread.

import type { BookId } from '../../core/domain/market.ts';
import { TICKS_PER_DOLLAR, type Ticks } from '../../core/domain/numbers.ts';
import type { BookFrame, LevelList } from './book-updates.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  firstByte,
  JsonBytes,
  OPEN_BRACE,
  OPEN_BRACKET,
  packed,
  packed8,
  QUOTE,
  zeroBytes,
} from './json-bytes.ts';
import { mixTickerHash, TICKER_HASH_SEED, type TickerTable } from './ticker-table.ts';

const NOT_PLAIN = 0;
export const DELTA = 1;
export const SNAPSHOT = 2;
type ScannedKind = typeof NOT_PLAIN | typeof DELTA | typeof SNAPSHOT;

const SIZE_DECIMALS = 6;
const LOWER_E = 0x65;

// The literals of a delta in the venue's own layout, in groups of eight bytes (the last may overlap) or four.
const [TYPE_0, TYPE_8, TYPE_16, TYPE_24] = eights('{"type":"orderbook_delta","sid":', 0, 8, 16, 24);
const [SEQ_0, SEQ_3] = fours(',"seq":', 0, 3);
const [TICKER_0, TICKER_8, TICKER_16] = eights(',"msg":{"market_ticker":', 0, 8, 16);
const [ID_0, ID_5] = eights(',"market_id":', 0, 5);
const [PRICE_0, PRICE_8, PRICE_9] = eights(',"price_dollars":', 0, 8, 9);
const [CHANGE_0, CHANGE_4] = eights(',"delta_fp":', 0, 4);
const [SIDE_0] = eights(',"side":', 0);
const [TEXT_0, TEXT_2] = fours(',"ts":', 0, 2);
const [TIME_0, TIME_1] = eights(',"ts_ms":', 0, 1);
const [SENT_0, SENT_8, SENT_10] = eights('},"sending_ts_ms":', 0, 8, 10);
const BRACES = packed('}}');

function eights(text: string, ...places: number[]): number[] {
  return places.map(place => packed8(text.slice(place, place + 8)));
}
function fours(text: string, ...places: number[]): number[] {
  return places.map(place => packed(text.slice(place, place + 4)));
}

// Keys and values for any layout, in words of four characters, each with its closing quote.
const TYPE = packed('type');
const SID_ = packed('sid"');
const SEQ_ = packed('seq"');
const MSG_ = packed('msg"');
const [MARK, ET_T, ICKE, R_] = [packed('mark'), packed('et_t'), packed('icke'), packed('r"')];
const [ET_I, D_] = [packed('et_i'), packed('d"')];
const [PRIC, E_DO, LLAR, S_] = [packed('pric'), packed('e_do'), packed('llar'), packed('s"')];
const [DELT, A_FP] = [packed('delt'), packed('a_fp')];
const [SIDE, TS_M] = [packed('side'), packed('ts_m')];
const [YES_, DOLL, ARS_, FP_] = [packed('yes_'), packed('doll'), packed('ars_'), packed('fp":') & 0xffffff];
const [NO_D, OLLA, RS_F, P_] = [packed('no_d'), packed('olla'), packed('rs_f'), packed('p"')];
const [BOOK_0, BOOK_8] = eights('"orderbook_delta', 0, 8);
const [SNAP_8, SHOT_12] = eights('"orderbook_snapshot"', 8, 12);
const QYES = packed('"yes');
const QNO_ = packed('"no"');
const [TRUE, FALS, NULL] = [packed('true'), packed('fals'), packed('null')];

/** Bits for the keys that a frame has. A repeated key makes the frame NOT_PLAIN. */
const SEEN_TYPE = 1;
const SEEN_SID = 2;
const SEEN_SEQ = 4;
const SEEN_MSG = 8;
const SEEN_TICKER = 16;
const SEEN_PRICE = 32;
const SEEN_CHANGE = 64;
const SEEN_SIDE = 128;
const SEEN_TIME = 256;
const SEEN_YES = 512;
const SEEN_NO = 1024;
/** The bit of the venue's own id of the market, which is skipped. */
const MARKET_ID = 2048;
const MESSAGE_KEYS = ~MARKET_ID;
const ENVELOPE = SEEN_TYPE | SEEN_SID | SEEN_SEQ | SEEN_MSG | SEEN_TICKER;
/** The keys of a delta. A time in another form goes to the cold reader. */
const DELTA_KEYS = ENVELOPE | SEEN_PRICE | SEEN_CHANGE | SEEN_SIDE | SEEN_TIME;
const SIDES = SEEN_YES | SEEN_NO;

export class FrameScanner {
  readonly #frame: BookFrame;
  readonly #tickers: TickerTable;
  readonly #json = new JsonBytes();
  #kind: ScannedKind = NOT_PLAIN;
  #seen = 0;

  /** Every scan writes its values into the same `frame`. */
  constructor(tickers: TickerTable, frame: BookFrame) {
    this.#tickers = tickers;
    this.#frame = frame;
  }

  /** Reads a frame. DELTA and SNAPSHOT mean that the frame is complete, well-formed, and about a known book. */
  scan(frame: Uint8Array): ScannedKind {
    if (!this.#json.load(frame)) return NOT_PLAIN;
    return this.#isUsualDelta() ? DELTA : this.#anyLayout();
  }

  /** Reads a delta by the shorter path: in the venue's own layout only the values have to be found. */
  #isUsualDelta(): boolean {
    const json = this.#json;
    const view = json.view;
    const frame = this.#frame;
    if (view.getFloat64(0, true) !== TYPE_0 || view.getFloat64(8, true) !== TYPE_8) return false;
    if (view.getFloat64(16, true) !== TYPE_16 || view.getFloat64(24, true) !== TYPE_24) return false;
    let at = json.integer(32);
    frame.sid = json.number;
    if (view.getInt32(at, true) !== SEQ_0 || view.getInt32(at + 3, true) !== SEQ_3) return false;
    at = json.integer(at + 7);
    frame.seq = json.number;
    if (view.getFloat64(at, true) !== TICKER_0 || view.getFloat64(at + 8, true) !== TICKER_8) return false;
    if (view.getFloat64(at + 16, true) !== TICKER_16) return false;
    at = this.#ticker(at + 24);
    if (view.getFloat64(at, true) !== ID_0 || view.getFloat64(at + 5, true) !== ID_5) return false;
    at = json.uuid(at + 13);
    if (view.getFloat64(at, true) !== PRICE_0 || view.getFloat64(at + 8, true) !== PRICE_8) return false;
    if (view.getFloat64(at + 9, true) !== PRICE_9) return false;
    at = this.#price(at + 17);
    frame.price = json.number as Ticks;
    if (view.getFloat64(at, true) !== CHANGE_0 || view.getFloat64(at + 4, true) !== CHANGE_4) return false;
    at = json.signedDecimal(at + 12, SIZE_DECIMALS);
    frame.change = json.number;
    if (view.getFloat64(at, true) !== SIDE_0) return false;
    at = this.#side(at + 8);
    if (view.getInt32(at, true) !== TEXT_0 || view.getInt32(at + 2, true) !== TEXT_2) return false;
    at = json.text(at + 6);
    if (view.getFloat64(at, true) !== TIME_0 || view.getFloat64(at + 1, true) !== TIME_1) return false;
    at = json.millis(at + 9);
    frame.time = json.number;
    // The frame's time of sending is optional, and is not used.
    if (view.getInt16(at, true) === BRACES) return json.space(at + 2) === json.end;
    if (view.getFloat64(at, true) !== SENT_0 || view.getFloat64(at + 8, true) !== SENT_8) return false;
    if (view.getFloat64(at + 10, true) !== SENT_10) return false;
    at = json.millis(at + 18);
    return json.bytes[at] === CLOSE_BRACE && json.space(at + 1) === json.end;
  }

  #anyLayout(): ScannedKind {
    const json = this.#json;
    this.#kind = NOT_PLAIN;
    this.#seen = 0;
    this.#frame.time = 0;
    this.#frame.yes.count = 0;
    this.#frame.no.count = 0;
    const at = this.#envelope(json.space(0));
    if (json.bytes[at] !== CLOSE_BRACE || json.space(at + 1) !== json.end) return NOT_PLAIN;
    return this.#complete();
  }

  /**
   * Returns the kind of a frame that has all its keys. A snapshot without a side may be an empty book or have an older shape, so the cold
   * reader decides.
   */
  #complete(): ScannedKind {
    const [kind, seen] = [this.#kind, this.#seen];
    const required = kind === DELTA ? DELTA_KEYS : ENVELOPE;
    if ((seen & required) !== required || (kind === SNAPSHOT && (seen & SIDES) === 0)) return NOT_PLAIN;
    return kind;
  }

  /** Reads the members of the outer object, from its opening brace to its closing one. */
  #envelope(start: number): number {
    const json = this.#json;
    const { bytes, view } = json;
    let at = start;
    if (bytes[at] !== OPEN_BRACE) return json.end;
    do {
      at += 1;
      if (bytes[at] !== QUOTE) at = json.space(at);
      if (bytes[at] !== QUOTE) return json.end;
      const key = view.getInt32(at + 1, true);
      let bit = 0;
      if (key === TYPE && bytes[at + 5] === QUOTE) {
        bit = SEEN_TYPE;
        at = this.#type(this.#value(at + 6));
      } else if (key === SID_) {
        bit = SEEN_SID;
        at = json.integer(this.#value(at + 5));
        this.#frame.sid = json.number;
      } else if (key === SEQ_) {
        bit = SEEN_SEQ;
        at = json.integer(this.#value(at + 5));
        this.#frame.seq = json.number;
      } else if (key === MSG_) {
        bit = SEEN_MSG;
        at = this.#message(this.#value(at + 5));
      } else {
        at = this.#otherMember(at);
      }
      if ((this.#seen & bit) !== 0) return json.end;
      this.#seen |= bit;
      if (bytes[at] !== COMMA) at = json.space(at);
    } while (bytes[at] === COMMA);
    return at;
  }

  /** Reads the members of `msg`, from its opening brace to after its closing one. */
  #message(start: number): number {
    const json = this.#json;
    const { bytes } = json;
    let at = start;
    let seen = 0;
    if (bytes[at] !== OPEN_BRACE) return json.end;
    do {
      at += 1;
      if (bytes[at] !== QUOTE) at = json.space(at);
      if (bytes[at] !== QUOTE) return json.end;
      const bit = this.#messageKey(at);
      if (bit === SEEN_TICKER) at = this.#ticker(this.#value(at + 15));
      else if (bit === MARKET_ID) at = json.uuid(this.#value(at + 11));
      else if (bit === SEEN_PRICE) {
        at = this.#price(this.#value(at + 15));
        this.#frame.price = json.number as Ticks;
      } else if (bit === SEEN_CHANGE) {
        at = json.signedDecimal(this.#value(at + 10), SIZE_DECIMALS);
        this.#frame.change = json.number;
      } else if (bit === SEEN_SIDE) at = this.#side(this.#value(at + 6));
      else if (bit === SEEN_TIME) {
        at = json.millis(this.#value(at + 7));
        this.#frame.time = json.number;
      } else if (bit === SEEN_YES) at = this.#levels(this.#value(at + 16), this.#frame.yes);
      else if (bit === SEEN_NO) at = this.#levels(this.#value(at + 15), this.#frame.no);
      else at = this.#otherMember(at);
      if ((seen & bit) !== 0) return json.end;
      seen |= bit;
      if (bytes[at] !== COMMA) at = json.space(at);
    } while (bytes[at] === COMMA);
    this.#seen |= seen & MESSAGE_KEYS;
    return bytes[at] === CLOSE_BRACE ? at + 1 : json.end;
  }

  /** Returns the bit of the key of `msg` at `at`, or 0 if the key is not used. */
  #messageKey(at: number): number {
    const view = this.#json.view;
    const key = view.getInt32(at + 1, true);
    const next = view.getInt32(at + 5, true);
    if (key === MARK) {
      if (next === ET_I) return view.getInt16(at + 9, true) === D_ ? MARKET_ID : 0;
      const isTicker = next === ET_T && view.getInt32(at + 9, true) === ICKE && view.getInt16(at + 13, true) === R_;
      return isTicker ? SEEN_TICKER : 0;
    }
    if (key === PRIC) {
      const isPrice = next === E_DO && view.getInt32(at + 9, true) === LLAR && view.getInt16(at + 13, true) === S_;
      return isPrice ? SEEN_PRICE : 0;
    }
    if (key === DELT) return next === A_FP && view.getUint8(at + 9) === QUOTE ? SEEN_CHANGE : 0;
    if (key === SIDE) return (next & 0xff) === QUOTE ? SEEN_SIDE : 0;
    if (key === TS_M) return (next << 16) >> 16 === S_ ? SEEN_TIME : 0;
    if (key === YES_) {
      const isYes =
        next === DOLL && view.getInt32(at + 9, true) === ARS_ && (view.getInt32(at + 13, true) & 0xffffff) === FP_;
      return isYes ? SEEN_YES : 0;
    }
    const isNo =
      key === NO_D && next === OLLA && view.getInt32(at + 9, true) === RS_F && view.getInt16(at + 13, true) === P_;
    return isNo ? SEEN_NO : 0;
  }

  /** Skips from after a key to the start of its value. */
  #value(at: number): number {
    const { bytes } = this.#json;
    return bytes[at] === COLON && bytes[at + 1]! > 0x20 ? at + 1 : this.#json.colon(at);
  }

  #type(at: number): number {
    const { view, end } = this.#json;
    if (view.getFloat64(at, true) !== BOOK_0) return end;
    if (view.getFloat64(at + 8, true) === BOOK_8 && view.getUint8(at + 16) === QUOTE) {
      this.#kind = DELTA;
      return at + 17;
    }
    if (view.getFloat64(at + 8, true) !== SNAP_8 || view.getFloat64(at + 12, true) !== SHOT_12) return end;
    this.#kind = SNAPSHOT;
    return at + 20;
  }

  #side(at: number): number {
    const { view, end } = this.#json;
    const side = view.getInt32(at, true);
    this.#frame.isYes = side === QYES;
    if (side === QNO_) return at + 4;
    return side === QYES && view.getUint8(at + 4) === QUOTE ? at + 5 : end;
  }

  #price(at: number): number {
    const behind = this.#json.price(at);
    return this.#json.number <= TICKS_PER_DOLLAR ? behind : this.#json.end;
  }

  /** Reads a ticker that the table has. Unknown or escaped tickers go to the cold reader. */
  #ticker(at: number): number {
    const json = this.#json;
    if (json.bytes[at] !== QUOTE) return json.end;
    const view = json.view;
    const first = at + 1;
    let hash = TICKER_HASH_SEED;
    let from = first;
    let word = view.getInt32(from, true);
    let quotes = zeroBytes(word ^ 0x22222222);
    while (quotes === 0) {
      hash = mixTickerHash(hash, word);
      from += 4;
      word = view.getInt32(from, true);
      quotes = zeroBytes(word ^ 0x22222222);
    }
    const left = firstByte(quotes);
    if (left !== 0) hash = mixTickerHash(hash, word & ((1 << (left * 8)) - 1));
    const book = this.#tickers.find(view, first, from + left - first, hash);
    if (book < 0) return json.end;
    this.#frame.book = book as BookId;
    return from + left + 1;
  }

  /** Reads `[["0.4700","3.00"],…]`. */
  #levels(start: number, list: LevelList): number {
    const json = this.#json;
    const { bytes } = json;
    const { prices, sizes } = list;
    if (bytes[start] !== OPEN_BRACKET) return json.end;
    let at = json.space(start + 1);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    at = start;
    let count = 0;
    do {
      at = json.space(at + 1);
      if (bytes[at] !== OPEN_BRACKET || count === prices.length) return json.end;
      at = json.space(this.#price(json.space(at + 1)));
      prices[count] = json.number;
      if (bytes[at] !== COMMA) return json.end;
      at = json.space(json.decimal(json.space(at + 1), SIZE_DECIMALS));
      sizes[count] = json.number;
      if (bytes[at] !== CLOSE_BRACKET) return json.end;
      count += 1;
      at = json.space(at + 1);
    } while (bytes[at] === COMMA);
    list.count = count;
    return bytes[at] === CLOSE_BRACKET ? at + 1 : json.end;
  }

  /** Skips an unused member: a string, a plain integer or a literal. Other values go to the cold reader. */
  #otherMember(keyAt: number): number {
    const json = this.#json;
    const at = this.#value(json.text(keyAt));
    if (json.bytes[at] === QUOTE) return json.text(at);
    const literal = json.view.getInt32(at, true);
    if (literal === TRUE || literal === NULL) return at + 4;
    if (literal === FALS && json.bytes[at + 4] === LOWER_E) return at + 5;
    return json.integer(at);
  }
}
