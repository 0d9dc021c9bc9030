// The end of the service: what is in flight is finished, what comes later is told so, streams hear a goodbye.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startRunningGateway } from '../support/running-gateway.ts';
import { signedHeaders } from '../support/signed-requests.ts';

/** Requests of one connection, written as one segment; the text of everything that came back. */
async function talk(port: number, requests: readonly string[], whenSent: () => void): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let heard = '';
  socket.setEncoding('utf8');
  socket.on('data', text => {
    heard += text;
  });
  socket.write(requests.join(''), whenSent);
  await once(socket, 'close');
  return heard;
}

/** Never done by the main thread itself. */
const LIST = '/v1/venue-b/orders';

it('answers what is in flight, then closes; streams get 1001', async () => {
  const gateway = await startRunningGateway({ source: { kind: 'paper' } });
  const stream = new WebSocket(gateway.url, { headers: gateway.upgradeHeaders() });
  await once(stream, 'open');
  const goodbye = once(stream, 'close');
  const headers = Object.entries(signedHeaders(gateway.key, 'GET', LIST));
  const request = `GET ${LIST} HTTP/1.1\r\nHost: x\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const arrived = Promise.withResolvers<void>();
  const heard = talk(gateway.port, [request], arrived.resolve);
  await arrived.promise;
  // A turn of the loop lets the request in; a worker has it when the end begins.
  while (gateway.pool.tasksInFlight === 0) await new Promise(setImmediate);
  await gateway.close();
  expect(await heard).toMatch(/^HTTP\/1\.1 200 /);
  expect((await goodbye)[0]).toBe(1001);
  const late = connect(gateway.port, '127.0.0.1');
  await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED');
});
