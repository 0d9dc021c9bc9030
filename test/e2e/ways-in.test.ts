// The same API over a Unix domain socket and over TLS: for bots on the same host, and for those across a network.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createKeyPair } from '../../src/core/auth/key-pair.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import { createKeyId } from '../../src/core/store/key-record.ts';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { OwnProcess } from '../support/child-process.ts';
import { startRunningGateway } from '../support/running-gateway.ts';
import { selfSigned } from '../support/self-signed.ts';
import { sendSigned, signedHeaders } from '../support/signed-requests.ts';

const SOURCE = { kind: 'synthetic', seed: 1 } as const;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-'));
  folders.push(folder);
  return folder;
}

it('the gateway listens on a Unix domain socket of its owner only, which is gone at the end', async () => {
  const unixSocketPath = join(newFolder(), 'api.sock');
  const gateway = await startRunningGateway({ source: SOURCE, unixSocketPath });
  expect(statSync(unixSocketPath).mode & 0o777).toBe(0o600);
  const answer = await sendSigned(`${gateway.httpUrl}/v1/whoami`, gateway.key, { socketPath: unixSocketPath });
  expect(answer.status).toBe(200);
  const client = createNodeClient({
    url: gateway.httpUrl,
    signer: nodeSigner(gateway.key),
    socketPath: unixSocketPath,
  });
  const reported = await client.call('getWhoami');
  expect(reported.ok && reported.value.value.keyId).toBe(gateway.key.keyId);
  await gateway.close();
  expect(() => statSync(unixSocketPath)).toThrow('ENOENT');
});

it('the gateway speaks TLS when it is given a key and a certificate', async () => {
  const folder = newFolder();
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const { key, cert } = selfSigned();
  writeFileSync(keyFile, key);
  writeFileSync(certFile, cert);
  const gateway = await startRunningGateway({ source: SOURCE, tls: { keyFile, certFile } });
  const status = await new Promise((resolve, reject) => {
    const headers = signedHeaders(gateway.key, 'GET', '/v1/whoami');
    const options = { host: '127.0.0.1', port: gateway.port, path: '/v1/whoami', headers, ca: cert };
    const outgoing = request(options, response => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
  expect(status).toBe(200);
  await expect(sendSigned(`${gateway.httpUrl}/v1/whoami`, gateway.key)).rejects.toThrow();
  // Our own client, with both of its streams.
  const signingKeyFile = join(folder, 'signing-key.json');
  writeFileSync(signingKeyFile, JSON.stringify(gateway.key));
  const bot = new OwnProcess(['test/e2e/tls-bot.ts', `${gateway.port}`, signingKeyFile], {
    NODE_EXTRA_CA_CERTS: certFile,
  });
  expect([await bot.ended, bot.stdout]).toEqual([0, `rest ${gateway.key.keyId}\nnode up\nbrowser up\n`]);
  await gateway.close();
});

// Only our REST client took the path of one, the stream's client did not. A key that is valid from `unix` alone had no stream.
it('0205: the stream is open to a key that is good there alone', async () => {
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
