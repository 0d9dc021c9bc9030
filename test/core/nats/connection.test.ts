// The first connection to NATS if another program listens there, or if the server hangs. A gateway tries again for hours, and a command
// ends. Also covers the settings of a replicated pod.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NatsError, NatsLink } from '../../../src/core/nats/connection.ts';
import { readReplicated } from '../../../src/core/nats/settings.ts';
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

const ALL = {
  CROSSBOOK_DURABILITY: 'replicated',
  CROSSBOOK_NATS: 'tls://10.0.0.1:4222,tls://nats.example:4222',
  CROSSBOOK_PUBLIC_URL: 'https://one.example/',
};

describe('settings of a replicated pod', () => {
  it('are absent without the mode', () => {
    expect(readReplicated({})).toBeNull();
    expect(readReplicated({ CROSSBOOK_DURABILITY: 'power-safe' })).toBeNull();
  });

  it('are read', () => {
    expect(readReplicated(ALL)).toEqual({
      nats: { servers: ['tls://10.0.0.1:4222', 'tls://nats.example:4222'], credentials: null },
      url: 'https://one.example',
      takeOverAfterMs: null,
    });
    expect(readReplicated({ ...ALL, CROSSBOOK_TAKE_OVER_AFTER_S: '2' })?.takeOverAfterMs).toBe(2_000);
  });

  it.each([
    [{ CROSSBOOK_NATS: ALL.CROSSBOOK_NATS }, 'CROSSBOOK_NATS: requires CROSSBOOK_DURABILITY=replicated'],
    [{ ...ALL, CROSSBOOK_PUBLIC_URL: undefined }, 'CROSSBOOK_PUBLIC_URL: requires CROSSBOOK_DURABILITY=replicated'],
    [{ CROSSBOOK_TAKE_OVER_AFTER_S: '9' }, 'CROSSBOOK_TAKE_OVER_AFTER_S: requires CROSSBOOK_DURABILITY=replicated'],
    [{ ...ALL, CROSSBOOK_TAKE_OVER_AFTER_S: '1' }, 'CROSSBOOK_TAKE_OVER_AFTER_S: must be an integer from 2 to 3600'],
    [{ ...ALL, CROSSBOOK_TAKE_OVER_AFTER_S: '2.5' }, 'CROSSBOOK_TAKE_OVER_AFTER_S: must be an integer from 2 to 3600'],
    [{ ...ALL, CROSSBOOK_NATS: 'nats://user:secret@10.0.0.1:4222' }, 'CROSSBOOK_NATS: must be nats://HOST:PORT'],
    [{ ...ALL, CROSSBOOK_NATS: 'nats://10.0.0.1:4222,tls://n:4222' }, 'CROSSBOOK_NATS: must be all nats:// or all tls'],
    [{ ...ALL, CROSSBOOK_PUBLIC_URL: 'https://user@one.example' }, 'CROSSBOOK_PUBLIC_URL: must be a URL'],
  ])('%j is refused', (env, words) => {
    expect(() => readReplicated(env)).toThrow(words);
  });
});
