// Answers that state what is left of a venue's rate limits.

import { expect, it } from 'vitest';
import type { EngineOperation } from '../../../src/core/domain/operation.ts';
import type { VenueBudget } from '../../../src/core/domain/venue-budget.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { replyOf } from '../../../src/core/wire/replies.ts';
import { withBudget } from '../../../src/orders/life/venue-budget-replies.ts';
import { ACTOR, POD, RESTS, Rig, YES_BUY } from './orders-rig.ts';

const REQUESTS = { left: 3, burst: 10, perSecond: 10 };
const BUDGET: VenueBudget = { venue: 'venue_b', orders: REQUESTS, cancels: REQUESTS, reads: null };

/** Returns the header of an answer to a cancel, and the markets for which the budget was asked. */
async function cancelReply({ isReadable }: { readonly isReadable: boolean }) {
  const rig = await Rig.submitted(RESTS);
  const asked: unknown[] = [];
  rig.venue.budget = address => {
    asked.push(address);
    return BUDGET;
  };
  const unreadable = (): never => {
    throw new StoreError('orders: a row is damaged');
  };
  const caller = { podId: POD, actorId: ACTOR, keyId: 'key' };
  const operation: EngineOperation = { name: 'cancel', venue: 'venue_b', orderId: rig.id(), caller };
  const parts = { store: isReadable ? rig.ledger.store : { order: unreadable }, trading: { of: () => rig.venue } };
  return { reply: withBudget(parts, operation, replyOf(200, {})), asked };
}

it('the budget is that of the order’s market', async () => {
  expect((await cancelReply({ isReadable: true })).asked).toEqual([YES_BUY.ticker]);
});

it('an order whose record cannot be read has an answer, too, with the budget of no market', async () => {
  const { reply, asked } = await cancelReply({ isReadable: false });
  expect([reply.status, asked]).toEqual([200, [null]]);
});
