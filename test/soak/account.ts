// An account of a pod at a venue, by the venue's own lists and by the gateway's store.

import type { Venue } from '../../src/core/domain/market.ts';
import type { FillKept, GatewaySeen, OrderKept, PositionKept } from './gateway-view.ts';
import type { PaperProcess } from './paper-process.ts';
import { seeVenueA } from './venue-a-view.ts';
import { seeVenueB } from './venue-b-view.ts';
import type { VenueSeen } from './venue-view.ts';

export interface AccountSeen {
  readonly podId: string;
  readonly venue: Venue;
  readonly at: VenueSeen;
  readonly orders: readonly OrderKept[];
  readonly fills: readonly FillKept[];
  /** The positions of the pod's actors, and the unattributed positions. */
  readonly positions: readonly PositionKept[];
}

export async function seeAccounts(
  { pods, urls }: Pick<PaperProcess, 'pods' | 'urls'>,
  gateway: GatewaySeen,
): Promise<readonly AccountSeen[]> {
  const seen = pods.flatMap(({ podId, accounts }) => [
    { podId, venue: 'venue_a', seeing: seeVenueA(urls['venue_a rest'], accounts) } as const,
    { podId, venue: 'venue_b', seeing: seeVenueB(urls['venue_b rest'], accounts) } as const,
  ]);
  return Promise.all(
    seen.map(async ({ podId, venue, seeing }) => {
      const isOf = (it: { readonly podId: string; readonly venue: Venue }): boolean =>
        it.podId === podId && it.venue === venue;
      return {
        podId,
        venue,
        at: await seeing,
        orders: gateway.orders.filter(isOf),
        fills: gateway.fills.filter(isOf),
        positions: gateway.positions.filter(
          ({ owner, venue: its }) => its === venue && (owner.startsWith(`${podId}/`) || owner.endsWith(`:${podId}`)),
        ),
      };
    }),
  );
}
