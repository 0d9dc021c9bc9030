// The checksum of contract §8 as the contract's text describes it: build the text, then divide it bit by bit. It is the twin of
// market-data/book/checksum.ts.

import type { Level } from '../../src/core/domain/market.ts';
import { formatMicroShares, formatTicks } from '../../src/core/domain/numbers.ts';

/** Returns the checksum of up to 10 bids, then up to 10 asks, best first, each as `price:size`, joined by `|`. */
export function naiveChecksum(bids: readonly Level[], asks: readonly Level[]): number {
  return naiveCrc32(naiveChecksumText(bids, asks));
}

export function naiveChecksumText(bids: readonly Level[], asks: readonly Level[]): string {
  return [...bids.slice(0, 10), ...asks.slice(0, 10)]
    .map(({ price, size }) => `${formatTicks(price)}:${formatMicroShares(size)}`)
    .join('|');
}

/** Returns the CRC-32 (IEEE 802.3) of ASCII text, as an unsigned number. */
export function naiveCrc32(text: string): number {
  let crc = 0xffffffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
