// Every fault of a message on a real WebSocket: the messages that its reader heard, in their order. Also streams that an operator cuts on real
// WebSockets: the streams of one key, or all streams.

import { afterEach, describe, expect, it } from 'vitest';
import { type Connection, type Listener, listen, type SocketRoute, socketRoute } from '../../../src/core/net/listen.ts';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import { limits } from '../../../src/limits.ts';
import type { Faults, MessageFault } from '../../../src/paper/faults/faults.ts';
import { MessageOutlet, OpenStreams } from '../../../src/paper/faults/with-faults.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';

/** The last message of a session. The test does not wait for messages after it. */
const LAST = 'last';

let listener: Listener | null = null;
afterEach(() => listener?.close());

describe.each([
  ['one by one', false],
  ['in one batch', true],
])('messages 1 to 5, %s', (_how, isBatched) => {
  const rows: [what: string, faults: Record<string, MessageFault>, heard: string[]][] = [
    ['all arrive, in order', {}, ['1', '2', '3', '4', '5']],
    ['are dropped', { 2: 'drop', 4: 'drop' }, ['1', '3', '5']],
    ['come twice', { 3: 'duplicate' }, ['1', '2', '3', '3', '4', '5']],
    ['are overtaken by the next', { 2: 'swap' }, ['1', '3', '2', '4', '5']],
    ['wait for one that goes, not for one that is dropped', { 2: 'swap', 3: 'drop' }, ['1', '4', '2', '5']],
    ['wait for both of one that comes twice', { 2: 'swap', 3: 'duplicate' }, ['1', '3', '3', '2', '4', '5']],
    ['are not held by two: the second lets the first go', { 2: 'swap', 3: 'swap' }, ['1', '3', '2', '4', '5']],
    ['wait in vain if nothing follows', { 5: 'swap' }, ['1', '2', '3', '4']],
  ];
  it.each(rows)('%s', async (_what, faults, expected) => {
    const { outlet, heard, finish } = await open({
      ...NO_FAULTS,
      ofMessage: ({ operation }) => faults[operation] ?? null,
    });
    const sendAll = () => {
      for (const message of ['1', '2', '3', '4', '5']) outlet.send(message, message);
    };
    if (isBatched) outlet.batch(sendAll);
    else sendAll();
    await finish();
    expect(heard).toEqual(expected);
  });
});

it.each([
  ['and with it', { 2: 'disconnect' }],
  ['and with one that waits', { 2: 'swap', 3: 'disconnect' }],
] as [string, Record<string, MessageFault>][])(
  'the connection ends in place of a message, %s',
  async (_what, faults) => {
    const { outlet, heard, ended, until } = await open({
      ...NO_FAULTS,
      ofMessage: ({ operation }) => faults[operation] ?? null,
    });
    outlet.send('1', '1');
    await until(() => heard.length === 1);
    for (const message of ['2', '3', '4']) outlet.send(message, message);
    await ended;
    expect(heard).toEqual(['1', 'closed']);
  },
);

it('the connection can end in the middle of a batch', async () => {
  const { outlet, heard, ended } = await open({
    ...NO_FAULTS,
    ofMessage: ({ operation }) => (operation === '2' ? 'disconnect' : null),
  });
  outlet.batch(() => {
    for (const message of ['1', '2', '3']) outlet.send(message, message);
  });
  await ended;
  // The end of the connection may also lose messages of the same batch.
  expect(heard.at(-1)).toBe('closed');
  expect(heard).not.toContain('2');
  expect(heard).not.toContain('3');
});

it('asks with venue, key and type of the message', async () => {
  const asked: unknown[] = [];
  const { outlet, finish } = await open({
    ...NO_FAULTS,
    ofMessage: question => {
      asked.push(question);
      return null;
    },
  });
  outlet.send('{}', 'fill');
  await finish();
  expect(asked).toEqual([{ venue: 'venue_b', key: 'key-1', operation: 'fill' }]);
});

it('ends a connection whose bound of unsent bytes swallows a frame', async () => {
  const { outlet, heard, finish } = await open(NO_FAULTS, 1_024);
  outlet.batch(() => {
    // These frames are more bytes than the kernel buffers and the outlet may hold together.
    for (let frame = 0; frame < 64; frame += 1) outlet.send('x'.repeat(1_000_000), 'book');
  });
  await finish();
  expect(heard.at(-1)).toBe('closed');
  expect(heard.length).toBeLessThan(64);
});

it('does no harm to a connection that has gone', async () => {
  const { outlet, heard, ended } = await open({
    ...NO_FAULTS,
    ofMessage: ({ operation }) => (operation === 'last' ? 'disconnect' : null),
  });
  outlet.send('{}', 'last');
  await ended;
  expect(() => outlet.send('{}', 'book')).not.toThrow();
  expect(() => outlet.batch(() => outlet.send('{}', 'book'))).not.toThrow();
  expect(heard).toEqual(['closed']);
});

/** An outlet on a connection. `finish` resolves when its reader has heard everything that was sent before, or has lost it. */
async function open(faults: Faults, unsentBytesMax = limits.streamCloseBytes) {
  const opened = Promise.withResolvers<Connection<null>>();
  const ended = Promise.withResolvers<void>();
  const route = socketRoute<null>({
    pattern: '/ws',
    messageBytesMax: 1_024,
    unsentBytesMax,
    idleTimeoutS: 0,
    accept: () => ({ context: null, subprotocol: '' }),
    open: opened.resolve,
    message: () => {},
    drain: () => {},
    close: () => {},
  });
  listener = await listen({ host: '127.0.0.1', port: 0, http: [], sockets: [route] });
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const url = `ws://127.0.0.1:${listener.port}/ws`;
  connectWebSocket(
    { url, headers: {}, handshakeTimeoutMs: limits.upstreamHandshakeMs, frameBytesMax: limits.upstreamFrameBytesMax },
    {
      onOpen: () => {},
      onPing: () => {},
      onFrame: data => {
        const frame = Buffer.from(data).toString();
        if (frame === LAST) ended.resolve();
        else heard.push(frame);
        for (const look of waiting) look();
      },
      onClose: () => {
        heard.push('closed');
        ended.resolve();
      },
    },
  );
  const connection = await opened.promise;
  return {
    outlet: new MessageOutlet({ connection, venue: 'venue_b', key: 'key-1', faults }),
    heard,
    ended: ended.promise,
    until: (condition: () => boolean) =>
      new Promise<void>(resolve => {
        waiting.add(() => {
          if (condition()) resolve();
        });
      }),
    finish: () => {
      connection.send(LAST, false);
      return ended.promise;
    },
  };
}

it('a cut ends the streams of a key, those without a key, or all', async () => {
  const { streams, connect } = await start();
  const [alice, bob, guest, late] = [
    await connect('alice'),
    await connect('bob'),
    await connect(''),
    await connect('late'),
  ];
  expect(streams.count).toBe(4);
  expect(streams.disconnect('carol')).toBe(0);
  expect(streams.disconnect('alice')).toBe(1);
  await alice.ended;
  expect(streams.disconnect('')).toBe(1);
  await guest.ended;
  expect(streams.count).toBe(2);
  // The connection has another key from now on, as if the client had authenticated itself after it connected.
  late.identify('bob');
  expect(streams.disconnect('late')).toBe(0);
  expect(streams.disconnect('bob')).toBe(2);
  await Promise.all([bob.ended, late.ended]);
  const again = await connect('alice');
  expect(streams.disconnect(null)).toBe(1);
  await again.ended;
  expect([streams.count, streams.disconnect(null)]).toEqual([0, 0]);
});

it('the route behind hears of each stream that comes and goes', async () => {
  const { streams, connect, reported } = await start();
  const { ended } = await connect('alice');
  streams.disconnect(null);
  await ended;
  expect(reported).toEqual(['open alice', 'close alice']);
});

async function start() {
  const streams = new OpenStreams();
  const reported: string[] = [];
  const opened: ((identify: (key: string) => void) => void)[] = [];
  const route: SocketRoute<string> = {
    pattern: '/ws',
    messageBytesMax: 1_024,
    unsentBytesMax: 1_024,
    idleTimeoutS: 0,
    accept: request => ({ context: request.query, subprotocol: '' }),
    open: connection => {
      const identify = (key: string) => new MessageOutlet({ connection, venue: 'venue_a', key, faults: NO_FAULTS });
      identify(connection.context);
      reported.push(`open ${connection.context}`);
      opened.shift()?.(identify);
    },
    message: () => {},
    drain: () => {},
    close: ({ context }) => reported.push(`close ${context}`),
  };
  listener = await listen({ host: '127.0.0.1', port: 0, http: [], sockets: [socketRoute(streams.watch(route))] });
  const { port } = listener;
  const connect = async (key: string) => {
    const identified = new Promise<(key: string) => void>(resolve => opened.push(resolve));
    const ended = new Promise<void>(resolve => {
      connectWebSocket(
        {
          url: `ws://127.0.0.1:${port}/ws?${key}`,
          headers: {},
          handshakeTimeoutMs: limits.upstreamHandshakeMs,
          frameBytesMax: limits.upstreamFrameBytesMax,
        },
        { onOpen: () => {}, onPing: () => {}, onFrame: () => {}, onClose: () => resolve() },
      );
    });
    return { identify: await identified, ended };
  };
  return { streams, reported, connect };
}
