// The end of the service: requests in flight are finished, later ones refused, streams closed with a reason.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ask, someTicker } from '../support/paper-traders.ts';
import { RawHttp } from '../support/raw-http.ts';
import { startRunningGateway } from '../support/running-gateway.ts';
import { sendSigned, signedHeaders } from '../support/signed-requests.ts';

/** Sends requests on one connection as one segment; returns the text of everything that came back. */
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

const LIST = '/v1/venue-b/orders';

it('the end answers what is in flight, then closes; streams get 1001', async () => {
  const gateway = await startRunningGateway({ source: { kind: 'paper' } });
  await expect.poll(() => gateway.trading.isTradable('demo', 'venue_b')).toBe(true);
  // On a busy machine the thread that answers starts later than the other threads.
  await expect.poll(async () => (await sendSigned(gateway.httpUrl + LIST, gateway.key)).status).toBe(200);
  const stream = new WebSocket(gateway.url, { headers: gateway.upgradeHeaders() });
  await once(stream, 'open');
  const goodbye = once(stream, 'close');
  const headers = Object.entries(signedHeaders(gateway.key, 'GET', LIST));
  const request = `GET ${LIST} HTTP/1.1\r\nHost: x\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  const arrived = Promise.withResolvers<void>();
  const heard = talk(gateway.port, [request], arrived.resolve);
  await arrived.promise;
  // A turn of the loop lets the request in, so that a worker has it when the shutdown begins.
  while (gateway.trading.operations.inFlight === 0) await new Promise(setImmediate);
  await gateway.close();
  expect(await heard).toMatch(/^HTTP\/1\.1 200 /);
  expect((await goodbye)[0]).toBe(1001);
  const late = connect(gateway.port, '127.0.0.1');
  await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED');
});

it('the end refuses new requests of open connections in words, while an order that was sent is answered', async () => {
  const gateway = await startRunningGateway({ source: { kind: 'paper' } });
  await expect.poll(() => gateway.trading.isTradable('demo', 'venue_b')).toBe(true);
  const { venueB, control } = gateway.paper!.urls;
  const order = { ticker: await someTicker(venueB.rest), side: 'YES', action: 'BUY', count: 1, priceCents: 1 };
  const fault = { kind: 'delay', beforeMs: 0, afterMs: 2_000 };
  await ask(`${control}/faults`, 'POST', { venue: 'venue_b', operation: 'POST *', countMax: 1, fault });
  const submission = (idempotencyKey: string): string => {
    const body = JSON.stringify(order);
    const headers = {
      Host: 'x',
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      ...signedHeaders(gateway.key, 'POST', LIST, { body, idempotencyKey }),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST ${LIST} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  };
  const [first, second, older, probe] = await Promise.all(
    Array.from({ length: 4 }, () => RawHttp.connect({ port: gateway.port })),
  );
  first!.send(submission('first'));
  while (gateway.trading.operations.inFlight === 0) await new Promise(setImmediate);
  const closed = gateway.close();
  second!.send(submission('second'));
  older!.send(`GET /v1/orders HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.apiKey}\r\n\r\n`);
  probe!.send('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
  const [refused, olderRefused, state] = await Promise.all([second!, older!, probe!].map(it => it.end()));
  expect(refused).toMatchObject([{ status: 503, body: expect.stringContaining('shutting down: nothing was done') }]);
  expect(refused![0]!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  const message = expect.stringContaining('shutting down');
  expect(olderRefused!.map(it => [it.status, JSON.parse(it.body)])).toEqual([[503, { error: { message } }]]);
  expect(state).toMatchObject([{ status: 503, body: expect.stringContaining('"status":"draining"') }]);
  expect(await first!.end()).toMatchObject([{ status: 201, body: expect.stringContaining('"status":"OPEN"') }]);
  await closed;
});
