// How a conversation reaches its client: events by way of the faults that are asked for, answers and goodbyes without. All but
// goodbyes go together after the turn that caused them, behind the answer to the request that did. Thread of the paper exchanges.

import type { Connection } from '../../../net/inbound.ts';
import type { Faults } from '../../faults/faults.ts';
import { MessageOutlet } from '../../faults/message-outlet.ts';

export interface Session {
  /** One text frame of the client. */
  receive(text: string): void;
  /** The connection is gone. */
  close(): void;
}

/** What comes first and is no subscription, a PING too, is answered with this end (venue-a.md §5.1). */
const BAD_SUBSCRIPTION = [1008, 'invalid subscription payload'] as const;
const POLICY_VIOLATION = 1008;

export class SessionOutlet {
  readonly #connection: Connection<unknown>;
  readonly #faults: Faults;
  #events: MessageOutlet;
  /** What this turn has to say. */
  #waiting: (() => void)[] = [];

  constructor(connection: Connection<unknown>, faults: Faults) {
    this.#connection = connection;
    this.#faults = faults;
    this.#events = this.#eventsOf('');
  }

  /** Whose events these are from now on: faults may be asked for by key. */
  identify(apiKey: string): void {
    this.#events = this.#eventsOf(apiKey);
  }

  /** `operation`: the event's type. */
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

  /** Bad credentials are not explained. */
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
