// Ids of outcome tokens, 256 bits in decimal as on a chain; determined by the name. Pure.

import { createHash } from 'node:crypto';

export function tokenIdOf(name: string): string {
  return BigInt(`0x${createHash('sha256').update(name).digest('hex')}`).toString();
}
