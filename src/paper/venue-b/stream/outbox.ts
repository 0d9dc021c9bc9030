// Outgoing frames of one stream. They are sent together after the turn that caused them: one request of the exchange is one write here, and
// its HTTP answer goes first. Detects clients that do not keep up. Thread of the paper exchanges.

import type { Connection } from '../../../core/net/listen.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import { limits } from '../../../limits.ts';
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
  readonly #timers: Timers;
  #waiting: Waiting[] = [];
  #isLagging = false;

  constructor(connection: OutboxConnection, key: string, faults: Faults, timers: Timers) {
    this.#connection = connection;
    this.#timers = timers;
    this.#outlet = new MessageOutlet({ connection, venue: 'venue_b', key, faults });
  }

  /** Whether too much is unsent; only while that is so, it is computed again. */
  get isLagging(): boolean {
    if (this.#isLagging) this.#measure();
    return this.#isLagging;
  }

  /** `frame`: a JSON object. `type`: of the message; fault rules refer to it. */
  push(frame: string, type: string): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push({ frame, type });
    if (this.#waiting.length === limits.paperStreamPackMax) this.#flush();
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    // Every frame of the venue ends with its time of sending and a newline.
    const end = `,"sending_ts_ms":${this.#timers.now()}}\n`;
    this.#outlet.batch(() => {
      for (const { frame, type } of waiting) this.#outlet.send(frame.slice(0, -1) + end, type);
    });
    this.#measure();
  }

  #measure(): void {
    this.#isLagging = this.#connection.bufferedBytes() > limits.paperStreamLagBytes;
  }
}
