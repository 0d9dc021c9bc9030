// Ids of the paper exchanges, drawn from a seed so that a run can be repeated. Pure.

import type { Random } from '../core/runtime/random.ts';

const HEX = Buffer.from('0123456789abcdef', 'latin1');
const HYPHEN = 0x2d;
const WORD = 2 ** 32;
/** The positions of the digits in `xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`. */
const PLACES = Array.from({ length: 36 }, (_, place) => place).filter(place => ![8, 13, 18, 23].includes(place));
const VERSION_PLACE = 14;
const VARIANT_PLACE = 19;

/** Makes UUIDs of version 4. Every order and every trade of venue B needs one, so this takes only a tenth of a microsecond. */
export class Uuids {
  readonly #random: Random;
  readonly #text = Buffer.alloc(36, HYPHEN);

  constructor(random: Random) {
    this.#random = random;
  }

  next(): string {
    const text = this.#text;
    let word = 0;
    for (let digit = 0; digit < PLACES.length; digit++) {
      if ((digit & 7) === 0) word = Math.floor(this.#random.next() * WORD);
      text[PLACES[digit]!] = HEX[word & 15]!;
      word >>>= 4;
    }
    text[VERSION_PLACE] = HEX[4]!;
    text[VARIANT_PLACE] = HEX[8 + ((text[VARIANT_PLACE]! >>> 1) & 3)]!;
    return text.toString('latin1');
  }
}

/** Makes a UUID of version 4. Its parts are joined, because a text made by `+` keeps all of its parts in memory. */
export function uuid(random: Random): string {
  const hex = random.hex(32);
  const variant = '89ab'[random.below(4)]!;
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}

/** Makes `0x` and 64 hex digits. */
export function hash32(random: Random): string {
  return ['0x', random.hex(64)].join('');
}
