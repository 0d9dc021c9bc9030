// The settings that say where the venues are: the paper exchanges, recordings, or the real venues with their keys. config.ts reads them with
// the others.

import { statSync } from 'node:fs';
import { ConfigError, readKeyFile } from '../core/runtime/setting-values.ts';
import type { Playback, StartOptions } from '../core/runtime/start-options.ts';
import { CREDENTIAL_RULE, isCredential, readVenueUrl } from './settings.ts';
import { venueBKeyFault } from './venue-b/auth.ts';

/** Addresses of a venue's real or replayed servers. */
export interface VenueUrls {
  readonly restUrl: string;
  readonly streamUrl: string;
}

export interface VenueBAccount {
  readonly keyId: string;
  readonly privateKeyPem: string;
}

/** The source of the venues. */
export type VenueSource =
  /** The paper exchanges: liquidity from a seeded model, or from recordings. */
  | { readonly kind: 'paper'; readonly seed: number; readonly recording: Playback | null }
  /** The recorded frames byte for byte; nothing can be traded. */
  | { readonly kind: 'verbatim'; readonly recording: Playback }
  /** The recorder's files in a folder, played exactly; nothing can be traded. */
  | { readonly kind: 'recorded'; readonly folder: string; readonly speed: number; readonly loop: boolean }
  | { readonly kind: 'relay' } // No venue: books and terms of markets come by NATS, and nothing can be traded.
  | ({
      readonly kind: 'venues';
      readonly venueA: VenueUrls;
      /** Venue A's public catalog, on its own host. */
      readonly gammaUrl: string;
      readonly venueB: VenueUrls;
      readonly account: VenueBAccount;
      /** Access to its listings; null: not read. */
      readonly venueC: VenueCAccess | null;
    } & MarketReads);

/** Access to single markets of the other venues; null: not read. */
interface MarketReads {
  readonly venueDUrl: string | null;
  readonly venueE: VenueEAccess | null;
}

interface VenueCAccess {
  readonly url: string;
  readonly apiKey: string;
}

interface VenueEAccess {
  readonly url: string;
  readonly apiKey: string | null; // Null if no key is sent.
}

/** Required together. */
export const VENUE_VARIABLES = [
  'CROSSBOOK_VENUE_A_REST_URL',
  'CROSSBOOK_VENUE_A_STREAM_URL',
  'CROSSBOOK_VENUE_A_GAMMA_URL',
  'CROSSBOOK_VENUE_B_REST_URL',
  'CROSSBOOK_VENUE_B_STREAM_URL',
  'CROSSBOOK_VENUE_B_KEY_ID',
  'CROSSBOOK_VENUE_B_KEY_FILE',
] as const;

/** Optional settings of venues whose markets are only read. */
export const READ_VARIABLES = [
  'CROSSBOOK_VENUE_C_URL',
  'CROSSBOOK_VENUE_C_KEY_FILE',
  'CROSSBOOK_VENUE_D_URL',
  'CROSSBOOK_VENUE_E_URL',
  'CROSSBOOK_VENUE_E_KEY_FILE',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** `readsByNats`: books come by NATS, so the venues may be missing. Throws a ConfigError. */
export function readSource(
  { recording, verbatim, seed }: StartOptions,
  env: Environment,
  readsByNats: boolean,
): VenueSource {
  if (readsByNats && recording !== null) throw new ConfigError('--replay: goes without CROSSBOOK_BOOKS=nats');
  const names = VENUE_VARIABLES;
  const given = names.filter(name => env[name] !== undefined);
  if (recording !== null || given.length === 0) {
    const ofReads = READ_VARIABLES.find(name => env[name] !== undefined);
    if (ofReads !== undefined)
      throw new ConfigError(`${ofReads}: goes with the addresses of the venues (${names[0]} and others)`);
  }
  const folder = recording?.files.find(isFolder);
  if (recording !== null && folder !== undefined) {
    if (recording.files.length > 1)
      throw new ConfigError(`--replay: the recording in the folder ${folder} plays alone`);
    return { kind: 'recorded', folder, speed: recording.speed, loop: recording.loop };
  }
  if (recording !== null) return verbatim ? { kind: 'verbatim', recording } : { kind: 'paper', seed, recording };
  if (given.length === 0) return readsByNats ? { kind: 'relay' } : { kind: 'paper', seed, recording: null };
  const missing = names.filter(name => env[name] === undefined);
  if (missing.length > 0) throw new ConfigError(`${missing.join(', ')}: required when ${given[0]} is set`);
  const url = (name: (typeof names)[number], scheme: 'http' | 'ws'): string => readUrl(name, env[name]!, scheme);
  const keyId = readKeyId(names[5], env[names[5]]!);
  return {
    kind: 'venues',
    venueA: { restUrl: url(names[0], 'http'), streamUrl: url(names[1], 'ws') },
    gammaUrl: url(names[2], 'http'),
    venueB: { restUrl: url(names[3], 'http'), streamUrl: url(names[4], 'ws') },
    account: { keyId, privateKeyPem: readVenueBKey(names[6], env[names[6]]!) },
    venueC: readVenueC(env),
    ...readMarketReads(env),
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readVenueC(env: Environment): VenueCAccess | null {
  const [urlName, keyName] = ['CROSSBOOK_VENUE_C_URL', 'CROSSBOOK_VENUE_C_KEY_FILE'] as const;
  const [url, keyFile] = [env[urlName], env[keyName]];
  if (url === undefined && keyFile === undefined) return null;
  if (url === undefined || keyFile === undefined) throw new ConfigError(`${urlName}, ${keyName}: both or neither`);
  return { url: readUrl(urlName, url, 'http'), apiKey: readApiKey(keyName, keyFile) };
}

function readMarketReads(env: Environment): MarketReads {
  const [urlName, keyName] = ['CROSSBOOK_VENUE_E_URL', 'CROSSBOOK_VENUE_E_KEY_FILE'] as const;
  const [url, keyFile, urlOfD] = [env[urlName], env[keyName], env.CROSSBOOK_VENUE_D_URL];
  if (keyFile !== undefined && url === undefined) throw new ConfigError(`${keyName}: goes with ${urlName}`);
  const apiKey = keyFile === undefined ? null : readApiKey(keyName, keyFile);
  return {
    venueDUrl: urlOfD === undefined ? null : readUrl('CROSSBOOK_VENUE_D_URL', urlOfD, 'http'),
    venueE: url === undefined ? null : { url: readUrl(urlName, url, 'http'), apiKey },
  };
}

function readUrl(name: string, text: string, scheme: 'http' | 'ws'): string {
  const url = readVenueUrl(text, scheme);
  if (!url.ok) throw new ConfigError(`${name}: ${url.error}`);
  return url.value;
}

function readKeyId(name: string, keyId: string): string {
  if (!isCredential(keyId)) throw new ConfigError(`${name}: ${CREDENTIAL_RULE}`);
  return keyId;
}

/** A key that cannot sign would end the threads that read venue B, again and again. */
function readVenueBKey(name: string, path: string): string {
  const privateKeyPem = readKeyFile(name, path);
  const fault = venueBKeyFault(privateKeyPem);
  if (fault !== null) throw new ConfigError(`${name}: ${path} ${fault}`);
  return privateKeyPem;
}

function readApiKey(name: string, path: string): string {
  const apiKey = readKeyFile(name, path).trim();
  if (!isCredential(apiKey)) throw new ConfigError(`${name}: must hold an API key`);
  return apiKey;
}
