// SIGHUP reloads certificates and the log level in a running gateway. Keys and limits of actors need no reload, because each request looks
// at their store. A reload closes no socket. It names each changed setting that needs a restart. Main thread.

import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Config, Environment, TlsFiles } from '../config.ts';
import { wordsOf } from '../core/domain/error-words.ts';
import { changeLevel, type Log, type LogLevel } from '../core/runtime/log.ts';
import { ConfigError } from '../core/runtime/setting-values.ts';
import type { KeyStore } from '../core/store/key-store.ts';

interface ReloadParts {
  readonly config: Pick<Config, 'tls' | 'envFile'>;
  /** The environment of this process. It includes the settings that `envFile` had at the start. */
  readonly environment: Environment;
  /** Reads the settings. Throws for settings with which no gateway starts. */
  readonly read: (environment: Environment) => Pick<Config, 'tls' | 'logLevel'>;
  readonly keyStore: Pick<KeyStore, 'read'>;
  /** The parts that have a listening socket of their own. Null stands for an address that is not configured. */
  readonly listeners: readonly ({ renewTls(files: TlsFiles): void | Promise<void> } | null)[];
  readonly log: Log;
}

const CERTIFICATE = ['CROSSBOOK_TLS_KEY_FILE', 'CROSSBOOK_TLS_CERT_FILE'];
const FILE_SETTING = /^CROSSBOOK_\w+_FILE$/;

interface Reloaded {
  /** Whether the gateway is now as a restart would make it. */
  readonly isWhole: boolean;
  readonly settings: string;
  readonly logLevel: LogLevel;
  readonly certificates: string;
  readonly keys: string;
  /** The names of changed settings, and of settings whose files have changed. */
  readonly needRestart: readonly string[];
}

/** Marks a part that stays as it was. The reason follows. */
const KEPT = 'kept: ';

/**
 * Returns the function that reloads, logs the result, and resolves with it. It resolves with null if nothing was reloaded. A second call
 * waits for the first. Throws a ConfigError if the file of settings cannot be read.
 */
export function createReload(parts: ReloadParts): () => Promise<Reloaded | null> {
  const environment = { ...parts.environment };
  const atStart = fileSettings(parts.config.envFile);
  const besides = Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in atStart)));
  const marks = fileMarks(environment);
  let last: Promise<Reloaded | null> = Promise.resolve(null);
  return () => {
    last = last.then(() => logReload(parts.log, reload({ ...parts, environment }, besides, marks)));
    return last;
  };
}

async function logReload(log: Log, reloaded: Promise<Reloaded>): Promise<Reloaded | null> {
  try {
    const { isWhole, needRestart, ...parts } = await reloaded;
    const names = needRestart.join(', ') || 'nothing that has changed';
    log[isWhole ? 'info' : 'warn']('reloaded', { ...parts, needRestart: names });
  } catch (error) {
    log.warn('nothing is reloaded', { error: wordsOf(error) });
    return null;
  }
  return reloaded;
}

/** `besides` are the settings that did not come from the file of settings. `marks` are the marks of the files at the start. */
async function reload(parts: ReloadParts, besides: Environment, marks: ReadonlyMap<string, string>): Promise<Reloaded> {
  const { config, environment, read, log } = parts;
  const changed = { ...besides, ...fileSettings(config.envFile) };
  const { tls, logLevel } = read(changed);
  changeLevel(log, logLevel);
  const certificates = await renewCertificates(parts, tls);
  const keys = readKeys(parts);
  const names = new Set([...changedNames(environment, changed), ...changedFiles(environment, marks)]);
  names.delete('CROSSBOOK_LOG');
  if ((config.tls === null) === (tls === null)) for (const name of CERTIFICATE) names.delete(name);
  return {
    isWhole: names.size === 0 && ![certificates, keys].some(it => it.startsWith(KEPT)),
    settings: config.envFile ?? 'not read again: CROSSBOOK_ENV_FILE does not name their file',
    logLevel,
    certificates,
    keys,
    needRestart: [...names].sort(),
  };
}

async function renewCertificates({ config, listeners }: ReloadParts, tls: TlsFiles | null): Promise<string> {
  if (config.tls === null) return 'none';
  if (tls === null) return `${KEPT}TLS ends with a restart`;
  try {
    for (const listener of listeners) await listener?.renewTls(tls);
    return 'read again';
  } catch (error) {
    return KEPT + wordsOf(error);
  }
}

/** Says whether the key store can be read. A reload does not load keys, because every request looks at the store. */
function readKeys({ keyStore }: ReloadParts): string {
  try {
    const { signingKeys, apiKeys, actors } = keyStore.read();
    return `in force at each change: ${signingKeys.length + apiKeys.length} keys, limits of ${actors.length} actors`;
  } catch (error) {
    return KEPT + wordsOf(error);
  }
}

function fileSettings(path: string | null): Environment {
  if (path === null) return {};
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`CROSSBOOK_ENV_FILE: cannot be read: ${wordsOf(error)}`);
  }
}

function changedNames(before: Environment, after: Environment): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(name => before[name] !== after[name]);
}

/** The settings that name a file which is read at the start, each with a text that changes when the file changes. */
function fileMarks(environment: Environment): ReadonlyMap<string, string> {
  const named = Object.entries(environment).filter(
    ([name]) => FILE_SETTING.test(name) && name !== 'CROSSBOOK_ENV_FILE',
  );
  return new Map(named.map(([name, path = '']) => [name, markOf(path)]));
}

function changedFiles(environment: Environment, before: ReadonlyMap<string, string>): readonly string[] {
  return [...fileMarks(environment)].filter(([name, mark]) => before.get(name) !== mark).map(([name]) => name);
}

function markOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
