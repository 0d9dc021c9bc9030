// Where the feeds are pointed: at the venues themselves, or at a replay thread that plays them on loopback. Main thread.

import { generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { MarketDataSource, VenueBAccount, VenueUrls } from '../config.ts';
import { type MarketKey, marketAddress, type Venue } from '../domain/market.ts';
import type { ReplaySource } from '../replay/replay.ts';
import type { FeedTarget } from './feed-messages.ts';
import type { ReplayWorkerData, ReplayWorkerMessage } from './replay-worker.ts';

export interface MarketData {
  readonly targets: Readonly<Record<Venue, FeedTarget>>;
  /** Markets that a replay plays; empty for the venues themselves. */
  readonly markets: readonly MarketKey[];
  readonly notes: readonly string[];
  /** For the line that says the service is up. */
  readonly description: string;
  close(): Promise<void>;
}

/** Rejects if a recording cannot be played. */
export async function openMarketData(source: MarketDataSource): Promise<MarketData> {
  if (source.kind === 'venues') {
    return {
      targets: targetsOf(source.venueA, source.venueB, source.account),
      markets: [],
      notes: [],
      description: 'market data from the configured venues',
      close: () => Promise.resolve(),
    };
  }
  return source.kind === 'replay'
    ? startReplayThread({ kind: 'recorded', files: source.files }, source.speed, source.loop)
    : startReplayThread({ kind: 'synthetic', seed: source.seed }, source.speed, false);
}

async function startReplayThread(source: ReplaySource, speed: number, loop: boolean): Promise<MarketData> {
  // A key pair for this run only: the replayed venue B checks signatures as the real one does.
  const keys = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = { keyId: randomUUID(), privateKeyPem: keys.privateKey };
  const workerData: ReplayWorkerData = {
    source,
    speed,
    loop,
    venueBKey: { id: account.keyId, publicKeyPem: keys.publicKey },
  };
  const worker = new Worker(new URL('./replay-worker.ts', import.meta.url), { workerData });
  const listening = await new Promise<ReplayWorkerMessage>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const markets = listening.markets.map(marketAddress).join(', ');
  return {
    targets: targetsOf(listening.venueA, listening.venueB, account),
    markets: listening.markets,
    notes: listening.notes,
    description: source.kind === 'recorded' ? `replaying ${markets}` : `synthetic session: ${markets}`,
    async close() {
      const ended = new Promise(resolve => worker.once('exit', resolve));
      worker.postMessage('close');
      await ended;
    },
  };
}

function targetsOf(venueA: VenueUrls, venueB: VenueUrls, account: VenueBAccount): Readonly<Record<Venue, FeedTarget>> {
  return { venue_a: { venue: 'venue_a', ...venueA }, venue_b: { venue: 'venue_b', ...venueB, ...account } };
}
