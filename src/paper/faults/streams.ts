// Streams of a venue: sends their frames and commits the requested faults, and lets an operator cut them. Faults act after a frame has its
// sequence number, so that a dropped frame leaves a gap. Thread of the paper exchanges.

import type { Venue } from '../../core/domain/market.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { Connection, SocketRoute } from '../../core/net/inbound.ts';
import type { Asked, Faults } from './faults.ts';

/** The connection, as an outlet needs it. */
type OutletConnection = Pick<Connection<unknown>, 'send' | 'batch' | 'terminate'>;

interface MessageOutletParts {
  readonly connection: OutletConnection;
  readonly venue: Venue;
  /** API key id; empty for a public stream. */
  readonly key: string;
  readonly faults: Faults;
}

/** Current key of a connection's messages. */
const keys = new WeakMap<object, string>();

/** Key of the connection's last outlet; empty without one, or for a public stream. */
function keyOfStream(connection: object): string {
  return keys.get(connection) ?? '';
}

export class MessageOutlet {
  readonly #connection: OutletConnection;
  readonly #who: Pick<Asked, 'venue' | 'key'>;
  readonly #faults: Faults;
  /** A frame that waits for the one that overtakes it. */
  #overtaken: string | null = null;

  constructor({ connection, venue, key, faults }: MessageOutletParts) {
    this.#connection = connection;
    this.#who = { venue, key };
    this.#faults = faults;
    keys.set(connection, key);
  }

  /** `operation`: the type of the message, such as `fill`. */
  send(frame: string, operation: string): void {
    const { venue, key } = this.#who;
    const fault = this.#faults.ofMessage({ venue, key, operation });
    switch (fault) {
      case null:
        break;
      case 'drop':
        return;
      case 'disconnect':
        // The frame is lost with its connection, and so is a waiting one.
        this.#overtaken = null;
        this.#connection.terminate();
        return;
      case 'swap':
        if (this.#overtaken !== null) break;
        this.#overtaken = frame;
        return;
      case 'duplicate':
        this.#deliver(frame);
        break;
      default:
        unreachable(fault);
    }
    this.#deliver(frame);
    if (this.#overtaken === null) return;
    const overtaken = this.#overtaken;
    this.#overtaken = null;
    this.#deliver(overtaken);
  }

  /** Batches all sends of `task` into as few writes as possible. */
  batch(task: () => void): void {
    this.#connection.batch(task);
  }

  /**
   * A frame beyond the hard bound of unsent bytes ends the connection: dropping it silently is not a requested fault.
   */
  #deliver(frame: string): void {
    if (!this.#connection.send(frame, false)) this.#connection.terminate();
  }
}

/** Open streams of a venue. It wraps a stream's route; neither the route nor the listener is aware of it. */
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
