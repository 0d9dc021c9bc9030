// The protocol between publisher and readers of books on core NATS (docs/RELAY.md): subjects, intervals, the envelope of messages, and the terms of
// markets. Any thread.

import type { FeeModel } from '../../core/domain/fees.ts';
import { type Fraction, fraction } from '../../core/domain/fraction.ts';
import type { MarketKey, Venue } from '../../core/domain/market.ts';
import { MARKET_STATUSES } from '../../core/domain/market-summary.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import type {
  WireFeeTerms,
  WireMarket,
  WireMarketTerms,
  WirePriceBand,
  WireRelayMessage,
  WireTermsReply,
  Written,
} from '../../core/generated/protobuf-types.ts';
import { FieldError, readOneOf, readUint64 } from '../../core/wire/fields.ts';
import type { ServerMessage } from '../../core/wire/messages.ts';
import { readServer } from '../../core/wire/protobuf.ts';
import { readMarket, renderMarket } from '../../core/wire/protobuf-parts.ts';
import { messageType } from '../../core/wire/protobuf-schema.ts';
import { writeVarint } from '../../core/wire/protobuf-template.ts';
import type { TermsReading, TradingTerms } from '../../venues/trading-terms.ts';

// Subjects. A publisher has a new id in each of its lives. So the messages of two lives, or of two publishers, are never mistaken for one
// stream.

const ROOT = 'crossbook.books.v1';

/** The subject on which a publisher sends a message each `PULSE_MS` as a sign of life. */
export function pulseSubject(publisher: string): string {
  return `${ROOT}.pulse.${publisher}`;
}

/** The subject of the message with which a publisher announces its end. */
export function endSubject(publisher: string): string {
  return `${ROOT}.end.${publisher}`;
}

export const PULSES = pulseSubject('*');
export const ENDS = endSubject('*');

/** The subject of one market's messages, each a RelayMessage. */
export function marketSubject(publisher: string, venue: Venue, address: string): string {
  return `${ROOT}.market.${publisher}.${venue}.${tokenOf(address)}`;
}

/** The subject of requests to the publisher: the stream's ClientMessage, with `subscribe` or `snapshot`. */
export function requestSubject(publisher: string): string {
  return `${ROOT}.request.${publisher}`;
}

/** The subject of requests for a market's terms. The request is a Market; the answer is a TermsReply. */
export function termsSubject(publisher: string): string {
  return `${ROOT}.terms.${publisher}`;
}

/** Returns the publisher's id from the subject of a pulse or an end. */
export function publisherOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

/**
 * Returns an address as one token of a subject. NATS gives `.`, `*`, `>` and blanks a meaning of their own. Tickers and token ids without a
 * `.` stay as they are.
 */
function tokenOf(address: string): string {
  return encodeURIComponent(address).replace(/[.*!~'()]/g, it => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
}

// Intervals.

/** The interval between two signs of life of a publisher. */
export const PULSE_MS = 500;
/** After this time without a message, a market's subject gets a heartbeat with the book's position. */
export const HEARTBEAT_MS = 1_000;
/**
 * After this time without a message, a reader's book becomes STALE; this is three heartbeats. A publisher that is silent for as long may be
 * replaced by another one.
 */
export const SILENCE_MS = 3_000;
/** The time for which a publisher keeps a market for a reader after the reader's last request. */
export const LEASE_MS = 30_000;
/** The interval at which a reader renews its request. */
export const RENEWAL_MS = 10_000;
/** The interval between two requests for the same snapshot, or for a market without an answer so far. */
export const REPEAT_MS = 1_000;
/** A publisher answers a request for markets within this time. The answer has the markets that their venues have described by then. */
export const DESCRIBED_MS = 500;
/** A request without an answer after this time counts as lost. */
export const ANSWER_MS = 2_000;

// The envelope of a market's messages on NATS: RelayMessage of proto/relay.proto. Feed threads and the publisher's thread.

const relayType = messageType('RelayMessage');

/** The tags of the fields 1 to 3, whose types are varint, varint and bytes. */
const NUMBER = 0x08;
const LAST_TRADE = 0x10;
const MESSAGE = 0x1a;
/** The most bytes before the frame: three tags, and numbers of at most 8, 2 and 5 bytes. */
const HEAD_BYTES_MAX = 24;

export interface Relayed {
  readonly number: number;
  /** The price of the last trade. 0 means that no trade is known, or that the message does not state it. */
  readonly lastTrade: Ticks;
  readonly message: ServerMessage;
}

/** Returns the message as new bytes. `frame` is an encoded ServerMessage; the caller may reuse it afterwards. */
export function encodeRelayed(number: number, lastTrade: number, frame: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES_MAX + frame.length);
  bytes[0] = NUMBER;
  let at = writeVarint(bytes, 1, number);
  if (lastTrade !== 0) {
    bytes[at] = LAST_TRADE;
    at = writeVarint(bytes, at + 1, lastTrade);
  }
  bytes[at] = MESSAGE;
  at = writeVarint(bytes, at + 1, frame.length);
  bytes.set(frame, at);
  return bytes.subarray(0, at + frame.length);
}

/** Decodes a message of a market's subject. Throws if no publisher wrote these bytes. */
export function decodeRelayed(bytes: Uint8Array): Relayed {
  const { number, lastTradeTicks, message } = relayType.decode(bytes) as unknown as WireRelayMessage;
  if (message === null) throw new FieldError('message', 'is missing');
  return { number: readUint64(number), lastTrade: lastTradeTicks as Ticks, message: readServer(message) };
}

// Requests for a market's terms and their answers: Market, and TermsReply of proto/relay.proto. The publisher's thread, and the main thread
// of a reader.

const marketType = messageType('Market');
const replyType = messageType('TermsReply');

export function encodeTermsRequest(market: MarketKey): Uint8Array {
  return marketType.encode(renderMarket(market)).finish();
}

/** Returns null if the bytes do not name a market. */
export function decodeTermsRequest(bytes: Uint8Array): MarketKey | null {
  try {
    return readMarket(marketType.decode(bytes) as unknown as WireMarket);
  } catch {
    return null;
  }
}

export function encodeTermsReply(reading: TermsReading): Uint8Array {
  return replyType.encode(renderReading(reading)).finish();
}

/**
 * Reads a TermsReply. `now` becomes the time until which the publisher knew of no change to the terms. Throws on bytes that no publisher
 * has written.
 */
export function decodeTermsReply(bytes: Uint8Array, now: UnixMillis): TermsReading {
  const { reading, terms, unknown, faulty, busy } = replyType.decode(bytes) as unknown as WireTermsReply;
  if (reading === 'terms' && terms !== null) return { type: 'terms', terms: { ...readTerms(terms), readAt: now } };
  if (reading === 'unknown' && unknown !== null) return { type: 'unknown', message: unknown };
  if (reading === 'faulty' && faulty !== null) return { type: 'faulty', message: faulty };
  if (reading === 'busy' && busy !== null)
    return { type: 'busy', message: busy.message, retryAfterS: busy.retryAfterS };
  throw new FieldError('reading', 'is missing');
}

function renderReading(reading: TermsReading): Written<WireTermsReply> {
  switch (reading.type) {
    case 'terms':
      return { terms: renderTerms(reading.terms) };
    case 'unknown':
      return { unknown: reading.message };
    case 'faulty':
      return { faulty: reading.message };
    default:
      return { busy: { message: reading.message, retryAfterS: reading.retryAfterS } };
  }
}

function renderTerms(terms: TradingTerms): Written<WireMarketTerms> {
  const { title, status, grid, sizeMin, sizeStep, fees, closesAt, addresses, shard, settlementFloor } = terms;
  return {
    title,
    status,
    addresses,
    grid: grid.map(({ start, end, step }) => ({ startTicks: start, endTicks: end, stepTicks: step })),
    sizeMinMicros: sizeMin,
    sizeStepMicros: sizeStep,
    closesAtMs: closesAt,
    fees: fees === null ? null : renderFees(fees),
    shard,
    settlementFloorTicks: settlementFloor,
  };
}

function renderFees({ takerRate, makerRate, exponent, step, rounding, waivedUntil }: FeeModel): Written<WireFeeTerms> {
  return {
    takerNumerator: String(takerRate.numerator),
    takerDenominator: String(takerRate.denominator),
    makerNumerator: String(makerRate.numerator),
    makerDenominator: String(makerRate.denominator),
    exponent,
    stepMicroDollars: step,
    rounding,
    waivedUntilMs: waivedUntil,
  };
}

function readTerms(wire: WireMarketTerms): Omit<TradingTerms, 'readAt'> {
  return {
    title: wire.title,
    status: readOneOf(wire.status, 'status', MARKET_STATUSES),
    grid: wire.grid.map(readBand),
    sizeMin: readUint64(wire.sizeMinMicros) as MicroShares,
    sizeStep: readUint64(wire.sizeStepMicros) as MicroShares,
    fees: wire.fees === null ? null : readFees(wire.fees),
    closesAt: readTime(wire, 'closesAtMs'),
    addresses: [...wire.addresses],
    shard: Object.hasOwn(wire, 'shard') ? wire.shard! : null,
    settlementFloor: Object.hasOwn(wire, 'settlementFloorTicks') ? (wire.settlementFloorTicks as Ticks) : null,
  };
}

function readBand({ startTicks, endTicks, stepTicks }: WirePriceBand) {
  if (stepTicks === 0 || endTicks > TICKS_PER_DOLLAR || startTicks >= endTicks) {
    throw new FieldError('grid', 'must have bands of prices with a step');
  }
  return { start: startTicks as Ticks, end: endTicks as Ticks, step: stepTicks as Ticks };
}

function readFees(wire: WireFeeTerms): FeeModel {
  return {
    takerRate: readFraction(wire.takerNumerator, wire.takerDenominator),
    makerRate: readFraction(wire.makerNumerator, wire.makerDenominator),
    exponent: readExponent(wire.exponent),
    step: readUint64(wire.stepMicroDollars) as MicroDollars,
    rounding: readOneOf(wire.rounding, 'rounding', ['HALF_UP', 'UP']),
    waivedUntil: readTime(wire, 'waivedUntilMs'),
  };
}

const DIGITS = /^\d{1,40}$/;
/**
 * The largest exponent that is accepted; the venues' largest is 2. The bound exists because a power with this exponent is computed for each
 * quote.
 */
const EXPONENT_MAX = 8;

function readFraction(numerator: string, denominator: string): Fraction {
  const isOne = DIGITS.test(numerator) && DIGITS.test(denominator) && BigInt(denominator) > 0n;
  if (!isOne) throw new FieldError('rate', 'must be a fraction in digits');
  return fraction(BigInt(numerator), BigInt(denominator));
}

function readExponent(exponent: number): number {
  if (exponent > EXPONENT_MAX) throw new FieldError('exponent', `must be at most ${EXPONENT_MAX}`);
  return exponent;
}

/** Reads a time, or returns null if it is absent: an absent 64-bit field is not an own property. */
function readTime<Name extends string>(wire: { readonly [N in Name]?: unknown }, name: Name): UnixMillis | null {
  return Object.hasOwn(wire, name) ? (readUint64(wire[name]) as UnixMillis) : null;
}
