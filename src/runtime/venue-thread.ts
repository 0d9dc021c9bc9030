// The thread of simulated or replayed venues, seen from both sides. Only that thread may close its native sockets, at the end
// and before a fault ends it. Left open, they abort the process without a message.

import { type MessagePort, Worker } from 'node:worker_threads';

/** What such a thread reports: once where it listens, and its failure if it fails. */
type FromVenues<Listening> = { readonly listening: Listening } | { readonly failed: string };

/** On the venues' thread: reports where they listen. Calls `close` on any message or after a fault. */
export function serveVenues<Listening>(parent: MessagePort, listening: Listening, close: () => unknown): void {
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

/** On the main thread. */
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
