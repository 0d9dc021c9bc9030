// The thread of simulated or replayed venues, seen from both sides. Only that thread may close its native sockets, at the end
// and before a fault ends it. Left open, they abort the process without a message.

import { type MessagePort, Worker } from 'node:worker_threads';

/** The reports of such a thread: its addresses, once, and its failure if it fails. */
type FromVenues<Listening> = { readonly listening: Listening } | { readonly failed: string };

/** Open venues. */
interface Venues<Listening> {
  readonly listening: Listening;
  readonly close: () => unknown;
}

/**
 * Opens the venues on their thread and reports their addresses. Closes them on any message or after a fault. A rejection of `open` ends the
 * thread with that error. A worker's file calls this instead of awaiting at its top level: see `noTopLevelAwait`.
 */
export async function serveVenues<Listening>(
  parent: MessagePort,
  open: () => Promise<Venues<Listening>>,
): Promise<void> {
  const { listening, close } = await open();
  const say = (message: FromVenues<Listening>): void => parent.postMessage(message);
  parent.once('message', close);
  process.once('uncaughtException', error => {
    close();
    say({ failed: error.message });
    // Without its port nothing keeps the thread alive.
    parent.close();
  });
  say({ listening });
}

interface VenueThreadFile {
  readonly name: string;
  readonly entry: URL;
}

/** The main thread's end. */
export class VenueThread<Listening> {
  /** Rejects if the thread ends before it listens. */
  readonly listening: Promise<Listening>;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  /** `onFailure`: called if the venues fail after they listened. */
  constructor({ name, entry }: VenueThreadFile, workerData: unknown, onFailure: (reason: string) => void) {
    const listening = Promise.withResolvers<Listening>();
    this.listening = listening.promise;
    this.#worker = new Worker(entry, { name, workerData });
    this.#worker.on('message', (message: FromVenues<Listening>) => {
      if ('failed' in message) onFailure(message.failed);
      else listening.resolve(message.listening);
    });
    this.#worker.once('error', listening.reject);
    this.#ended = new Promise(resolve => {
      this.#worker.once('exit', () => {
        listening.reject(new Error('the thread of the venues ended before it listened'));
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#worker.postMessage('close');
    await this.#ended;
  }
}
