// Records of the order store as bytes. Each record comes back unchanged. Any bytes are either a record, which is written back byte for
// byte, or a StoreError that names it. Records of another version are refused.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter, RecordFault } from '../../../../src/core/store/orders/bytes.ts';
import { type Codec, codec } from '../../../../src/core/store/orders/codec.ts';
import { orderCodec } from '../../../../src/core/store/orders/order-record.ts';
import {
  bookedCodec,
  cancelAfterCodec,
  counterCodec,
  eventCodec,
  fillCodec,
  idempotencyCodec,
  markCodec,
  positionCodec,
  protectionCodec,
} from '../../../../src/core/store/orders/records.ts';
import { text } from '../../../../src/core/store/orders/schema.ts';
import { StoreError } from '../../../../src/core/store/store-error.ts';
import {
  bookedRecord,
  cancelAfterRecord,
  counterRecord,
  eventRecord,
  idempotencyRecord,
  markRecord,
  orderRecord,
  positionRecord,
  protectionRecord,
  storedFill,
} from './order-arbitraries.ts';
import { STORED_FORMS } from './stored-forms.ts';

const KEY = Buffer.from('\x01key\xff', 'latin1');

const KINDS: readonly (readonly [string, Codec<unknown>, fc.Arbitrary<unknown>])[] = [
  kind(orderCodec, orderRecord),
  kind(fillCodec, storedFill),
  kind(positionCodec, positionRecord),
  kind(bookedCodec, bookedRecord),
  kind(idempotencyCodec, idempotencyRecord),
  kind(eventCodec, eventRecord),
  kind(cancelAfterCodec, cancelAfterRecord),
  kind(protectionCodec, protectionRecord),
  kind(counterCodec, counterRecord),
  kind(markCodec, markRecord),
];

function kind<T>(codec: Codec<T>, arbitrary: fc.Arbitrary<T>) {
  return [codec.kind, codec as Codec<unknown>, arbitrary] as const;
}

describe.each(KINDS)('a record of kind %s', (name, codec, arbitrary) => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(arbitrary, value => {
        expect(codec.decode(encoded(codec, value), KEY)).toEqual(value);
      }),
    );
  });

  it('is not read when it is cut short, or goes on', () => {
    fc.assert(
      fc.property(arbitrary, fc.nat(), (value, at) => {
        const bytes = encoded(codec, value);
        expectNamed(() => codec.decode(bytes.subarray(0, at % bytes.length), KEY), name);
        expectNamed(() => codec.decode(Buffer.concat([bytes, Buffer.of(0)]), KEY), name);
      }),
    );
  });

  it('of any bytes is what is written as these bytes, or a StoreError', () => {
    const version = encoded(codec, fc.sample(arbitrary, 1)[0])[0]!;
    const changed = fc.tuple(arbitrary, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 100 }).map(rest => Buffer.from([version, ...rest])),
      fc.uint8Array({ maxLength: 20 }),
      changed.map(([value, changes]) => {
        const bytes = encoded(codec, value);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return bytes;
      }),
    );
    fc.assert(
      fc.property(bytes, it => {
        const value = decoded(codec, it, name);
        if (value !== null) expect(Buffer.from(encoded(codec, value.of))).toEqual(Buffer.from(it));
      }),
      { numRuns: 500 },
    );
  });
});

/** Returns a copy of the bytes, as for a reader that has not written them. */
function encoded<T>(codec: Codec<T>, value: T): Buffer {
  return Buffer.from(codec.encode(value));
}

function decoded(codec: Codec<unknown>, bytes: Uint8Array, name: string): { of: unknown } | null {
  try {
    return { of: codec.decode(bytes, KEY) };
  } catch (error) {
    expectNamed(() => {
      throw error;
    }, name);
    return null;
  }
}

function expectNamed(work: () => unknown, name: string): void {
  expect(work).toThrow(StoreError);
  expect(work).toThrow(`store: ${name} record "\\x01key\\xff": `);
}

describe('versions', () => {
  const first = codec('thing', text);
  const second = codec('thing', text, 2);

  it('other than the one of this program are refused, in words that say what to do', () => {
    expect(second.decode(second.encode('a'), KEY)).toBe('a');
    const earlier = 'has version 1, this program reads version 2: start the earlier release that wrote it';
    expect(() => second.decode(first.encode('a'), KEY)).toThrow(earlier);
    const later = 'has version 2, this program reads version 1: start the later release that wrote it';
    expect(() => first.decode(second.encode('a'), KEY)).toThrow(later);
    expect(() => first.decode(Buffer.of(0), KEY)).toThrow('has version 0');
  });
});

it.each(STORED_FORMS.map(form => [form.codec.kind, form] as const))(
  'the form of a record of kind %s is read, and written so',
  (_kind, { codec, value, hex }) => {
    expect(codec.decode(Buffer.from(hex, 'hex'), KEY)).toEqual(value);
    expect(encoded(codec, value).toString('hex')).toBe(hex);
  },
);

describe('bytes', () => {
  const writer = new ByteWriter();
  const written = (write: (writer: ByteWriter) => void): Buffer => {
    writer.begin();
    write(writer);
    return Buffer.from(writer.copy());
  };

  it('hold counts in as few bytes as they need', () => {
    const lengths = [0, 0x7f, 0x80, 2 ** 14 - 1, 2 ** 14, 2 ** 53 - 1].map(it => written(to => to.count(it)).length);
    expect(lengths).toEqual([1, 1, 2, 2, 3, 8]);
  });

  it.each([
    ['a count that could be shorter', '8000', (reader: ByteReader) => reader.count()],
    ['a count beyond 2^53', 'ffffffffffffff7f', (reader: ByteReader) => reader.count()],
    ['a count without an end', 'ffffffffffffffffffffff', (reader: ByteReader) => reader.count()],
    ['minus nothing', '0100', (reader: ByteReader) => reader.integer()],
    ['a big minus nothing', '01', (reader: ByteReader) => reader.bigInteger()],
    ['a big integer that could be shorter', '040001', (reader: ByteReader) => reader.bigInteger()],
    ['a flag that is neither', '02', (reader: ByteReader) => reader.flag()],
    ['half a character', '01c3', (reader: ByteReader) => reader.text()],
    ['a text longer than its bytes', '0561', (reader: ByteReader) => reader.text()],
  ])('refuse %s', (_what, hex, read) => {
    expect(() => read(new ByteReader(Buffer.from(hex, 'hex')))).toThrow(RecordFault);
  });

  it('have no halves of surrogate pairs', () => {
    expect(new ByteReader(written(to => to.text('a\ud800b'))).text()).toBe('a\ufffdb');
  });

  it('grow to the size of what is written', () => {
    const long = 'é'.repeat(100_000);
    expect(new ByteReader(written(to => to.text(long))).text()).toBe(long);
  });

  it('refuse ids that are not of orders', () => {
    expect(() => written(to => to.orderId('1234' as never))).toThrow('UUID');
  });
});
