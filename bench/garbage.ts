// Collects all garbage of the process, so that the rest can be measured.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A buffer is freed by a collection after the one that found it unused. */
const COLLECTIONS = 4;

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let time = 0; time < COLLECTIONS; time++) collect();
}
