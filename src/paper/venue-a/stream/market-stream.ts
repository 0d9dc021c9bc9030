// The market channel as a path of venue A's server (venue-a.md §5): public, no authentication. Thread of the paper exchanges.

import type { SocketRoute } from '../../../net/listen.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { Faults } from '../../faults/faults.ts';
import type { VenueAExchange } from '../exchange.ts';
import { MarketChannel } from './market-channel.ts';
import { MarketSession } from './market-session.ts';
import { sessionRoute } from './session-route.ts';

interface MarketStreamParts {
  readonly exchange: VenueAExchange;
  readonly faults: Faults;
  readonly timers: Timers;
}

/** Observes the exchange from now on. */
export function marketStreamRoute({ exchange, faults, timers }: MarketStreamParts): SocketRoute<never> {
  const channel = new MarketChannel(exchange, timers);
  return sessionRoute('/ws/market', faults, outlet => new MarketSession(channel, outlet));
}
