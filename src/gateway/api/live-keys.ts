// The current keys. Another process (the command line) may change them. Every request compares the store's version first, so
// that the next request under a revoked key is refused. Open streams are checked every `keyWatchMs`. Main thread, and the engine’s (src/gateway/door).

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

  /** `onChange` gets each change after it takes effect. Throws the store's error if it cannot be read. */
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

  /** The keys at the last look at the store, which `onChange` has reported. */
  get known(): Keyring {
    return this.#keyring;
  }

  /** Why callers that could raise risk are refused; null: they are not. */
  staleness(): string | null {
    return this.#store.staleness();
  }

  /** Throws the store's error: without readable keys no caller is admitted. */
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
