// Found by running the program: docs/SIGNING.md and the contract said that bytes above 0x7F of an `Idempotency-Key` are read as ISO-8859-1.
// They are read as UTF-8, so a bot by the documents got a 401 for every order.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { RawHttp } from '../support/raw-http.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { signedHeaders } from '../support/signed-requests.ts';

const KEY = 'größer';
let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 } });
});
afterAll(() => gateway.close());

it.each([
  ['utf8', 200],
  ['latin1', 401],
] as const)('a key with the bytes %s is answered %i', async (encoding, status) => {
  const { 'Idempotency-Key': key = '', ...rest } = signedHeaders(gateway.key, 'GET', '/v1/whoami', {
    idempotencyKey: KEY,
  });
  const lines = Object.entries(rest).map(([name, value]) => `${name}: ${value}\r\n`);
  const client = await RawHttp.connect(gateway);
  client.send(`GET /v1/whoami HTTP/1.1\r\nHost: x\r\n${lines.join('')}Idempotency-Key: `);
  client.send(Buffer.from(key, encoding)).send('\r\n\r\n');
  const [answer] = await client.hear(1);
  expect(answer?.status).toBe(status);
  client.destroy();
});
