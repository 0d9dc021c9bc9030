// Small records ↔ bytes: positions and their movements, idempotency entries, dead man's switches, counters, marks. Pure.

import { type Fraction, fraction } from '../../domain/fraction.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { Position } from '../../domain/position.ts';
import { assert } from '../../domain/result.ts';
import type { BookedChange, CancelAfter, IdempotencyEntry, StoredAnswer } from '../order-records.ts';
import { type ByteReader, type ByteWriter, RecordFault } from './bytes.ts';
import { codec, readOptional, remembering, writeOptional } from './codec.ts';
import { errorKindWords, statusWords, venueWords } from './order-record.ts';

const SHA_256_BYTES = 32;
const SHA_256_HEX = /^[0-9a-f]{64}$/;

export const positionCodec = codec<Position>('position', writePosition, [readPosition]);

/** The key holds its number. */
export const bookedCodec = codec<Omit<BookedChange, 'number'>>('booked-change', writeBooked, [readBooked]);

export function writeBooked(
  writer: ByteWriter,
  { fillId, change, addressPrice, fee, before }: Omit<BookedChange, 'number'>,
): void {
  writeOptional(writer, fillId, id => writer.text(id));
  writer.integer(change);
  writer.count(addressPrice);
  writer.integer(fee);
  writePosition(writer, before);
}

export function readBooked(reader: ByteReader): Omit<BookedChange, 'number'> {
  return {
    fillId: readOptional(reader, () => reader.text()),
    change: reader.integer() as MicroShares,
    addressPrice: reader.count() as Ticks,
    fee: reader.integer() as MicroDollars,
    before: readPosition(reader),
  };
}

export const idempotencyCodec = remembering(codec<IdempotencyEntry>('idempotency', writeEntry, [readEntry]));

export function writeEntry(writer: ByteWriter, { orderId, bodySha256Hex, answer }: IdempotencyEntry): void {
  writer.orderId(orderId);
  writeHash(writer, bodySha256Hex);
  writeOptional(writer, answer, it => writeAnswer(writer, it));
}

export function readEntry(reader: ByteReader): IdempotencyEntry {
  return {
    orderId: reader.orderId(),
    bodySha256Hex: readHash(reader),
    answer: readOptional(reader, () => readAnswer(reader)),
  };
}

export const cancelAfterCodec = codec<CancelAfter>('cancel-after', writeSwitch, [readSwitch]);

export function writeSwitch(writer: ByteWriter, { keyId, actorId, podId, deadline }: CancelAfter): void {
  writer.text(keyId);
  writer.text(actorId);
  writer.text(podId);
  writer.time(deadline);
}

export function readSwitch(reader: ByteReader): CancelAfter {
  return {
    keyId: reader.name(),
    actorId: reader.name(),
    podId: reader.name(),
    deadline: reader.time() as UnixMillis,
  };
}

export const counterCodec = codec<number>('counter', (writer, value) => writer.count(value), [
  reader => reader.count(),
]);

export const markCodec = codec<string>('mark', (writer, value) => writer.text(value), [reader => reader.text()]);

export function writePosition(writer: ByteWriter, position: Position): void {
  writer.byte(venueWords.code(position.venue));
  writer.text(position.address);
  writer.integer(position.size);
  writeFraction(writer, position.average);
  writeFraction(writer, position.realized);
  writer.integer(position.fees);
  writer.byte(position.isRedeemable ? 1 : 0);
  writer.time(position.updatedAt);
}

export function readPosition(reader: ByteReader): Position {
  return {
    venue: venueWords.read(reader),
    address: reader.name(),
    size: reader.integer() as MicroShares,
    average: readFraction(reader),
    realized: readFraction(reader),
    fees: reader.integer() as MicroDollars,
    isRedeemable: reader.flag(),
    updatedAt: reader.time() as UnixMillis,
  };
}

function writeAnswer(writer: ByteWriter, { outcome, status, message, at }: StoredAnswer): void {
  writeOptional(writer, outcome === 'made' ? null : outcome, kind => writer.byte(errorKindWords.code(kind)));
  writer.byte(statusWords.code(status));
  writer.text(message);
  writer.time(at);
}

function readAnswer(reader: ByteReader): StoredAnswer {
  return {
    outcome: readOptional(reader, () => errorKindWords.read(reader)) ?? 'made',
    status: statusWords.read(reader),
    message: reader.text(),
    at: reader.time() as UnixMillis,
  };
}

function writeHash(writer: ByteWriter, hex: string): void {
  assert(SHA_256_HEX.test(hex), 'a SHA-256 is 64 hex digits in lower case');
  writer.raw(Buffer.from(hex, 'hex'));
}

function readHash(reader: ByteReader): string {
  return Buffer.from(reader.raw(SHA_256_BYTES)).toString('hex');
}

function writeFraction(writer: ByteWriter, { numerator, denominator }: Fraction): void {
  writer.bigInteger(numerator);
  writer.bigInteger(denominator);
}

function readFraction(reader: ByteReader): Fraction {
  const [numerator, denominator] = [reader.bigInteger(), reader.bigInteger()];
  if (denominator <= 0n) throw new RecordFault('a fraction has no denominator');
  const value = fraction(numerator, denominator);
  if (value.denominator !== denominator) throw new RecordFault('a fraction is not in lowest terms');
  return value;
}
