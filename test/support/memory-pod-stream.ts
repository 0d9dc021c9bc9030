// The stream of a pod in memory, for a standby: the records that owners store, and the heartbeats that owners publish. The stream takes no
// record from the standby.

import { ownershipRecord } from '../../src/orders/ledger/pod-owner.ts';

const URL = 'http://gateway.example:8080';

export class MemoryPodStream {
  readonly #records: Uint8Array[] = [];
  readonly #hearers = new Set<(message: { readonly data: Uint8Array }) => void>();
  #more = Promise.withResolvers<void>();
  #isClosed = false;

  readonly link = {
    publish: () => {},
    subscribe: (_subject: string, hear: (message: { readonly data: Uint8Array }) => void) => {
      this.#hearers.add(hear);
      return () => this.#hearers.delete(hear);
    },
    onChange: () => () => {},
    close: async () => {
      this.#isClosed = true;
      this.#more.resolve();
    },
  } as never;
  readonly stream = {
    ...{ name: 'stream', recordBytesMax: 1_000_000 },
    end: async () => ({ last: this.#records.length, madeAt: 'then' }),
    read: (from: number) => this.#read(from),
    append: async () => ({ type: 'refused', message: 'deliberate' }),
  } as never;

  /** Gives the pod to a gateway, always at the same address. */
  store(gatewayId: string): void {
    this.append(ownershipRecord({ gatewayId, url: URL }));
  }

  /** Appends a record as the pod's owner does. */
  append(record: Uint8Array): void {
    this.#records.push(record);
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }

  beat(gatewayId: string): void {
    for (const hear of this.#hearers) hear({ data: new TextEncoder().encode(gatewayId) });
  }

  async *#read(from: number) {
    for (let sequence = from; !this.#isClosed; sequence += 1) {
      while (this.#records.length < sequence && !this.#isClosed) await this.#more.promise;
      const payload = this.#records[sequence - 1];
      if (payload !== undefined) yield { sequence, payload };
    }
  }
}
