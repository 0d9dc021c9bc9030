// A port that stays the gateway's while the gateway is down. It is below the ports that the kernel gives to connections. Otherwise a client that
// reconnects would sooner or later get the port itself.

import { once } from 'node:events';
import { createServer } from 'node:net';

const [FIRST, LAST] = [15_000, 31_000];

export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
