// Command line and environment → one frozen Config. Read once by main.ts; nobody else looks at either.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { limits } from './limits.ts';

/** Where a venue's real or replayed servers are. */
export interface VenueUrls {
  readonly restUrl: string;
  readonly streamUrl: string;
}

export interface VenueBAccount {
  readonly keyId: string;
  readonly privateKeyPem: string;
}

/** Where market data comes from: recordings, a seeded synthetic session, or the venues themselves. */
export type MarketDataSource =
  | { readonly kind: 'replay'; readonly files: readonly string[]; readonly speed: number; readonly loop: boolean }
  | { readonly kind: 'synthetic'; readonly seed: number; readonly speed: number }
  | {
      readonly kind: 'venues';
      readonly venueA: VenueUrls;
      readonly venueB: VenueUrls;
      readonly account: VenueBAccount;
    };

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly source: MarketDataSource;
}

/** What the operator wrote cannot be used; the message names the option and the rule. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

/** Throws a ConfigError for anything unknown or out of range. */
export function readConfig(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const flags = readFlags(argv);
  const host = env.CROSSBOOK_HOST ?? '127.0.0.1';
  if (!LOOPBACK_HOSTS.includes(host)) {
    throw new ConfigError(`CROSSBOOK_HOST: must be a loopback address while the stream is unsigned, not ${host}`);
  }
  return Object.freeze({
    host,
    port: readInteger('CROSSBOOK_PORT', env.CROSSBOOK_PORT ?? '8080', 0, 65_535),
    source: readSource(flags, env),
  });
}

interface Flags {
  readonly replay: readonly string[];
  readonly speed: number;
  readonly loop: boolean;
  readonly seed: number;
}

function readFlags(argv: readonly string[]): Flags {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        replay: { type: 'string', multiple: true },
        speed: { type: 'string', default: '1' },
        loop: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
      },
    });
    if (positionals.length > 0 && values.replay === undefined) {
      throw new ConfigError(`unknown argument ${positionals[0]}: file names follow --replay`);
    }
    const speed = Number(values.speed);
    if (!(speed > 0 && speed <= limits.replaySpeedMax)) {
      throw new ConfigError(`--speed: must be a number above 0, at most ${limits.replaySpeedMax}`);
    }
    return {
      // `--replay a b` and `--replay a --replay b` mean the same.
      replay: [...(values.replay ?? []), ...positionals],
      speed,
      loop: values.loop,
      seed: readInteger('--seed', values.seed, 0, 2 ** 31 - 1),
    };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

function readSource(flags: Flags, env: Readonly<Record<string, string | undefined>>): MarketDataSource {
  if (flags.replay.length > 0) {
    return { kind: 'replay', files: flags.replay, speed: flags.speed, loop: flags.loop };
  }
  const names = [
    'CROSSBOOK_VENUE_A_REST_URL',
    'CROSSBOOK_VENUE_A_STREAM_URL',
    'CROSSBOOK_VENUE_B_REST_URL',
    'CROSSBOOK_VENUE_B_STREAM_URL',
    'CROSSBOOK_VENUE_B_KEY_ID',
    'CROSSBOOK_VENUE_B_KEY_FILE',
  ] as const;
  const given = names.filter(name => env[name] !== undefined);
  if (given.length === 0) return { kind: 'synthetic', seed: flags.seed, speed: flags.speed };
  const missing = names.filter(name => env[name] === undefined);
  if (missing.length > 0) throw new ConfigError(`${missing.join(', ')}: required when ${given[0]} is set`);
  const [restA, streamA, restB, streamB, keyId, keyFile] = names.map(name => env[name]!) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    kind: 'venues',
    venueA: { restUrl: readUrl(names[0], restA), streamUrl: readUrl(names[1], streamA) },
    venueB: { restUrl: readUrl(names[2], restB), streamUrl: readUrl(names[3], streamB) },
    account: { keyId, privateKeyPem: readKey(keyFile) },
  };
}

function readInteger(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text === '' || !Number.isInteger(value) || value < min || value > max) {
    throw new ConfigError(`${name}: must be an integer from ${min} to ${max}`);
  }
  return value;
}

function readUrl(name: string, text: string): string {
  if (!URL.canParse(text)) throw new ConfigError(`${name}: must be a URL`);
  return text.replace(/\/+$/, '');
}

function readKey(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError('CROSSBOOK_VENUE_B_KEY_FILE: must name a readable PEM file');
  }
}
