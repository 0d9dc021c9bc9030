// Finds the addresses of one host, as Node does, and remembers them. A look-up reads files on one of the few threads that the process has
// for such work, so it hangs on a frozen disk. Then, and while no resolver answers, the addresses of the last answer serve. Any thread.

import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { limits } from '../../limits.ts';

/** The longest wait for the look-up of a known host. The usual look-up takes some milliseconds. */
const RESOLVE_MS = 250;
const NOTHING_FOUND = new Error('the look-up has found no address');

export class NameMemory {
  #known: LookupAddress[] = [];
  /** The look-up under way. There is at most one, because further look-ups would wait behind it. */
  #lookUp: Promise<void> | null = null;

  /** The look-up function for `net.connect`. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    const answer = (error: Error): void => {
      clearTimeout(patience);
      const [first] = this.#known;
      if (first === undefined) callback(error, []);
      else if (options.all === true) callback(null, this.#known);
      else callback(null, first.address, first.family);
    };
    const isKnown = this.#known.length > 0;
    const late = Promise.withResolvers<never>();
    const patience = setTimeout(
      () => late.reject(new Error(`no address of ${hostname} in time (outboundConnectMs)`)),
      isKnown ? RESOLVE_MS : limits.outboundConnectMs,
    );
    Promise.race([this.#refresh(hostname, options), late.promise]).then(() => answer(NOTHING_FOUND), answer);
  };

  #refresh(hostname: string, options: LookupOptions): Promise<void> {
    this.#lookUp ??= new Promise<void>((resolve, reject) => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        this.#lookUp = null;
        if (error !== null) return reject(error);
        this.#known = addresses;
        resolve();
      });
    });
    return this.#lookUp;
  }
}
