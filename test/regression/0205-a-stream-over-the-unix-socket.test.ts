// Found by following the advice that a bot of this machine should use the Unix domain socket. Only our REST client took the path of one,
// the stream's client did not. A key that is valid from `unix` alone had no stream.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createKeyPair } from '../../src/auth/key-pair.ts';
import { nodeSigner } from '../../src/client/node-client.ts';
import { createNodeStream } from '../../src/client/node-stream.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { createKeyId } from '../../src/store/key-record.ts';
import { startRunningGateway } from '../support/running-gateway.ts';

it('the stream is open to a key that is good there alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const socketPath = join(folder, 'api.sock');
  const gateway = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 }, unixSocketPath: socketPath });
  onTestFinished(() => gateway.close());
  const [{ seedHex, publicKeyHex }, keyId] = [await createKeyPair(), createKeyId(randomBytes)];
  const owner = { actorId: 'demo', podId: 'demo', label: '', createdAt: Date.now() as UnixMillis };
  gateway.keyStore.addSigningKey({ ...owner, keyId, publicKeyHex, scopes: ['read'], addresses: ['unix'] });
  const signer = nodeSigner({ keyId, seedHex });
  const stream = createNodeStream({ url: gateway.url, signer, socketPath });
  onTestFinished(() => stream.close());
  const connection = new Promise(resolve => stream.once('connection', (...how) => resolve(how)));
  stream.start();
  expect(await connection).toEqual([true, '']);
});
