// Venue B's REST by a script: for what the paper exchange never says.

import { createBudgetMemory, VenueBBudget } from '../../../../src/venues/venue-b/trading/budget.ts';
import { SMALLEST_TIER } from '../../../../src/venues/venue-b/trading/budget-terms.ts';
import { VenueBRest } from '../../../../src/venues/venue-b/trading/rest.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

/** Answers what it is told to; with a status of its own if the body has one that is a number, and once what is promised is there. */
export function scriptedRest(answer: (target: string) => unknown, timers = new VirtualTimers()): VenueBRest {
  const budget = new VenueBBudget(createBudgetMemory(), () => timers.now());
  budget.terms = { ...SMALLEST_TIER, read: { refillPerS: 10_000, tokensMax: 10_000 } };
  return new VenueBRest({
    restUrl: 'http://venue.test/v2',
    sign: () => ({}),
    budget,
    timers,
    outbound: {
      request: async ({ target }) => {
        const body = await answer(target);
        const status = (body as { readonly status?: unknown } | null)?.status;
        const bytes = Buffer.from(JSON.stringify(body));
        return {
          type: 'answer',
          status: typeof status === 'number' ? status : 200,
          headers: new Map(),
          body: bytes,
        };
      },
      warmUp: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
  });
}
