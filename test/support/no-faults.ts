// Paper exchanges without faults, for tests.

import type { Faults } from '../../src/paper/faults/faults.ts';

export const NO_FAULTS: Faults = {
  ofRequest: () => null,
  ofMessage: () => null,
  skewMs: () => 0,
  staleMs: () => 0,
  settlementDelayMs: () => null,
  ofSettlement: () => null,
  ofTransaction: () => null,
};
