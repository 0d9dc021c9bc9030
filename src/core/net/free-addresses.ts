// Finds whether this process may listen on addresses, before other work of the start: a taken port is then noticed at once. Main thread.

import { ListenError, type ListenFault, type ListenOptions, listen } from './listen.ts';

export interface WantedAddress extends Pick<ListenOptions, 'host' | 'port' | 'unixSocketPath' | 'tls'> {
  /** The names of the faults that differ from those of `listen`. */
  readonly faults?: Readonly<Partial<Record<ListenFault, ListenFault>>>;
}

/** Listens on each address and stops at once, without answering a request. Rejects with a ListenError. */
export async function assertFree(addresses: readonly WantedAddress[]): Promise<void> {
  for (const { faults = {}, ...address } of addresses) {
    const listener = await listen({ ...address, http: [], sockets: [] }).catch((error: unknown) => {
      if (!(error instanceof ListenError)) throw error;
      throw new ListenError(faults[error.of] ?? error.of, error.port, error.message, error);
    });
    listener.close();
  }
}
