// Takes in what the engine reports: accounts that were read, whether the journal takes records, order events. Main thread.

import { SECOND_MS } from '../../core/domain/durations.ts';
import type { Venue } from '../../core/domain/market.ts';
import type { StopScope } from '../../core/domain/operation.ts';
import { type PodAccounts, venuesOf } from '../../core/domain/pod-accounts.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { type Account, accountName } from '../../core/store/order-records.ts';
import type { EngineHandlers } from '../../orders/engine/engine-link.ts';
import type { OrderNews, Recording } from '../../orders/engine/engine-messages.ts';
import type { AccountNews } from '../../orders/life/account-parts.ts';
import { Halts } from './halts.ts';

export type NewsListener = (news: readonly OrderNews[]) => void;

export class EngineNews {
  readonly listeners = new Set<NewsListener>();
  readonly halts = new Halts();
  readonly #read = new Set<string>();
  /** The accounts whose venue could not be read at the first attempt. */
  readonly #unreachable = new Set<string>();
  readonly #standings: AccountStandings;
  readonly #metrics: Metrics;
  readonly #onLost: EngineHandlers['onLost'];
  #isStalled = false;
  #recording: Recording = 'taken';
  #stops: readonly StopScope[] = [];
  #otherOwner: string | null = null;
  #followFault: string | null = null;
  #ownedAtMs = 0;

  /** `onLost` is called when the engine has failed, or hangs for good. */
  constructor(pods: readonly PodAccounts[], metrics: Metrics, onLost: EngineHandlers['onLost']) {
    this.#onLost = onLost;
    const standings = new AccountStandings(pods);
    this.#standings = standings;
    // A standby reads no account, so these gauges are 0 there.
    const ofOwner = (value: number): number => (this.#otherOwner === null ? value : 0);
    metrics.gauge('standby', () => (this.#otherOwner === null ? 0 : 1));
    metrics.gauge('standby_stopped', () => (this.#followFault === null ? 0 : 1));
    metrics.gauge('accounts_unread', () => ofOwner(standings.unread));
    metrics.gauge('rows_held', () => standings.heldRows);
    metrics.gauge('private_streams_down', () => ofOwner(standings.disconnected));
    metrics.gauge('attestations_ending', () => ofOwner(standings.endingAttestations));
    metrics.gauge('wallet_actions_open', () => ofOwner(standings.openActions));
    metrics.gauge('wallet_action_oldest_seconds', () => ofOwner(standings.actionAgeS(wallTimers.now())));
    metrics.gauge('protections_triggered', () => this.halts.triggeredProtections);
    metrics.gauge('store_refuses_changes', () => (this.#recording === 'taken' ? 0 : 1));
    metrics.gauge('stops', () => this.#stops.length);
    this.#metrics = metrics;
    metrics.gauge('engine_stalled', () => (this.#isStalled ? 1 : 0));
  }

  get recording(): Recording {
    return this.#recording;
  }

  /** The reason why this standby no longer follows the pod. Null means that it follows the pod, or that this gateway owns the pod. */
  get followFault(): string | null {
    return this.#followFault;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** The base URL of the gateway that owns the pod. Null means that this gateway owns it. */
  get otherOwner(): string | null {
    return this.#otherOwner;
  }

  /** The time by performance.now() at which this gateway took the pod over. 0 means that it has owned the pod since its start. */
  get ownedAtMs(): number {
    return this.#ownedAtMs;
  }

  /** The scopes that an operator has stopped. */
  get stops(): readonly StopScope[] {
    return this.#stops;
  }

  isRead(account: Account): boolean {
    return this.#read.has(accountName(account));
  }

  /** Whether a first reading of the account has ended: the account was read, or its venue cannot be reached. */
  isFirstReadOver(account: Account): boolean {
    return this.isRead(account) || this.#unreachable.has(accountName(account));
  }

  /** Whether reads may lack news of the venue. This is so while nothing is recorded, and until missed news has been read. */
  isBehind(podId: string, venue: Venue): boolean {
    return this.#recording !== 'taken' || this.#standings.isBehind(accountName({ podId, venue }));
  }

  get handlers(): EngineHandlers {
    return {
      onSilent: () => this.#metrics.count('threads_silent_total', 'engine'),
      onLost: this.#onLost,
      onStall: isStalled => {
        this.#isStalled = isStalled;
        if (isStalled) this.#metrics.count('engine_stalls_total');
      },
      onMessage: message => {
        switch (message.type) {
          case 'events':
            for (const listener of this.listeners) listener(message.news);
            break;
          case 'halt':
            this.halts.apply(message.change);
            break;
          case 'read':
            this.#read.add(accountName(message.account));
            break;
          case 'news':
            if (message.news.type === 'unread') this.#unreachable.add(accountName(message.account));
            this.#standings.handleNews(accountName(message.account), message.news);
            break;
          case 'recording':
            this.#recording = message.recording;
            break;
          case 'owner':
            if (message.url === null) this.#ownedAtMs = performance.now();
            this.#unreachable.clear();
            this.#otherOwner = message.url;
            break;
          case 'follow-stopped':
            this.#followFault = message.words;
            break;
          case 'stops':
            this.#stops = message.scopes;
            break;
          default:
            unreachable(message);
        }
      },
    };
  }
}

/** The state of each pod's accounts at the venues. The log names the account. */
export class AccountStandings {
  readonly #count: number;
  readonly #behind: Set<string>;
  readonly #read = new Set<string>();
  readonly #connected = new Set<string>();
  readonly #held = new Map<string, number>();
  readonly #ending = new Set<string>();
  readonly #actions = new Map<string, Extract<AccountNews, { readonly type: 'actions' }>>();

  constructor(pods: readonly PodAccounts[]) {
    const accounts = pods.flatMap(pod => venuesOf(pod).map(venue => accountName({ podId: pod.podId, venue })));
    this.#count = accounts.length;
    this.#behind = new Set(accounts);
  }

  /** The number of accounts whose last reading failed, or which have not been read yet. */
  get unread(): number {
    return this.#count - this.#read.size;
  }

  /** The number of accounts whose private stream is down. */
  get disconnected(): number {
    return this.#count - this.#connected.size;
  }

  /** The number of listed fills that cannot be read. */
  get heldRows(): number {
    return [...this.#held.values()].reduce((sum, rows) => sum + rows, 0);
  }

  /** The number of accounts whose attestation of a location ends soon, or has ended. */
  get endingAttestations(): number {
    return this.#ending.size;
  }

  /** The number of open actions of all wallets. */
  get openActions(): number {
    return [...this.#actions.values()].reduce((sum, { open }) => sum + open, 0);
  }

  /** The age in seconds of the oldest open action. 0 means that no action is open. */
  actionAgeS(nowMs: number): number {
    const since = [...this.#actions.values()].flatMap(it => (it.since === null ? [] : [it.since]));
    return since.length === 0 ? 0 : Math.max(0, nowMs - Math.min(...since)) / SECOND_MS;
  }

  isBehind(name: string): boolean {
    return this.#behind.has(name);
  }

  /** `name` is unique for each account. */
  handleNews(name: string, news: AccountNews): void {
    switch (news.type) {
      case 'read':
        this.#read.add(name);
        break;
      case 'unread':
        this.#read.delete(name);
        break;
      case 'behind':
        if (news.isBehind) this.#behind.add(name);
        else this.#behind.delete(name);
        break;
      case 'held':
        this.#held.set(name, news.rows);
        break;
      case 'attestation':
        if (news.endsAt === null) this.#ending.delete(name);
        else this.#ending.add(name);
        break;
      case 'actions':
        this.#actions.set(name, news);
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
