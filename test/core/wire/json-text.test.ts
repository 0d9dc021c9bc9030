// A doubled key is found at any depth, and no other key is taken for a doubled key.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/core/domain/result.ts';
import { readControlRequest } from '../../../src/core/wire/control.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import { doubledKey } from '../../../src/core/wire/json-text.ts';

const values = fc.constantFrom('1', '"a:{\\""', '[]', '{"a":1,"b":[{"a":1}]}', '[":",{"a":1},{"a":1}]', 'null');
const entries = fc.array(
  fc.tuple(fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', '"', '\\', 'é') }), values),
);

it('is the first that an object has had before', () => {
  fc.assert(
    fc.property(entries, fc.boolean(), (all, isInner) => {
      const object = `{ ${all.map(([key, value]) => `${JSON.stringify(key)} : ${value}`).join(', ')} }`;
      const keys = all.map(([key]) => key);
      const expected = keys.find((key, index) => keys.indexOf(key) < index) ?? null;
      expect(doubledKey(isInner ? `[{"a":${object}}]` : object)).toBe(expected);
    }),
  );
});

it('is looked for however deep the text is', () => {
  const deep = 30_000;
  expect(doubledKey(`${'['.repeat(deep)}${']'.repeat(deep)}`)).toBeNull();
  expect(doubledKey(`${'{"a":'.repeat(deep)}{"b":1,"b":2}${'}'.repeat(deep)}`)).toBe('b');
});

// Times of messages have four-digit years.
describe('0032: times beyond the year 9999', () => {
  const book = {
    type: 'trade',
    market: { venue: 'venue_b', ticker: 'KXA' },
    epoch: 1,
    seq: 1,
    tradeId: 't',
    takerSide: null,
  };
  const trade = (receivedAt: string) =>
    Buffer.from(JSON.stringify({ ...book, price: '0.5', size: '1', venueTime: null, receivedAt }));

  it.each(['+020000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '-000001-01-01T00:00:00.000Z'])(
    '%s is refused',
    receivedAt => {
      expect(() => jsonCodec.decodeServer(trade(receivedAt))).toThrow('receivedAt: must be an ISO-8601 time');
    },
  );

  it('9999-12-31T23:59:59.999Z is the last one', () => {
    const read = jsonCodec.decodeServer(trade('9999-12-31T23:59:59.999Z'));
    expect(jsonCodec.decodeServer(jsonCodec.encode(read))).toEqual(read);
  });
});

it('a request on the control socket is read', () => {
  expect(readControlRequest('{"op":"stop","name":"demo"}')).toEqual(ok({ op: 'stop', name: 'demo' }));
  expect(readControlRequest('{"op":"status"}')).toEqual(ok({ op: 'status' }));
});

it('4030: a request on the control socket that gives a key twice is refused', () => {
  expect(readControlRequest('{"op":"stop","name":"demo","name":"*"}')).toEqual({
    ok: false,
    error: 'name: is given twice',
  });
});
