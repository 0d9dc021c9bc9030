// The settings that say where the venues are: the paper exchanges, recordings, or the real venues with their keys. config.ts reads these
// settings with all others.

import { statSync } from 'node:fs';
import { VENUES, type Venue } from '../core/domain/market.ts';
import { type PaperTerms, readPaperTerms } from '../core/runtime/paper-terms.ts';
import { ConfigError, readChoice, readKeyFile } from '../core/runtime/setting-values.ts';
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
  | {
      readonly kind: 'paper';
      readonly seed: number;
      readonly recording: Playback | null;
      readonly terms: PaperTerms;
    }
  /** The recorder's files in a folder, played back exactly. Orders go to the paper exchanges. */
  | {
      readonly kind: 'recorded';
      readonly seed: number;
      readonly folder: string;
      readonly speed: number;
      readonly loop: boolean;
      readonly backtest: StartOptions['backtest'];
      readonly terms: PaperTerms;
    }
  | { readonly kind: 'relay' } // No venue: books and terms of markets come by NATS, and nothing can be traded.
  | ({ readonly kind: 'venues' } & RealVenues)
  | LivePaper;

/** The real venues are only read. Orders go to the paper exchanges. */
export type LivePaper = {
  readonly kind: 'live-paper';
  readonly seed: number;
  readonly terms: PaperTerms;
  /** Null means that the venue is switched off: nothing is listed or traded there. */
  readonly a: RealVenueA | null;
  readonly b: RealVenueB | null;
} & OtherVenues;

export interface RealVenues extends RealVenueA, RealVenueB, OtherVenues {}

interface RealVenueA {
  readonly venueA: VenueUrls;
  /** Venue A's public catalog, on its own host. */
  readonly gammaUrl: string;
}

interface RealVenueB {
  readonly venueB: VenueUrls;
  readonly account: VenueBAccount;
}

interface OtherVenues extends MarketReads {
  /** Access to venue C's listings. Null means that they are not read. */
  readonly venueC: VenueCAccess | null;
}

/** Access to single markets of venues D and E. Null means that a venue is not read. */
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

const OF_VENUE_A = [
  'CROSSBOOK_VENUE_A_REST_URL',
  'CROSSBOOK_VENUE_A_STREAM_URL',
  'CROSSBOOK_VENUE_A_GAMMA_URL',
] as const;
const OF_VENUE_B = ['CROSSBOOK_VENUE_B_REST_URL', 'CROSSBOOK_VENUE_B_STREAM_URL'] as const;
const VENUE_KEY = ['CROSSBOOK_VENUE_B_KEY_ID', 'CROSSBOOK_VENUE_B_KEY_FILE'] as const;
/** The variables of live-paper's own key for venue B, which needs only the right to read. */
const READ_KEY = ['CROSSBOOK_VENUE_B_READ_KEY_ID', 'CROSSBOOK_VENUE_B_READ_KEY_FILE'] as const;

/** The variables of the real venues, which must be set together. */
export const VENUE_VARIABLES = [...OF_VENUE_A, ...OF_VENUE_B, ...VENUE_KEY] as const;

/** The variables of live-paper. The second names a venue that live-paper leaves out. */
export const LIVE_PAPER_VARIABLES = ['CROSSBOOK_SOURCE', 'CROSSBOOK_LIVE_PAPER_OFF', ...READ_KEY] as const;

/** The optional variables of venues whose markets are only read. */
export const READ_VARIABLES = [
  'CROSSBOOK_VENUE_C_URL',
  'CROSSBOOK_VENUE_C_KEY_FILE',
  'CROSSBOOK_VENUE_D_URL',
  'CROSSBOOK_VENUE_E_URL',
  'CROSSBOOK_VENUE_E_KEY_FILE',
] as const;

/** The mode, for people: `BOOKS` has real books and no orders, `LIVE_PAPER` real books and paper orders. */
export type Mode = 'PAPER' | 'REPLAY' | 'LIVE_PAPER' | 'BOOKS' | 'LIVE';

export function modeOf({ kind }: VenueSource, hasAccounts: boolean): Mode {
  if (kind === 'paper') return 'PAPER';
  if (kind === 'recorded') return 'REPLAY';
  if (kind === 'live-paper') return 'LIVE_PAPER';
  return kind === 'venues' && hasAccounts ? 'LIVE' : 'BOOKS';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the source of the venues. `readsByNats` means that books come by NATS, so the venues may be missing. Throws a ConfigError. */
export function readSource(options: StartOptions, env: Environment, readsByNats: boolean): VenueSource {
  const { recording, backtest, seed } = options;
  if (readsByNats && recording !== null) throw new ConfigError('--replay: conflicts with CROSSBOOK_BOOKS=nats');
  if (isLivePaper(options, env)) return readLivePaper(options, env, readsByNats);
  const names = VENUE_VARIABLES;
  const given = names.filter(name => env[name] !== undefined);
  if (recording !== null || given.length === 0) {
    const ofReads = READ_VARIABLES.find(name => env[name] !== undefined);
    if (ofReads !== undefined)
      throw new ConfigError(`${ofReads}: requires the addresses of the venues (${names[0]} and others)`);
  }
  const folder = recording?.files.find(isFolder);
  if (recording !== null && folder !== undefined) {
    if (recording.files.length > 1)
      throw new ConfigError(`--replay: the recording in the folder ${folder} plays alone`);
    const { speed, loop } = recording;
    return { kind: 'recorded', seed, folder, speed, loop, backtest, terms: readPaperTerms(env) };
  }
  if (backtest !== null) {
    throw new ConfigError(
      '--replay: must be the folder of a recording; crossbook record import makes it from captures',
    );
  }
  if (recording !== null || given.length === 0) {
    return readsByNats ? { kind: 'relay' } : { kind: 'paper', seed, recording, terms: readPaperTerms(env) };
  }
  needAll(names, env, `${given[0]} is set`);
  return { kind: 'venues', ...readVenueA(env), ...readVenueB(env, VENUE_KEY), ...readOthers(env) };
}

/** Whether live-paper is chosen by its name. Without a name, the addresses that are set decide. */
function isLivePaper({ livePaper }: StartOptions, env: Environment): boolean {
  const [sourceName] = LIVE_PAPER_VARIABLES;
  const named = env[sourceName];
  if (named !== undefined) readChoice(sourceName, named, ['live-paper']);
  if (livePaper || named !== undefined) return true;
  const ofIt = LIVE_PAPER_VARIABLES.find(name => env[name] !== undefined);
  if (ofIt !== undefined) throw new ConfigError(`${ofIt}: requires ${sourceName}=live-paper`);
  return false;
}

/**
 * Reads the settings of live-paper. A key that can trade is refused instead of ignored, so that nothing that could reach an order route is
 * even read.
 */
function readLivePaper({ recording, seed }: StartOptions, env: Environment, readsByNats: boolean): LivePaper {
  const [sourceName, offName] = LIVE_PAPER_VARIABLES;
  if (recording !== null) throw new ConfigError(`--replay: conflicts with ${sourceName}=live-paper`);
  if (readsByNats) throw new ConfigError(`CROSSBOOK_BOOKS=nats: conflicts with ${sourceName}=live-paper`);
  const trades = [...VENUE_KEY, 'CROSSBOOK_PODS_FILE'].find(name => env[name] !== undefined);
  if (trades !== undefined) {
    const instead = `orders go to the paper exchanges, and venue B is read with ${READ_KEY.join(', ')}`;
    throw new ConfigError(`${trades}: conflicts with ${sourceName}=live-paper: ${instead}`);
  }
  const off = env[offName] === undefined ? null : readChoice(offName, env[offName], VENUES);
  const names = { venue_a: OF_VENUE_A, venue_b: [...OF_VENUE_B, ...READ_KEY] };
  const strange = off === null ? undefined : names[off].find(name => env[name] !== undefined);
  if (strange !== undefined) throw new ConfigError(`${strange}: conflicts with ${offName}=${off}`);
  const isOn = (venue: Venue): boolean => venue !== off;
  needAll(
    VENUES.filter(isOn).flatMap(venue => names[venue]),
    env,
    `${sourceName} is live-paper`,
  );
  const [a, b] = [isOn('venue_a') ? readVenueA(env) : null, isOn('venue_b') ? readVenueB(env, READ_KEY) : null];
  return { kind: 'live-paper', seed, terms: readPaperTerms(env), a, b, ...readOthers(env) };
}

function needAll(names: readonly string[], env: Environment, when: string): void {
  const missing = names.filter(name => env[name] === undefined);
  if (missing.length > 0) throw new ConfigError(`${missing.join(', ')}: required when ${when}`);
}

function readVenueA(env: Environment): RealVenueA {
  const [rest, stream, gamma] = OF_VENUE_A;
  const venueA = { restUrl: readUrl(rest, env[rest]!, 'http'), streamUrl: readUrl(stream, env[stream]!, 'ws') };
  return { venueA, gammaUrl: readUrl(gamma, env[gamma]!, 'http') };
}

function readVenueB(env: Environment, [idName, fileName]: typeof VENUE_KEY | typeof READ_KEY): RealVenueB {
  const [rest, stream] = OF_VENUE_B;
  return {
    venueB: { restUrl: readUrl(rest, env[rest]!, 'http'), streamUrl: readUrl(stream, env[stream]!, 'ws') },
    account: { keyId: readKeyId(idName, env[idName]!), privateKeyPem: readVenueBKey(fileName, env[fileName]!) },
  };
}

function readOthers(env: Environment): OtherVenues {
  return { venueC: readVenueC(env), ...readMarketReads(env) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readVenueC(env: Environment): VenueCAccess | null {
  const [urlName, keyName] = ['CROSSBOOK_VENUE_C_URL', 'CROSSBOOK_VENUE_C_KEY_FILE'] as const;
  const [url, keyFile] = [env[urlName], env[keyName]];
  if (url === undefined && keyFile === undefined) return null;
  if (url === undefined || keyFile === undefined) throw new ConfigError(`${urlName}, ${keyName}: set both or neither`);
  return { url: readUrl(urlName, url, 'http'), apiKey: readApiKey(keyName, keyFile) };
}

function readMarketReads(env: Environment): MarketReads {
  const [urlName, keyName] = ['CROSSBOOK_VENUE_E_URL', 'CROSSBOOK_VENUE_E_KEY_FILE'] as const;
  const [url, keyFile, urlOfD] = [env[urlName], env[keyName], env.CROSSBOOK_VENUE_D_URL];
  if (keyFile !== undefined && url === undefined) throw new ConfigError(`${keyName}: requires ${urlName}`);
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

/** Reads the key of venue B and checks that it can sign. A key that cannot sign would end the threads that read venue B again and again. */
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
