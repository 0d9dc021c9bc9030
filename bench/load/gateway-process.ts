// The gateway under load, with all its threads, in its own process, so that its processor time can be read. Its key store has the keys of the run,
// and no key is limited in rate. The process ends with its parent.

import '../../src/core/runtime/v8-flags.ts';
import { join } from 'node:path';
import { CatalogLink } from '../../src/catalog/catalog-link.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { FeedCounters } from '../../src/core/metrics/feed-counters.ts';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import { silentLog } from '../../src/core/runtime/log.ts';
import { type KeyStore, openKeyStore } from '../../src/core/store/key-store.ts';
import { contractDocuments } from '../../src/gateway/api/contract-documents.ts';
import { COUNTED_OPERATIONS } from '../../src/gateway/api/operations.ts';
import { startGateway } from '../../src/gateway/gateway.ts';
import { startTrading } from '../../src/gateway/trading/trading.ts';
import { limits, rateProfiles } from '../../src/limits.ts';
import { createArena } from '../../src/market-data/book/memory.ts';
import { RelayLink } from '../../src/market-data/relay/relay-link.ts';
import type { GatewayStart } from './messages.ts';
import { answerParent } from './process-answers.ts';

/** The default of CROSSBOOK_POOL_THREADS. */
const POOL_THREADS = 2;

process.once('message', async ({ targets, publishesTo, dataDir, keys }: GatewayStart) => {
  const keyStore = openKeyStore(join(dataDir, 'keys'));
  register(keyStore, keys);
  const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  const arena = createArena();
  const trading = await startTrading({
    arena,
    dataDir,
    durability: 'process-safe',
    pods: [],
    threads: POOL_THREADS,
    usesMainThread: true,
    metrics,
    log: silentLog,
  });
  const relay = publishesTo && new RelayLink({ nats: publishesTo, arena, metrics, log: silentLog });
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    unixSocketPath: null,
    tls: null,
    metricsAddress: null,
    connectionsMax: limits.httpConnectionsMax,
    arena,
    followers: relay === null ? [] : [relay.places],
    targets,
    counters: { venue_a: new FeedCounters(), venue_b: new FeedCounters() },
    bookLingerMs: limits.bookLingerMs,
    contract: contractDocuments(),
    enrolment: null,
    mode: 'PAPER',
    venueNames: { venue_a: null, venue_b: null },
    keyStore,
    trading,
    catalog: new CatalogLink({
      targets: null,
      storeFolder: join(dataDir, 'catalog'),
      metrics,
      log: silentLog,
    }),
    marketReads: { read: nothingRead, terms: nothingRead },
    metrics,
    rateProfile: rateProfiles.bench,
    log: silentLog,
  });
  relay?.serve(gateway.origin);
  process.send?.(gateway.port);
  answerParent();
});

function nothingRead(): Promise<{ readonly type: 'unknown'; readonly message: string }> {
  return Promise.resolve({ type: 'unknown', message: 'nothing is read' });
}

function register(keyStore: KeyStore, keys: GatewayStart['keys']): void {
  const createdAt = Date.now() as UnixMillis;
  const owner = { podId: 'bench', actorId: 'bench', label: '', createdAt };
  const outcome = keyStore.change(store => {
    store.createPod({ podId: owner.podId, createdAt });
    const actor = store.createActor({ podId: owner.podId, actorId: owner.actorId, createdAt });
    const refused = keys
      .map(key => store.addSigningKey({ ...owner, ...key, scopes: ['read', 'trade'], addresses: [] }))
      .find(added => !added.ok);
    return refused ?? actor;
  });
  if (!outcome.ok) throw new Error(outcome.error);
}
