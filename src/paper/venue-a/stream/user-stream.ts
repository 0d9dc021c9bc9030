// The user channel as a path of venue A's server (venue-a.md §6). Thread of the paper exchanges.

import type { SocketRoute } from '../../../net/listen.ts';
import type { Timers } from '../../../runtime/timers.ts';
import type { Faults } from '../../faults/faults.ts';
import type { VenueAExchange } from '../exchange.ts';
import { sessionRoute } from './session-route.ts';
import { UserChannel } from './user-channel.ts';
import { type StreamAccess, UserSession } from './user-session.ts';

interface UserStreamParts {
  readonly exchange: VenueAExchange;
  readonly access: StreamAccess;
  readonly faults: Faults;
  readonly timers: Timers;
}

/** Observes the exchange from now on. */
export function userStreamRoute({ exchange, access, faults, timers }: UserStreamParts): SocketRoute<never> {
  const channel = new UserChannel(exchange, timers);
  return sessionRoute('/ws/user', faults, outlet => new UserSession({ channel, access, outlet }));
}
