// The thread of simulated or replayed venues, as both sides see it. Only this thread may close its native sockets, at its end and before a
// fault ends it. Sockets that are left open abort the process without a message.

import { type MessagePort, Worker } from 'node:worker_threads';

/** The messages of the thread: once its addresses, its failure if it fails, and messages of the venues. */
type FromVenues<Listening> =
  | { readonly listening: Listening }
  | { readonly failed: string }
  | { readonly news: unknown };

/** The venues that the thread has opened. */
interface Venues<Listening> {
  readonly listening: Listening;
  readonly close: () => unknown;
  /** Gets the messages of the main thread. */
  readonly onMessage?: (message: never) => void;
}

const CLOSE = 'close';

/**
 * Opens the venues on their thread and reports their addresses. Closes the venues when the main thread says so, or after a fault. A
 * rejection of `open` ends the thread with that error. A worker's file calls this instead of awaiting at its top level: see
 * `noTopLevelAwait`.
 */
export async function serveVenues<Listening>(
  parent: MessagePort,
  open: (say: (message: unknown) => void) => Promise<Venues<Listening>>,
): Promise<void> {
  const say = (message: FromVenues<Listening>): void => parent.postMessage(message);
  const { listening, close, onMessage } = await open(news => say({ news }));
  parent.on('message', message => {
    if (message !== CLOSE) onMessage?.(message as never);
    else {
      close();
      // Once the port is closed, nothing keeps the thread alive.
      parent.close();
    }
  });
  process.once('uncaughtException', error => {
    close();
    say({ failed: error.message });
    parent.close();
  });
  say({ listening });
}

interface VenueThreadFile {
  readonly name: string;
  readonly entry: URL;
}

/** The side of the main thread. */
export class VenueThread<Listening> {
  /** Resolves with the addresses of the venues. Rejects if the thread ends before it listens. */
  readonly listening: Promise<Listening>;
  readonly #worker: Worker;
  #listener: (message: unknown) => void = () => {};
  readonly #ended: Promise<void>;

  /** `onFailure` is called if the venues fail after they listened. */
  constructor({ name, entry }: VenueThreadFile, workerData: unknown, onFailure: (reason: string) => void) {
    const listening = Promise.withResolvers<Listening>();
    this.listening = listening.promise;
    this.#worker = new Worker(entry, { name, workerData });
    this.#worker.on('message', (message: FromVenues<Listening>) => {
      if ('news' in message) this.#listener(message.news);
      else if ('failed' in message) onFailure(message.failed);
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

  /** Sets the function that gets the messages of the venues from now on. */
  listen(listener: (message: unknown) => void): void {
    this.#listener = listener;
  }

  post(message: unknown): void {
    this.#worker.postMessage(message);
  }

  async close(): Promise<void> {
    this.#worker.postMessage(CLOSE);
    await this.#ended;
  }
}
