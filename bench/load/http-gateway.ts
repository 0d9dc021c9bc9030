// Starts the gateway's process with its own key store and keys with all scopes.

import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { perVenue } from '../../src/core/domain/market.ts';
import type { NatsSettings } from '../../src/core/nats/settings.ts';
import { type BenchKey, createBenchKeys } from './http-signing.ts';
import type { GatewayStart } from './messages.ts';
import { Peer } from './peer.ts';
import type { Venue } from './venue.ts';

export interface StartedGateway {
  readonly process: Peer;
  readonly port: number;
  readonly keys: readonly BenchKey[];
  close(): Promise<void>;
}

/** Starts a gateway, which publishes its books if `publishesTo` is set. */
export function startGatewayProcess(
  venue: Venue,
  keyCount: number,
  publishesTo: NatsSettings | null = null,
): Promise<StartedGateway> {
  const { restUrl } = venue;
  const streamUrl = venue.streamUrl('gateway');
  const venueKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const targets: GatewayStart['targets'] = {
    venue_a: { venue: 'venue_a', restUrl, streamUrl },
    venue_b: { venue: 'venue_b', restUrl, streamUrl, keyId: 'bench', privateKeyPem: venueKey },
  };
  return startProcess({ targets, publishesTo }, keyCount);
}

/** Starts a gateway that gets its books by NATS. */
export function startReaderProcess(nats: NatsSettings, keyCount: number): Promise<StartedGateway> {
  return startProcess({ targets: perVenue(venue => ({ venue, nats })), publishesTo: null }, keyCount);
}

async function startProcess(
  parts: Pick<GatewayStart, 'targets' | 'publishesTo'>,
  keyCount: number,
): Promise<StartedGateway> {
  const keys = createBenchKeys(keyCount);
  const start: GatewayStart = {
    ...parts,
    dataDir: mkdtempSync(join(tmpdir(), 'crossbook-bench-')),
    keys: keys.map(({ keyId, publicKeyHex }) => ({ keyId, publicKeyHex })),
  };
  const gateway = Peer.process(new URL('gateway-process.ts', import.meta.url), 'gateway');
  const close = async (): Promise<void> => {
    await gateway.kill();
    rmSync(start.dataDir, { recursive: true });
  };
  try {
    return { process: gateway, port: await gateway.ask<number>(start), keys, close };
  } catch (error) {
    await close();
    throw error;
  }
}
