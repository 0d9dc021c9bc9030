// Log of faults: the last ones individually, all of them as counts. So a test can find the request whose answer was lost.
// Thread of the paper exchanges.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { FaultKind } from './fault-rules.ts';
import type { Asked } from './faults.ts';

interface FaultEntry extends Asked {
  /** From 1, without a gap. */
  readonly number: number;
  readonly at: UnixMillis;
  readonly rule: number;
  readonly kind: FaultKind;
}

export class FaultJournal {
  readonly #entriesMax: number;
  /** Entry n stands at (n − 1) % entriesMax. */
  readonly #entries: FaultEntry[] = [];
  readonly #counts = new Map<FaultKind, number>();
  #written = 0;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  /** Counts since the start, by kind; without kinds that never happened. */
  get counts(): ReadonlyMap<FaultKind, number> {
    return this.#counts;
  }

  write(entry: Omit<FaultEntry, 'number'>): void {
    this.#entries[this.#written % this.#entriesMax] = { number: this.#written + 1, ...entry };
    this.#written += 1;
    this.#counts.set(entry.kind, (this.#counts.get(entry.kind) ?? 0) + 1);
  }

  /** Newest first, as far as kept. */
  *newestFirst(): Iterable<FaultEntry> {
    const oldest = Math.max(0, this.#written - this.#entriesMax);
    for (let index = this.#written - 1; index >= oldest; index -= 1) yield this.#entries[index % this.#entriesMax]!;
  }
}
