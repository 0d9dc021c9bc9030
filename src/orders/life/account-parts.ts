// Services that the parts of one account share. Engine thread.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Background } from '../../core/runtime/background.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { Account } from '../../core/store/order-records.ts';
import type { VenueTrading } from '../../venues/venue.ts';
import type { ActorOfTag } from './adoption.ts';
import type { Ledger } from './ledger.ts';

/** Changes of an account that an operator must hear of. */
export type AccountNews =
  /** The last reading has succeeded. */
  | { readonly type: 'read' }
  | { readonly type: 'unread'; readonly message: string }
  /** Whether reads may lack news of the venue (missed-news.ts). Before the first of these events they may. */
  | { readonly type: 'behind'; readonly isBehind: boolean }
  /** The number of rows in the venue's lists that cannot be read. */
  | { readonly type: 'held'; readonly rows: number }
  /** The end of the attestation of the owner's location, as in the venue's private event `attestation`. */
  | { readonly type: 'attestation'; readonly endsAt: UnixMillis | null }
  /** The number of open actions of the wallet, and the time of the oldest. `since` is null if no action is open. */
  | { readonly type: 'actions'; readonly open: number; readonly since: UnixMillis | null }
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
  /** Reports that the store cannot be read or takes no changes. Throws an error of any other kind. */
  readonly storeFailed: (error: unknown) => void;
}
