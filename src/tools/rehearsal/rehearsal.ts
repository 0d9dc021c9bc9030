// A gateway for orders that never reach a venue. It runs the real classes and threads before paper exchanges of its own, with keys,
// accounts, journal, history and metrics of its own. Its engine runs on the thread that the real engine uses later. It shares nothing else
// with the real gateway, and no event stream shows it. Main thread.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { CatalogLink } from '../../catalog/catalog-link.ts';
import type { MarketKey, Venue } from '../../core/domain/market.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { PodAccounts } from '../../core/domain/pod-accounts.ts';
import { fail, ok } from '../../core/domain/result.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { listen } from '../../core/net/listen.ts';
import { silentLog } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { VenueThread } from '../../core/runtime/venue-thread.ts';
import { nodeFiles } from '../../core/store/files.ts';
import { createKeyId } from '../../core/store/key-record.ts';
import { type KeyStore, openKeyStore } from '../../core/store/key-store.ts';
import { createApi } from '../../gateway/api/api.ts';
import { COUNTED_OPERATIONS } from '../../gateway/api/operations.ts';
import { BUCKETS } from '../../gateway/api/rate-limits.ts';
import { SharedRates } from '../../gateway/api/shared-rates.ts';
import { type CheckPool, createCheckPool } from '../../gateway/checks/check-pool.ts';
import { DoorLink } from '../../gateway/door/door-link.ts';
import { StreamBook } from '../../gateway/stream/book.ts';
import { STREAM_CODECS } from '../../gateway/stream/clients.ts';
import { TradedMarkets } from '../../gateway/traded-markets.ts';
import { EngineNews } from '../../gateway/trading/engine-news.ts';
import { Operations, routedTo } from '../../gateway/trading/operations.ts';
import { limits, rateProfiles } from '../../limits.ts';
import { createArena } from '../../market-data/book/memory.ts';
import { EngineLink } from '../../orders/engine/engine-link.ts';
import type { EngineThread } from '../../orders/engine/engine-thread.ts';
import { Guard } from '../../orders/guard/guard.ts';
import { openLedgerFolder } from '../../orders/history/ledger-folder.ts';
import { JournalPositions } from '../../orders/journal/positions.ts';
import { createDemoAccounts } from '../../paper/control/demo-accounts.ts';
import { demoPod } from '../../paper/demo-pod.ts';
import { THREADS } from '../../threads.ts';
import { createPodBudgets } from '../../venues/pod-budgets.ts';
import { POLYGON } from '../../venues/venue-a/exchanges.ts';
import type { RehearsalVenues, RehearsalVenuesData } from './venues-worker.ts';

interface RehearsalParts {
  readonly thread: EngineThread;
  /** The folder of the rehearsal. It is removed with its content, before and after the rehearsal. */
  readonly folder: string;
  readonly venues: readonly Venue[];
  /** Whether orders also come in by a door on the engine's thread. */
  readonly hasDoor: boolean;
}

/** A caller with a signing key. */
interface Bot {
  readonly keyId: string;
  readonly seedHex: string;
}

export interface Stage {
  /** The ports of main's door, and of the door on the engine's thread if that door exists. */
  readonly ports: readonly number[];
  readonly bots: readonly Bot[];
  readonly markets: readonly MarketKey[];
  /** The parts that end with the rehearsal. */
  readonly ends: Ends;
}

const HOST = '127.0.0.1';
const POD = 'demo';
const SECRET_BYTES = 32;
/** The number of signing keys. The first request under each key takes the path of unproven callers. */
const KEYS = 32;

export class Rehearsal {
  readonly #parts: RehearsalParts;
  readonly #ends = new Ends();
  readonly #metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  readonly #lost = Promise.withResolvers<never>();
  readonly #read = Promise.withResolvers<void>();

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
    this.#lost.promise.catch(() => {});
  }

  /** Rejects if a part fails or the rehearsal is abandoned. Never resolves. */
  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  giveUp(error: Error): void {
    this.#lost.reject(error);
  }

  /** Resolves when everything has ended and the folder is gone. Rejects if a part cannot end. */
  close(): Promise<void> {
    return this.#ends.close();
  }

  /**
   * Closes the rehearsal, and ends the engine's thread. Ending a thread with open native sockets, or in a call of LMDB, aborts the process.
   * So the thread stays if its engine or door cannot close.
   */
  async abandon(): Promise<void> {
    await this.close();
    await this.#parts.thread.close();
  }

  /** Opens the rehearsal. Resolves when orders can be sent. */
  async open(): Promise<Stage> {
    const { folder } = this.#parts;
    nodeFiles.remove(folder);
    nodeFiles.makeFolder(folder);
    this.#ends.add(() => nodeFiles.remove(folder));
    const [checks, { pod, markets }] = await this.#unlessLost(Promise.all([this.#startChecks(), this.#startVenues()]));
    const keys = openKeyStore(join(folder, 'keys'));
    this.#ends.add(() => keys.close());
    const bots = register(keys);
    const news = new EngineNews([pod], this.#metrics, this.#lost.reject);
    const engine = await this.#openEngine(pod, news);
    const ports = [await this.#unlessLost(this.#listen({ keys, checks, engine, news }))];
    if (this.#parts.hasDoor) ports.push(await this.#openDoor(engine, checks));
    return { ports, bots, markets, ends: this.#ends };
  }

  #unlessLost<Value>(work: Promise<Value>): Promise<Value> {
    return Promise.race([this.lost, work]);
  }

  async #startChecks(): Promise<CheckPool> {
    const metrics = this.#metrics;
    const checks = await createCheckPool({ threads: 1, metrics, log: silentLog, pageSecretHex: secretHex() });
    this.#ends.add(() => checks.close());
    return checks;
  }

  async #startVenues(): Promise<{ readonly pod: PodAccounts; readonly markets: readonly MarketKey[] }> {
    const { venues } = this.#parts;
    const accounts = await createDemoAccounts(POLYGON, ['ed25519']);
    const workerData: RehearsalVenuesData = { host: HOST, accounts };
    const onFailure = (reason: string): void => this.#lost.reject(new Error(reason));
    const thread = new VenueThread<RehearsalVenues>(THREADS.rehearsalVenues, workerData, onFailure);
    this.#ends.add(() => thread.close());
    const { urls, markets } = await thread.listening;
    const { venueA, venueB } = demoPod(accounts, urls);
    const pod: PodAccounts = {
      podId: POD,
      secretHex: secretHex(),
      venueA: venues.includes('venue_a') ? venueA : null,
      venueB: venues.includes('venue_b') ? venueB : null,
    };
    return { pod, markets: markets.filter(({ venue }) => venues.includes(venue)) };
  }

  async #openEngine(pod: PodAccounts, news: EngineNews): Promise<EngineLink> {
    const { thread, folder } = this.#parts;
    const ledger = await openLedgerFolder(join(folder, 'orders'));
    this.#ends.add(() => ledger.close());
    const guard = new Guard({
      pods: [pod],
      link: { carryOut: without('guard thread') },
      onCancelled: without('guard thread'),
      timers: wallTimers,
      log: silentLog,
    });
    news.listeners.add(guard.applyNews);
    const traded = new TradedMarkets({
      kept,
      heldMarkets: without('rounds through its markets'),
      timers: wallTimers,
      log: silentLog,
    });
    news.listeners.add(traded.handleNews);
    const data = {
      arena: createArena(),
      folder: ledger.folder,
      positions: new JournalPositions().memory,
      durability: 'process-safe',
      replication: null,
      spins: false,
      pods: [{ ...pod, budgets: createPodBudgets() }],
      keysFolder: join(folder, 'keys'),
      keysAge: null,
      dayZone: 'UTC',
      metrics: this.#metrics.shared,
      logLevel: silentLog.level,
    } as const;
    const { handlers } = news;
    const engine = new EngineLink(
      thread,
      data,
      guard,
      {
        ...handlers,
        onMessage: message => {
          handlers.onMessage(message);
          const { venues } = this.#parts;
          if (venues.every(venue => news.isRead({ podId: POD, venue }))) this.#read.resolve();
        },
      },
      silentLog,
    );
    this.#ends.add(() => engine.close());
    await this.#unlessLost(engine.opened());
    await this.#unlessLost(this.#read.promise);
    return engine;
  }

  async #listen({ keys, checks, engine, news }: ListenParts): Promise<number> {
    const { folder } = this.#parts;
    const metrics = this.#metrics;
    const perform = routedTo({ checks, engine, history: { operate: without('history thread') } });
    const operations = new Operations({ checks, perform, metrics });
    const catalog = new CatalogLink({ targets: null, storeFolder: join(folder, 'catalog'), metrics, log: silentLog });
    const api = createApi({
      store: keys,
      checks,
      operations,
      actorsOf: () => [],
      readMarket: () => Promise.resolve({ type: 'unknown', message: 'nothing is read' }),
      bestOf: () => Promise.resolve(fail({ kind: 'notFound', message: 'nothing is read' })),
      queues: () => null,
      whileMarketRead: (_market, work) => Promise.resolve(work(fail({ kind: 'notFound', message: 'nothing is read' }))),
      metrics: this.#metrics,
      profile: rateProfiles.bench,
      corsOrigins: [],
      rates: null,
      contract: { openapi: '', asyncapi: '', guide: '' },
      log: silentLog,
      orderIds: { idFor: () => null },
      venueBudgets: () => null,
      otherOwner: () => null,
      standing: () => ({ tradable: true, marketData: false }),
      isTradable: (podId, venue) => news.isRead({ podId, venue }),
      catalog,
      pod: null,
      isDraining: () => false,
      onKeysChanged: () => {},
    });
    this.#ends.add(() => api.close());
    const listener = await listen({ host: HOST, port: 0, http: api.routes, sockets: [], refuse: api.refusals });
    this.#ends.add(() => listener.close());
    return listener.port;
  }

  async #openDoor(engine: EngineLink, checks: CheckPool): Promise<number> {
    const rates = new SharedRates(BUCKETS);
    const door = DoorLink.open({
      address: { host: HOST, port: 0 },
      unixSocketPath: null,
      tls: null,
      connectionsMax: limits.httpConnectionsMax,
      rateProfile: rateProfiles.bench,
      checksHere: true,
      engine,
      checks,
      disconnects: null,
      rates,
      metrics: this.#metrics,
    });
    // The door is also closed if the rehearsal is given up before the door has opened.
    this.#ends.add(async () => (await door).close());
    return (await this.#unlessLost(door)).port;
  }
}

interface ListenParts {
  readonly keys: KeyStore;
  readonly checks: CheckPool;
  readonly engine: EngineLink;
  readonly news: EngineNews;
}

function register(keys: KeyStore): Bot[] {
  const createdAt = Date.now() as UnixMillis;
  const owner = { podId: POD, actorId: POD, createdAt };
  const pairs = Array.from({ length: KEYS }, () => {
    const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    return { keyId: createKeyId(randomBytes), seedHex: hexOf(d), publicKeyHex: hexOf(x) };
  });
  const done = keys.change(store => {
    const pod = store.createPod({ podId: POD, createdAt });
    const actor = pod.ok ? store.createActor(owner) : pod;
    const added = pairs.map(({ keyId, publicKeyHex }) =>
      store.addSigningKey({ ...owner, keyId, publicKeyHex, scopes: ['trade'], addresses: [], label: '' }),
    );
    return [actor, ...added].find(it => !it.ok) ?? ok(null);
  });
  if (!done.ok) throw new Error(done.error);
  return pairs;
}

function hexOf(base64url: string | undefined): string {
  return Buffer.from(base64url ?? '', 'base64url').toString('hex');
}

function secretHex(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

function without(what: string): () => never {
  return () => {
    throw new Error(`a rehearsal has no ${what}`);
  };
}

/** The parts of the feeds, which the rehearsal does not use. */
const kept = {
  keep: (market: MarketKey) => void new StreamBook(market, 0, STREAM_CODECS),
  beginRound: () => {},
  endRound: () => {},
};

/** Closes the started parts in reverse order of their start. Parts that start after the close began are closed, too. */
class Ends {
  readonly #ends: (() => unknown)[] = [];
  #closed: Promise<void> | null = null;

  add(end: () => unknown): void {
    if (this.#closed === null) this.#ends.push(end);
    else this.#closed = this.#closed.then(async () => void (await end()));
  }

  /** Rejects if closing a part fails. All other parts are closed nevertheless. */
  close(): Promise<void> {
    this.#closed ??= this.#run();
    return this.#closed;
  }

  async #run(): Promise<void> {
    const faults: unknown[] = [];
    for (const end of this.#ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
