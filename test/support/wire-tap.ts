// A wire between a caller and a server, which writes down the first line of every HTTP request that passes. The bytes pass unchanged.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface WireTap {
  /** The address of the tap, used in the place of the server's own address, with the same path. */
  readonly url: string;
  /** The requests in their sequence, such as `GET /markets/1?x=2`. */
  readonly requests: readonly string[];
  /** The number of connections so far. */
  readonly connections: number;
  /** Ends every connection, and accepts no other connection until `mend`. */
  cut(): void;
  mend(): void;
  close(): void;
}

const REQUEST_LINE = /(?:^|\n)([A-Z]{3,7} \/[^ \r\n]*) HTTP\/1\.1\r\n/g;

export async function tapOf(url: string): Promise<WireTap> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let [connections, isCut] = [0, false];
  const server = createServer(caller => {
    if (isCut) {
      caller.destroy();
      return;
    }
    connections += 1;
    const callee = connect(Number(port), hostname);
    let isStream = false;
    caller.on('data', bytes => {
      // The frames of a stream are masked, and are not requests.
      if (!isStream) for (const [, line] of bytes.toString('latin1').matchAll(REQUEST_LINE)) requests.push(line!);
      isStream ||= /\r\nupgrade: websocket\r\n/i.test(bytes.toString('latin1'));
      callee.write(bytes);
    });
    callee.on('data', bytes => caller.write(bytes));
    for (const [one, other] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}${pathname === '/' ? '' : pathname}`,
    requests,
    get connections() {
      return connections;
    },
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    close: () => {
      end();
      server.close();
    },
  };
}
