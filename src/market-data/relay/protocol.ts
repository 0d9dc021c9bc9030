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

// Subjects. A publisher has a new id for each of its lives. So the messages of two lives, or of two
// publishers, are never taken for one stream.

const ROOT = 'crossbook.books.v1';

/** A message each `PULSE_MS`; says that the publisher lives. */
export function pulseSubject(publisher: string): string {
  return `${ROOT}.pulse.${publisher}`;
}

/** The subject of the one message that a publisher ends. */
export function endSubject(publisher: string): string {
  return `${ROOT}.end.${publisher}`;
}

export const PULSES = pulseSubject('*');
export const ENDS = endSubject('*');

/** Messages of one market: RelayMessage. */
export function marketSubject(publisher: string, venue: Venue, address: string): string {
  return `${ROOT}.market.${publisher}.${venue}.${tokenOf(address)}`;
}

/** Requests to the publisher: ClientMessage of the stream, `subscribe` and `snapshot`. */
export function requestSubject(publisher: string): string {
  return `${ROOT}.request.${publisher}`;
}

/** Requests for a market's terms: Market, answered by TermsReply. */
export function termsSubject(publisher: string): string {
  return `${ROOT}.terms.${publisher}`;
}

/** The publisher that a pulse or an end is of. */
export function publisherOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

/** One token of a subject: NATS has a meaning for `.`, `*`, `>` and blanks. Tickers and token ids without a `.` stay as they are. */
function tokenOf(address: string): string {
  return encodeURIComponent(address).replace(/[.*!~'()]/g, it => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
}

// Intervals.

/** Between two signs of life of a publisher. */
export const PULSE_MS = 500;
/** A market that has said nothing for this long says where it stands. */
export const HEARTBEAT_MS = 1_000;
/** A reader's book that has heard nothing for this long is STALE: three heartbeats. A publisher that is silent as long may be replaced. */
export const SILENCE_MS = 3_000;
/** A publisher keeps a market for a reader for this long after the last request. */
export const LEASE_MS = 30_000;
/** A reader repeats its request this often. */
export const RENEWAL_MS = 10_000;
/** Between two requests for the same snapshot, or for a market that was not answered. */
export const REPEAT_MS = 1_000;
/** A publisher answers a request for markets after this time at the latest, with those that its venues have described by then. */
export const DESCRIBED_MS = 500;
/** A request without an answer after this time counts as lost. */
export const ANSWER_MS = 2_000;

// The envelope of a market's messages on NATS: RelayMessage of proto/relay.proto. Feed threads and the publisher's thread.

const relayType = messageType('RelayMessage');

/** Tags of the fields 1 to 3: varint, varint, bytes. */
const NUMBER = 0x08;
const LAST_TRADE = 0x10;
const MESSAGE = 0x1a;
/** Three tags, and numbers of at most 8, 2 and 5 bytes. */
const HEAD_BYTES_MAX = 24;

export interface Relayed {
  readonly number: number;
  /** 0: none, or not said. */
  readonly lastTrade: Ticks;
  readonly message: ServerMessage;
}

/** Fresh bytes. `frame`: an encoded ServerMessage; it may be reused afterwards. */
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

/** Throws on bytes that no publisher has written. */
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

/** Null if the bytes name no market. */
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

/** `now`: until then the publisher heard of no change of them. Throws on bytes that no publisher has written. */
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
/** Beyond the venues' largest, 2; a power of it is computed for each quote. */
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

/** An absent 64-bit field is no own property. */
function readTime<Name extends string>(wire: { readonly [N in Name]?: unknown }, name: Name): UnixMillis | null {
  return Object.hasOwn(wire, name) ? (readUint64(wire[name]) as UnixMillis) : null;
}
