// A WebSocket path of venue A, with one session for each connection. It has text frames only, within the bounds. A session sends through an
// outlet: events pass the requested faults; answers and close frames do not. All frames except close frames leave together, after the turn
// that caused them and behind the answer to the causing request. Thread of the paper exchanges.

import { type Connection, jsonReply, type SocketRoute, socketRoute } from '../../../core/net/listen.ts';
import { limits } from '../../../limits.ts';
import type { Faults } from '../../faults/faults.ts';
import { MessageOutlet } from '../../faults/with-faults.ts';

export function sessionRoute(
  pattern: string,
  faults: Faults,
  openSession: (outlet: SessionOutlet) => Session,
): SocketRoute<never> {
  const sessions = new Map<Connection<null>, Session>();
  const decoder = new TextDecoder();
  return socketRoute<null>({
    pattern,
    messageBytesMax: limits.paperVenueACommandBytesMax,
    unsentBytesMax: limits.paperVenueAUnsentBytesMax,
    idleTimeoutS: limits.paperVenueAStreamIdleTimeoutS,
    accept: () =>
      sessions.size >= limits.paperVenueAConnectionsPerStreamMax
        ? { refusal: jsonReply(503, { error: 'paperVenueAConnectionsPerStreamMax reached' }) }
        : { context: null, subprotocol: '' },
    open: connection => sessions.set(connection, openSession(new SessionOutlet(connection, faults))),
    message: (connection, frame, isBinary) => {
      if (!isBinary) sessions.get(connection)?.receive(decoder.decode(frame));
    },
    drain: () => {},
    close: connection => {
      sessions.get(connection)?.close();
      sessions.delete(connection);
    },
  });
}

export interface Session {
  /** Handles one text frame of the client. */
  receive(text: string): void;
  /** Called when the connection is gone. */
  close(): void;
}

/** The close reason after a first frame that is no subscription, even if it is a PING (venue-a.md §5.1). */
const BAD_SUBSCRIPTION = [1008, 'invalid subscription payload'] as const;
const POLICY_VIOLATION = 1008;

/** The way from a session to its client. */
export class SessionOutlet {
  readonly #connection: Connection<unknown>;
  readonly #faults: Faults;
  #events: MessageOutlet;
  /** The frames of this turn. */
  #waiting: (() => void)[] = [];

  constructor(connection: Connection<unknown>, faults: Faults) {
    this.#connection = connection;
    this.#faults = faults;
    this.#events = this.#eventsOf('');
  }

  /** Sets the API key of the events from now on, because faults may be requested for one key. */
  identify(apiKey: string): void {
    this.#events = this.#eventsOf(apiKey);
  }

  /** Sends an event. `operation` is the event's type, to which fault rules refer. */
  send(frame: string, operation: string): void {
    const events = this.#events;
    this.#afterTurn(() => events.send(frame, operation));
  }

  pong(): void {
    this.#afterTurn(() => this.#connection.send('PONG', false));
  }

  refuseSubscription(): void {
    this.#connection.end(...BAD_SUBSCRIPTION);
  }

  /** Closes the connection after bad credentials, without an explanation. */
  refuseCredentials(): void {
    this.#connection.end(POLICY_VIOLATION, '');
  }

  #afterTurn(task: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(task);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#connection.batch(() => {
      for (const task of waiting) task();
    });
  }

  #eventsOf(key: string): MessageOutlet {
    return new MessageOutlet({ connection: this.#connection, venue: 'venue_a', key, faults: this.#faults });
  }
}
