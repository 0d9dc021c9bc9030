// The answer that opens a WebSocket or refuses it. Its `RateLimit` headers were those of the source address, although the upgrade had been counted as
// a read of its key. The same happened if a session was refused after its key had been admitted.

import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OrdersRig } from '../e2e/orders-rig.ts';
import { signedHeaders } from '../support/signed-requests.ts';

let rig: OrdersRig;
beforeAll(async () => {
  rig = await OrdersRig.shared('venue-b');
});
afterAll(() => rig.close());

/** Returns the status and the `RateLimit` headers of an upgrade, signed or not. */
function upgrade(path: string, headers: Readonly<Record<string, string>>) {
  const asked = request(rig.gateway.httpUrl + path, {
    headers: {
      ...{ Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  });
  return new Promise<(string | number | undefined)[]>((resolve, reject) => {
    const heard = ({ statusCode, headers: answered }: IncomingMessage): void =>
      resolve([statusCode, ...['ratelimit', 'ratelimit-policy'].map(name => String(answered[name]).split(';')[0])]);
    asked.on('upgrade', (answer, socket) => {
      socket.destroy();
      heard(answer);
    });
    asked.on('response', answer => {
      answer.resume();
      heard(answer);
    });
    asked.on('error', reject);
    asked.end();
  });
}

it.each(['/v1/orderbook', '/v1/trade'])('3142: %s answers with the rate that has counted the upgrade', async path => {
  const signed = () => signedHeaders(rig.gateway.key, 'GET', path);
  expect(await upgrade(path, signed())).toEqual([101, '"reads"', '"reads"']);
  expect(await upgrade(path, { ...signed(), 'Sec-WebSocket-Protocol': 'another' })).toEqual([
    400,
    '"reads"',
    '"reads"',
  ]);
  expect(await upgrade(path, {})).toEqual([401, '"refused-requests"', '"refused-requests"']);
});
