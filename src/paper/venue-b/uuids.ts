// Ids of venue B: UUIDs of version 4, drawn from a seed so that a run can be repeated. Every order and every trade needs one, so it takes a
// tenth of a microsecond. Thread of the paper exchanges.

import type { Random } from '../../runtime/random.ts';

const HEX = Buffer.from('0123456789abcdef', 'latin1');
const HYPHEN = 0x2d;
const WORD = 2 ** 32;
/** Positions of the digits in `xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx`. */
const PLACES = Array.from({ length: 36 }, (_, place) => place).filter(place => ![8, 13, 18, 23].includes(place));
const VERSION_PLACE = 14;
const VARIANT_PLACE = 19;

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
