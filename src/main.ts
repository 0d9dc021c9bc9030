// Builds all parts, passes them to each other, and closes them in reverse order. Main thread.

import type { PodVenues } from './core/domain/pod-accounts.ts';
import './core/runtime/v8-flags.ts';
import { join } from 'node:path';
import { CatalogLink } from './catalog/catalog-link.ts';
import { type Config, callersAddresses, type Environment, helpFor, readConfig } from './config.ts';
import { proveVerification } from './core/auth/ed25519.ts';
import { faultOf, wordsOf } from './core/domain/error-words.ts';
import { VENUES } from './core/domain/market.ts';
import { FeedCounters } from './core/metrics/feed-counters.ts';
import { Metrics } from './core/metrics/metrics.ts';
import { ThreadMemory, watchEventLoop, watchProcess } from './core/metrics/process-figures.ts';
import { type ConnectionRoom, connectionRoom } from './core/net/connection-room.ts';
import { assertFree } from './core/net/free-addresses.ts';
import { ListenError, type ListenFault } from './core/net/listen.ts';
import { isLoopback } from './core/net/read-only-hosts.ts';
import { needAddressSpace } from './core/runtime/address-space.ts';
import { createLog, type Log, outliveReaders, redact } from './core/runtime/log.ts';
import {
  Closers,
  endByForce,
  endOnFault,
  handleSignals,
  notifyReady,
  refuseProcessOne,
  whenStarted,
} from './core/runtime/process-life.ts';
import { ConfigError } from './core/runtime/setting-values.ts';
import { spin, wallTimers } from './core/runtime/timers.ts';
import { installedVersion } from './core/runtime/version.ts';
import { type KeyStore, KeysAge, openKeyStore } from './core/store/key-store.ts';
import { KeyFollower } from './core/store/key-stream.ts';
import { StoreError } from './core/store/store-error.ts';
import { openDataDir } from './data-dir.ts';
import { DEMO, type DemoIdentity, examples, prepareDemo } from './first-start.ts';
import { openAlerts } from './gateway/alerts/alert-link.ts';
import { contractDocuments } from './gateway/api/contract-documents.ts';
import { COUNTED_OPERATIONS } from './gateway/api/operations.ts';
import { BUCKETS, type Bucket } from './gateway/api/rate-limits.ts';
import { SharedRates } from './gateway/api/shared-rates.ts';
import { openControl } from './gateway/control/control-desk.ts';
import { DoorLink } from './gateway/door/door-link.ts';
import { type Gateway, startGateway } from './gateway/gateway.ts';
import { ownAddresses } from './gateway/own-addresses.ts';
import { Enrolment } from './gateway/page/enrolment.ts';
import { createReload } from './gateway/reload.ts';
import { readPodsFile, redeemText, withRedeemBounds, withSecrets } from './gateway/trading/pods.ts';
import { startTrading, type Trading } from './gateway/trading/trading.ts';
import { limits } from './limits.ts';
import { type Arena, createArena } from './market-data/book/memory.ts';
import { type Backtest, beginBacktest } from './market-data/recording/backtest.ts';
import { RecordingFault } from './market-data/recording/format.ts';
import { openRecorder } from './market-data/recording/recorder-link.ts';
import { RelayTerms } from './market-data/relay/publisher-link.ts';
import { RelayLink } from './market-data/relay/relay-link.ts';
import { SharedFileError, ShmLink } from './market-data/shm/shm-link.ts';
import { EngineThread } from './orders/engine/engine-thread.ts';
import { PlayedFrames } from './paper/replay/played-frames.ts';
import { RecordingError } from './paper/replay/recorder-forms.ts';
import { Progress } from './tools/cli/progress.ts';
import { warmEngineThread } from './tools/rehearsal/warm-up.ts';
import { openVenues, unencryptedOrigins, type VenueLinks } from './venue-source.ts';
import { MarketReads } from './venues/market-reads.ts';

const started = new Closers();
/** The running shutdown. Null means that it has not begun. */
let ending: Promise<void> | null = null;

/** The errors that are mistakes of the operator. A single line names the mistake, and nothing is logged. */
const OPERATORS_ERRORS = [ConfigError, StoreError, ListenError, RecordingError, RecordingFault, SharedFileError];
const LISTEN_SETTINGS: Readonly<Record<ListenFault, string>> = {
  address: 'CROSSBOOK_PORT, CROSSBOOK_HOST',
  metricsAddress: 'CROSSBOOK_METRICS_PORT, CROSSBOOK_METRICS_HOST',
  unixSocketPath: 'CROSSBOOK_UNIX_SOCKET',
  tradeAddress: 'CROSSBOOK_TRADE_PORT, CROSSBOOK_TRADE_HOST',
  tradeSocketPath: 'CROSSBOOK_TRADE_SOCKET',
  tls: 'CROSSBOOK_TLS_KEY_FILE, CROSSBOOK_TLS_CERT_FILE',
};

const PAGE_WITHOUT_LINK =
  'web page: a start on a terminal, on loopback, prints a link that opens it; else register a browser as docs/PAGE.md says\n';
const NO_CATALOG =
  'this gateway has no catalog: its books come by NATS, and no venue is configured; ask a gateway with the addresses of the venues';

outliveReaders();
try {
  const argv = process.argv.slice(2);
  const help = helpFor(argv);
  if (help === null) {
    const config = read(process.env);
    const log = createLog('main', { level: config.logLevel });
    endOnFault(log);
    await start(config, log);
  } else process.stdout.write(help);
} catch (error) {
  const message = startWords(error);
  process.stderr.write(`crossbook: ${message}\n`);
  const isOperators = OPERATORS_ERRORS.some(Kind => error instanceof Kind);
  const log = createLog('main');
  if (!isOperators) log.warn('start failed', { error: message });
  // Only the venues' thread can close its native sockets. An exit before that aborts the process.
  await shutDown(log, 1);
}

function startWords(error: unknown): string {
  if (error instanceof ListenError) return `${error.message} (${LISTEN_SETTINGS[error.of]})`;
  if (error instanceof RecordingError || error instanceof RecordingFault) return `--replay: ${error.message}`;
  if (error instanceof RangeError && /allocation failed|out of memory/i.test(error.message)) {
    return `${error.message}: raise the limits of the process (ulimit -d, ulimit -v) or of its container`;
  }
  return wordsOf(error);
}

async function start(config: Config, log: Log): Promise<void> {
  warnOfSettings(config, log);
  refuseProcessOne();
  needAddressSpace(config.poolThreads);
  const backtest = beginBacktest(config.source);
  const room = roomForCallers(config);
  await assertFree(ownAddresses(config));
  process.stdout.write(openDataDir(config));
  const { keyStore, keysAge, demo } = await openKeys(config, log);
  const metrics = processMetrics();
  const [played, arena] = [new PlayedFrames(), createArena()];
  const venues = await openVenues(config.source, { ...config, arena, played, onFailure: losingVenues(log) });
  started.push(() => venues.close());
  for (const recording of venues.recordings) log.info('recording read', { recording });
  // This thread checks the signatures of upgrades. This call warms the code up before the first upgrade.
  proveVerification();
  const pods = podsOf(config, venues, log);
  if (config.podsFile !== null) warnOfStrangers(pods, keyStore, log);
  warnOfOrigins(unencryptedOrigins(config.source, pods), log);
  const trading = await startTrading({
    ...config,
    arena,
    keysAge: keysAge,
    pods: withSecrets(config.dataDir, pods),
    openEngineThread: () => engineThread(config, pods, log),
    threads: config.poolThreads,
    metrics,
    log,
  });
  started.push(() => trading.close());
  const catalog = catalogOf(config, venues, metrics, log);
  const marketReads = readsOf(config, venues, log);
  const { recorder, relay, places } = openFollowers(config, { arena, metrics, log, catalog });
  const enrolment = isEmbedded(config) ? demoEnrolment(config, keyStore) : null;
  const opening = handleSignals(() => void shutDown(log, 0));
  const rates = config.tradeDoor === null ? null : new SharedRates(BUCKETS);
  const gateway = await startGateway({
    ...config,
    rates,
    isOpen: () => opening.isEnded,
    arena,
    keyStore,
    trading,
    catalog,
    marketReads,
    enrolment,
    metrics,
    log,
    followers: [...places, ...venues.places],
    keptMarkets: config.recorder?.markets.named ?? [],
    connectionsMax: room.connectionsMax,
    targets: venues.targets,
    counters: { venue_a: new FeedCounters(), venue_b: new FeedCounters() },
    bookLingerMs: limits.bookLingerMs,
    contract: contractDocuments(),
  });
  started.push(() => gateway.close());
  started.push(openAlerts({ ...config, trading, catalog, metrics, log }));
  relay?.serve(gateway.origin);
  venues.wanted(market => gateway.keep(market));
  const control = { trading, keyStore, recorder, status: () => gateway.status(), metrics };
  started.push(await openControl(control, config.dataDir, log));
  const { door, doorLine } = await openDoor({ config, room, trading, gateway, rates, metrics });
  if (config.spins) started.push(spin());
  if (config.isAwaitedBySystemd) started.push(notifyReady(() => gateway.isReady || trading.otherOwner !== null, log));
  const reload = createReload({ config, environment: process.env, read, keyStore, listeners: [gateway, door], log });
  opening.end(() => void (ending ?? reload()));
  await whenStarted(() => gateway.isStarting() && trading.otherOwner === null);
  if (ending === null) greet({ config, gateway, venues, doorLine, enrolment, demo, played, backtest });
}

function read(settings: Environment): Config {
  return readConfig(process.argv.slice(2), settings);
}

interface Greeting {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly venues: VenueLinks;
  readonly doorLine: string;
  readonly enrolment: Enrolment | null;
  readonly demo: DemoIdentity | null;
  readonly played: PlayedFrames;
  readonly backtest: Backtest | null;
}

function greet({ config, gateway, venues, doorLine, enrolment, demo, played, backtest }: Greeting): void {
  const origin = originOf(config, gateway.port);
  process.stdout.write(`crossbook listening on ${origin} (${venues.description})\n${doorLine}`);
  if (enrolment !== null) process.stdout.write(`web page, once within 10 minutes: ${origin}/#${enrolment.token}\n`);
  else if (isEmbedded(config)) process.stdout.write(PAGE_WITHOUT_LINK);
  if (demo !== null) process.stdout.write(examples(demo, venues.markets));
  backtest?.serve(origin);
  if (played.expected === 0 || !process.stderr.isTTY) return;
  const bar = new Progress(text => process.stderr.write(text), 'replay', played.expected);
  started.push(bar.follow(() => played.played));
}

/** Creates the metrics, with the figures that this process measures itself. */
function processMetrics(): Metrics {
  const metrics = new Metrics({ operations: COUNTED_OPERATIONS });
  const memory = new ThreadMemory(metrics);
  started.push(() => memory.close());
  started.push(watchEventLoop(metrics, 'main'));
  watchProcess(metrics, installedVersion());
  return metrics;
}

/** Opens the keys, and reads their stream before the first caller. `demo` is null if none was made. Rejects with a StoreError. */
async function openKeys({ dataDir, keyStream, source }: Config, log: Log) {
  const age = keyStream === null ? null : new KeysAge();
  const keyStore = openKeyStore(join(dataDir, 'keys'), limits, age);
  started.push(() => keyStore.close());
  const demo = isEmbedded({ source }) ? await prepareDemo(dataDir, keyStore, wallTimers.now()) : null;
  if (keyStream !== null && age !== null) {
    const follower = await KeyFollower.start(keyStream, keyStore, age, log);
    started.push(() => follower.close());
  }
  return { keyStore, keysAge: age?.memory ?? null, demo };
}

/** Whether the venues run inside this gateway: paper exchanges, or recordings. */
function isEmbedded({ source }: Pick<Config, 'source'>): boolean {
  return source.kind !== 'venues' && source.kind !== 'relay';
}

function catalogOf(
  { source, dataDir, recorder }: Config,
  { discovery: targets }: VenueLinks,
  metrics: Metrics,
  log: Log,
): CatalogLink {
  const absent = source.kind === 'relay' ? NO_CATALOG : null;
  const [storeFolder, recordingFolder] = [join(dataDir, 'catalog'), recorder?.folder ?? null];
  const catalog = new CatalogLink({ targets, absent, storeFolder, recordingFolder, metrics, log });
  started.push(() => catalog.close());
  return catalog;
}

/** Opens the parts that follow the tapes of all books. `places` hear which book each market has. */
function openFollowers(
  { sharedFilePath: path, spins, relay: relaySettings, recorder: settings }: Config,
  {
    catalog,
    ...parts
  }: { readonly arena: Arena; readonly metrics: Metrics; readonly log: Log; readonly catalog: CatalogLink },
) {
  const sharedFile = path === null ? null : new ShmLink({ path, spins, ...parts });
  started.push(() => sharedFile?.close());
  const relay = relaySettings?.role === 'publisher' ? new RelayLink({ nats: relaySettings.nats, ...parts }) : null;
  started.push(() => relay?.close());
  const recorder = openRecorder({ settings, ...parts, onMarket: (...market) => catalog.record(...market) });
  started.push(() => recorder?.close());
  return { recorder, relay, places: [sharedFile, recorder, relay].flatMap(it => it?.places ?? []) };
}

/** Throws a ConfigError if the pods file cannot be read. */
function podsOf({ podsFile, redeemsWinners }: Config, venues: VenueLinks, log: Log): readonly PodVenues[] {
  if (podsFile === null) return venues.pods;
  const pods = readPodsFile(podsFile);
  if (!pods.ok) throw new ConfigError(pods.error);
  for (const pod of redeemsWinners ? pods.value : []) {
    const says = redeemText(pod, true);
    if (says !== null) log.info('automatic redeems', { podId: pod.podId, says });
  }
  return withRedeemBounds(pods.value, redeemsWinners);
}

/** A reader of books without venues gets the terms of markets from its publisher. */
function readsOf({ source, relay }: Config, { marketReads: targets }: VenueLinks, log: Log): MarketReads | RelayTerms {
  const isReader = source.kind === 'relay' && relay !== null;
  const reads = isReader ? new RelayTerms(relay.nats, log) : new MarketReads({ targets, log });
  started.push(() => reads.close());
  return reads;
}

function originOf({ tls, host }: Pick<Config, 'tls' | 'host'>, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Creates the enrolment link for the person at this terminal. It is only for the demo pod. */
function demoEnrolment({ host }: Config, keyStore: KeyStore): Enrolment | null {
  const hasDemo = keyStore.read().actors.some(it => it.podId === DEMO && it.actorId === DEMO);
  if (!hasDemo || !isLoopback(host) || !process.stdout.isTTY) return null;
  const { now, elapsed } = wallTimers;
  return new Enrolment({ keyStore, owner: { podId: DEMO, actorId: DEMO }, now, elapsed });
}

interface DoorParts {
  readonly config: Config;
  readonly room: ConnectionRoom;
  readonly trading: Trading;
  readonly gateway: Gateway;
  readonly rates: SharedRates<Bucket> | null;
  readonly metrics: Metrics;
}

/** Opens the door on the engine's own thread. `doorLine` says where; it is empty without a door. Rejects with a ListenError. */
async function openDoor({ config, room, trading, gateway, rates, metrics }: DoorParts) {
  const { tradeDoor, tls, rateProfile, usesMainThread: checksHere } = config;
  if (tradeDoor === null || rates === null) return { door: null, doorLine: '' };
  const { engine, checks } = trading;
  const where = { ...tradeDoor, tls, connectionsMax: room.connectionsMax };
  const { disconnects } = gateway;
  const door = await DoorLink.open({ ...where, rateProfile, checksHere, engine, checks, disconnects, rates, metrics });
  // Both doors end their connections at the same time.
  started.push(() => Promise.all([gateway.close(), door.close()]));
  const { address, unixSocketPath } = tradeDoor;
  const origin = address === null ? null : originOf({ tls, host: address.host }, await door.port);
  const places = [origin, unixSocketPath].filter(it => it !== null);
  return { door, doorLine: `crossbook takes orders on ${places.join(' and ')}\n` };
}

/** Warns of untested systems. Books in shared memory rely on the order in which x86-64 performs reads (ADR 0001). */
function warnOfSystem(log: Log): void {
  const { platform, arch } = process;
  if (platform !== 'linux') log.warn('for trying out only: the gateway is tested on Linux', { platform });
  if (arch !== 'x64') log.warn('for trying out only: books may be wrong, tested on x86-64', { arch });
}

function warnOfSettings({ unknownVariables, tls, host, metricsAddress, tradeDoor }: Config, log: Log): void {
  warnOfSystem(log);
  for (const name of unknownVariables) log.warn('unknown setting', { name });
  const hosts = [host, tradeDoor?.address?.host ?? host];
  if (tls === null && !hosts.every(isLoopback)) log.warn('answers cross the network unencrypted: no TLS');
  if (metricsAddress !== null && !isLoopback(metricsAddress.host)) {
    log.warn('metrics cross the network unencrypted: their address speaks no TLS');
  }
}

async function engineThread(config: Config, pods: readonly PodVenues[], log: Log): Promise<EngineThread> {
  const { warmsUp, dataDir, tradeDoor } = config;
  const has = { venue_a: pods.some(it => it.venueA !== null), venue_b: pods.some(it => it.venueB !== null) };
  if (!warmsUp) return new EngineThread();
  const venues = VENUES.filter(venue => has[venue]);
  return warmEngineThread({ dataDir, venues, hasDoor: tradeDoor !== null, log });
}

/** Warns of pods without keys: no caller can trade in a pod that is misspelt or not yet created. */
function warnOfStrangers(pods: readonly PodVenues[], keyStore: KeyStore, log: Log): void {
  const known = new Set(keyStore.read().pods.map(({ podId }) => podId));
  for (const { podId } of pods.filter(it => !known.has(it.podId))) {
    log.warn('pod has accounts but no keys: check its name, or create it with crossbook pods create', { podId });
  }
}

/** Throws a ConfigError if the process may open too few files. */
function roomForCallers(config: Config): ConnectionRoom {
  const room = connectionRoom(callersAddresses(config));
  const { openFilesMax, openFilesMin } = room;
  if (openFilesMax >= openFilesMin) return room;
  throw new ConfigError(`the limit of open files (ulimit -n) is ${openFilesMax}, and must be at least ${openFilesMin}`);
}

function warnOfOrigins(unencrypted: readonly string[], log: Log): void {
  for (const origin of unencrypted) log.warn('venue crosses the network unencrypted', { origin });
}

/** Ends the process when the embedded venues fail: their orders and positions are lost, and to go on would mislead callers. */
function losingVenues(log: Log): (reason: string) => void {
  return reason => {
    process.stderr.write(`crossbook: the venues’ thread failed: ${reason}\n`);
    log.warn('the venues’ thread failed', { error: reason });
    void shutDown(log, 1);
  };
}

/** Shuts down. Repeated calls share one shutdown, because npm forwards a signal that the terminal has already sent. */
function shutDown(log: Log, exitCode: 0 | 1): Promise<void> {
  ending ??= end(log, exitCode);
  return ending;
}

async function end(log: Log, exitCode: 0 | 1): Promise<void> {
  setTimeout(() => {
    log.warn('not closed in time', { limit: 'shutdownMs', shutdownMs: limits.shutdownMs });
    endByForce(log);
  }, limits.shutdownMs).unref();
  const failures = await started.closeAll();
  for (const failure of failures) {
    process.stderr.write(`crossbook: a part of the gateway was not closed: ${redact('error', wordsOf(failure))}\n`);
    log.warn('a part of the gateway was not closed', faultOf(failure));
  }
  process.exit(failures.length === 0 ? exitCode : 1);
}
