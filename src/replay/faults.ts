// Faults of a venue's wire, by frame count, so that a test meets the same fault in every run. They act after the frame
// has its number: what is dropped here is a gap there. Replay thread; only tests ask for any.

import type { Connection } from '../net/listen.ts';

export interface Fault {
  /**
   * What happens to the frame: `drop` it, send it twice, `swap` it with the one after it, send its first half, `close` the
   * connection after it, or fall into `silence` from it on, until the client gives up the connection.
   */
  readonly kind: 'drop' | 'duplicate' | 'swap' | 'truncate' | 'close' | 'silence';
  /** Which of the server's frames, from 1, over all of its connections. Each fault happens once. */
  readonly frame: number;
  /** Counts only frames that contain this text. */
  readonly containing?: string;
}

/** Sends frames on connections and commits the faults that are due. */
export class FrameSender {
  readonly #faults: readonly { readonly fault: Fault; seen: number }[];
  readonly #silenced = new WeakSet<Connection<unknown>>();
  /** A frame that waits for the one that overtakes it. */
  readonly #overtaken = new WeakMap<Connection<unknown>, string>();

  constructor(faults: readonly Fault[]) {
    this.#faults = faults.map(fault => ({ fault, seen: 0 }));
  }

  send(connection: Connection<unknown>, frame: string): void {
    if (this.#faults.length === 0) {
      deliver(connection, frame);
      return;
    }
    const kind = this.#due(frame);
    if (kind === 'silence') this.#silenced.add(connection);
    if (this.#silenced.has(connection) || kind === 'drop') return;
    if (kind === 'swap' && !this.#overtaken.has(connection)) {
      this.#overtaken.set(connection, frame);
      return;
    }
    deliver(connection, kind === 'truncate' ? frame.slice(0, frame.length >> 1) : frame);
    if (kind === 'duplicate') deliver(connection, frame);
    if (kind === 'close') connection.terminate();
    const overtaken = this.#overtaken.get(connection);
    if (overtaken === undefined) return;
    this.#overtaken.delete(connection);
    deliver(connection, overtaken);
  }

  /** The fault of this frame. Every fault counts every frame; the first that is due wins. */
  #due(frame: string): Fault['kind'] | null {
    let due: Fault['kind'] | null = null;
    for (const entry of this.#faults) {
      const { containing } = entry.fault;
      if (containing !== undefined && !frame.includes(containing)) continue;
      entry.seen += 1;
      if (entry.seen === entry.fault.frame) due ??= entry.fault.kind;
    }
    return due;
  }
}

/** A frame that the hard bound of unsent bytes would swallow ends the connection: a silent loss would be our fault, not the venue's. */
function deliver(connection: Connection<unknown>, frame: string): void {
  if (!connection.send(frame, false)) connection.terminate();
}
