// A port that stays the gateway's while it is down. It is below those from which the kernel takes one for a connection. Otherwise a client
// that tries again would sooner or later have the port itself.

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
