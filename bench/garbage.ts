// All garbage of the process collected, so that what is left can be counted.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Buffers go with one of the collections after the one that found nobody who holds them. */
const COLLECTIONS = 4;

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < COLLECTIONS; time++) collect();
}
