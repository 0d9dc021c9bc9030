// `node 0070-unsubscribes-slow-readers.ts`: unsubscribes each socket as soon as a frame to it is dropped, while nobody reads.

import { once } from 'node:events';
import { connect } from 'node:net';
import { type Connection, listen, socketRoute } from '../../../src/core/net/listen.ts';

const TOPICS = ['a', 'b', 'c'];
const READERS = 8;
const ROUNDS = 100;
const FRAMES_PER_ROUND = 100;
const FRAME = new Uint8Array(20_000);
const UPGRADE = [
  'GET /stream HTTP/1.1',
  'Host: x',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13\r\n\r\n',
].join('\r\n');

const suspended = new Set<Connection<null>>();
const listener = await listen({
  host: '127.0.0.1',
  port: 0,
  http: [],
  sockets: [
    socketRoute<null>({
      pattern: '/stream',
      messageBytesMax: 1_000,
      unsentBytesMax: 1024 * 1024,
      idleTimeoutS: 0,
      accept: () => ({ context: null, subprotocol: '' }),
      open: connection => {
        for (const topic of TOPICS) connection.subscribe(topic);
      },
      message: () => {},
      dropped: connection => {
        suspended.add(connection);
        for (const topic of TOPICS) connection.unsubscribe(topic);
      },
      drain: () => {},
      close: () => {},
    }),
  ],
});
for (let reader = 0; reader < READERS; reader++) {
  const socket = connect(listener.port, '127.0.0.1');
  socket.write(UPGRADE);
  await once(socket, 'data');
  socket.pause();
}
for (let round = 0; round < ROUNDS; round++) {
  for (let frame = 0; frame < FRAMES_PER_ROUND; frame++) listener.publish(TOPICS[frame % TOPICS.length]!, FRAME, false);
  await new Promise(setImmediate);
}
process.stdout.write(`${suspended.size} suspended\n`);
process.exit(0);
