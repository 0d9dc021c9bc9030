// Puts together everything that trades: ledger folder, check pool, engine and history. Closes these parts in the order in which nothing is
// lost. Main thread.

import { join } from 'node:path';
import type { Config, Durability } from '../../config.ts';
import { faultOf, wordsOf } from '../../core/domain/error-words.ts';
import type { Venue } from '../../core/domain/market.ts';
import { EVERY_POD, type StopScope } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { type PodAccounts, venuesOf } from '../../core/domain/pod-accounts.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { VenueBudget } from '../../core/domain/venue-budget.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { Log } from '../../core/runtime/log.ts';
import { Closers, endByForce } from '../../core/runtime/process-life.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { gatewayIdIn, secretIn } from '../../core/store/data-files.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { Arena } from '../../market-data/book/memory.ts';
import { EngineLink } from '../../orders/engine/engine-link.ts';
import type { EngineData, OpenOrder } from '../../orders/engine/engine-messages.ts';
import { EngineThread } from '../../orders/engine/engine-thread.ts';
import { Guard } from '../../orders/guard/guard.ts';
import { GuardLink } from '../../orders/guard/guard-link.ts';
import { HistoryLink } from '../../orders/history/history-link.ts';
import { type LedgerFolder, openLedgerFolder } from '../../orders/history/ledger-folder.ts';
import { JournalPositions } from '../../orders/journal/positions.ts';
import { OrderIds } from '../../orders/life/order-ids.ts';
import { type BudgetedPod, createPodBudgets, venueBudgets } from '../../venues/pod-budgets.ts';
import { type CheckPool, createCheckPool } from '../checks/check-pool.ts';
import { EngineNews, type NewsListener } from './engine-news.ts';
import type { Halts } from './halts.ts';
import { Operations, routedTo } from './operations.ts';
import { type PodFound, withAllSecrets } from './pods.ts';

interface TradingOptions {
  /** The data directory. Journal and history are in its folder `orders`, keys in its folder `keys`. */
  readonly dataDir: string;
  /** The books of both venues, from which prices are read. */
  readonly arena: Arena;
  readonly durability: Durability;
  /** The pod's stream, if its journal is replicated. If absent, the journal of this machine is the only journal. */
  readonly replicated?: Config['replicated'];
  /** The buffer of KeysAge. If absent, the keys do not come from a stream. */
  readonly keysAge?: SharedArrayBuffer | null;
  readonly pods: readonly PodFound[];
  /** The time zone of the days of loss limits. The default is UTC. */
  readonly dayZone?: string;
  /** The number of threads in the check pool. */
  readonly threads: number;
  /** Whether the main thread checks the first signatures of a turn of its event loop. */
  readonly usesMainThread: boolean;
  /** The path of the audit log of orders. By default no audit log is written. */
  readonly auditLog?: string | null;
  /** Whether the engine polls without a pause. It then occupies a core. */
  readonly spins?: boolean;
  /** Returns a warmed-up thread or a new thread. Is called once the folder is locked. */
  readonly openEngineThread?: () => Promise<EngineThread>;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Rejects with a StoreError if the folder or a secret cannot be used, or if a thread cannot start. */
export async function startTrading(options: TradingOptions): Promise<Trading> {
  const { dataDir, pods, replicated = null } = options;
  const hasStream = replicated !== null;
  // A secret is made after the folder. So if there is a secret but no folder, orders are missing.
  const isExpected = pods.some(it => it.secretHex !== null);
  const folder = await openLedgerFolder(join(dataDir, 'orders'), { hasStream, isExpected });
  try {
    return await startThreads(options, folder);
  } catch (error) {
    await folder.close();
    throw error;
  }
}

async function startThreads(options: TradingOptions, folder: LedgerFolder): Promise<Trading> {
  const { dataDir, arena, durability, threads, usesMainThread, spins = false, auditLog = null, metrics, log } = options;
  const { keysAge = null, dayZone = 'UTC' } = options;
  const found = withAllSecrets(dataDir, options.pods, podId => folder.hasOrders(podId));
  const pods = found.map(pod => ({ ...pod, budgets: createPodBudgets() }));
  const pageSecretHex = secretIn(join(dataDir, 'pages.secret'), 'the tokens of pages depend on it');
  const positions = new JournalPositions();
  const guardLink = new GuardLink({ arena, pods, metrics: metrics.shared, logLevel: log.level }, metrics, log);
  const guard = new Guard({
    pods,
    link: guardLink,
    timers: wallTimers,
    log,
    onCancelled: it => engine.cancelledByGuard(it),
    onSwitchFired: () => metrics.count('switches_fired_total', 'dead_man'),
  });
  const news = new EngineNews(pods, metrics, error => endWithEngine(error, log));
  news.listeners.add(guard.applyNews);
  const common = { folder: folder.folder, positions: positions.memory, metrics: metrics.shared, logLevel: log.level };
  const replication = replicationOf(options, folder.knownPosition);
  const thread = (await options.openEngineThread?.()) ?? new EngineThread();
  const engine: EngineLink = new EngineLink(
    thread,
    {
      ...common,
      arena,
      durability,
      replication,
      spins,
      pods,
      keysFolder: join(dataDir, 'keys'),
      keysAge,
      dayZone,
    },
    guard,
    news.handlers,
    log,
  );
  try {
    await engine.opened();
    folder.note(positions.synced);
    const checks = await createCheckPool({ threads, usesMain: usesMainThread, metrics, log, pageSecretHex });
    // The history starts after the engine, because it reads the engine's records.
    const history = new HistoryLink({ folder: folder.folder, pods, auditLog, positions, metrics, log });
    const parts = { folder, pods, thread, engine, guard, guardLink, checks, history, news, positions, metrics };
    return new Trading(parts);
  } catch (error) {
    await engine.close();
    await thread.close();
    await guardLink.close();
    throw error;
  }
}

/** Throws a StoreError unless there is exactly one pod. */
function replicationOf(
  { replicated = null, pods, dataDir }: TradingOptions,
  knownPosition: number,
): EngineData['replication'] {
  if (replicated === null) return null;
  if (pods.length !== 1)
    throw new StoreError(`durability replicated: a gateway trades for one pod, and this one has ${pods.length}`);
  const { nats, url, takeOverAfterMs } = replicated;
  return { nats, takeOverAfterMs, knownPosition, owner: { gatewayId: gatewayIdIn(dataDir), url } };
}

/** Ends the process, because the engine's memory may differ from its journal. The next start replays the journal. */
function endWithEngine(error: unknown, log: Log): void {
  log.warn('engine failed: the process ends', faultOf(error));
  process.stderr.write(`crossbook: the engine failed: ${wordsOf(error)}\n`);
  endByForce(log);
}

interface TradingParts {
  readonly folder: LedgerFolder;
  readonly pods: readonly BudgetedPod[];
  readonly thread: EngineThread;
  readonly engine: EngineLink;
  readonly guard: Guard;
  readonly guardLink: GuardLink;
  readonly checks: CheckPool;
  readonly history: HistoryLink;
  readonly news: EngineNews;
  readonly positions: JournalPositions;
  readonly metrics: Metrics;
}

export class Trading {
  readonly checks: CheckPool;
  readonly operations: Operations;
  readonly engine: Pick<EngineLink, 'inUse' | 'ask' | 'openDoor' | 'sendCatalog' | 'follow' | 'waitMs'>;
  readonly history: Pick<HistoryLink, 'events' | 'lastCursor' | 'orders'>;
  readonly pods: readonly PodAccounts[];
  readonly orderIds: OrderIds;
  readonly #parts: TradingParts;
  readonly #startedAtMs = performance.now();

  constructor(parts: TradingParts) {
    const { pods, engine, checks, history, news, positions, metrics } = parts;
    this.pods = pods;
    this.orderIds = new OrderIds(pods);
    this.engine = engine;
    this.checks = checks;
    this.history = history;
    this.operations = new Operations({
      checks,
      perform: routedTo({ checks, engine, history, news, isBehind: (podId, venue) => news.isBehind(podId, venue) }),
      waitMs: () => engine.waitMs,
      metrics,
    });
    this.#parts = parts;
    metrics.gauge('journal_lag_records', () => positions.appended - positions.synced);
    metrics.gauge('history_lag_records', () => positions.appended - positions.followed);
  }

  /** The number of open orders by the full id of the actor. */
  get openCounts(): ReadonlyMap<string, number> {
    return this.#parts.guard.openCounts;
  }

  /** The open orders of all actors. An order belongs to them from the time at which its first byte may leave. */
  get openOrders(): Iterable<OpenOrder> {
    return this.#parts.guard.openOrders;
  }

  /** Returns an open order of any actor. Returns null if no open order has this id. */
  openOrder(orderId: OrderId): OpenOrder | null {
    return this.#parts.guard.openOrder(orderId);
  }

  /** Calls `listener` with events after they are recorded, in the order of their cursors, until the returned function is called. */
  listen(listener: NewsListener): () => void {
    const { listeners } = this.#parts.news;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  get halts(): Halts {
    return this.#parts.news.halts;
  }

  /** Whether orders can be placed: the account has been read (contract §4.7), and no operator has stopped the pod. */
  isTradable(podId: string, venue: Venue): boolean {
    const { news } = this.#parts;
    if (news.otherOwner !== null) return false;
    return news.isRead({ podId, venue }) && !news.stops.includes(EVERY_POD) && !news.stops.includes(podId);
  }

  /** The remaining part of the venues' rate limits for the pod. Returns null if this gateway does not trade for the pod. */
  venueBudgets(podId: string): readonly VenueBudget[] | null {
    const { news, pods } = this.#parts;
    return news.otherOwner === null ? venueBudgets(pods, podId) : null;
  }

  /** Whether reads may lack news of the venue. This is so while nothing is recorded, and until missed news has been read. */
  isBehind(podId: string, venue: Venue): boolean {
    return this.#parts.news.isBehind(podId, venue);
  }

  /** The base URL of the gateway that owns the pod. Null means that this gateway owns it. */
  get otherOwner(): string | null {
    return this.#parts.news.otherOwner;
  }

  /** The scopes that an operator has stopped. */
  get stops(): readonly StopScope[] {
    return this.#parts.news.stops;
  }

  /** The reason why no new order is recorded. Null means that orders are recorded. Cancels and switches act even if they are not. */
  get recordFault(): string | null {
    const { recording, isStalled, otherOwner, followFault } = this.#parts.news;
    const stopped = followFault === null ? '' : `, and this one cannot follow it: ${followFault}`;
    if (otherOwner !== null) return `the gateway at ${otherOwner} owns the pod${stopped}`;
    if (isStalled)
      return 'the engine does not answer: the disk of the data directory may be frozen, or the machine too busy';
    switch (recording) {
      case 'taken':
        return this.#parts.positions.backlog;
      case 'refused':
        return 'nothing can be recorded: the disk of the data directory is full, or fails';
      case 'removed':
        return 'nothing can be recorded: the orders were removed from the data directory, or moved: put them back';
      case 'unreplicated':
        return 'nothing can be recorded: the stream of the pod cannot be reached, or takes no records';
      case 'failed':
        return 'nothing is recorded any more: the disk of the data directory has failed; see to it, and start the gateway again';
      default:
        return unreachable(recording);
    }
  }

  /**
   * Whether a first reading of every account has ended, or the time to wait for it is over. Everything else works while a venue is
   * unreachable.
   */
  isReady(): boolean {
    const { news } = this.#parts;
    // The owner of the pod reads the accounts, so a standby does not wait for them.
    if (news.otherOwner !== null) return true;
    const since = Math.max(this.#startedAtMs, news.ownedAtMs);
    if (performance.now() - since > limits.readyWaitMs) return true;
    return this.pods.every(pod => venuesOf(pod).every(venue => news.isFirstReadOver({ podId: pod.podId, venue })));
  }

  /** Answers the operations in flight, then disconnects the venues, then lets the history read the rest of the journal. */
  async close(): Promise<void> {
    const { thread, engine, guardLink, checks, history, folder } = this.#parts;
    await this.operations.close(limits.shutdownMs / 2);
    const closers = new Closers();
    for (const part of [history, guardLink, thread, engine, checks]) closers.push(() => part.close());
    const failures = await closers.closeAll();
    // A part that did not close may still use the folder. So the folder is not closed here, and its lock ends with the process.
    if (failures.length > 0) throw new Error(failures.map(wordsOf).join('; '));
    await folder.close();
  }
}
