// Valid bytes with damage: flipped, cut, spliced with other seeds, repeated, or filled with overflowing numbers and meaningful words. The damage is
// drawn first and then applied, so that a failure shrinks to few and small changes.

import fc from 'fast-check';

type Change = (bytes: Buffer) => Buffer;

const place = fc.nat(0xffff);
const length = fc.oneof({ weight: 4, arbitrary: fc.nat(8) }, fc.nat(300));
/** Values at which lengths, counts and digits overflow. */
const EXTREMES = [
  0n,
  1n,
  0x7fn,
  0x80n,
  0xffn,
  0x7fffn,
  0xffffn,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  1n << 53n,
  (1n << 64n) - 1n,
];
const WORDS = [
  ...['\0', '"', '\\', '{', '}', '[', ']', ':', ',', '-', '.', 'e', '\r\n', '\r\n\r\n', ' ', '\t'],
  ...['0', '-1', '-0', '1e999', '1e-7', '0.00000001', '9007199254740993', '99999999999999999999', 'NaN', 'null'],
  ...['\\ud800', '\\u0000', '\\u', '"__proto__":', '"":', 'é', '\u202e', '\ufeff', '😀'],
];
const INVALID_UTF8 = [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]];

const flip = fc.tuple(place, fc.nat(7)).map(([at, bit]): Change => {
  return bytes => {
    const place = at % Math.max(1, bytes.length);
    return replaced(bytes, place, 1, Buffer.of((bytes[place] ?? 0) ^ (1 << bit)));
  };
});
const cut = place.map(
  (at): Change =>
    bytes =>
      bytes.subarray(0, at % (bytes.length + 1)),
);
const removal = fc.tuple(place, length).map(
  ([at, size]): Change =>
    bytes =>
      replaced(bytes, at, size, NOTHING),
);
const repetition = fc.tuple(place, length, fc.nat(3)).map(([at, size, times]): Change => {
  return bytes => {
    const from = at % (bytes.length + 1);
    const piece = bytes.subarray(from, from + size);
    return replaced(bytes, at, 0, Buffer.concat(Array<Buffer>(times + 1).fill(piece)));
  };
});
const extreme = fc
  .tuple(place, fc.constantFrom(...EXTREMES), fc.constantFrom(1, 2, 4, 6, 8), fc.boolean())
  .map(([at, value, size, isBigEndian]): Change => {
    const digits = value
      .toString(16)
      .padStart(16, '0')
      .slice(-2 * size);
    const number = Buffer.from(digits, 'hex');
    return bytes => replaced(bytes, at, size, isBigEndian ? number : number.reverse());
  });
const NOTHING = Buffer.alloc(0);

function replaced(bytes: Buffer, at: number, removed: number, added: Uint8Array): Buffer {
  const from = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, from), added, bytes.subarray(from + removed)]);
}

function inserted(words: readonly string[]): fc.Arbitrary<Change> {
  const added = fc.oneof(
    fc.constantFrom(...WORDS, ...words).map(word => Buffer.from(word)),
    fc.constantFrom(...INVALID_UTF8).map(bytes => Buffer.from(bytes)),
    fc.uint8Array({ maxLength: 6 }).map(bytes => Buffer.from(bytes)),
  );
  return fc.tuple(place, length, added).map(
    ([at, size, it]): Change =>
      bytes =>
        replaced(bytes, at, size, it),
  );
}

/** Joins the beginning of one input and the end of another. */
function spliced(seeds: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Change> {
  return fc.tuple(seeds, place, place).map(([other, at, from]): Change => {
    return bytes =>
      Buffer.concat([bytes.subarray(0, at % (bytes.length + 1)), other.subarray(from % (other.length + 1))]);
  });
}

/** Seeds with up to `changesMax` changes, some without a change. `words` are the words that have a meaning in this format. */
export function damagedBytes(
  seeds: fc.Arbitrary<Uint8Array>,
  words: readonly string[] = [],
  changesMax = 4,
): fc.Arbitrary<Buffer> {
  const change = fc.oneof(flip, cut, removal, repetition, extreme, inserted(words), spliced(seeds));
  return fc
    .tuple(seeds, fc.array(change, { maxLength: changesMax, size: 'max' }))
    .map(([seed, changes]) => changes.reduce<Buffer>((bytes, it) => it(bytes), Buffer.from(seed)));
}
