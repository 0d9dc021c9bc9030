// Cost of fan-out without a gateway: bare uWebSockets.js publishes frames from a socket without reading them. A process
// of its own, as the gateway is.

import { listen, socketRoute } from '../../src/core/net/listen.ts';
import { connectWebSocket } from '../../src/core/net/websocket.ts';
import { answerParent } from '../load/process-answers.ts';

const TOPIC = 'book';
const BYTES_MAX = 8 * 1024 * 1024;

process.once('message', async ({ upstreamUrl }: { upstreamUrl: string }) => {
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    http: [],
    sockets: [
      socketRoute<null>({
        pattern: '/relay',
        messageBytesMax: BYTES_MAX,
        unsentBytesMax: BYTES_MAX,
        idleTimeoutS: 0,
        accept: () => ({ context: null, subprotocol: '' }),
        open: connection => connection.subscribe(TOPIC),
        message: () => {},
        drain: () => {},
        close: () => {},
      }),
    ],
  });
  const target = { url: upstreamUrl, headers: {}, handshakeTimeoutMs: 10_000, frameBytesMax: BYTES_MAX };
  connectWebSocket(target, {
    onOpen: () => {
      process.send?.(listener.port);
      answerParent();
    },
    onFrame: frame => listener.publish(TOPIC, frame, false),
    onPing: () => {},
    onClose: () => process.exit(1),
  });
});
