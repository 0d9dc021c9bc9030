// The whole product in one process. It has replayed venues or the paper exchanges on loopback, and the gateway with its real feeds, engine,
// check pool and stores. The test gets an address to connect to and a key to sign with. Recordings wait for their subscribers, so that a
// test misses nothing. The faults are those of replay/loopback.ts.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogLink } from '../../src/catalog/catalog-link.ts';
import type { DiscoveryTargets } from '../../src/catalog/venue-reader.ts';
import type { Config, TlsFiles, TradeAddress } from '../../src/config.ts';
import { perVenue, type Venue } from '../../src/core/domain/market.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { PodVenues } from '../../src/core/domain/pod-accounts.ts';
import { assert } from '../../src/core/domain/result.ts';
import { FeedCounters } from '../../src/core/metrics/feed-counters.ts';
import { Metrics } from '../../src/core/metrics/metrics.ts';
import type { NatsSettings } from '../../src/core/nats/settings.ts';
import { type Log, silentLog } from '../../src/core/runtime/log.ts';
import { wallTimers } from '../../src/core/runtime/timers.ts';
import { type KeyStore, openKeyStore } from '../../src/core/store/key-store.ts';
import { prepareDemo } from '../../src/first-start.ts';
import { contractDocuments } from '../../src/gateway/api/contract-documents.ts';
import { COUNTED_OPERATIONS } from '../../src/gateway/api/operations.ts';
import { BUCKETS } from '../../src/gateway/api/rate-limits.ts';
import { SharedRates } from '../../src/gateway/api/shared-rates.ts';
import { openControl } from '../../src/gateway/control/control-desk.ts';
import { DoorLink } from '../../src/gateway/door/door-link.ts';
import { type Gateway, startGateway } from '../../src/gateway/gateway.ts';
import { Enrolment } from '../../src/gateway/page/enrolment.ts';
import { withSecrets } from '../../src/gateway/trading/pods.ts';
import { startTrading, type Trading } from '../../src/gateway/trading/trading.ts';
import { limits, type RateProfile, rateProfiles } from '../../src/limits.ts';
import { createArena } from '../../src/market-data/book/memory.ts';
import type { FeedTarget } from '../../src/market-data/feeds/feed-messages.ts';
import { openRecorder } from '../../src/market-data/recording/recorder-link.ts';
import type { RecorderSettings } from '../../src/market-data/recording/recorder-settings.ts';
import { RelayTerms } from '../../src/market-data/relay/publisher-link.ts';
import { RelayLink } from '../../src/market-data/relay/relay-link.ts';
import { ShmLink } from '../../src/market-data/shm/shm-link.ts';
import { createDemoAccounts } from '../../src/paper/control/demo-accounts.ts';
import { demoPod } from '../../src/paper/demo-pod.ts';
import type { Paper, PaperUrls } from '../../src/paper/paper.ts';
import { marketReadsOf } from '../../src/venue-source.ts';
import type { MarketReadTargets } from '../../src/venues/market-read.ts';
import { MarketReads } from '../../src/venues/market-reads.ts';
import { POLYGON } from '../../src/venues/venue-a/exchanges.ts';
import { startQuietPaper } from './quiet-paper.ts';
import { type ReplayOptions, type ReplayServers, readScript, startReplay } from './replay/replay.ts';
import { signedHeaders, type TestKey } from './signed-requests.ts';
import { syntheticScript } from './synthetic/script.ts';

export interface RunningGatewayOptions extends Partial<Omit<ReplayOptions, 'venueBKey' | 'script'>> {
  readonly source:
    | { readonly kind: 'recorded'; readonly files: readonly string[] }
    | { readonly kind: 'synthetic'; readonly seed: number }
    /** The paper exchanges quote but do not trade, so that only the test trades. */
    | {
        readonly kind: 'paper';
        readonly takerDelayS?: number;
        /** Whether the pod has accounts at the exchanges. The default is true. Without accounts, nothing trades. */
        readonly hasAccounts?: boolean;
        /** The type of the wallet at venue A from which the demo trades. The default is its signer's own address. */
        readonly walletType?: 1 | 2 | 3;
      }
    /** The gateway has no venue; its books come by NATS. */
    | { readonly kind: 'relay'; readonly nats: NatsSettings };
  /** The kind of key with which venue B's account signs. */
  readonly keyType?: 'rsa' | 'ed25519';
  readonly bookLingerMs?: number;
  /** Whether to read the markets of the paper exchanges, or of venues that nobody can reach. The default is no markets. */
  readonly readsCatalog?: boolean | 'unreachable';
  /** The operator's names of the venues. The default is no names. */
  readonly venueNames?: Config['venueNames'];
  readonly rateProfile?: RateProfile;
  readonly log?: Log;
  readonly unixSocketPath?: string;
  readonly sharedFilePath?: string;
  readonly recorder?: RecorderSettings;
  /** The NATS server to which the gateway publishes its books. */
  readonly publishesTo?: NatsSettings;
  readonly tls?: TlsFiles;
  readonly metricsAddress?: Config['metricsAddress'];
  /** Returns other addresses of the same venues, such as the addresses of a wire that a test cuts. */
  readonly rewire?: (targets: Venues['targets']) => Promise<Readonly<Record<Venue, FeedTarget>>>;
  readonly corsOrigins?: readonly string[];
  /** The path of the audit log. */
  readonly auditLog?: string;
  /** The address at which the engine's thread takes orders, too. */
  readonly tradeDoor?: TradeAddress;
  /** Mounts a disk on the empty data directory; the returned function unmounts it. The default is a plain folder. */
  readonly mountOn?: (dataDir: string) => () => void;
}

export interface RunningGateway
  extends Pick<ReplayServers, 'markets' | 'finished'>,
    Pick<Gateway, 'feeds' | 'metricsPort'> {
  /** The address of the stream. */
  readonly url: string;
  readonly httpUrl: string;
  readonly port: number;
  /** The TCP port of the door on the engine's thread. 0 means that there is no such door. */
  readonly doorPort: number;
  readonly dataDir: string;
  /** The actor to whom the keys belong. */
  readonly actorId: string;
  /** A signing key with every scope. */
  readonly key: TestKey;
  /** The text of an API key of the same actor. */
  readonly apiKey: string;
  /** The enrolment that registers the key of the web page. */
  readonly enrolment: Enrolment;
  readonly keyStore: KeyStore;
  readonly trading: Trading;
  readonly catalog: CatalogLink;
  /** The link to the NATS server. Null unless the gateway publishes. */
  readonly relay: RelayLink | null;
  /** The paper exchanges. Null if the gateway runs on recordings. */
  readonly paper: Paper | null;
  readonly metrics: Metrics;
  /** The headers with which a client may open the stream now. */
  upgradeHeaders(): Readonly<Record<string, string>>;
  readonly counters: Readonly<Record<Venue, FeedCounters>>;
  /** Closes everything, once, however often it is called. */
  close(): Promise<void>;
}

/** The time limit for reading the catalog, longer than any machine takes. */
const CATALOG_PATIENCE_MS = 60_000;
/** The contract's documents, read once for all gateways of a test file. */
const contract = contractDocuments();
/** The demo accounts, the same at every exchange, because an RSA key takes time to make. */
const demoAccounts = createDemoAccounts(POLYGON);

/** Starts the gateway on free ports. By default a recording starts when all of its markets are subscribed. */
export async function startRunningGateway(options: RunningGatewayOptions): Promise<RunningGateway> {
  const { bookLingerMs = 0, readsCatalog = false, log = silentLog, sharedFilePath: path = null } = options;
  const { tradeDoor = null, tls = null, rateProfile = rateProfiles.default, publishesTo = null } = options;
  const venues = await venuesOf(options);
  const feedTargets = (await options.rewire?.(venues.targets)) ?? venues.targets;
  const counters = { venue_a: new FeedCounters(), venue_b: new FeedCounters() };
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-'));
  const unmount = options.mountOn?.(folder) ?? (() => {});
  const keyStore = openKeyStore(join(folder, 'keys'));
  const { signingKey, apiKey } = await demoKeys(folder, keyStore);
  const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  const arena = createArena();
  const isIdle = tradesNothing(venues, options);
  const trading = isIdle
    ? await idleTrading()
    : await tradingOf(options, venues, { dataDir: folder, arena, metrics, log });
  const targets = readsCatalog === 'unreachable' ? unreachable(venues) : readsCatalog ? venues.discovery : null;
  const catalog = new CatalogLink({
    ...{ targets, storeFolder: join(folder, 'catalog'), metrics, log },
    ...catalogTerms(options),
  });
  const marketReads = readsOf(options, venues);
  const relay = publishesTo && new RelayLink({ nats: publishesTo, arena, metrics, log });
  const sharedFile = path === null ? null : new ShmLink({ path, arena, spins: false, metrics, log });
  const recorder = recorderOf(options, { arena, metrics, log, onMarket: catalog.record.bind(catalog) });
  const enrolment = new Enrolment({ keyStore, owner: { podId: 'demo', actorId: 'demo' }, ...wallTimers });
  const rates = new SharedRates(BUCKETS);
  const gateway = await startGateway({
    ...{ host: '127.0.0.1', port: 0, unixSocketPath: options.unixSocketPath ?? null, tls, rates, rateProfile },
    metricsAddress: options.metricsAddress ?? null,
    connectionsMax: limits.httpConnectionsMax,
    targets: feedTargets,
    followers: [sharedFile, recorder, relay].flatMap(it => it?.places ?? []),
    keptMarkets: options.recorder?.markets.named ?? [],
    ...{ arena, counters, bookLingerMs, keyStore, trading, catalog, marketReads, metrics, contract, log },
    ...{ enrolment, corsOrigins: options.corsOrigins ?? [] },
    ...{ mode: 'PAPER', venueNames: options.venueNames ?? { venue_a: null, venue_b: null } },
  });
  relay?.serve(gateway.origin);
  const controls = { trading, keyStore, recorder, metrics, status: () => gateway.status() };
  const closeControl = await openControl(controls, folder, log);
  const door =
    tradeDoor && (await openDoor({ ...{ ...tradeDoor, tls, rateProfile, rates, metrics }, trading, gateway }));
  const close = async (): Promise<void> => {
    closeControl();
    await Promise.all([gateway.close(), door?.close()]);
    const rest = [gateway, relay, sharedFile, recorder, catalog, marketReads, isIdle ? null : trading, venues];
    for (const part of [...rest, keyStore]) await part?.close();
    unmount();
    rmSync(folder, { recursive: true });
  };
  return {
    url: `ws://127.0.0.1:${gateway.port}/v1/orderbook`,
    httpUrl: `http://127.0.0.1:${gateway.port}`,
    port: gateway.port,
    doorPort: (await door?.port) ?? 0,
    dataDir: folder,
    ...{ actorId: 'demo', key: signingKey, apiKey },
    ...{ enrolment, keyStore, trading, catalog, relay, metrics },
    paper: venues.paper,
    upgradeHeaders: () => signedHeaders(signingKey, 'GET', '/v1/orderbook'),
    markets: venues.markets,
    finished: venues.finished,
    feeds: gateway.feeds,
    metricsPort: gateway.metricsPort,
    counters,
    close: once(close),
  };
}

/** Returns whether the gateway trades nothing and may share the four trading threads, which take half of a start. */
function tradesNothing({ pods }: Venues, options: RunningGatewayOptions): boolean {
  const { source, publishesTo, log, tradeDoor, auditLog, mountOn } = options;
  const isOwn =
    [publishesTo, log, tradeDoor, auditLog, mountOn].some(it => it !== undefined) || source.kind === 'relay';
  return pods.length === 0 && !isOwn;
}

/** The shared trading part, which ends with the process. */
const idleTrading = once(async (): Promise<Trading> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-idle-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await openKeyStore(join(dataDir, 'keys')).close();
  const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  return tradingOf({}, { pods: [] }, { dataDir, arena: createArena(), metrics, log: silentLog });
});

function tradingOf(
  { auditLog = null }: { readonly auditLog?: string | null },
  { pods }: Pick<Venues, 'pods'>,
  parts: Pick<Parameters<typeof startTrading>[0], 'dataDir' | 'arena' | 'metrics' | 'log'>,
): Promise<Trading> {
  const common = { durability: 'process-safe', threads: 1, usesMainThread: true } as const;
  return startTrading({ ...common, ...parts, pods: withSecrets(parts.dataDir, pods), auditLog });
}

function catalogTerms({ source, recorder }: RunningGatewayOptions) {
  const absent = source.kind === 'relay' ? 'no venue is configured' : null;
  return { patienceMs: CATALOG_PATIENCE_MS, absent, recordingFolder: recorder?.folder ?? null };
}

function recorderOf(
  { recorder: settings = null }: { readonly recorder?: RecorderSettings | null },
  parts: Omit<Parameters<typeof openRecorder>[0], 'settings'>,
) {
  return openRecorder({ settings, ...parts });
}

function readsOf({ source, log = silentLog }: RunningGatewayOptions, { marketReads: targets }: Venues) {
  return source.kind === 'relay' ? new RelayTerms(source.nats, log) : new MarketReads({ targets, log });
}

type DoorParts = Omit<
  Parameters<typeof DoorLink.open>[0],
  'connectionsMax' | 'checksHere' | 'engine' | 'checks' | 'disconnects'
> & {
  readonly trading: Trading;
  readonly gateway: Gateway;
};

function openDoor({ trading, gateway, ...parts }: DoorParts): Promise<DoorLink> {
  const { engine, checks } = trading;
  const { disconnects } = gateway;
  const { httpConnectionsMax: connectionsMax } = limits;
  return DoorLink.open({ ...parts, connectionsMax, checksHere: true, engine, checks, disconnects });
}

function once<Result>(task: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | null = null;
  return () => {
    done ??= task();
    return done;
  };
}

async function demoKeys(folder: string, keyStore: KeyStore): Promise<{ signingKey: TestKey; apiKey: string }> {
  const demo = await prepareDemo(folder, keyStore, Date.now() as UnixMillis);
  assert(demo !== null, 'a new key store gets its demo');
  const [signingKey, apiKey] = [demo.keyFile, demo.apiKeyFile].map(path => readFileSync(path, 'utf8').trim());
  return { signingKey: JSON.parse(signingKey!), apiKey: apiKey! };
}

function unreachable({ discovery }: Venues): DiscoveryTargets {
  assert(discovery !== null, 'recordings list nothing');
  const nowhere = 'http://127.0.0.1:1';
  return { gammaUrl: nowhere, venueB: { ...discovery.venueB, restUrl: nowhere }, venueC: null };
}

interface Venues extends Pick<ReplayServers, 'markets' | 'finished'> {
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  readonly discovery: DiscoveryTargets | null;
  readonly marketReads: MarketReadTargets;
  readonly pods: readonly PodVenues[];
  readonly paper: Paper | null;
  close(): unknown;
}

function venuesOf(options: RunningGatewayOptions): Promise<Venues> | Venues {
  const { source, ...rest } = options;
  switch (source.kind) {
    case 'paper':
      return paperVenues(source);
    case 'relay':
      return noVenues(source.nats);
    default:
      return replayedVenues(source, rest);
  }
}

function noVenues(nats: NatsSettings): Venues {
  return {
    targets: perVenue(venue => ({ venue, nats })),
    discovery: null,
    marketReads: { venue_a: null, venue_b: null, venue_d: null, venue_e: null },
    ...{ pods: [], markets: [], paper: null },
    finished: Promise.resolve(),
    close: () => {},
  };
}

type Replayed = Extract<RunningGatewayOptions['source'], { readonly kind: 'recorded' | 'synthetic' }>;

async function replayedVenues(source: Replayed, options: Omit<RunningGatewayOptions, 'source'>): Promise<Venues> {
  const { keyType = 'ed25519', ...replayOptions } = options;
  const key = keyPair(keyType);
  const keyId = randomUUID();
  const isRecorded = source.kind === 'recorded';
  const replay = await startReplay({
    script: isRecorded ? await readScript(source.files) : syntheticScript(source.seed, Date.now()),
    // The invented session never ends: at a high speed it would keep a core busy.
    speed: isRecorded ? 1_000 : 1,
    venueBKey: { id: keyId, publicKeyPem: key.publicKey },
    ...replayOptions,
  });
  return {
    ...replay,
    targets: {
      venue_a: { venue: 'venue_a', ...replay.venueA },
      venue_b: { venue: 'venue_b', ...replay.venueB, keyId, privateKeyPem: key.privateKey },
    },
    discovery: null,
    marketReads: {
      venue_a: { url: replay.venueA.restUrl },
      venue_b: { url: replay.venueB.restUrl },
      venue_d: null,
      venue_e: null,
    },
    pods: [],
    paper: null,
    close: () => replay.close(),
  };
}

type PaperSource = Extract<RunningGatewayOptions['source'], { readonly kind: 'paper' }>;

async function paperVenues({ takerDelayS = 0, hasAccounts = true, walletType }: PaperSource): Promise<Venues> {
  const accounts = await demoAccounts;
  const paper = await startQuietPaper(accounts, { isOpeningOnly: true, takerDelayS });
  const { venueA, venueB } = paper.urls;
  const pod = await withWallet(demoPod(accounts, paper.urls), paper.urls, walletType ?? 0);
  const { keyId, privateKeyPem } = pod.venueB!;
  return {
    targets: {
      venue_a: { venue: 'venue_a', restUrl: venueA.rest, streamUrl: venueA.marketStream },
      venue_b: { venue: 'venue_b', restUrl: venueB.rest, streamUrl: venueB.stream, keyId, privateKeyPem },
    },
    discovery: { gammaUrl: venueA.gamma, venueB: { restUrl: venueB.rest, keyId, privateKeyPem }, venueC: null },
    marketReads: marketReadsOf(paper.urls),
    pods: hasAccounts ? [pod] : [],
    markets: paper.markets,
    finished: Promise.resolve(),
    paper,
    close: () => paper.close(),
  };
}

/** Gives the demo's signer a wallet of this type, which has the opening balance. 0 leaves everything as it is. */
async function withWallet(pod: PodVenues, urls: PaperUrls, signatureType: 0 | 1 | 2 | 3): Promise<PodVenues> {
  const { venueA } = pod;
  if (venueA === null || signatureType === 0) return pod;
  const wallet = `0x${'77'.repeat(20)}`;
  const account = { address: venueA.funder, wallet, signatureType };
  const body = JSON.stringify(account);
  const headers = { 'Content-Type': 'application/json' };
  const opened = await fetch(`${urls.control}/venues/venue_a/accounts`, { method: 'POST', headers, body });
  assert(opened.ok, await opened.text());
  const relayer = { url: urls.venueA.relayer, apiKey: venueA.apiKey, apiKeyAddress: venueA.funder };
  return { ...pod, venueA: { ...venueA, funder: wallet, signatureType, relayer } };
}

function keyPair(type: 'rsa' | 'ed25519'): { readonly publicKey: string; readonly privateKey: string } {
  const pair = type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2_048 }) : generateKeyPairSync('ed25519');
  return {
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
