// The same API over a Unix domain socket, for bots on the same host, and over TLS, for bots across a network.

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { createNodeStream } from '../../src/tools/client/node-stream.ts';
import { OwnProcess } from '../support/child-process.ts';
import { newKey } from '../support/new-key.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { selfSigned } from '../support/self-signed.ts';
import { sendSigned, signedHeaders } from '../support/signed-requests.ts';

const SOURCE = { kind: 'synthetic', seed: 1 } as const;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a Unix domain socket', () => {
  let socketPath: string;
  let gateway: RunningGateway;
  beforeAll(async () => {
    socketPath = join(folder, 'api.sock');
    gateway = await startRunningGateway({ source: SOURCE, unixSocketPath: socketPath });
  });
  afterAll(() => gateway.close());

  it('is of its owner only, and serves the API', async () => {
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    const answer = await sendSigned(`${gateway.httpUrl}/v1/whoami`, gateway.key, { socketPath });
    expect(answer.status).toBe(200);
    const client = createNodeClient({ url: gateway.httpUrl, signer: nodeSigner(gateway.key), socketPath });
    const reported = await client.call('getWhoami');
    expect(reported.ok && reported.value.value.keyId).toBe(gateway.key.keyId);
  });

  // Only our REST client used the socket path, and the stream's client did not. A key that is valid only from `unix` could open no stream.
  it('0205: has a stream for a key that is good there alone', async () => {
    const signer = nodeSigner(await newKey(gateway.keyStore, { scopes: ['read'], addresses: ['unix'] }));
    const stream = createNodeStream({ url: gateway.url, signer, socketPath });
    onTestFinished(() => stream.close());
    const connection = new Promise(resolve => stream.once('connection', (...how) => resolve(how)));
    stream.start();
    expect(await connection).toEqual([true, '']);
  });

  it('is gone at the end', async () => {
    await gateway.close();
    expect(() => statSync(socketPath)).toThrow('ENOENT');
  });
});

it('the gateway speaks TLS when it is given a key and a certificate', async () => {
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
  // This uses our own client, with both of its streams.
  const signingKeyFile = join(folder, 'signing-key.json');
  writeFileSync(signingKeyFile, JSON.stringify(gateway.key));
  const bot = new OwnProcess(['test/e2e/tls-bot.ts', `${gateway.port}`, signingKeyFile], {
    NODE_EXTRA_CA_CERTS: certFile,
  });
  expect([await bot.ended, bot.stdout]).toEqual([0, `rest ${gateway.key.keyId}\nnode up\nbrowser up\n`]);
  await gateway.close();
});
