// Turns the command line and the environment into one frozen Config. Only this file reads them, and main.ts calls it once.

import { ALERT_VARIABLES, type AlertSettings, readAlerts } from './core/alerts/alert-settings.ts';
import { isZone } from './core/domain/loss-limit.ts';
import type { Venue } from './core/domain/market.ts';
import {
  NATS_VARIABLES,
  type NatsSettings,
  type Replicated,
  readKeyStream,
  readReplicated,
} from './core/nats/settings.ts';
import { LOG_LEVELS, type LogLevel } from './core/runtime/log.ts';
import { PAPER_VARIABLES } from './core/runtime/paper-terms.ts';
import {
  ConfigError,
  isWrapped,
  type ListenAddress,
  readAddress,
  readChoice,
  readHost,
  readInteger,
  readKeyFile,
  readOrigins,
  UNWRAPPED_RULE,
} from './core/runtime/setting-values.ts';
import { readStartOptions } from './core/runtime/start-options.ts';
import { type RateProfile, type RateProfileName, rateProfiles } from './limits.ts';
import { type RecorderSettings, readRecorder } from './market-data/recording/recorder-settings.ts';
import { type RelaySettings, readRelay } from './market-data/relay/relay-messages.ts';
import {
  LIVE_PAPER_VARIABLES,
  type Mode,
  modeOf,
  READ_VARIABLES,
  readSource,
  VENUE_VARIABLES,
  type VenueSource,
} from './venues/source-settings.ts';

/** The PEM files of the gateway's certificate and key. */
export interface TlsFiles {
  readonly keyFile: string;
  readonly certFile: string;
}

/**
 * The guarantee that a record must have before its order is sent. The record survives a crash of the process, or of the machine, or is in
 * the pod's stream, where another gateway reads it.
 */
export const DURABILITIES = ['process-safe', 'power-safe', 'replicated'] as const;
export type Durability = (typeof DURABILITIES)[number];

/** The addresses of the door on the engine's own thread: on TCP, on a Unix socket, or both. */
export interface TradeAddress {
  readonly address: ListenAddress | null;
  readonly unixSocketPath: string | null;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** The Unix socket at which the gateway listens in addition to TCP, for bots on the same host. Null means that there is none. */
  readonly unixSocketPath: string | null;
  /** The file in which other processes of this host read books and trades. Null means that there is none. */
  readonly sharedFilePath: string | null;
  /** Null means that nothing is recorded. */
  readonly recorder: RecorderSettings | null;
  readonly tls: TlsFiles | null;
  /** The file that the settings came from, which SIGHUP reads again. Null means that SIGHUP only reads certificates again. */
  readonly envFile: string | null;
  /** The addresses for orders on the engine's own thread. Null means that orders are only taken at main's address. */
  readonly tradeDoor: TradeAddress | null;
  /** The address that serves only /metrics, /healthz and /readyz. Null means that /metrics is beside the API. */
  readonly metricsAddress: ListenAddress | null;
  /** Whether systemd waits for a notice that the gateway is ready. */
  readonly isAwaitedBySystemd: boolean;
  readonly dataDir: string;
  /** The origins of web pages that may call the API. */
  readonly corsOrigins: readonly string[];
  readonly rateProfile: RateProfile;
  /** The number of threads in the check pool. */
  readonly poolThreads: number;
  /** Whether the main thread checks the first signatures of a turn of its event loop. */
  readonly usesMainThread: boolean;
  /** Whether the main thread and the engine poll without a pause. */
  readonly spins: boolean;
  /** Whether a rehearsal with orders runs before the gateway is ready. */
  readonly warmsUp: boolean;
  /** The guarantee that a record must have before its order is sent. */
  readonly durability: Durability;
  readonly replicated: Replicated | null;
  /** The stream that has the keys of all gateways. Null means that this gateway has keys of its own. */
  readonly keyStream: NatsSettings | null;
  /** The file with the pods' accounts at the venues. Null means that the gateway does not trade there. */
  readonly podsFile: string | null;
  /** Whether winners at venue A are redeemed without a request, for accounts that have bounds for it. */
  readonly redeemsWinners: boolean;
  /** The path of the audit log of orders. Null means that no audit log is written. */
  readonly auditLog: string | null;
  /** The time zone of the days of loss limits. */
  readonly dayZone: string;
  /** The receiver of alarms. Null means that no alarms are sent. */
  readonly alerts: AlertSettings | null;
  readonly logLevel: LogLevel;
  readonly relay: RelaySettings | null;
  readonly source: VenueSource;
  /** The names of the venues that the web page shows in addition to `venue A` and `venue B`. Null means no further name. */
  readonly venueNames: Readonly<Record<Venue, string | null>>;
  readonly mode: Mode;
  readonly isFresh: boolean; // True if the start leaves the data directory of the paper exchanges for a new directory.
  /** The variables named CROSSBOOK_… that are not settings. They are probably misspelt, so the log names them. */
  readonly unknownVariables: readonly string[];
}

const POOL_THREADS_MAX = 64;

/** The folder of recordings for tests and benchmarks. It counts as a known variable, so that no start warns of it. */
const TESTS_VARIABLE = 'CROSSBOOK_DATA';

const VARIABLES = [
  'CROSSBOOK_HOST',
  'CROSSBOOK_PORT',
  'CROSSBOOK_UNIX_SOCKET',
  'CROSSBOOK_SHM',
  'CROSSBOOK_RECORD_DIR',
  'CROSSBOOK_RECORD_MARKETS',
  'CROSSBOOK_RECORD_GB',
  'CROSSBOOK_TLS_KEY_FILE',
  'CROSSBOOK_TLS_CERT_FILE',
  'CROSSBOOK_TRADE_HOST',
  'CROSSBOOK_TRADE_PORT',
  'CROSSBOOK_TRADE_SOCKET',
  'CROSSBOOK_METRICS_HOST',
  'CROSSBOOK_METRICS_PORT',
  'CROSSBOOK_DATA_DIR',
  'CROSSBOOK_CORS_ORIGINS',
  'CROSSBOOK_RATE_PROFILE',
  'CROSSBOOK_POOL_THREADS',
  'CROSSBOOK_MAIN_DESK',
  'CROSSBOOK_SPIN',
  'CROSSBOOK_WARM_UP',
  'CROSSBOOK_DURABILITY',
  ...NATS_VARIABLES,
  'CROSSBOOK_PODS_FILE',
  'CROSSBOOK_REDEEM',
  'CROSSBOOK_AUDIT_LOG',
  'CROSSBOOK_DAY_ZONE',
  ...ALERT_VARIABLES,
  'CROSSBOOK_LOG',
  'CROSSBOOK_ENV_FILE',
  'CROSSBOOK_VENUE_A_NAME',
  'CROSSBOOK_VENUE_B_NAME',
  TESTS_VARIABLE,
];

/** The settings with paths that the gateway creates if they are missing. A mistake in such a path would not be noticed otherwise. */
const PATHS = [
  'CROSSBOOK_DATA_DIR',
  'CROSSBOOK_UNIX_SOCKET',
  'CROSSBOOK_TRADE_SOCKET',
  'CROSSBOOK_SHM',
  'CROSSBOOK_RECORD_DIR',
  'CROSSBOOK_AUDIT_LOG',
];

const KNOWN_VARIABLES: readonly string[] = [
  ...VARIABLES,
  ...PAPER_VARIABLES,
  ...LIVE_PAPER_VARIABLES,
  ...VENUE_VARIABLES,
  ...READ_VARIABLES,
];

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings. Throws a ConfigError for unknown arguments and for values out of range. */
export function readConfig(argv: readonly string[], env: Environment): Config {
  // An empty path would mean the current folder.
  const empty = KNOWN_VARIABLES.find(name => env[name] === '');
  if (empty !== undefined) throw new ConfigError(`${empty}: must not be empty; without it, its default holds`);
  // Some programs that read files of settings leave the quotes on a value. With quotes, the value would name another data directory, which
  // would be created.
  const wrapped = PATHS.find(name => isWrapped(env[name] ?? ''));
  if (wrapped !== undefined) throw new ConfigError(`${wrapped}: ${UNWRAPPED_RULE}`);
  const relay = readRelay(env);
  const options = readStartOptions(argv);
  const source = readSource(options, env, relay?.role === 'reader');
  if (options.fresh && !isPaper(source)) throw new ConfigError('--fresh: requires the paper exchanges');
  const profile = readChoice('CROSSBOOK_RATE_PROFILE', env.CROSSBOOK_RATE_PROFILE ?? 'default', PROFILE_NAMES);
  const ofPaper = PAPER_VARIABLES.find(name => env[name] !== undefined);
  if (ofPaper !== undefined && !isPaper(source)) throw new ConfigError(`${ofPaper}: requires the paper exchanges`);
  const podsFile = readPodsFileName(env, source);
  return Object.freeze({
    host: readHost('CROSSBOOK_HOST', env.CROSSBOOK_HOST ?? '127.0.0.1'),
    port: readInteger('CROSSBOOK_PORT', env.CROSSBOOK_PORT ?? '8080', 0, 65_535),
    unixSocketPath: env.CROSSBOOK_UNIX_SOCKET ?? null,
    sharedFilePath: env.CROSSBOOK_SHM ?? null,
    recorder: readRecorder(env),
    tls: readTls(env),
    envFile: env.CROSSBOOK_ENV_FILE ?? null,
    tradeDoor: readTradeDoor(env),
    metricsAddress: readMetricsAddress(env),
    isAwaitedBySystemd: env.NOTIFY_SOCKET !== undefined,
    dataDir: env.CROSSBOOK_DATA_DIR ?? './data',
    corsOrigins: readOrigins('CROSSBOOK_CORS_ORIGINS', env.CROSSBOOK_CORS_ORIGINS),
    rateProfile: rateProfiles[profile],
    poolThreads: readInteger('CROSSBOOK_POOL_THREADS', env.CROSSBOOK_POOL_THREADS ?? '2', 1, POOL_THREADS_MAX),
    usesMainThread: readChoice('CROSSBOOK_MAIN_DESK', env.CROSSBOOK_MAIN_DESK ?? 'on', ['on', 'off']) === 'on',
    spins: readChoice('CROSSBOOK_SPIN', env.CROSSBOOK_SPIN ?? 'off', ['on', 'off']) === 'on',
    warmsUp: readChoice('CROSSBOOK_WARM_UP', env.CROSSBOOK_WARM_UP ?? 'on', ['on', 'off']) === 'on',
    durability: readChoice('CROSSBOOK_DURABILITY', env.CROSSBOOK_DURABILITY ?? 'process-safe', DURABILITIES),
    replicated: readReplicated(env),
    keyStream: readKeyStream(env),
    podsFile,
    redeemsWinners: readRedeem(env, podsFile),
    auditLog: env.CROSSBOOK_AUDIT_LOG ?? null,
    dayZone: readZone(env.CROSSBOOK_DAY_ZONE ?? 'UTC'),
    alerts: readAlerts(env),
    logLevel: readChoice('CROSSBOOK_LOG', env.CROSSBOOK_LOG ?? 'info', LOG_LEVELS),
    relay,
    source,
    venueNames: {
      venue_a: readName('CROSSBOOK_VENUE_A_NAME', env.CROSSBOOK_VENUE_A_NAME),
      venue_b: readName('CROSSBOOK_VENUE_B_NAME', env.CROSSBOOK_VENUE_B_NAME),
    },
    mode: modeOf(source, podsFile !== null),
    isFresh: options.fresh,
    unknownVariables: Object.keys(env).filter(name => name.startsWith('CROSSBOOK_') && !KNOWN_VARIABLES.includes(name)),
  });
}

/** Whether all orders go to the paper exchanges. */
export function isPaper({ kind }: Pick<VenueSource, 'kind'>): boolean {
  return kind === 'paper' || kind === 'recorded' || kind === 'live-paper';
}

const PROFILE_NAMES = Object.keys(rateProfiles) as RateProfileName[];

function readName(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^[\p{L}\p{N}][\p{L}\p{N} .&-]{0,23}$/u.test(text)) return text;
  throw new ConfigError(`${name}: must be a name of at most 24 letters, digits, blanks, dots, hyphens and &`);
}

function readPodsFileName({ CROSSBOOK_PODS_FILE: name }: Environment, { kind }: VenueSource): string | null {
  if (name === undefined) return null;
  if (kind === 'venues') return name;
  throw new ConfigError(`CROSSBOOK_PODS_FILE: requires the addresses of the venues (${VENUE_VARIABLES[0]} and others)`);
}

function readRedeem({ CROSSBOOK_REDEEM: text }: Environment, podsFile: string | null): boolean {
  if (text === undefined) return false;
  const isOn = readChoice('CROSSBOOK_REDEEM', text, ['off', 'auto']) === 'auto';
  if (podsFile !== null) return isOn;
  throw new ConfigError('CROSSBOOK_REDEEM: requires CROSSBOOK_PODS_FILE: only accounts at the real venues redeem');
}

function readZone(zone: string): string {
  if (isZone(zone)) return zone;
  throw new ConfigError('CROSSBOOK_DAY_ZONE: must be a time zone, such as Europe/Vienna');
}

function readMetricsAddress(env: Environment): ListenAddress | null {
  const { CROSSBOOK_METRICS_HOST: host, CROSSBOOK_METRICS_PORT: port } = env;
  const names = { host: 'CROSSBOOK_METRICS_HOST', port: 'CROSSBOOK_METRICS_PORT' };
  if (port !== undefined) return readAddress(names, host ?? '127.0.0.1', port);
  if (host !== undefined) throw new ConfigError(`${names.host}: requires ${names.port}`);
  return null;
}

function readTradeDoor(env: Environment): TradeAddress | null {
  const { CROSSBOOK_TRADE_HOST: host, CROSSBOOK_TRADE_PORT: port, CROSSBOOK_TRADE_SOCKET: path } = env;
  const names = { host: 'CROSSBOOK_TRADE_HOST', port: 'CROSSBOOK_TRADE_PORT' };
  if (port === undefined && host !== undefined) throw new ConfigError(`${names.host}: requires ${names.port}`);
  if (path !== undefined && path === env.CROSSBOOK_UNIX_SOCKET)
    throw new ConfigError('CROSSBOOK_TRADE_SOCKET: must differ from CROSSBOOK_UNIX_SOCKET');
  const address = port === undefined ? null : readAddress(names, host ?? env.CROSSBOOK_HOST ?? '127.0.0.1', port);
  return address === null && path === undefined ? null : { address, unixSocketPath: path ?? null };
}

/** The number of addresses and sockets at which callers connect. */
export function callersAddresses({ unixSocketPath, tradeDoor }: Pick<Config, 'unixSocketPath' | 'tradeDoor'>): number {
  const besides = [unixSocketPath, tradeDoor?.address ?? null, tradeDoor?.unixSocketPath ?? null];
  return 1 + besides.filter(it => it !== null).length;
}

function readTls(env: Environment): TlsFiles | null {
  const { CROSSBOOK_TLS_KEY_FILE: keyFile, CROSSBOOK_TLS_CERT_FILE: certFile } = env;
  if (keyFile === undefined && certFile === undefined) return null;
  if (keyFile === undefined || certFile === undefined) {
    throw new ConfigError('CROSSBOOK_TLS_KEY_FILE, CROSSBOOK_TLS_CERT_FILE: set both or neither');
  }
  // The key file is read here only to fail early with a clear message. The listener opens the file by its name.
  readKeyFile('CROSSBOOK_TLS_KEY_FILE', keyFile);
  return { keyFile, certFile };
}

/** The text for `--help`. Returns null if no help was requested. */
export function helpFor(argv: readonly string[]): string | null {
  if (!argv.some(it => /^(-h|--help)$/.test(it))) return null;
  return `usage: npm start -- [OPTIONS]

  runs the gateway, on the paper exchanges unless the addresses of the venues are set
  --fresh            leaves the demo's data directory under another name, and begins anew
  --seed N           of the paper exchanges’ market flow, default 1
  --replay FILE...   captures of venues that trade on the paper exchanges in its place
  --replay FOLDER    a recording (CROSSBOOK_RECORD_DIR), exactly as it was; orders go to the paper exchanges
  --speed N          how many times faster than they were, default 1
  --loop             from the start again at their end
  --live-paper       books of the real venues, which are only read; orders go to the paper exchanges

settings are variables of the environment (docs/OPERATIONS.md, Settings):
${KNOWN_VARIABLES.filter(name => name !== TESTS_VARIABLE)
  .map(name => `  ${name}\n`)
  .join('')}`;
}
