// The form of an order's id, checked by loops over its characters, against the regular expression of the form.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteReader, ByteWriter, isOrderId } from '../../../../src/core/store/orders/bytes.ts';

const ORDER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** An id that is unchanged, or has one character replaced, removed or added. */
const nearlyId = fc
  .tuple(fc.uuid(), fc.nat(36), fc.nat(1), fc.oneof(fc.constant(''), fc.string({ unit: 'binary', maxLength: 1 })))
  .map(([id, at, taken, put]) => id.slice(0, at) + put + id.slice(at + taken));

it('tells ids from what is nearly one', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uuid(), nearlyId), text => {
      expect(isOrderId(text)).toBe(ORDER_ID.test(text));
    }),
    { numRuns: 2_000 },
  );
});

it('writes an id so that the same is read', () => {
  fc.assert(
    fc.property(fc.uuid(), id => {
      const writer = new ByteWriter();
      writer.begin();
      if (isOrderId(id)) writer.orderId(id);
      expect(new ByteReader(writer.copy()).orderId()).toBe(id);
    }),
  );
});

it.each([
  ['capitals', '0123456789AB-CDEF-0123-456789ABCDEF'],
  ['characters beyond Latin-1', '01234567-89ab-cdef-0123-456789abcdeā'],
  ['nothing', ''],
])('refuses %s', (_, text) => expect(isOrderId(text)).toBe(false));
