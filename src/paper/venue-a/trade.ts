// A trade of venue A during its settlement: its record at each change of status, for stale reads.

import type { UnixMillis } from '../../domain/numbers.ts';
import type { TradeRecord } from './records.ts';

export class Trade {
  /** Oldest first; one for each change of status, which are few. */
  readonly #pictures: TradeRecord[];

  constructor(record: TradeRecord) {
    this.#pictures = [record];
  }

  get record(): TradeRecord {
    return this.#pictures.at(-1)!;
  }

  change(updatedAt: UnixMillis, change: Partial<Pick<TradeRecord, 'status' | 'transactionHash'>>): TradeRecord {
    const record = { ...this.record, ...change, updatedAt };
    this.#pictures.push(record);
    return record;
  }

  /** State at that time; null if it had not happened yet. */
  asOf(at: UnixMillis): TradeRecord | null {
    return this.#pictures.findLast(it => it.updatedAt <= at) ?? null;
  }
}
