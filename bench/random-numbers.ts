// Seeded randomness for workloads, so that every run does the same work. Suite processes.

import { Random } from '../src/runtime/random.ts';

/** Returns a function that gives the next number, uniform in [0, 1). */
export function randomNumbers(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
