// Venue B's REST with scripted answers, for answers that the paper exchange never gives.

import type { JsonObject } from '../../../../src/core/domain/json.ts';
import type { OutboundRequest } from '../../../../src/core/net/outbound.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import type { PrivateEvent } from '../../../../src/venues/venue.ts';
import { createBudgetMemory, SMALLEST_TIER, VenueBBudget } from '../../../../src/venues/venue-b/trading/budget.ts';
import { VenueBRest } from '../../../../src/venues/venue-b/trading/rest.ts';
import { VenueBSettlements } from '../../../../src/venues/venue-b/trading/settlements.ts';
import { outboundBy } from '../../../support/outbound-by.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { answer as answered } from './scripted-answers.ts';

/** A fill as the venue lists it. */
export const FILL: JsonObject = {
  trade_id: 'trade',
  order_id: 'order',
  market_ticker: 'KXA',
  book_side: 'ask',
  yes_price_dollars: '0.7500',
  count_fp: '2.50',
  fee_cost: '0.0840',
  is_taker: true,
  ts_ms: 1_671_899_397_123,
};
export const ORDER: JsonObject = {
  order_id: 'order',
  client_order_id: 'ours',
  ticker: 'KXA',
  status: 'resting',
  book_side: 'bid',
  yes_price_dollars: '0.3500',
  initial_count_fp: '10.00',
  fill_count_fp: '4.00',
  remaining_count_fp: '6.00',
  taker_fill_cost_dollars: '0.3500',
  maker_fill_cost_dollars: '1.0000',
  taker_fees_dollars: '0.0100',
  maker_fees_dollars: '0.0000',
};

export const UNSIGNED = { headers: () => ({}), signNow: () => ({}), renew: () => {} };

/**
 * Returns a REST client with scripted answers. A number in the body's field `status` is the status of the answer. An answer may be a
 * promise.
 */
export function scriptedRest(
  answer: (target: string, request: OutboundRequest) => unknown,
  timers = new VirtualTimers(),
): VenueBRest {
  const budget = new VenueBBudget(createBudgetMemory(), () => timers.now());
  budget.terms = { ...SMALLEST_TIER, read: { refillPerS: 10_000, tokensMax: 10_000 } };
  return new VenueBRest({
    restUrl: 'http://venue.test/v2',
    signatures: UNSIGNED,
    budget,
    timers,
    outbound: outboundBy(async request => {
      const body = await answer(request.target, request);
      const status = (body as { readonly status?: unknown } | null)?.status;
      return answered(typeof status === 'number' ? status : 200, body);
    }),
  });
}

/** Returns the settlements of an account that holds every market, unless `isHeld` says otherwise. */
export function scriptedSettlements(
  rest: VenueBRest,
  timers: VirtualTimers,
  log = silentLog,
  isHeld: (address: string) => boolean = () => true,
) {
  const reported: PrivateEvent[] = [];
  const tell = (event: PrivateEvent): void => void reported.push(event);
  const settlements = new VenueBSettlements({ rest, timers, log, onEvent: tell, isHeld });
  return { settlements, reported };
}
