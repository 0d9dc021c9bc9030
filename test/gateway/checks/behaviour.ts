// The faults of faulty-check-worker.ts, and the memory through which it and the test see each other.

import type { SignatureCheck } from '../../../src/core/auth/check.ts';
import { PATIENCE_MS } from '../../support/eventually.ts';

export type Behaviour =
  | 'exit'
  | 'exitOnce'
  | 'exitOnceAtGate'
  | 'throw'
  | 'throwUncaught'
  | 'waitAtGate'
  | 'leaveTimer'
  | 'leaveServer';

/** The places of the values in the shared memory. */
export const SHARED = { gate: 0, count: 1, port: 2 } as const;

export class ScriptedCheck implements SignatureCheck {
  readonly publicKeyHex = '';
  readonly message: Behaviour;
  readonly signature = '';
  readonly shared = new Int32Array(new SharedArrayBuffer(64));

  constructor(message: Behaviour) {
    this.message = message;
  }

  read(place: keyof typeof SHARED): number {
    return Atomics.load(this.shared, SHARED[place]);
  }

  /** Resolves when the worker has counted beyond `count`. Rejects if the worker does not do so within a generous time. */
  async countsBeyond(count: number): Promise<void> {
    for (let seen = this.read('count'); seen <= count; seen = this.read('count')) {
      const wait = Atomics.waitAsync(this.shared, SHARED.count, seen, PATIENCE_MS);
      if ((await wait.value) === 'timed-out') throw new Error(`the worker stopped counting at ${seen}`);
    }
  }

  openGate(): void {
    Atomics.store(this.shared, SHARED.gate, 1);
    Atomics.notify(this.shared, SHARED.gate);
  }
}
