// The settings of NATS: its address, and the address of this gateway for clients that follow a pod. Read at the start.

import { limits } from '../../limits.ts';
import { readPrivateFile } from '../runtime/private-file.ts';
import { ConfigError, readChoice, readInteger } from '../runtime/setting-values.ts';

/** The servers of one NATS, and the text of a credentials file. Null means that the servers need no credentials. */
export interface NatsSettings {
  readonly servers: readonly string[];
  readonly credentials: string | null;
}

export interface Replicated {
  readonly nats: NatsSettings;
  /** The base URL by which clients reach this gateway. */
  readonly url: string;
  /**
   * The silence of the pod's owner after which this gateway takes the pod over. Null means that the gateway does not take it over by
   * itself.
   */
  readonly takeOverAfterMs: number | null;
}

const KEYS = 'CROSSBOOK_KEYS';
const TAKE_OVER = 'CROSSBOOK_TAKE_OVER_AFTER_S';
const SECOND_MS = 1_000;
/** The bounds in seconds: long enough for several signs of life, and for the pauses of a busy machine. */
const TAKE_OVER_S = { min: 2, max: 3_600 } as const;
export const NATS_VARIABLES = [
  'CROSSBOOK_NATS',
  'CROSSBOOK_NATS_CREDENTIALS_FILE',
  'CROSSBOOK_PUBLIC_URL',
  'CROSSBOOK_BOOKS',
  KEYS,
  TAKE_OVER,
] as const;

/** The form of an address. It has no user, because a credentials file proves the gateway's identity. */
const SERVER = /^(nats|tls):\/\/[^\s/@:,]+:\d{1,5}$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings of the replicated mode. Returns null if the durability is another mode. Throws a ConfigError. */
export function readReplicated(env: Environment): Replicated | null {
  const isReplicated = env.CROSSBOOK_DURABILITY === 'replicated';
  const { CROSSBOOK_PUBLIC_URL: url, CROSSBOOK_BOOKS: books = 'venues' } = env;
  const nats = readNats(env);
  if ((nats !== null) !== (isReplicated || books !== 'venues' || env[KEYS] === 'stream')) {
    throw new ConfigError(
      `CROSSBOOK_NATS: requires CROSSBOOK_DURABILITY=replicated, CROSSBOOK_BOOKS=publish or =nats, or ${KEYS}=stream`,
    );
  }
  if ((url !== undefined) !== isReplicated)
    throw new ConfigError('CROSSBOOK_PUBLIC_URL: requires CROSSBOOK_DURABILITY=replicated');
  const takeOverAfterMs = readTakeOver(env[TAKE_OVER], isReplicated);
  return nats === null || url === undefined ? null : { nats, url: readPublicUrl(url), takeOverAfterMs };
}

/** Reads the NATS with the stream of keys that all gateways share. Returns null if this gateway has its own keys. Throws a ConfigError. */
export function readKeyStream(env: Environment): NatsSettings | null {
  const isReplicated = env.CROSSBOOK_DURABILITY === 'replicated';
  const keys = readChoice(KEYS, env[KEYS] ?? (isReplicated ? 'stream' : 'own'), ['own', 'stream']);
  if (keys === 'stream') return readNats(env);
  if (isReplicated) throw new ConfigError(`${KEYS}: must be stream with CROSSBOOK_DURABILITY=replicated`);
  return null;
}

function readTakeOver(text: string | undefined, isReplicated: boolean): number | null {
  if (text === undefined) return null;
  if (!isReplicated) throw new ConfigError(`${TAKE_OVER}: requires CROSSBOOK_DURABILITY=replicated`);
  return readInteger(TAKE_OVER, text, TAKE_OVER_S.min, TAKE_OVER_S.max) * SECOND_MS;
}

/** Reads the setting of NATS. Returns null if it is not set. Throws a ConfigError. */
export function readNats(env: Environment): NatsSettings | null {
  const { CROSSBOOK_NATS: text, CROSSBOOK_NATS_CREDENTIALS_FILE: file } = env;
  if (text === undefined && file !== undefined)
    throw new ConfigError('CROSSBOOK_NATS_CREDENTIALS_FILE: requires CROSSBOOK_NATS');
  if (text === undefined) return null;
  const servers = text.split(',');
  if (!servers.every(it => SERVER.test(it)))
    throw new ConfigError('CROSSBOOK_NATS: must be nats://HOST:PORT or tls://HOST:PORT, several with commas between');
  // Either all addresses ask for TLS, or none does. In a mixture, a server could be reached without TLS.
  if (new Set(servers.map(it => URL.parse(it)?.protocol)).size > 1)
    throw new ConfigError('CROSSBOOK_NATS: must be all nats:// or all tls://');
  return { servers, credentials: file === undefined ? null : readCredentials(file) };
}

function readCredentials(path: string): string {
  const text = readPrivateFile(path, limits.keyFileBytesMax);
  if (!text.ok) throw new ConfigError(`CROSSBOOK_NATS_CREDENTIALS_FILE: ${path} ${text.error.words}`);
  return text.value;
}

function readPublicUrl(text: string): string {
  if (/^https?:\/\/[^?#@\s]+$/.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new ConfigError('CROSSBOOK_PUBLIC_URL: must be a URL of http or https, without user, query and fragment');
}
