// Whether a process may listen on addresses, asked before the work that comes first: a taken port is noticed at once. Main thread.

import { ListenError, type ListenFault, type ListenOptions, listen } from './listen.ts';

export interface WantedAddress extends Pick<ListenOptions, 'host' | 'port' | 'unixSocketPath' | 'tls'> {
  /** Names of the faults, if they differ from those of `listen`. */
  readonly faults?: Readonly<Partial<Record<ListenFault, ListenFault>>>;
}

/** Listens on each and stops at once: nobody was answered. Rejects with a ListenError. */
export async function proveFree(addresses: readonly WantedAddress[]): Promise<void> {
  for (const { faults = {}, ...address } of addresses) {
    const listener = await listen({ ...address, http: [], sockets: [] }).catch((error: unknown) => {
      if (!(error instanceof ListenError)) throw error;
      throw new ListenError(faults[error.of] ?? error.of, error.port, error.message, error);
    });
    listener.close();
  }
}
