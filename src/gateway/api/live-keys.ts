// Holds the current keys, which another process (the command line) may change. Every request compares the version of the key store first,
// so that the next request under a revoked key is refused. For open streams the store is checked every `keyWatchMs`. Main thread, and the
// engine’s (src/gateway/door).

import { Keyring } from '../../core/auth/keyring.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { KeyStore } from '../../core/store/key-store.ts';
import { limits } from '../../limits.ts';

export class LiveKeys {
  readonly #store: KeyStore;
  readonly #onChange: (keys: Keyring) => void;
  readonly #watch: NodeJS.Timeout;
  #version: number;
  #keyring: Keyring;

  /** `onChange` is called after each change has taken effect. Throws the store's error if the store cannot be read. */
  constructor(store: KeyStore, log: Log, onChange: (keys: Keyring) => void) {
    this.#store = store;
    this.#onChange = onChange;
    this.#version = store.version();
    this.#keyring = new Keyring(store.read());
    let isReadable = true;
    this.#watch = setInterval(() => {
      try {
        this.readIfChanged();
        isReadable = true;
      } catch (error) {
        if (isReadable) log.warn('key store cannot be read', { error: String(error) });
        isReadable = false;
      }
    }, limits.keyWatchMs);
  }

  /** The keys as of the last reading of the store. `onChange` has reported them. */
  get lastRead(): Keyring {
    return this.#keyring;
  }

  /** The reason why callers that could raise risk are refused. Null means that they are not refused. */
  stalenessReason(): string | null {
    return this.#store.staleness();
  }

  /** Reads the keys again if the store has changed. Throws the store's error, because no caller is admitted without readable keys. */
  readIfChanged(): Keyring {
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
