// Opens the venues: the paper exchanges on their thread, a recording, or the real venues. Main thread.

import { join } from 'node:path';
import type { DiscoveryTargets, RecordedLists } from './catalog/venue-reader.ts';
import type { AlertSettings } from './core/alerts/alert-settings.ts';
import { type MarketKey, marketAddress, marketKey, perVenue, type Venue } from './core/domain/market.ts';
import type { PodVenues } from './core/domain/pod-accounts.ts';
import { assert, unreachable } from './core/domain/result.ts';
import { isLoopback, type ReadOnlyHosts, restrictTo } from './core/net/read-only-hosts.ts';
import type { PaperTerms } from './core/runtime/paper-terms.ts';
import type { Playback } from './core/runtime/start-options.ts';
import { VenueThread } from './core/runtime/venue-thread.ts';
import { takeOwnership } from './core/store/owner-lock.ts';
import { StoreError } from './core/store/store-error.ts';
import { paperFolderOf } from './data-dir.ts';
import { ListedBooks } from './market-data/book/live-books.ts';
import type { Arena } from './market-data/book/memory.ts';
import type { FeedTarget, VenueTarget } from './market-data/feeds/feed-messages.ts';
import { openRecording } from './market-data/recording/open-recording.ts';
import type { RecordedSource } from './market-data/recording/timeline.ts';
import type { RelaySettings } from './market-data/relay/relay-messages.ts';
import { demoAccountsIn } from './paper/control/demo-accounts.ts';
import { demoPod, ed25519KeyOf } from './paper/demo-pod.ts';
import type { Liquidity, PaperUrls } from './paper/paper.ts';
import type { PaperWorkerData, PaperWorkerMessage } from './paper/paper-worker.ts';
import type { PlayedFrames } from './paper/replay/played-frames.ts';
import { RecordingError } from './paper/replay/recorder-forms.ts';
import { THREADS } from './threads.ts';
import type { MarketReadTargets } from './venues/market-read.ts';
import { recordedListings } from './venues/recorded-listings.ts';
import type { LivePaper, RealVenues, VenueBAccount, VenueSource, VenueUrls } from './venues/source-settings.ts';
import { POLYGON } from './venues/venue-a/exchanges.ts';

export interface VenueLinks {
  /** The accounts at the embedded venues. */
  readonly pods: readonly PodVenues[];
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  /** The addresses of the venues' lists of markets. Null means that there are no such lists. */
  readonly discovery: DiscoveryTargets | RecordedLists | null;
  readonly marketReads: MarketReadTargets;
  /** The markets that a newcomer may look at first. Empty for the real venues. */
  readonly markets: readonly MarketKey[];
  /** A summary of each file that was read. Empty without a replay. */
  readonly recordings: readonly string[];
  /** The text for the log line that says that the gateway is up. */
  readonly description: string;
  /** The parts of the venues' threads that learn the place of each book. The venues follow the books of the feeds. */
  readonly places: readonly ListedBooks[];
  /** From now on, calls `keep` for each market whose book the venues’ thread needs. */
  readonly wanted: (keep: (market: MarketKey) => void) => void;
  close(): Promise<void>;
}

interface PaperSource {
  readonly seed: number;
  readonly recording: Playback | null;
  readonly terms: PaperTerms;
}

type RecordedTerms = Extract<VenueSource, { readonly kind: 'recorded' }>;

interface VenueParts {
  /** The data directory, which keeps the accounts at the paper exchanges. */
  readonly dataDir: string;
  /** The memory of the books. */
  readonly arena: Arena;
  /** A gateway with the role of a reader gets its books by NATS instead of from the venues. */
  readonly relay: RelaySettings | null;
  /** The receiver of alarms, which is reached even while the real venues are only read. By default there is none. */
  readonly alerts?: Pick<AlertSettings, 'url'> | null;
  /** Counts the played frames of recordings. */
  readonly played: PlayedFrames;
  /** Is called when the thread of the venues has failed. The venues and their state are then gone. */
  readonly onFailure: (reason: string) => void;
}

/** Rejects with a RecordingError if a recording cannot be played. */
export async function openVenues(source: VenueSource, parts: VenueParts): Promise<VenueLinks> {
  switch (source.kind) {
    case 'venues':
      return {
        ...readingLinks(source),
        ...(parts.relay?.role === 'reader' ? { targets: relayedTargets(parts.relay) } : {}),
        pods: [],
        markets: [],
        recordings: [],
        places: [],
        wanted: () => {},
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
        recordings: [],
        places: [],
        wanted: () => {},
        description: 'books by NATS',
        close: () => Promise.resolve(),
      };
    case 'paper':
      return startPaper(source, parts);
    case 'recorded':
      return startRecorded(source, parts);
    case 'live-paper':
      return startLivePaper(source, parts);
    default:
      return unreachable(source);
  }
}

/** The links for reading the real venues. */
function readingLinks(source: RealVenues): Pick<VenueLinks, 'targets' | 'discovery' | 'marketReads'> {
  const { venueA, gammaUrl, venueB, account, venueC, venueDUrl, venueE } = source;
  return {
    targets: targetsOf(venueA, venueB, account),
    discovery: { gammaUrl, venueB: { restUrl: venueB.restUrl, ...account }, venueC },
    marketReads: {
      venue_a: { url: venueA.restUrl },
      venue_b: { url: venueB.restUrl },
      venue_d: venueDUrl === null ? null : { url: venueDUrl },
      venue_e: venueE,
    },
  };
}

const ANY_PORT = { venueA: 0, gamma: 0, data: 0, venueB: 0, control: 0, venueD: 0, venueE: 0 };

function startPaper({ seed, recording, terms }: PaperSource, parts: VenueParts): Promise<VenueLinks> {
  const { memory: played } = parts.played;
  const liquidity: Liquidity =
    recording === null ? { kind: 'flow', intensity: 1 } : { kind: 'recording', recording, played };
  return startExchanges({ seed, terms, liquidity }, parts);
}

type ExchangeTerms = Pick<PaperSource, 'seed' | 'terms'> & { readonly liquidity: Liquidity };

/** The links of the paper exchanges, with their addresses and the demo's key at venue B. */
interface ExchangeLinks extends VenueLinks {
  readonly urls: PaperUrls;
  readonly key: VenueBAccount;
}

async function startExchanges({ seed, terms, liquidity }: ExchangeTerms, parts: VenueParts): Promise<ExchangeLinks> {
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
    terms,
  } as const;
  const workerData: PaperWorkerData = { ...options, liquidity };
  const thread = new VenueThread<PaperWorkerMessage>(THREADS.paper, workerData, parts.onFailure);
  const { urls, markets, recordings } = await listening(thread).catch(error => {
    giveUp();
    throw error;
  });
  const venueBKey = ed25519KeyOf(accounts.value.venueB);
  return {
    urls,
    key: venueBKey,
    targets: targetsOf(venueAOf(urls).venueA, venueBOf(urls).venueB, venueBKey),
    discovery: { gammaUrl: urls.venueA.gamma, venueB: { restUrl: urls.venueB.rest, ...venueBKey }, venueC: null },
    marketReads: marketReadsOf(urls),
    pods: [demoPod(accounts.value, urls)],
    markets,
    recordings,
    places: liquidity.kind === 'live' ? [new ListedBooks(message => thread.post(message))] : [],
    wanted: keep => thread.listen(market => keep(market as MarketKey)),
    description: `paper exchanges: ${marketsText(markets)}control ${urls.control}`,
    close: () => thread.close().finally(giveUp),
  };
}

/**
 * Opens a recording. Each feed plays its venue's part of it. The paper exchanges play the whole recording a second time, as their house.
 */
async function startRecorded(
  { seed, folder, speed, loop, backtest, terms }: RecordedTerms,
  parts: VenueParts,
): Promise<VenueLinks> {
  const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const recorded: RecordedSource = { folder, speed, loop, gate, ...(backtest === null ? {} : { span: backtest }) };
  const recording = openRecording(folder);
  const markets = recording.markets();
  const links = await startExchanges({ seed, terms, liquidity: { kind: 'recorded', ...recorded } }, parts);
  // In a replay the recorded games are over by the present clock, so they are not listed.
  const listings = backtest === null ? [] : recordedListings(folder, backtest.from);
  return {
    ...links,
    ...(listings.length === 0 ? {} : { discovery: { recorded: listings } }),
    targets: perVenue(venue => ({ venue, recorded })),
    markets: markets.map(({ venue, address }) => marketKey(venue, address)),
    description: `replaying ${markets.length} markets of ${recording.files.length} recorded files; ${links.description}`,
  };
}

/**
 * Opens live-paper. The feeds read the real venues, and the paper exchanges take the feeds' books for the house. The restriction to reading
 * is made before any thread starts. A venue that is switched off is replaced by its paper exchange, which lists nothing.
 */
async function startLivePaper(source: LivePaper, parts: VenueParts): Promise<VenueLinks> {
  restrictTo({ ...readablePaths(source), alarms: parts.alerts?.url ?? null });
  const { a, b } = source;
  const [venueAUrl, venueBUrl] = [a?.venueA.restUrl ?? null, b?.venueB.restUrl ?? null];
  const liquidity = { kind: 'live', arena: parts.arena, venueAUrl, venueBUrl } as const;
  const { urls, key, ...links } = await startExchanges({ ...source, liquidity }, parts);
  const real: RealVenues = { ...source, ...(a ?? venueAOf(urls)), ...(b ?? { ...venueBOf(urls), account: key }) };
  const off = a === null ? 'venue_a is off; ' : b === null ? 'venue_b is off; ' : '';
  const description = `live-paper: books of the real venues, which are only read; ${off}${links.description}`;
  return { ...links, ...readingLinks(real), description };
}

/** The paths of the real venues that may be read: lists, descriptions, books and market streams. */
function readablePaths({ a, b, venueC, venueDUrl, venueE }: LivePaper): ReadOnlyHosts {
  const others = [venueC?.url, venueDUrl, venueE?.url].flatMap(url => (url ? [{ url, roots: null }] : []));
  const ofA =
    a === null
      ? []
      : [
          { url: a.venueA.restUrl, roots: ['book', 'clob-markets', 'markets', 'markets-by-token'] },
          { url: a.gammaUrl, roots: ['events'] },
        ];
  const ofB = b === null ? [] : [{ url: b.venueB.restUrl, roots: ['events', 'markets', 'series'] }];
  return {
    gets: [...ofA, ...ofB, ...others],
    streams: [a?.venueA.streamUrl, b?.venueB.streamUrl].filter(url => url !== undefined),
  };
}

function venueAOf({ venueA }: PaperUrls) {
  return { venueA: { restUrl: venueA.rest, streamUrl: venueA.marketStream }, gammaUrl: venueA.gamma };
}

function venueBOf({ venueB }: PaperUrls) {
  return { venueB: { restUrl: venueB.rest, streamUrl: venueB.stream } };
}

/** Restores the class of an error from the venues' thread. An error from another thread loses its class, but keeps its name. */
async function listening<Listening>(thread: VenueThread<Listening>): Promise<Listening> {
  try {
    return await thread.listening;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'RecordingError') throw new RecordingError(error.message);
    throw error.name === 'KeptError' ? new StoreError(error.message) : error;
  }
}

/** The addresses for market reads of the paper exchanges. */
export function marketReadsOf({ venueA, venueB, venueD, venueE }: PaperUrls): MarketReadTargets {
  return {
    venue_a: { url: venueA.rest },
    venue_b: { url: venueB.rest },
    venue_d: { url: venueD.rest },
    venue_e: { url: venueE.rest, apiKey: null },
  };
}

function marketsText([first, ...others]: readonly MarketKey[]): string {
  return first === undefined ? '' : `${first.venue} ${marketAddress(first)} and ${others.length} more markets; `;
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

/** The origins of the real venues, without duplicates. Empty for embedded venues. */
export function venueOrigins(source: VenueSource, pods: readonly PodVenues[]): readonly string[] {
  if (source.kind !== 'venues' && source.kind !== 'live-paper') return [];
  const { venueC, venueDUrl, venueE } = source;
  const [a, b] = source.kind === 'venues' ? [source, source] : [source.a, source.b];
  const urls = [
    ...[a?.venueA.restUrl, a?.venueA.streamUrl, a?.gammaUrl, b?.venueB.restUrl, b?.venueB.streamUrl],
    ...[venueC?.url, venueDUrl, venueE?.url],
    ...pods.flatMap(pod => [pod.venueA?.restUrl, pod.venueA?.userStreamUrl, pod.venueA?.dataUrl, pod.venueA?.rpcUrl]),
    ...pods.flatMap(pod => [pod.venueB?.restUrl, pod.venueB?.streamUrl]),
  ];
  return [...new Set(urls.flatMap(url => (url ? [new URL(url).origin] : [])))];
}

/**
 * The origins with an unencrypted address beyond this machine. An eavesdropper could read credentials and forge books. The origins are
 * logged, not refused, because the paper exchanges may run on another host.
 */
export function unencryptedOrigins(source: VenueSource, pods: readonly PodVenues[]): readonly string[] {
  return venueOrigins(source, pods).filter(origin => {
    const { protocol, hostname } = new URL(origin);
    return /^(http|ws):$/.test(protocol) && !isLoopback(hostname);
  });
}
