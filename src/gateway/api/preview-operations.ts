// POST /v1/venue-x/orders/preview. The market is read, because its terms have the fees. While the market is read, its book is subscribed,
// because the engine computes the preview from the book. Main thread.

import type { KeyEntry } from '../../core/auth/keyring.ts';
import { marketKey, type Venue } from '../../core/domain/market.ts';
import type { MicroShares } from '../../core/domain/numbers.ts';
import { addressOf } from '../../core/domain/order-frame.ts';
import { readVenueAOrder, readVenueBOrder } from '../../core/wire/order-requests.ts';
import type { Operations } from '../trading/operations.ts';
import type { WhileRead } from '../venue-markets.ts';
import { refusal, signedRefusal } from './api-refusals.ts';
import type { Handler } from './operation.ts';
import { httpReply } from './order-operations.ts';
import { type Queues, readOrRefuse } from './queue-operations.ts';

interface PreviewHandlerParts {
  readonly whileMarketRead: WhileRead;
  readonly operations: Pick<Operations, 'ask'>;
  readonly isTradable: (podId: string, venue: Venue) => boolean;
  readonly queues: Queues;
}

export function previewHandler(venue: Venue, parts: PreviewHandlerParts): Handler<KeyEntry> {
  const read = venue === 'venue_a' ? readVenueAOrder : readVenueBOrder;
  return async ({ key, body }) => {
    const request = body.ok ? read(body.value) : body;
    if (!request.ok) return signedRefusal(refusal('invalid', request.error));
    const undisplayed = await readOrRefuse(async () =>
      parts.queues()?.undisplayedAt(key.caller.actorId, request.value),
    );
    if (!undisplayed.ok) return signedRefusal(undisplayed.error);
    return parts.whileMarketRead(marketKey(venue, addressOf(request.value)), async market => {
      const fees = market.ok ? market.value.terms.fees : null;
      const isTradable = parts.isTradable(key.podId, venue);
      const fields = { venue, caller: key.caller, body, isTradable, limits: key.limits, fees };
      const operation = { name: 'preview', ...fields, undisplayed: undisplayed.value ?? (0 as MicroShares) } as const;
      return httpReply(operation, await parts.operations.ask(operation));
    });
  };
}
