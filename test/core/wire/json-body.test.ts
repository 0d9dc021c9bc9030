// Bodies that JSON.parse alone would accept, or that would overload it, are refused. No other bodies are refused.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonBody } from '../../../src/core/wire/json-body.ts';
import { readVenueBOrder } from '../../../src/core/wire/order-requests.ts';
import { limits } from '../../../src/limits.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const problem = (body: Uint8Array) => {
  const read = readJsonBody(body);
  return read.ok ? null : read.error;
};

describe('refuses', () => {
  it.each<[string, Uint8Array, RegExp]>([
    ['nothing', bytes(''), /empty/],
    ['no JSON', bytes('{"a":'), /must be JSON/],
    ['no JSON, in other letters', bytes('é'), /^body: [\x20-\x7e]*$/],
    ['an array', bytes('[1]'), /JSON object/],
    ['null', bytes('null'), /JSON object/],
    ['a byte order mark', bytes('\uFEFF{}'), /must be JSON/],
    ['invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), /UTF-8/],
    ['an overlong encoding', Uint8Array.of(0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d), /UTF-8/],
    ['a key twice', bytes('{"count":1,"count":2}'), /^count: is given twice$/],
    ['a key twice, once escaped', bytes('{"count":1,"c\\u006funt":2}'), /^count: is given twice$/],
    ['a key twice, further in', bytes('{"a":[{"b":1,"b":1}]}'), /^b: is given twice$/],
    ['a strange key twice', bytes('{"a b":[1],"a b":[]}'), /^body: names a key twice$/],
    ['a prototype twice', bytes('{"__proto__":1,"__proto__":2}'), /^__proto__: is given twice$/],
    ['depth', bytes(`{"a":${'['.repeat(limits.bodyDepthMax)}${']'.repeat(limits.bodyDepthMax)}}`), /bodyDepthMax/],
    [
      'a decimal',
      bytes('{"count":2.0}'),
      /^count: must be a plain integer, without point and exponent; decimals are text$/,
    ],
    ['an exponent', bytes('{"count":1e2}'), /^count: must be a plain integer/],
    ['a large exponent', bytes('{"a":[1E2]}'), /^a: must be a plain integer/],
    [
      'the first decimal of two',
      bytes('{"side":"a.b","size":1,"price" : 0.31,"x":1.5}'),
      /^price: must be decimal text, like "0.31"; is a number$/,
    ],
    ['4039: a price as a number', bytes('{"price":0.31}'), /^price: must be decimal text, like "0.31"; is a number$/],
    ['4039: a size as a number', bytes('{"size":\n 12.50}'), /^size: must be decimal text, like "12.50"; is a number$/],
    [
      '4039: an amount that is no text',
      bytes('{"amount":1e3}'),
      /^amount: must be decimal text, like "0.5"; is a number$/,
    ],
    ['a decimal of a strange key', bytes('{"pri ce":0.5}'), /^body: must be a plain integer/],
    ['a decimal of an escaped key', bytes('{"pri\\u0063e":0.5}'), /^body: must be a plain integer/],
    ['a body of brackets', bytes('['.repeat(limits.bodyBytesMax)), /bodyDepthMax/],
  ])('%s', (_what, body, why) => {
    expect(problem(body)).toMatch(why);
  });
});

it('takes __proto__ for a key like any other, to be refused as unknown', () => {
  const read = readJsonBody(bytes('{"__proto__":{"postOnly":true}}'));
  expect(read.ok && Object.keys(read.value)).toEqual(['__proto__']);
  expect(({} as { postOnly?: boolean }).postOnly).toBeUndefined();
});

it('takes colons, quotes and brackets in strings for what they are', () => {
  expect(readJsonBody(bytes('{"a:\\"b":"{[:\\\\","c":["]",":"]}')).ok).toBe(true);
});

it('takes points and exponents in strings, and the words of JSON, for what they are', () => {
  expect(readJsonBody(bytes('{"e":true,"price":"0.5","b":"1e5","c":false,"d":null,"E.e":-1}')).ok).toBe(true);
});

it('agrees with JSON.parse on every object without decimals', () => {
  const { value: whole } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.string(),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), whole), fc.boolean(), (value, isPretty) => {
      const text = isPretty ? JSON.stringify(value, null, 2) : JSON.stringify(value);
      expect(readJsonBody(bytes(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

it('has an answer for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), body => {
      expect(problem(body) ?? '').toMatch(/^(\w{1,40}: [\x20-\x7e]*)?$/);
    }),
  );
});

// The refusal of such a field showed no name (`: is not a field here`), broke into lines, or reversed the direction of the text.
describe('0001: unseen field names', () => {
  const FIELDS = 'ticker, side, action, count, size, priceCents, price, timeInForce, postOnly, reduceOnly, selfTrade';

  it.each([
    ['', '""'],
    [' ', '" "'],
    ['a\nb', '"a\\nb"'],
    ['\u202ecount', '"?count"'],
    ['\ud800', '"\\ud800"'],
    ['é'.repeat(65), `"${'?'.repeat(65)}"`],
    ['postonly', 'postonly'],
    ['x'.repeat(65), `${'x'.repeat(64)}…`],
  ])('a field %j is named %s', (name, shown) => {
    expect(readVenueBOrder({ [name]: 1 })).toEqual({
      ok: false,
      error: `${shown}: is not a field here; the fields are ${FIELDS}`,
    });
  });
});
