// The key store becomes unreadable while the gateway runs: no key is admitted from memory.

import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { silentLog } from '../../src/core/runtime/log.ts';
import { openEnvironment } from '../../src/core/store/lmdb.ts';
import { limits } from '../../src/limits.ts';
import { startRunningGateway } from '../support/running-gateway.ts';
import { send, sendSigned } from '../support/signed-requests.ts';

it('while the keys cannot be read nobody is let in, not even who was known before', async () => {
  const said: string[] = [];
  const log = { ...silentLog, warn: (event: string) => void said.push(event) };
  const damaged = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 }, log });
  const stream = new WebSocket(damaged.url, { headers: damaged.upgradeHeaders() });
  await once(stream, 'open');
  const keys = openEnvironment(join(damaged.dataDir, 'keys'), limits.keyStoreBytes);
  const count = keys.get('version')!;
  const write = (version: Uint8Array) => keys.transact(it => it.put('version', version));
  const answers = async () => [
    await sendSigned(`${damaged.httpUrl}/v1/time`, damaged.key),
    await send(`${damaged.httpUrl}/v1/orders`, { headers: { 'x-api-key': damaged.apiKey } }),
  ];
  write(Buffer.from('no count'));
  const refused = await answers();
  const message = 'a fault of the gateway';
  expect(refused.map(({ status, json }) => [status, json])).toEqual([
    [500, { error: { code: 'INTERNAL_ERROR', message } }],
    [500, { error: { message } }],
  ]);
  // The fault is logged once, however long it lasts. Open streams stay open.
  await expect.poll(() => said.filter(it => it === 'key store cannot be read')).toHaveLength(1);
  expect(stream.readyState).toBe(WebSocket.OPEN);
  write(count);
  expect((await answers())[0]!.status).toBe(200);
  stream.terminate();
  await keys.close();
  await damaged.close();
});
