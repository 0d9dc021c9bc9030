// Open streams of a venue, so that an operator can cut them. It wraps a stream's route; neither the route nor the listener is aware of it.
// Thread of the paper exchanges.

import type { Connection, SocketRoute } from '../../net/inbound.ts';
import { keyOfStream } from './message-outlet.ts';

export class OpenStreams {
  /** At most as many as the listener accepts. */
  readonly #connections = new Set<Pick<Connection<unknown>, 'terminate'>>();

  get count(): number {
    return this.#connections.size;
  }

  /** The route to listen on instead of `route`, a plain object. */
  watch<Context>(route: SocketRoute<Context>): SocketRoute<Context> {
    return {
      ...route,
      open: connection => {
        this.#connections.add(connection);
        route.open(connection);
      },
      close: (connection, code) => {
        this.#connections.delete(connection);
        route.close(connection, code);
      },
    };
  }

  /** Drops the streams of a key, or all if null, without a close frame; returns how many. */
  disconnect(key: string | null): number {
    const meant = [...this.#connections].filter(connection => key === null || keyOfStream(connection) === key);
    for (const connection of meant) connection.terminate();
    return meant.length;
  }
}
