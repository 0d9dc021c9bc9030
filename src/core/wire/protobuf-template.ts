// Writes deltas and trades of one market in protobuf into a reused buffer. The bytes equal those that protobuf.ts writes through
// protobufjs, but this takes a small fraction of the time. Field numbers are those of proto/orderbook.proto. Main thread.

import type { Side } from '../domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../domain/numbers.ts';
import { Frame } from './frame.ts';
import type { MarketTemplate, MarketTrade } from './messages.ts';

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

const MESSAGE_DELTA = tag(1, DELIMITED);
const MESSAGE_TRADE = tag(2, DELIMITED);
const MARKET = tag(1, DELIMITED);
const DELTA_EPOCH = tag(2, VARINT);
const DELTA_SEQ = tag(3, VARINT);
const DELTA_PREV_SEQ = tag(4, VARINT);
const DELTA_CHANGE = tag(5, DELIMITED);
const DELTA_CHECKSUM = tag(6, FIXED32);
const DELTA_VENUE_TIME = tag(7, FIXED64);
const DELTA_RECEIVED_AT = tag(8, FIXED64);
const CHANGE_SIDE = tag(1, VARINT);
const CHANGE_PRICE = tag(2, VARINT);
const CHANGE_SIZE = tag(3, VARINT);
const TRADE_ID = tag(2, DELIMITED);
const TRADE_PRICE = tag(3, VARINT);
const TRADE_SIZE = tag(4, VARINT);
const TRADE_TAKER_SIDE = tag(5, VARINT);
const TRADE_VENUE_TIME = tag(6, FIXED64);
const TRADE_RECEIVED_AT = tag(7, FIXED64);

/** The room before a body for its tag and its length of up to three bytes. The length is known only at the end. */
const HEADER_BYTES = 4;
/** The largest size of a change: tag and length, side, price (3) and size (9). */
const CHANGE_BYTES_MAX = 16;
/** The largest size of the head: epoch, seq and prev_seq, 9 bytes each. */
const HEAD_BYTES_MAX = 32;
/** The largest size of the tail: the checksum and two times of up to 9 bytes. */
const TAIL_BYTES_MAX = 24;
/** The largest size of a trade without its id: price, size, taker side, and tag and length of the trade id. */
const TRADE_BYTES_MAX = 24;
/** The largest size of one UTF-16 unit in UTF-8. */
const UTF8_BYTES_MAX = 3;
/** The room for a handful of changes. A larger frame grows the buffer once. */
const FRAME_BYTES = 128;

const encoder = new TextEncoder();

export class ProtobufTemplate implements MarketTemplate {
  readonly #market: Uint8Array;
  readonly #delta: Frame;
  readonly #epochStart: number;
  #epochEnd = 0;
  #epoch = -1;
  #at = 0;
  #trade: Frame | null = null;
  #tradePrefix = 0;

  /** `market` is the encoded Market message. */
  constructor(market: Uint8Array) {
    this.#market = market;
    this.#delta = new Frame(HEADER_BYTES + market.length + HEAD_BYTES_MAX + TAIL_BYTES_MAX + FRAME_BYTES);
    this.#epochStart = writeDelimited(this.#delta.bytes, HEADER_BYTES, MARKET, market);
  }

  beginDelta(epoch: number, seq: number): void {
    const { bytes } = this.#delta;
    if (epoch !== this.#epoch) {
      this.#epochEnd = writeNumber(bytes, this.#epochStart, DELTA_EPOCH, epoch);
      this.#epoch = epoch;
    }
    let at = this.#epochEnd;
    bytes[at] = DELTA_SEQ;
    at = writeVarint(bytes, at + 1, seq);
    bytes[at] = DELTA_PREV_SEQ;
    this.#at = writeVarint(bytes, at + 1, seq - 1);
  }

  change(side: Side, price: Ticks, size: MicroShares): void {
    const start = this.#at;
    this.#delta.reserve(start, CHANGE_BYTES_MAX + TAIL_BYTES_MAX);
    const { bytes } = this.#delta;
    bytes[start] = DELTA_CHANGE;
    bytes[start + 2] = CHANGE_SIDE;
    bytes[start + 3] = side + 1;
    bytes[start + 4] = CHANGE_PRICE;
    let at = writeSmallVarint(bytes, start + 5, price);
    if (size !== 0) {
      bytes[at] = CHANGE_SIZE;
      at = writeVarint(bytes, at + 1, size);
    }
    bytes[start + 1] = at - start - 2;
    this.#at = at;
  }

  endDelta(checksum: number, venueTime: UnixMillis, receivedAt: UnixMillis): Uint8Array {
    const { view } = this.#delta;
    let at = writeFixed32(view, this.#at, DELTA_CHECKSUM, checksum);
    at = writeFixed64(view, at, DELTA_VENUE_TIME, venueTime);
    at = writeFixed64(view, at, DELTA_RECEIVED_AT, receivedAt);
    return finish(this.#delta, MESSAGE_DELTA, at);
  }

  trade({ tradeId, price, size, takerSide, venueTime, receivedAt }: MarketTrade): Uint8Array {
    const frame = this.#tradeFrame();
    frame.reserve(this.#tradePrefix, tradeId.length * UTF8_BYTES_MAX + TRADE_BYTES_MAX + TAIL_BYTES_MAX);
    const { bytes, view } = frame;
    let at = writeText(bytes, this.#tradePrefix, TRADE_ID, tradeId);
    at = writeNumber(bytes, at, TRADE_PRICE, price);
    at = writeNumber(bytes, at, TRADE_SIZE, size);
    at = writeNumber(bytes, at, TRADE_TAKER_SIDE, takerSide);
    at = writeFixed64(view, at, TRADE_VENUE_TIME, venueTime);
    at = writeFixed64(view, at, TRADE_RECEIVED_AT, receivedAt);
    return finish(frame, MESSAGE_TRADE, at);
  }

  /** Returns the frame for trades. The frame is made with the market's first trade, because many markets never trade. */
  #tradeFrame(): Frame {
    if (this.#trade !== null) return this.#trade;
    this.#trade = new Frame(HEADER_BYTES + this.#market.length + FRAME_BYTES);
    this.#tradePrefix = writeDelimited(this.#trade.bytes, HEADER_BYTES, MARKET, this.#market);
    return this.#trade;
  }
}

function tag(field: number, wireType: number): number {
  return (field << 3) | wireType;
}

/** Writes tag and length before the body that ends at `end`, and returns the whole frame. */
function finish(frame: Frame, messageTag: number, end: number): Uint8Array {
  const { bytes } = frame;
  const length = end - HEADER_BYTES;
  const start = HEADER_BYTES - 1 - (length < 0x80 ? 1 : length < 0x4000 ? 2 : 3);
  bytes[start] = messageTag;
  writeVarint(bytes, start + 1, length);
  return frame.slice(start, end);
}

/** Writes a varint field. The value 0 is the default and is omitted, as in proto3. */
function writeNumber(bytes: Uint8Array, at: number, fieldTag: number, value: number): number {
  if (value === 0) return at;
  bytes[at] = fieldTag;
  return writeVarint(bytes, at + 1, value);
}

/** Writes a field of four bytes. The value 0 is omitted. */
function writeFixed32(view: DataView, at: number, fieldTag: number, value: number): number {
  if (value === 0) return at;
  view.setUint8(at, fieldTag);
  view.setUint32(at + 1, value, true);
  return at + 5;
}

/** Writes a field of eight bytes. The value 0 is omitted. */
function writeFixed64(view: DataView, at: number, fieldTag: number, value: number): number {
  if (value === 0) return at;
  view.setUint8(at, fieldTag);
  view.setUint32(at + 1, value, true);
  view.setUint32(at + 5, value / 0x1_0000_0000, true);
  return at + 9;
}

/**
 * Writes an integer from 0 to 2^53 − 1, seven bits at a time, in two halves since bitwise operators take 32 bits. Returns the end, which is
 * at most 8 bytes later.
 */
export function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  if (value < 0x1000_0000) return writeSmallVarint(bytes, start, value | 0);
  const high = Math.floor(value / 0x1000_0000);
  const low = (value - high * 0x1000_0000) | 0;
  bytes[start] = low | 0x80;
  bytes[start + 1] = (low >>> 7) | 0x80;
  bytes[start + 2] = (low >>> 14) | 0x80;
  bytes[start + 3] = (low >>> 21) | 0x80;
  return writeSmallVarint(bytes, start + 4, high | 0);
}

/** Writes an integer below 2^28. */
function writeSmallVarint(bytes: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    bytes[at] = value;
    return at + 1;
  }
  bytes[at] = value | 0x80;
  if (value < 0x4000) {
    bytes[at + 1] = value >>> 7;
    return at + 2;
  }
  bytes[at + 1] = (value >>> 7) | 0x80;
  if (value < 0x20_0000) {
    bytes[at + 2] = value >>> 14;
    return at + 3;
  }
  bytes[at + 2] = (value >>> 14) | 0x80;
  bytes[at + 3] = value >>> 21;
  return at + 4;
}

function writeDelimited(bytes: Uint8Array, at: number, fieldTag: number, value: Uint8Array): number {
  bytes[at] = fieldTag;
  const start = writeVarint(bytes, at + 1, value.length);
  bytes.set(value, start);
  return start + value.length;
}

/** Writes a string field. The empty text is the default and is omitted. Venues' trade ids are ASCII. */
function writeText(bytes: Uint8Array, at: number, fieldTag: number, text: string): number {
  if (text === '') return at;
  const length = Buffer.byteLength(text);
  bytes[at] = fieldTag;
  const start = writeVarint(bytes, at + 1, length);
  if (length !== text.length) encoder.encodeInto(text, bytes.subarray(start));
  else for (let index = 0; index < length; index++) bytes[start + index] = text.charCodeAt(index);
  return start + length;
}
