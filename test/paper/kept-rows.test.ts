// The file of what the paper exchanges keep: whole requests or nothing of them, in a file that does not grow for ever.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { KeptError, type KeptKind, KeptRows } from '../../src/paper/kept-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-kept-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, String(files++));

const neverFails = (error: unknown): void => {
  throw error;
};

function open(path: string): KeptRows {
  const rows = new KeptRows(path, neverFails);
  rows.begin();
  return rows;
}

function readAll(path: string, kinds: readonly KeptKind[]): Record<string, unknown> {
  const rows = new KeptRows(path, neverFails);
  return Object.fromEntries(kinds.flatMap(kind => [...rows.rows(kind)].map(([id, row]) => [`${kind} ${id}`, row])));
}

describe('4035: kept rows', () => {
  it('are those of the last commits, as a naive map has them, wherever a kill cuts the file', () => {
    const kinds = ['venue_a order', 'venue_b order', 'game'] as const;
    const change = fc.record({
      kind: fc.constantFrom(...kinds),
      id: fc.constantFrom('1', '2', 'ä "x"\n'),
      row: fc.option(fc.record({ size: fc.integer(), text: fc.string() })),
    });
    const requests = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
    fc.assert(
      fc.property(requests, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const path = newFile();
        const rows = open(path);
        const naive: Record<string, unknown> = {};
        /** The length of the file after each request, and the rows in it at that length. */
        const states = [{ bytes: statSync(path).size, rows: {} }];
        for (const changes of all) {
          for (const { kind, id, row } of changes) {
            rows.touch(kind, id, () => row);
            if (row === null) delete naive[`${kind} ${id}`];
            else naive[`${kind} ${id}`] = row;
          }
          rows.commit();
          states.push({ bytes: statSync(path).size, rows: { ...naive } });
        }
        rows.close();
        const bytes = readFileSync(path);
        const cut = states[0]!.bytes + Math.floor(share * (bytes.length - states[0]!.bytes));
        writeFileSync(path, bytes.subarray(0, cut));
        const expected = states.findLast(state => state.bytes <= cut)!;
        expect(readAll(path, kinds)).toEqual(expected.rows);
      }),
    );
  });

  it('are written as they are at the commit, once for each row', () => {
    const path = newFile();
    const rows = open(path);
    const order = { size: 1 };
    rows.touch('venue_b order', 'x', () => order);
    order.size = 2;
    rows.touch('venue_b order', 'x', () => order);
    rows.commit();
    rows.commit();
    expect(readFileSync(path, 'utf8').split('\n').slice(1)).toEqual(['[["venue_b order","x",{"size":2}]]', '']);
  });

  it('fill a file that is written anew when it has grown, and goes on', () => {
    const path = newFile();
    const rows = open(path);
    const text = 'x'.repeat(100_000);
    let largest = 0;
    for (let size = 0; size < 100; size += 1) {
      rows.touch('venue_b order', 'one', () => ({ size, text }));
      rows.commit();
      largest = Math.max(largest, statSync(path).size);
    }
    expect(largest).toBeLessThan(5_000_000);
    rows.close();
    expect(readAll(path, ['venue_b order'])).toEqual({ 'venue_b order one': { size: 99, text } });
  });

  it('of records are bounded: the oldest go', () => {
    const path = newFile();
    const rows = open(path);
    for (let fill = 0; fill < 5_002; fill += 1) rows.touch('venue_b fill', String(fill), () => ({ fill }));
    rows.commit();
    const ids = [...rows.rows('venue_b fill')].map(([id]) => id);
    expect([ids.length, ids[0]]).toEqual([5_000, '2']);
  });

  it('are not read from a damaged file, nor from one of another release', () => {
    const damaged = newFile();
    open(damaged).close();
    appendFileSync(damaged, '[["venue_b order","x",{"si\n[]\n');
    expect(() => open(damaged)).toThrow(KeptError);
    expect(() => open(damaged)).toThrow(/line 2 is damaged/);
    const other = newFile();
    writeFileSync(other, '{"format":"crossbook paper exchanges","version":2}\n');
    expect(() => open(other)).toThrow(/is of another release/);
  });
});
