// State of every pod's accounts at the venues, as the engine reports it. The log names the account. Main thread.

import type { PodAccounts } from '../domain/pod-accounts.ts';
import { unreachable } from '../domain/result.ts';
import type { AccountNews } from '../orders/account-parts.ts';

export class AccountStandings {
  readonly #count: number;
  readonly #read = new Set<string>();
  readonly #connected = new Set<string>();
  readonly #held = new Map<string, number>();

  constructor(pods: readonly PodAccounts[]) {
    this.#count = pods.flatMap(({ venueA, venueB }) => [venueA, venueB]).filter(account => account !== null).length;
  }

  /** Accounts whose last reading failed, or which have not been read yet. */
  get unread(): number {
    return this.#count - this.#read.size;
  }

  /** Accounts whose private stream is down. */
  get disconnected(): number {
    return this.#count - this.#connected.size;
  }

  /** Listed fills that cannot be read. */
  get heldRows(): number {
    return [...this.#held.values()].reduce((sum, rows) => sum + rows, 0);
  }

  /** The engine that reported them has ended: nothing is known until its successor reports. */
  forget(): void {
    this.#read.clear();
    this.#connected.clear();
    this.#held.clear();
  }

  /** `name`: unique for each account. */
  hear(name: string, news: AccountNews): void {
    switch (news.type) {
      case 'read':
        this.#read.add(name);
        break;
      case 'unread':
        this.#read.delete(name);
        break;
      case 'held':
        this.#held.set(name, news.rows);
        break;
      case 'stream-up':
        this.#connected.add(name);
        break;
      case 'stream-down':
        this.#connected.delete(name);
        break;
      default:
        unreachable(news);
    }
  }
}
