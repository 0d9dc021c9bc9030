// Everything that trades, put together: the store and its keeper, the pool of order workers, the executions thread; and their end
// in the order in which nothing is lost. Main thread.

import { join } from 'node:path';
import type { Arena } from '../book/memory.ts';
import type { Durability } from '../config.ts';
import { VENUES, type Venue } from '../domain/market.ts';
import type { PodAccounts } from '../domain/pod-accounts.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { wallTimers } from '../runtime/timers.ts';
import type { Account, OrderEventRecord, OrderReads } from '../store/order-records.ts';
import { type OpenedOrderStore, openOrderStore } from '../store/order-store.ts';
import { createBudgetMemory } from '../venues/venue-b/trading/budget.ts';
import { AccountStandings } from './account-standings.ts';
import { reserveEpochs } from './epochs.ts';
import { type ExecutionsHandlers, startExecutions } from './executions-link.ts';
import type { ToExecutions } from './executions-worker.ts';
import { LastingThread } from './lasting-thread.ts';
import type { MainDeskBounds } from './main-desk.ts';
import type { OrderDeskData } from './order-desk.ts';
import { type PodFound, secretIn, withAllSecrets } from './pods.ts';
import { createOrderPool, type OrderPool } from './pools.ts';
import type { StoreFlusherData } from './store-flusher-worker.ts';
import type { StoreKeeperData } from './store-keeper-worker.ts';
import { Switches } from './switches.ts';

interface TradingOptions {
  /** The store of orders is in its folder `orders`, that of keys in `keys`. */
  readonly dataDir: string;
  /** Books of both venues, for whoever prices by them. */
  readonly arena: Arena;
  readonly durability: Durability;
  readonly pods: readonly PodFound[];
  readonly threads: number;
  /** If the main thread does what comes while nothing else is under way. */
  readonly mainDesk: MainDeskBounds | null;
  readonly metrics: Metrics;
  readonly log: Log;
}

type HearEvents = (events: readonly OrderEventRecord[]) => void;

/** Rejects with a StoreError if the store or a secret cannot be used, and if a thread cannot start. */
export async function startTrading(options: TradingOptions): Promise<Trading> {
  const { dataDir, arena, durability, log } = options;
  const storeFolder = join(dataDir, 'orders');
  const store = await openOrderStore({
    ...{ folder: storeFolder, mode: durability, role: 'owner', timers: wallTimers },
    checksLive: true,
  });
  try {
    reserveEpochs(store, arena, wallTimers.now());
    if (store.recovery?.state === 'rebuilt') log.warn('the order store was rebuilt', { ...store.recovery });
    return await startThreads(options, store, storeFolder);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startThreads(options: TradingOptions, store: OpenedOrderStore, storeFolder: string): Promise<Trading> {
  const { dataDir, arena, durability, threads, mainDesk, metrics, log } = options;
  const pods = withAllSecrets(dataDir, options.pods, podId => store.hasOrders(podId));
  const tradingPods = pods.map(pod => ({ ...pod, venueBBudget: createBudgetMemory() }));
  const pageSecretHex = secretIn(join(dataDir, 'pages.secret'), 'the tokens of pages depend on it');
  const desk: OrderDeskData = { arena, storeFolder, durability, pods: tradingPods, pageSecretHex, logLevel: log.level };
  const listeners = new Set<HearEvents>();
  const tell: HearEvents = events => {
    for (const hear of listeners) hear(events);
  };
  const read = new Set<string>();
  const standings = new AccountStandings(pods);
  metrics.gauge('accounts_unread', () => standings.unread);
  metrics.gauge('rows_held', () => standings.heldRows);
  metrics.gauge('private_streams_down', () => standings.disconnected);
  const switches = new Switches(wallTimers, unrecorded =>
    executions.send({ type: 'switch-set', unrecorded } satisfies ToExecutions),
  );
  const handlers: ExecutionsHandlers = {
    onEvents: tell,
    onRead: account => void read.add(nameOf(account)),
    onNews: (account, news) => standings.hear(nameOf(account), news),
    onSwitchRecorded: it => switches.forget(it),
    onLost: () => standings.forget(),
    onRestart: () => switches.tellAll(),
  };
  // Beside the order workers, as nobody trades before both are there; flusher and keeper, which have time, after them.
  const executions = startExecutions(
    { ...desk, keysFolder: join(dataDir, 'keys'), metrics: metrics.shared },
    handlers,
    log,
  ).countLosses(metrics, 'executions');
  try {
    const pool = await createOrderPool({ threads, metrics, log, desk, mainDesk, onOrderEvents: tell });
    return new Trading({ ...options, pods, store, pool, switches, executions, read, listeners, storeFolder });
  } catch (error) {
    await executions.close();
    throw error;
  }
}

interface TradingParts {
  readonly store: OpenedOrderStore;
  readonly pool: OrderPool;
  readonly switches: Switches;
  readonly pods: readonly PodAccounts[];
  readonly executions: LastingThread;
  /** Names of the accounts that the executions thread has read. */
  readonly read: ReadonlySet<string>;
  readonly listeners: Set<HearEvents>;
  readonly storeFolder: string;
  readonly metrics: Metrics;
  readonly log: Log;
}

export class Trading {
  readonly pool: OrderPool;
  readonly switches: Switches;
  readonly pods: readonly PodAccounts[];
  readonly executions: LastingThread;
  readonly flusher: LastingThread;
  readonly keeper: LastingThread;
  readonly #store: OpenedOrderStore;
  readonly #listeners: Set<HearEvents>;
  readonly #read: ReadonlySet<string>;
  readonly #startedAtMs = performance.now();

  constructor(parts: TradingParts) {
    const { store, pool, switches, pods, executions, read, listeners, storeFolder, metrics, log } = parts;
    this.pool = pool;
    this.switches = switches;
    this.pods = pods;
    this.executions = executions;
    this.#store = store;
    this.#read = read;
    this.#listeners = listeners;
    metrics.gauge('store_unflushed_transactions', () => store.durable.unflushed);
    metrics.gauge('store_refuses_changes', () => (this.recordFault === null ? 0 : 1));
    this.flusher = new LastingThread({
      name: 'store flusher',
      url: new URL('./store-flusher-worker.ts', import.meta.url),
      workerData: { storeFolder, logLevel: log.level } satisfies StoreFlusherData,
      log,
    }).countLosses(metrics, 'store_flusher');
    this.keeper = new LastingThread({
      name: 'store keeper',
      url: new URL('./store-keeper-worker.ts', import.meta.url),
      workerData: { storeFolder, metrics: metrics.shared, logLevel: log.level } satisfies StoreKeeperData,
      log,
    }).countLosses(metrics, 'store_keeper');
  }

  get orders(): OrderReads {
    return this.#store;
  }

  /** Hears what changes, on whatever thread, after it is committed; until the returned function is called. */
  listen(hear: HearEvents): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  /** Whether every order of the account that may have been open at the start is known (contract §4.7). */
  isTradable(podId: string, venue: Venue): boolean {
    return this.#read.has(nameOf({ podId, venue }));
  }

  /** Why nothing can be recorded, in words; null while it can. Cancels and switches act all the same. */
  get recordFault(): string | null {
    const { taking } = this.#store.durable;
    switch (taking) {
      case 'taken':
        return null;
      case 'refused':
        return 'nothing can be recorded: the disk of the data directory is full, or fails';
      case 'failed':
        return 'nothing is recorded any more: the disk of the data directory has failed; see to it, and start the gateway again';
      default:
        return unreachable(taking);
    }
  }

  /** A venue that has not been read for so long is one that cannot be reached: the rest works without it. */
  isReady(): boolean {
    if (performance.now() - this.#startedAtMs > limits.readyWaitMs) return true;
    return this.pods.every(({ podId, venueA, venueB }) => {
      const has = { venue_a: venueA !== null, venue_b: venueB !== null };
      return VENUES.every(venue => !has[venue] || this.isTradable(podId, venue));
    });
  }

  /** Orders under way are answered, then what the venues tell is heard no more, then the store is closed. */
  async close(): Promise<void> {
    await this.pool.close();
    await this.executions.close();
    await this.keeper.close();
    await this.flusher.close();
    await this.#store.close();
  }
}

function nameOf({ podId, venue }: Account): string {
  return `${podId}/${venue}`;
}
