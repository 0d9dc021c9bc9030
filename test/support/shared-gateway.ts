// The gateways that the test files of one process share, one gateway for each kind of venue. A start takes two seconds of processor time in
// eight threads. Each file has an actor and keys of its own, and takes back what it leaves at the venues. A file that changes the whole
// gateway, such as a file that kills a thread or stops the pod, starts a gateway of its own.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createApiKey, hashApiKey } from '../../src/core/auth/keyring.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { createApiKeyId } from '../../src/core/store/key-record.ts';
import { newKey } from './new-key.ts';
import { ask } from './paper-traders.ts';
import { type RunningGateway, startRunningGateway } from './running-gateway.ts';
import { sendSigned, signedHeaders } from './signed-requests.ts';

/** `paper`: the paper exchanges, with their catalog. `synthetic`: an invented recording, for tests that read no book. */
type Kind = 'paper' | 'synthetic';

const started = new Map<Kind, Promise<RunningGateway>>();
let actorCount = 0;

export async function sharedGateway(kind: Kind = 'paper'): Promise<RunningGateway> {
  const start = started.get(kind) ?? startFor(kind);
  started.set(kind, start);
  const gateway = await start;
  const { keyStore, httpUrl, paper } = gateway;
  actorCount += 1;
  const actorId = `actor-${actorCount}`;
  const actor = { podId: 'demo', actorId, createdAt: Date.now() as UnixMillis };
  keyStore.createActor(actor);
  const key = await newKey(keyStore, { actorId });
  const apiKey = createApiKey(randomBytes).text;
  const apiKeyId = createApiKeyId(randomBytes);
  keyStore.addApiKey({ ...actor, label: 'a test', apiKeyId, hashHex: hashApiKey(apiKey) });
  const close = async (): Promise<void> => {
    if (paper === null) return;
    await ask(`${paper.urls.control}/faults`, 'DELETE');
    for (const venue of ['venue-a', 'venue-b'])
      await sendSigned(`${httpUrl}/v1/${venue}/orders`, key, { method: 'DELETE' });
  };
  const upgradeHeaders = () => signedHeaders(key, 'GET', '/v1/orderbook');
  return { ...gateway, actorId, key, apiKey, upgradeHeaders, close };
}

async function startFor(kind: Kind): Promise<RunningGateway> {
  const source = kind === 'paper' ? ({ kind } as const) : ({ kind, seed: 1 } as const);
  const gateway = await startRunningGateway({ source, readsCatalog: kind === 'paper' });
  process.once('exit', () => rmSync(gateway.dataDir, { recursive: true, force: true }));
  return gateway;
}
