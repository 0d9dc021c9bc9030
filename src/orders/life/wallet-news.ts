// Reports how many actions of each wallet are open and since when, so that an operator notices an action that hangs. Engine thread.

import type { WalletAction } from '../../core/domain/wallet-action.ts';
import type { Account } from '../../core/store/order-records.ts';
import type { AccountParts } from './account-parts.ts';

interface WalletNewsParts extends Pick<AccountParts, 'announce'> {
  readonly accounts: readonly Account[];
  /** Returns the open actions in the sequence of their records. */
  readonly openActions: (podId: string) => readonly WalletAction[];
}

export class WalletNews {
  readonly #parts: WalletNewsParts;
  /** The last news of each pod. */
  readonly #lastNews = new Map<string, string>();

  constructor(parts: WalletNewsParts) {
    this.#parts = parts;
  }

  /** Announces what has changed since the last look. */
  announceChanges(): void {
    const { accounts, openActions, announce } = this.#parts;
    for (const { podId, venue } of accounts) {
      if (venue !== 'venue_a') continue;
      const actions = openActions(podId);
      const [oldest] = actions;
      const since = oldest?.createdAt ?? null;
      const said = `${actions.length} ${since}`;
      if (said === (this.#lastNews.get(podId) ?? '0 null')) continue;
      this.#lastNews.set(podId, said);
      announce({ podId, venue }, { type: 'actions', open: actions.length, since });
    }
  }
}
