// The way out of a stream of a paper exchange: sends frames on one connection and commits the faults that are asked for. They
// act after a frame has its number, so that what is dropped here is a gap there. Thread of the paper exchanges.

import type { Venue } from '../../domain/market.ts';
import { unreachable } from '../../domain/result.ts';
import type { Connection } from '../../net/inbound.ts';
import type { Asked, Faults } from './faults.ts';

/** What an outlet needs of its connection. */
type OutletConnection = Pick<Connection<unknown>, 'send' | 'batch' | 'terminate'>;

interface MessageOutletParts {
  readonly connection: OutletConnection;
  readonly venue: Venue;
  /** API key id; empty if the stream is public. */
  readonly key: string;
  readonly faults: Faults;
}

/** Whose messages go out on a connection by now. */
const keys = new WeakMap<object, string>();

/** Of the outlet that was made last on a connection; empty if there is none, or the stream is public. */
export function keyOfStream(connection: object): string {
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
        // The frame is lost with its connection, and so is one that waits.
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

  /** Packs every send of `task` into as few writes as possible. */
  batch(task: () => void): void {
    this.#connection.batch(task);
  }

  /** A frame that the hard bound of unsent bytes would swallow ends the connection: a silent loss was not asked for. */
  #deliver(frame: string): void {
    if (!this.#connection.send(frame, false)) this.#connection.terminate();
  }
}
