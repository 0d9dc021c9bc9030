// The keys as they are now. Another process may change them (the command line): every request looks at the store's version
// first, so that a revoked key is refused by the very next one; open streams are looked after every `keyWatchMs`. Main thread.

import { Keyring } from '../../auth/keyring.ts';
import { limits } from '../../limits.ts';
import type { Log } from '../../runtime/log.ts';
import type { KeyStore } from '../../store/key-store.ts';

export class LiveKeys {
  readonly #store: KeyStore;
  readonly #onChange: (keys: Keyring) => void;
  readonly #watch: NodeJS.Timeout;
  #version: number;
  #keyring: Keyring;

  /** `onChange` hears of every change after it has taken effect. Throws what the store throws if it cannot be read. */
  constructor(store: KeyStore, log: Log, onChange: (keys: Keyring) => void) {
    this.#store = store;
    this.#onChange = onChange;
    this.#version = store.version();
    this.#keyring = new Keyring(store.read());
    let isReadable = true;
    this.#watch = setInterval(() => {
      try {
        this.current();
        isReadable = true;
      } catch (error) {
        if (isReadable) log.warn('key store cannot be read', { error: String(error) });
        isReadable = false;
      }
    }, limits.keyWatchMs);
  }

  /** As they were when the store was last looked at: what `onChange` has told. */
  get known(): Keyring {
    return this.#keyring;
  }

  /** Throws what the store throws: with unreadable keys nobody is let in. */
  current(): Keyring {
    const version = this.#store.version();
    if (version === this.#version) return this.#keyring;
    this.#keyring = new Keyring(this.#store.read());
    this.#version = version;
    this.#onChange(this.#keyring);
    return this.#keyring;
  }

  close(): void {
    clearInterval(this.#watch);
  }
}
