// Outgoing frames of one stream. They are sent together after the turn that caused them: one request of the exchange is one
// write here, and its HTTP answer goes first. Detects clients that do not keep up. Thread of the paper exchanges.

import { limits } from '../../../limits.ts';
import type { Connection } from '../../../net/listen.ts';
import type { Faults } from '../../faults/faults.ts';
import { MessageOutlet } from '../../faults/streams.ts';

interface Waiting {
  readonly frame: string;
  readonly type: string;
}

type OutboxConnection = Pick<Connection<unknown>, 'send' | 'batch' | 'terminate' | 'bufferedBytes'>;

export class Outbox {
  readonly #connection: OutboxConnection;
  readonly #outlet: MessageOutlet;
  #waiting: Waiting[] = [];
  #isLagging = false;

  constructor(connection: OutboxConnection, key: string, faults: Faults) {
    this.#connection = connection;
    this.#outlet = new MessageOutlet({ connection, venue: 'venue_b', key, faults });
  }

  /** Whether too much is unsent; only while that is so, it is computed again. */
  get isLagging(): boolean {
    if (this.#isLagging) this.#measure();
    return this.#isLagging;
  }

  /** `type`: of the message; fault rules refer to it. */
  push(frame: string, type: string): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    // Every frame of the venue ends with a newline.
    this.#waiting.push({ frame: `${frame}\n`, type });
    if (this.#waiting.length === limits.paperStreamPackMax) this.#flush();
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#outlet.batch(() => {
      for (const { frame, type } of waiting) this.#outlet.send(frame, type);
    });
    this.#measure();
  }

  #measure(): void {
    this.#isLagging = this.#connection.bufferedBytes() > limits.paperStreamLagBytes;
  }
}
