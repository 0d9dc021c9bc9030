// What the engine reports on its own: accounts read, whether the journal takes records, order events. Main thread.

import type { PodAccounts } from '../domain/pod-accounts.ts';
import { unreachable } from '../domain/result.ts';
import type { EngineHandlers } from '../engine/engine-link.ts';
import type { Recording } from '../engine/engine-messages.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Account, OrderEventRecord } from '../store/order-records.ts';
import { AccountStandings } from './account-standings.ts';

export type HearEvents = (events: readonly OrderEventRecord[]) => void;

export class EngineNews {
  readonly listeners = new Set<HearEvents>();
  readonly #read = new Set<string>();
  readonly #standings: AccountStandings;
  readonly #metrics: Metrics;
  readonly #onLost: EngineHandlers['onLost'];
  #isStalled = false;
  #recording: Recording = 'taken';

  /** `onLost`: the engine has failed, or hangs for good. */
  constructor(pods: readonly PodAccounts[], metrics: Metrics, onLost: EngineHandlers['onLost']) {
    this.#onLost = onLost;
    const standings = new AccountStandings(pods);
    this.#standings = standings;
    metrics.gauge('accounts_unread', () => standings.unread);
    metrics.gauge('rows_held', () => standings.heldRows);
    metrics.gauge('private_streams_down', () => standings.disconnected);
    metrics.gauge('store_refuses_changes', () => (this.#recording === 'taken' ? 0 : 1));
    this.#metrics = metrics;
    metrics.gauge('engine_stalled', () => (this.#isStalled ? 1 : 0));
  }

  get recording(): Recording {
    return this.#recording;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  isRead(account: Account): boolean {
    return this.#read.has(nameOf(account));
  }

  get handlers(): EngineHandlers {
    return {
      onSilent: () => this.#metrics.count('threads_silent_total', 'engine'),
      onLost: this.#onLost,
      onStall: isStalled => {
        this.#isStalled = isStalled;
        if (isStalled) this.#metrics.count('engine_stalls_total');
      },
      hear: message => {
        switch (message.type) {
          case 'events':
            for (const hear of this.listeners) hear(message.events);
            break;
          case 'read':
            this.#read.add(nameOf(message.account));
            break;
          case 'news':
            this.#standings.hear(nameOf(message.account), message.news);
            break;
          case 'recording':
            this.#recording = message.recording;
            break;
          default:
            unreachable(message);
        }
      },
    };
  }
}

function nameOf({ podId, venue }: Account): string {
  return `${podId}/${venue}`;
}
