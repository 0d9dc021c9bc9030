// The simulation's checks of a schedule's answers.

import { expect, it } from 'vitest';
import { clientOrderIdOf } from '../../src/core/domain/actor-tag.ts';
import { type Answer, unavailable } from '../../src/core/domain/answer.ts';
import type { Ticks, UnixMillis } from '../../src/core/domain/numbers.ts';
import { createOrder, transition } from '../../src/core/domain/order.ts';
import { HmacKey } from '../../src/core/runtime/hmac.ts';
import { deriveOrderId } from '../../src/orders/life/order-ids.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';
import { reasonsTrue } from './answer-checks.ts';
import { POD, SECRET } from './calls.ts';
import { NOT_READ, NOT_RECORDED } from './gateway.ts';

const AT = 1_790_000_000_000 as UnixMillis;
const orderId = deriveOrderId(new HmacKey(SECRET), 'alice', 'venue_b', 'one');

/** Returns the faults when the order of alice's key was given up and left no trace, and she got these answers. */
function faultsAfter(answers: readonly Answer[], timesSent = 0): readonly string[] {
  const store = new MemoryLedger();
  const terms = { ticker: 'KXGAME-1', side: 'YES', action: 'BUY', size: 1_000_000, price: 5_000 as Ticks } as const;
  const request = { venue: 'venue_b', timeInForce: 'GTC', ...terms } as const;
  const names = { orderId, podId: POD, actorId: 'alice', keyId: 'key', idempotencyKey: 'one' };
  const sent = transition(createOrder({ ...names, request: request as never, at: AT }), { type: 'sent', at: AT });
  const error = { code: 'UNKNOWN', message: 'no trace at the venue' } as const;
  const order = transition(sent, { type: 'refused', at: AT, error, isReleased: false });
  const intent = { payload: new Uint8Array(), venueOrderId: null, clientOrderId: clientOrderIdOf(orderId, 'alice') };
  store.change(step => step.putOrder({ order, intent, refusedAs: 'invalid' }));
  return reasonsTrue({
    ...{ store, answers: new Map([['alice/one', [...answers]]]), unnoted: new Set() },
    ...{ account: { podId: POD, venue: 'venue_b' }, sent: new Map([[orderId, timesSent]]) },
    ...{ wipes: 0, regressed: new Set() },
  });
}

const NOT_SAFE = unavailable('its record is not safe: nothing was done', 1, 'UNKNOWN');

it('a refusal has the code of the order that is REJECTED', () => {
  expect(faultsAfter([NOT_SAFE])).toEqual([]);
  expect(faultsAfter([unavailable('the venue is not reached')])).not.toEqual([]);
});

it('a request that left no record is refused without the code of an earlier request (simulation, seed 1795890163)', () => {
  for (const words of [NOT_READ, NOT_RECORDED]) {
    expect(faultsAfter([NOT_SAFE, unavailable(words)])).toEqual([]);
    expect(faultsAfter([NOT_SAFE, unavailable(words, 1, 'UNKNOWN')])).not.toEqual([]);
  }
  expect(faultsAfter([NOT_SAFE, unavailable(NOT_RECORDED)], 1)).not.toEqual([]);
});
