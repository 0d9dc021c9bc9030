// Orders that cannot rest: where a wrong word of the venue would keep one open, with its money held.

import type { Mutant } from './mutants.ts';

export const IMMEDIATE: readonly Mutant[] = [
  {
    name: 'a FAK that matched nothing rests',
    file: 'src/venues/venue-a/trading/open-orders.ts',
    search: "said === 'rests' && isImmediate(value, known) ?",
    replace: 'false ?',
    tests: ['test/venues/venue-a/trading/open-orders.test.ts'],
  },
  {
    name: 'a FAK that may still be matched is over',
    file: 'src/venues/venue-a/trading/open-orders.ts',
    search: 'now - madeAt > limits.venueAImmediateMs',
    replace: 'true',
    tests: ['test/venues/venue-a/trading/look-up.test.ts'],
  },
];
