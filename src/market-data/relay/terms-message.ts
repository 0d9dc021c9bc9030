// Requests for a market's terms and their answers: Market, and TermsReply of proto/relay.proto. The publisher's thread, and the main thread
// of a reader.

import type { FeeModel } from '../../core/domain/fees.ts';
import { type Fraction, fraction } from '../../core/domain/fraction.ts';
import type { MarketKey } from '../../core/domain/market.ts';
import { MARKET_STATUSES } from '../../core/domain/market-summary.ts';
import {
  type MicroDollars,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { FieldError, readOneOf, readUint64 } from '../../core/wire/fields.ts';
import { readMarket, renderMarket } from '../../core/wire/protobuf-parts.ts';
import { messageType } from '../../core/wire/protobuf-schema.ts';
import type {
  WireFeeTerms,
  WireMarket,
  WireMarketTerms,
  WirePriceBand,
  WireTermsReply,
  Written,
} from '../../core/wire/protobuf-types.generated.ts';
import type { TermsReading, TradingTerms } from '../../venues/trading-terms.ts';

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
