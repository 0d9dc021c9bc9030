// The settings of alarms: their address, their form, and their kinds. The address may hold a token, so no message shows it. Any thread.

import { isLoopback } from '../net/read-only-hosts.ts';
import { ConfigError, readChoice, readKeyFile } from '../runtime/setting-values.ts';

/** The kinds of alarms, in the sequence in which they are sent. */
export const ALARM_KINDS = [
  'stops',
  'losses',
  'disk',
  'process',
  'outcomes',
  'accounts',
  'books',
  'recording',
  'fills',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

const ALERT_FORMATS = ['json', 'slack', 'discord', 'telegram'] as const;
export type AlertFormat = (typeof ALERT_FORMATS)[number];

export interface AlertSettings {
  readonly url: string;
  readonly format: AlertFormat;
  readonly kinds: readonly AlarmKind[];
  /** The secret that signs each request. Null means that requests are not signed. */
  readonly secret: string | null;
}

export const ALERT_VARIABLES = [
  'CROSSBOOK_ALERT_URL',
  'CROSSBOOK_ALERT_SECRET_FILE',
  'CROSSBOOK_ALERT_FORMAT',
  'CROSSBOOK_ALERT_KINDS',
] as const;

/** Reads the settings. Returns null if alarms are not sent. Throws a ConfigError. */
export function readAlerts(env: Readonly<Record<string, string | undefined>>): AlertSettings | null {
  const [urlName, secretName, formatName, kindsName] = ALERT_VARIABLES;
  const url = env[urlName];
  if (url === undefined) {
    const alone = ALERT_VARIABLES.find(name => env[name] !== undefined);
    if (alone !== undefined) throw new ConfigError(`${alone}: requires ${urlName}`);
    return null;
  }
  const format = readChoice(formatName, env[formatName] ?? 'json', ALERT_FORMATS);
  const kinds = env[kindsName]?.split(',').map(it => readChoice(kindsName, it.trim(), ALARM_KINDS)) ?? ALARM_KINDS;
  const secretFile = env[secretName];
  const secret = secretFile === undefined ? null : readKeyFile(secretName, secretFile).trim();
  if (secret === '') throw new ConfigError(`${secretName}: ${secretFile} must hold a secret`);
  return { url: readUrl(urlName, url, format), format, kinds, secret };
}

function readUrl(name: string, text: string, format: AlertFormat): string {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new ConfigError(`${name}: must be an https URL, or an http URL of this machine, without user and fragment`);
  if (format === 'telegram' && !url.searchParams.has('chat_id'))
    throw new ConfigError(`${name}: for telegram it must end with ?chat_id= and the id of the chat`);
  return url.href;
}
