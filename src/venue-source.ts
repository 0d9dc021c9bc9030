// Opens the venues: the paper exchanges or a replay of recordings, each on its own thread, or the real venues. Main thread.

import { generateKeyPair, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DiscoveryTargets } from './catalog/venue-reader.ts';
import { type MarketKey, marketAddress, marketKey, perVenue, type Venue } from './core/domain/market.ts';
import type { PodVenues } from './core/domain/pod-accounts.ts';
import { assert, unreachable } from './core/domain/result.ts';
import type { Playback } from './core/runtime/start-options.ts';
import { VenueThread } from './core/runtime/venue-thread.ts';
import { takeOwnership } from './core/store/owner-lock.ts';
import { StoreError } from './core/store/store-error.ts';
import { paperFolderOf } from './data-dir.ts';
import type { FeedTarget, VenueTarget } from './market-data/feeds/feed-messages.ts';
import { openRecording } from './market-data/recording/open-recording.ts';
import type { RecordedSource } from './market-data/recording/recorded-feed.ts';
import type { RelaySettings } from './market-data/relay/relay-settings.ts';
import { demoAccountsIn } from './paper/control/demo-accounts.ts';
import { demoPod, ed25519KeyOf } from './paper/demo-pod.ts';
import type { Liquidity, PaperUrls } from './paper/paper.ts';
import type { PaperWorkerData, PaperWorkerMessage } from './paper/paper-worker.ts';
import type { PlayedFrames } from './paper/replay/played-frames.ts';
import { RecordingError } from './paper/replay/recorder-forms.ts';
import type { ReplayWorkerData, ReplayWorkerMessage } from './paper/replay/replay-worker.ts';
import { THREADS } from './threads.ts';
import type { MarketReadTargets } from './venues/market-read.ts';
import type { VenueBAccount, VenueSource, VenueUrls } from './venues/source-settings.ts';
import { POLYGON } from './venues/venue-a/exchanges.ts';

export interface VenueLinks {
  /** Accounts at the embedded venues. */
  readonly pods: readonly PodVenues[];
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  /** The addresses of the venues' lists of markets; null if there are none. */
  readonly discovery: DiscoveryTargets | null;
  readonly marketReads: MarketReadTargets;
  /** Markets to look at first; empty for the real venues. */
  readonly markets: readonly MarketKey[];
  /** Conditions of a recording whose hashes will not verify. */
  readonly unconfirmed: readonly string[];
  /** Summary of each file that was read; empty without a replay. */
  readonly recordings: readonly string[];
  /** Goes into the log line that the service is up. */
  readonly description: string;
  close(): Promise<void>;
}

interface PaperSource {
  readonly seed: number;
  readonly recording: Playback | null;
}

type RecordedSourceOptions = Omit<RecordedSource, 'gate'>;

interface VenueParts {
  /** Keeps the accounts at the paper exchanges. */
  readonly dataDir: string;
  /** A reader has books by NATS, instead of from the venues. */
  readonly relay: RelaySettings | null;
  /** Counts the played frames of recordings. */
  readonly played: PlayedFrames;
  /** The thread of the venues has failed: the venues and their state are gone. */
  readonly onFailure: (reason: string) => void;
}

/** Rejects with a RecordingError if a recording cannot be played. */
export async function openVenues(source: VenueSource, parts: VenueParts): Promise<VenueLinks> {
  switch (source.kind) {
    case 'venues':
      return {
        targets:
          parts.relay?.role === 'reader'
            ? relayedTargets(parts.relay)
            : targetsOf(source.venueA, source.venueB, source.account),
        discovery: {
          gammaUrl: source.gammaUrl,
          venueB: { restUrl: source.venueB.restUrl, ...source.account },
          venueC: source.venueC,
        },
        marketReads: {
          venue_a: { url: source.venueA.restUrl },
          venue_b: { url: source.venueB.restUrl },
          venue_d: source.venueDUrl === null ? null : { url: source.venueDUrl },
          venue_e: source.venueE,
        },
        pods: [],
        markets: [],
        unconfirmed: [],
        recordings: [],
        description: 'the configured venues',
        close: () => Promise.resolve(),
      };
    case 'relay':
      assert(parts.relay !== null, 'only a reader has no venue');
      return {
        targets: relayedTargets(parts.relay),
        discovery: null,
        marketReads: { venue_a: null, venue_b: null, venue_d: null, venue_e: null },
        pods: [],
        markets: [],
        unconfirmed: [],
        recordings: [],
        description: 'books by NATS',
        close: () => Promise.resolve(),
      };
    case 'paper':
      return startPaperThread(source, parts);
    case 'verbatim':
      return startReplayThread(source.recording, parts);
    case 'recorded':
      return playedRecording(source);
    default:
      return unreachable(source);
  }
}

const ANY_PORT = { venueA: 0, gamma: 0, data: 0, venueB: 0, control: 0, venueD: 0, venueE: 0 };

async function startPaperThread({ seed, recording }: PaperSource, parts: VenueParts): Promise<VenueLinks> {
  const folder = paperFolderOf(parts.dataDir);
  const accounts = await demoAccountsIn(folder, POLYGON);
  if (!accounts.ok) throw new StoreError(accounts.error);
  const giveUp = takeOwnership(folder);
  const keptIn = join(folder, 'exchanges.jsonl');
  const options = {
    host: '127.0.0.1',
    ports: ANY_PORT,
    seed,
    mode: 'exact',
    accounts: accounts.value,
    keptIn,
  } as const;
  const { memory: played } = parts.played;
  const liquidity: Liquidity =
    recording === null ? { kind: 'flow', intensity: 1 } : { kind: 'recording', recording, played };
  const workerData: PaperWorkerData = { ...options, liquidity };
  const thread = new VenueThread<PaperWorkerMessage>(THREADS.paper, workerData, parts.onFailure);
  const { urls, markets, recordings } = await listening(thread).catch(error => {
    giveUp();
    throw error;
  });
  const venueBKey = ed25519KeyOf(accounts.value.venueB);
  return {
    targets: targetsOf(
      { restUrl: urls.venueA.rest, streamUrl: urls.venueA.marketStream },
      { restUrl: urls.venueB.rest, streamUrl: urls.venueB.stream },
      venueBKey,
    ),
    discovery: { gammaUrl: urls.venueA.gamma, venueB: { restUrl: urls.venueB.rest, ...venueBKey }, venueC: null },
    marketReads: marketReadsOf(urls),
    pods: [demoPod(accounts.value, urls)],
    markets,
    unconfirmed: [],
    recordings,
    description: `paper exchanges: ${textOf(markets[0])} and ${markets.length - 1} more markets; control ${urls.control}`,
    close: () => thread.close().finally(giveUp),
  };
}

async function startReplayThread(recording: Playback, { onFailure, played }: VenueParts): Promise<VenueLinks> {
  // A key pair for this run only: the replayed venue B checks signatures as the real one does.
  const keys = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = { keyId: randomUUID(), privateKeyPem: keys.privateKey };
  const workerData: ReplayWorkerData = {
    recording,
    venueBKey: { id: account.keyId, publicKeyPem: keys.publicKey },
    played: played.memory,
  };
  const thread = new VenueThread<ReplayWorkerMessage>(THREADS.replay, workerData, onFailure);
  const { venueA, venueB, markets, unconfirmed, recordings } = await listening(thread);
  return {
    targets: targetsOf(venueA, venueB, account),
    // Recordings hold streams, no lists.
    discovery: null,
    marketReads: { venue_a: { url: venueA.restUrl }, venue_b: { url: venueB.restUrl }, venue_d: null, venue_e: null },
    // Recordings cannot be traded.
    pods: [],
    markets,
    unconfirmed,
    recordings,
    description: `replaying ${markets.map(marketAddress).join(', ')}`,
    close: () => thread.close(),
  };
}

/** The feeds play it themselves, each its venue's part: there is no venue. */
function playedRecording({ folder, speed, loop }: RecordedSourceOptions): VenueLinks {
  const recorded: RecordedSource = { folder, speed, loop, gate: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT) };
  const recording = openRecording(folder);
  const markets = recording.markets().map(({ venue, address }) => marketKey(venue, address));
  return {
    targets: perVenue(venue => ({ venue, recorded })),
    discovery: null,
    marketReads: { venue_a: null, venue_b: null, venue_d: null, venue_e: null },
    pods: [],
    markets,
    unconfirmed: [],
    recordings: recording.faults.map(({ words }) => words),
    description: `replaying ${markets.length} markets of ${recording.files.length} recorded files`,
    close: () => Promise.resolve(),
  };
}

/** An error from another thread loses its class, but keeps its name. */
async function listening<Listening>(thread: VenueThread<Listening>): Promise<Listening> {
  try {
    return await thread.listening;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'RecordingError') throw new RecordingError(error.message);
    throw error.name === 'KeptError' ? new StoreError(error.message) : error;
  }
}

/** Addresses for market reads of the paper exchanges. */
export function marketReadsOf({ venueA, venueB, venueD, venueE }: PaperUrls): MarketReadTargets {
  return {
    venue_a: { url: venueA.rest },
    venue_b: { url: venueB.rest },
    venue_d: { url: venueD.rest },
    venue_e: { url: venueE.rest, apiKey: null },
  };
}

function textOf(market: MarketKey | undefined): string {
  return market === undefined ? 'nothing' : `${market.venue} ${marketAddress(market)}`;
}

function relayedTargets({ nats }: RelaySettings): Readonly<Record<Venue, FeedTarget>> {
  return perVenue(venue => ({ venue, nats }));
}

export function targetsOf(
  venueA: VenueUrls,
  venueB: VenueUrls,
  account: VenueBAccount,
): Readonly<Record<Venue, VenueTarget>> {
  const { keyId, privateKeyPem } = account;
  return { venue_a: { venue: 'venue_a', ...venueA }, venue_b: { venue: 'venue_b', ...venueB, keyId, privateKeyPem } };
}

/** Origins of the real venues, without duplicates; none of embedded ones. */
export function venueOrigins(source: VenueSource, pods: readonly PodVenues[]): readonly string[] {
  if (source.kind !== 'venues') return [];
  const { venueA, gammaUrl, venueB, venueC, venueDUrl, venueE } = source;
  const urls = [
    ...[venueA.restUrl, venueA.streamUrl, gammaUrl, venueB.restUrl, venueB.streamUrl],
    ...[venueC?.url, venueDUrl, venueE?.url],
    ...pods.flatMap(pod => [pod.venueA?.restUrl, pod.venueA?.userStreamUrl, pod.venueA?.dataUrl, pod.venueA?.rpcUrl]),
    ...pods.flatMap(pod => [pod.venueB?.restUrl, pod.venueB?.streamUrl]),
  ];
  return [...new Set(urls.flatMap(url => (url ? [new URL(url).origin] : [])))];
}

/**
 * Origins with an unencrypted address beyond this machine: an eavesdropper could read credentials and forge books. They are logged, not
 * refused, since the paper exchanges may run on another host.
 */
export function unencryptedOrigins(source: VenueSource, pods: readonly PodVenues[]): readonly string[] {
  return venueOrigins(source, pods).filter(origin => {
    const { protocol, hostname } = new URL(origin);
    return /^(http|ws):$/.test(protocol) && !isLoopback(hostname);
  });
}

/** A host as a setting or a URL writes it. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);
}
