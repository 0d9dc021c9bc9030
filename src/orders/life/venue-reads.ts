// Reads at a venue that callers request: the balance of an account, and the venue's figures for the queues of resting orders. Engine
// thread.

import type { Venue } from '../../core/domain/market.ts';
import { formatMicroShares } from '../../core/domain/numbers.ts';
import type { OperationReply, QueuePositionsOperation } from '../../core/domain/operation.ts';
import { balanceText } from '../../core/wire/account-views.ts';
import { errorReply, replyOf, textReply } from '../../core/wire/replies.ts';
import type { VenueTrading } from '../../venues/venue.ts';

export async function readBalance(trading: VenueTrading, venue: Venue): Promise<OperationReply> {
  const balance = await trading.balance();
  if (!balance.ok) return errorReply(balance.error.kind, balance.error.message);
  return textReply(200, balanceText(venue, balance.value));
}

/** Replies with the shares ahead of each order, as pairs with the venue's id. The main thread knows the orders by that id. */
export async function readQueuePositions(
  { queuePositions }: VenueTrading,
  { venue, addresses }: QueuePositionsOperation,
): Promise<OperationReply> {
  if (queuePositions === undefined) return errorReply('invalid', `queue: ${venue} states no places in queues`);
  const ahead = await queuePositions(addresses);
  if (!ahead.ok) return errorReply('unavailable', ahead.error);
  return replyOf(200, { ahead: Array.from(ahead.value, ([id, shares]) => [id, formatMicroShares(shares)]) });
}
