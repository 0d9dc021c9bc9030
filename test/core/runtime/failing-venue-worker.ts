// A thread of venues with a real socket. It fails at its first client, or, on command, before it listens.

import { parentPort, workerData } from 'node:worker_threads';
import { jsonReply, listen } from '../../../src/core/net/listen.ts';
import { serveVenues } from '../../../src/core/runtime/venue-thread.ts';

if (workerData === 'fails') throw new Error('cannot start');
if (workerData === 'ends') process.exit(0);
const listener = await listen({
  host: '127.0.0.1',
  port: 0,
  http: [
    {
      method: 'get',
      pattern: '/',
      handle: () => {
        setImmediate(() => {
          throw new Error('a fault of its own');
        });
        return jsonReply(200, {});
      },
    },
  ],
  sockets: [],
});
void serveVenues(parentPort!, async () => ({ listening: listener.port, close: () => listener.close() }));
