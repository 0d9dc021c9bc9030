// What everybody works with who looks after one account. Engine thread.

import type { Background } from '../runtime/background.ts';
import type { Timers } from '../runtime/timers.ts';
import type { Account } from '../store/order-records.ts';
import type { VenueTrading } from '../venues/venue.ts';
import type { ActorOfTag } from './adoption.ts';
import type { Ledger } from './ledger.ts';

/** What an operator has to know of an account: told when it changes. */
export type AccountNews =
  /** Its last reading was whole. */
  | { readonly type: 'read' }
  | { readonly type: 'unread'; readonly message: string }
  /** How many fills its venue lists that cannot be read. */
  | { readonly type: 'held'; readonly rows: number }
  | { readonly type: 'stream-up' }
  | { readonly type: 'stream-down'; readonly message: string };

export interface AccountParts {
  readonly account: Account;
  readonly trading: VenueTrading;
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly background: Background;
  readonly actorOfTag: ActorOfTag;
  readonly actorsOf: (podId: string) => readonly string[];
  readonly announce: (account: Account, news: AccountNews) => void;
  /** Told that the store cannot be read or takes no changes; throws what is another fault. */
  readonly storeFailed: (error: unknown) => void;
}
