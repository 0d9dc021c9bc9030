// Streams that an operator cuts: of one key, or all; on real WebSockets.

import { afterEach, expect, it } from 'vitest';
import { type Listener, listen, type SocketRoute, socketRoute } from '../../../src/core/net/listen.ts';
import { connectWebSocket } from '../../../src/core/net/websocket.ts';
import { limits } from '../../../src/limits.ts';
import { MessageOutlet, OpenStreams } from '../../../src/paper/faults/streams.ts';
import { NO_FAULTS } from '../../support/no-faults.ts';

let listener: Listener | null = null;
afterEach(() => listener?.close());

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
  // Known by another key from now on, as a client that says who it is after it has connected.
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
