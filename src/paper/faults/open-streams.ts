// The streams of a venue that are open now, so that an operator can cut them. Stands between a stream's route and its listener,
// and neither knows. Thread of the paper exchanges.

import type { Connection, SocketRoute } from '../../net/inbound.ts';
import { keyOfStream } from './message-outlet.ts';

export class OpenStreams {
  /** As many as the listener lets in. */
  readonly #connections = new Set<Pick<Connection<unknown>, 'terminate'>>();

  get count(): number {
    return this.#connections.size;
  }

  /** The route to listen on in place of `route`, which is an object without a class. */
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

  /** Drops the streams of a key, or all if null, without a goodbye; returns how many. */
  disconnect(key: string | null): number {
    const meant = [...this.#connections].filter(connection => key === null || keyOfStream(connection) === key);
    for (const connection of meant) connection.terminate();
    return meant.length;
  }
}
