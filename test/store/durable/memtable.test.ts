// The memtable over rows of a state, beside a naive twin: one map to which everything is written. Transactions that stay and that do not,
// flushes, ranges in both directions.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Operation } from '../../../src/store/durable/journal-record.ts';
import { Memtable } from '../../../src/store/durable/memtable.ts';
import type { KeyRange, KeyValue } from '../../../src/store/lmdb.ts';
import { bytesOf, textOf } from './store-rig.ts';

type Rows = Map<string, string>;
type Change = readonly [key: string, value: string | null, asked: string | null];
type Step =
  | { readonly type: 'write'; readonly changes: readonly Change[]; readonly stays: boolean }
  | { readonly type: 'flush' }
  | { readonly type: 'read' };

const key = fc.constantFrom('a', 'b', 'ba', 'c', 'd', '\xff');
/** What is written, and what is read of the transaction before the next is. */
const change = fc.tuple(key, fc.option(fc.constantFrom('1', '2', '3'), { nil: null }), fc.option(key, { nil: null }));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('write'),
      changes: fc.array(change, { maxLength: 4 }),
      stays: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('flush') }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('read') }) },
);
const range = fc.record({ gte: key, lt: key, reverse: fc.boolean(), limit: fc.nat(4) });

function operation(text: string, value: Uint8Array | undefined, sequence: number): Operation {
  const key = bytesOf(text);
  return { table: key[0]!, key, value, sequence };
}

function rangeIn(rows: Rows, { gte, lt, reverse, limit }: KeyRange): KeyValue[] {
  const within = [...rows.keys()].filter(it => it >= textOf(gte) && it < textOf(lt)).sort();
  if (reverse) within.reverse();
  return within.slice(0, limit).map(it => ({ key: bytesOf(it), value: bytesOf(rows.get(it)!) }));
}

function write(rows: Rows, key: string, value: string | null): void {
  if (value === null) rows.delete(key);
  else rows.set(key, value);
}

it('reads as if all had been written to the state at once', () => {
  fc.assert(
    fc.property(fc.array(step), fc.array(range, { minLength: 1, maxLength: 5 }), (steps, ranges) => {
      const memtable = new Memtable();
      const [state, twin]: [Rows, Rows] = [new Map(), new Map()];
      let sequence = 0;
      for (const it of steps) {
        if (it.type === 'flush') {
          for (const { key, value } of memtable.rows)
            write(state, textOf(key), value === undefined ? null : textOf(value));
          memtable.drop(sequence);
          expect(memtable.size).toBe(0);
        } else if (it.type === 'write') {
          const own: Rows = new Map(twin);
          for (const [key, value, asked] of it.changes) {
            const bytes = value === null ? undefined : bytesOf(value);
            memtable.put(operation(key, bytes, sequence + 1));
            write(own, key, value);
            if (it.stays) write(twin, key, value);
            if (asked === null) continue;
            const row = memtable.get(bytesOf(asked)[0]!, asked);
            const read = row === undefined ? state.get(asked) : row.value && textOf(row.value);
            expect(read).toBe(own.get(asked));
          }
          if (it.stays) memtable.keep();
          else memtable.rollBack();
          if (it.stays) sequence += 1;
        }
        if (it.type !== 'read') continue;
        for (const { gte, lt, ...rest } of ranges) {
          const asked = { gte: bytesOf(gte), lt: bytesOf(lt), ...rest };
          const read = memtable.range(asked, it => rangeIn(state, it));
          expect(read.map(({ key, value }) => [textOf(key), textOf(value)])).toEqual(
            rangeIn(twin, asked).map(({ key, value }) => [textOf(key), textOf(value)]),
          );
        }
        const keys = [...memtable.rows].map(({ key }) => textOf(key));
        expect(keys).toEqual([...new Set(keys)].sort());
      }
    }),
  );
});

it('drops what is in the state, and keeps what was written since', () => {
  const memtable = new Memtable();
  memtable.put(operation('a', bytesOf('1'), 1));
  memtable.put(operation('b', bytesOf('1'), 1));
  memtable.put(operation('b', undefined, 2));
  memtable.keep();
  memtable.drop(1);
  expect(['a', 'b'].map(it => memtable.get(bytesOf(it)[0]!, it))).toEqual([undefined, operation('b', undefined, 2)]);
});
