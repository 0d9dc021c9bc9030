// What everybody works with who looks after one account. Executions thread.

import type { Background } from '../runtime/background.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Account } from '../store/order-records.ts';
import type { VenueTrading } from '../venues/venue.ts';
import type { ActorOfTag } from './adoption.ts';
import type { Ledger } from './ledger.ts';

export interface AccountParts {
  readonly account: Account;
  readonly trading: VenueTrading;
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly background: Background;
  readonly actorOfTag: ActorOfTag;
  readonly actorsOf: (podId: string) => readonly string[];
}
