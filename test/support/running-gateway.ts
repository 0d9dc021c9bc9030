// The whole product in one process: replayed venues on loopback, the gateway with its real feed threads, and an address to
// connect to. Recordings wait for their subscribers, so that a test misses nothing; faults are those of src/replay/faults.ts.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createArena } from '../../src/book/memory.ts';
import type { Venue } from '../../src/domain/market.ts';
import { type Gateway, startGateway } from '../../src/gateway/gateway.ts';
import { type ReplayOptions, type ReplayServers, startReplay } from '../../src/replay/replay.ts';
import { FeedCounters } from '../../src/runtime/counters.ts';
import { silentLog } from '../../src/runtime/log.ts';

export interface RunningGatewayOptions extends Partial<Omit<ReplayOptions, 'venueBKey'>> {
  readonly source: ReplayOptions['source'];
  /** What venue B's account signs with. */
  readonly keyType?: 'rsa' | 'ed25519';
  readonly bookLingerMs?: number;
}

export interface RunningGateway extends Pick<ReplayServers, 'markets' | 'notes' | 'finished'>, Pick<Gateway, 'feeds'> {
  /** Of the stream. */
  readonly url: string;
  readonly httpUrl: string;
  readonly port: number;
  readonly counters: Readonly<Record<Venue, FeedCounters>>;
  /** Once, however often it is called. */
  close(): Promise<void>;
}

/** Starts it on free ports. A recording starts when all of its markets are subscribed, unless told otherwise. */
export async function startRunningGateway(options: RunningGatewayOptions): Promise<RunningGateway> {
  const { keyType = 'ed25519', bookLingerMs = 0, source, ...replayOptions } = options;
  const key = keyPair(keyType);
  const keyId = randomUUID();
  const replay = await startReplay({
    source,
    speed: 1_000,
    loop: false,
    startAfterMarkets: Number.MAX_SAFE_INTEGER,
    venueBKey: { id: keyId, publicKeyPem: key.publicKey },
    ...replayOptions,
  });
  const counters = { venue_a: new FeedCounters(), venue_b: new FeedCounters() };
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    arena: createArena(),
    targets: {
      venue_a: { venue: 'venue_a', ...replay.venueA },
      venue_b: { venue: 'venue_b', ...replay.venueB, keyId, privateKeyPem: key.privateKey },
    },
    counters,
    bookLingerMs,
    log: silentLog,
  });
  let closed: Promise<void> | null = null;
  return {
    url: `ws://127.0.0.1:${gateway.port}/v1/orderbook`,
    httpUrl: `http://127.0.0.1:${gateway.port}`,
    port: gateway.port,
    markets: replay.markets,
    notes: replay.notes,
    finished: replay.finished,
    feeds: gateway.feeds,
    counters,
    close: () => {
      closed ??= gateway.close().then(() => replay.close());
      return closed;
    },
  };
}

function keyPair(type: 'rsa' | 'ed25519'): { readonly publicKey: string; readonly privateKey: string } {
  const pair = type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2_048 }) : generateKeyPairSync('ed25519');
  return {
    publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
