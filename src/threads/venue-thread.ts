// The thread of simulated or replayed venues, seen from either side. Its native sockets must be closed by their own thread, at
// the end and before a fault ends it: left open, they abort the whole process without a word.

import { type MessagePort, Worker } from 'node:worker_threads';

/** What such a thread says: once where it listens, and once what went wrong, if something does. */
type FromVenues<Listening> = { readonly listening: Listening } | { readonly failed: string };

/** On the venues' thread: says where they listen, and calls `close` when it is told anything, or after a fault. */
export function serveVenues<Listening>(parent: MessagePort, listening: Listening, close: () => unknown): void {
  const say = (message: FromVenues<Listening>): void => parent.postMessage(message);
  parent.once('message', close);
  process.once('uncaughtException', error => {
    close();
    say({ failed: error.message });
    // Nothing is left that keeps the thread.
    parent.close();
  });
  say({ listening });
}

/** On the main thread. */
export class VenueThread<Listening> {
  /** Rejects if the thread ends before it listens. */
  readonly listening: Promise<Listening>;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  /** `onFailure`: the venues that listened are gone. */
  constructor(file: URL, workerData: unknown, onFailure: (reason: string) => void) {
    const listening = Promise.withResolvers<Listening>();
    this.listening = listening.promise;
    this.#worker = new Worker(file, { name: 'venues', workerData });
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
