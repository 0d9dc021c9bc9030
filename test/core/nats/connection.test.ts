// The first connection to NATS, where something else listens, or a server that hangs. A gateway tries again for hours; a command ends.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NatsError, NatsLink } from '../../../src/core/nats/connection.ts';
import { eventually } from '../../support/eventually.ts';

let server: Server;
const sockets = new Set<Socket>();

beforeEach(async () => {
  server = createServer(socket => {
    sockets.add(socket.resume());
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const urlOf = (): string => `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
const connect = (...servers: readonly string[]): Promise<unknown> =>
  NatsLink.connect({ servers, credentials: null }, 'test').then(
    () => 'connected',
    (error: unknown) => error,
  );

it('leaves no connection to a server that never greets', async () => {
  const failure = await connect(urlOf());
  expect(failure).toBeInstanceOf(NatsError);
  expect((failure as NatsError).message).toMatch(/^NATS nats:\/\/127\.0\.0\.1:\d+: no greeting within 3000 ms$/);
  await eventually(() => expect(sockets.size).toBe(0));
});

it('says how each way ends, the first one of several', async () => {
  server.on('connection', socket => socket.end());
  expect(await connect(urlOf())).toMatchObject({ message: expect.stringContaining('closed without a greeting') });
  const nobody = 'nats://127.0.0.1:1';
  expect(await connect(nobody, urlOf())).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') });
});
