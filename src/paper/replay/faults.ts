// Faults of a venue's wire, by frame count: a test meets the same fault in every run. They act after a frame has its
// sequence number, so that a dropped frame leaves a gap. Replay thread; only tests use them.

import type { Connection } from '../../core/net/listen.ts';

export interface Fault {
  /**
   * Effect on the frame: `drop` it, send it twice, `swap` it with the next one, or send its first half. `close` ends the connection after
   * it; `silence` sends nothing more until the client gives up the connection.
   */
  readonly kind: 'drop' | 'duplicate' | 'swap' | 'truncate' | 'close' | 'silence';
  /** Index of the server's frame, from 1, over all of its connections. Each fault happens once. */
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

/**
 * uWebSockets.js drops a frame beyond the bound of unsent bytes. The connection ends instead: a silent loss would be our fault, not the
 * venue's.
 */
function deliver(connection: Connection<unknown>, frame: string): void {
  if (!connection.send(frame, false)) connection.terminate();
}
