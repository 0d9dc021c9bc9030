// The outlet of the publisher's messages, which sends while the connection stands and the server takes them. A server that does not read
// would let memory grow. Beyond a backlog nothing is sent until the server has read all; then whole books follow. The publisher's thread.

import { wordsOf } from '../../core/domain/error-words.ts';
import type { NatsLink } from '../../core/nats/connection.ts';
import type { Log, LogFields } from '../../core/runtime/log.ts';
import type { RelayCounts } from './relay-messages.ts';

interface OutletParts {
  readonly counters: RelayCounts;
  /** Messages may have been lost, and can be sent again. */
  readonly onOpen: () => void;
  readonly log: Log;
}

/** The finest grid, 9 999 levels, takes less. A server that takes less than this refuses some books. */
const MESSAGE_BYTES_MAX = 256 * 1024;
/** About a second of the largest burst that a gateway can publish. */
const BACKLOG_BYTES_MAX = 32 * 1024 * 1024;
/** The approximate size that NATS adds to a message. */
const OVERHEAD_BYTES = 200;

export class Outlet {
  readonly #parts: OutletParts;
  #link: NatsLink | null = null;
  #isPaused = false;
  /** Sent bytes, and those that the server has confirmed. */
  #sent = 0;
  #confirmed = 0;
  #isConfirming = false;
  #hasReportedRefusal = false;

  constructor(parts: OutletParts) {
    this.#parts = parts;
  }

  /** Call this once, when the first connection stands. */
  attach(link: NatsLink): void {
    const { counters, log, onOpen } = this.#parts;
    this.#link = link;
    counters.set('connected', 1);
    this.#checkRoom(link);
    link.onRefusal(words => this.#refused({ error: words }));
    link.onChange(isUp => {
      log.warn(isUp ? 'NATS connected again' : 'NATS connection lost');
      counters.set('connected', isUp ? 1 : 0);
      this.#isPaused = false;
      this.#confirmed = this.#sent;
      if (!isUp) return;
      this.#checkRoom(link);
      onOpen();
    });
    onOpen();
  }

  get isOpen(): boolean {
    return this.#link?.isUp === true && !this.#isPaused;
  }

  /** Keeps `message`. Drops it while it is not open. */
  send(subject: string, message: Uint8Array): void {
    if (!this.isOpen) return;
    const { counters } = this.#parts;
    try {
      this.#link?.publish(subject, message);
    } catch (error) {
      this.#refused({ subject, bytes: message.length, error: wordsOf(error) });
      return;
    }
    counters.add('messages', 1);
    counters.add('bytes', message.length);
    this.#sent += message.length + OVERHEAD_BYTES;
    if (this.#sent - this.#confirmed > BACKLOG_BYTES_MAX) this.#pause();
  }

  /**
   * A message is too long, or a subject is not permitted. Reported once for each connection: readers ask for the same book every second.
   */
  #refused(what: LogFields): void {
    this.#parts.counters.add('refused', 1);
    if (this.#hasReportedRefusal) return;
    this.#hasReportedRefusal = true;
    this.#parts.log.warn('NATS refuses a message', what);
  }

  #checkRoom({ messageBytesMax }: NatsLink): void {
    this.#hasReportedRefusal = false;
    if (messageBytesMax >= MESSAGE_BYTES_MAX) return;
    const setting = { max_payload: messageBytesMax, needed: MESSAGE_BYTES_MAX };
    this.#parts.log.warn('max_payload of NATS is too small for the largest books', setting);
  }

  /** Asks the server how far it has read; call this several times a second. */
  confirm(): void {
    const link = this.#link;
    if (link === null || !link.isUp || this.#isConfirming || this.#confirmed === this.#sent) return;
    const upTo = this.#sent;
    this.#isConfirming = true;
    link
      .flush()
      .then(() => this.#read(upTo))
      // The connection was lost: onChange follows.
      .catch(() => {})
      .finally(() => {
        this.#isConfirming = false;
      });
  }

  #read(upTo: number): void {
    this.#confirmed = Math.max(this.#confirmed, upTo);
    if (!this.#isPaused || this.#confirmed < this.#sent) return;
    this.#isPaused = false;
    this.#parts.onOpen();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#parts.counters.add('pauses', 1);
    this.#parts.log.warn('NATS does not keep up: books pause', {
      limit: 'BACKLOG_BYTES_MAX',
      bytes: BACKLOG_BYTES_MAX,
    });
  }
}
