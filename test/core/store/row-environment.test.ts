// The history's demands on its rows: one suite, over LMDB in a folder and over the twin in memory that simulations use. Also random lives
// in which both answer alike.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KeyRange, openRowEnvironment, type RowEnvironment } from '../../../src/core/store/lmdb.ts';
import { MemoryRows } from '../../support/memory-rows.ts';
import { removeFolder } from '../../support/temporary-folder.ts';
import { testFolder } from '../../support/test-folder.ts';

const ADDRESS_SPACE_BYTES = 16 * 1024 * 1024;
const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const textOf = (found: Uint8Array | undefined): string | null =>
  found === undefined ? null : Buffer.from(found).toString('latin1');
const ALL: KeyRange = { gte: bytes('\x00'), lt: bytes('\xff'), reverse: false, limit: 100 };

let folder: string;
beforeEach(() => {
  folder = testFolder();
});

const inFolder = () => () => openRowEnvironment(folder, ADDRESS_SPACE_BYTES);
const inMemory = () => {
  const rows = new MemoryRows();
  return () => rows.open();
};

describe.each([
  ['LMDB', inFolder],
  ['the twin', inMemory],
])('rows of %s', (_name, make) => {
  let open: () => RowEnvironment;
  let [one, other]: RowEnvironment[] = [];
  beforeEach(() => {
    open = make();
    [one, other] = [open(), open()];
  });
  afterEach(() => Promise.all([one!.close(), other!.close()]));

  const write = (...keys: string[]): void =>
    one!.transact(() => {
      for (const key of keys) one!.put(bytes(key), bytes(`of ${key}`));
    });

  it('are read by everybody once they are committed, and by those who open them later', async () => {
    write('a', 'b');
    other!.refresh();
    expect([readBy(other!, 'a'), readBy(other!, 'c')]).toEqual(['of a', null]);
    const later = open();
    expect(keysOf(later)).toEqual(['a', 'b']);
    await later.close();
  });

  it('are in the order of their bytes, from the first key to just before the last, from either end, up to a number', () => {
    write('b', 'a', '\x80', 'ab', '\xfe', 'B', 'a\x00');
    const keys = ['B', 'a', 'a\x00', 'ab', 'b', '\x80', '\xfe'];
    expect(keysOf(one!)).toEqual(keys);
    expect(keysOf(one!, { reverse: true })).toEqual(keys.toReversed());
    expect(keysOf(one!, { limit: 2 })).toEqual(keys.slice(0, 2));
    expect(keysOf(one!, { limit: 2, reverse: true })).toEqual(keys.slice(-2).toReversed());
    const part = { gte: bytes('a'), lt: bytes('b') };
    expect(keysOf(one!, part)).toEqual(['a', 'a\x00', 'ab']);
    expect(keysOf(one!, { ...part, reverse: true })).toEqual(['ab', 'a\x00', 'a']);
    expect(keysOf(one!, { gte: bytes('b'), lt: bytes('b') })).toEqual([]);
  });

  it('are in a transaction as it has written them, and for others as before', () => {
    write('a', 'b');
    one!.transact(() => {
      one!.put(bytes('a'), bytes('anew'));
      one!.put(bytes('c'), bytes(''));
      one!.remove(bytes('b'));
      one!.remove(bytes('never there'));
      expect([readBy(one!, 'a'), readBy(one!, 'b'), readBy(one!, 'c')]).toEqual(['anew', null, '']);
      expect(keysOf(one!)).toEqual(['a', 'c']);
      other!.refresh();
      expect([readBy(other!, 'a'), ...keysOf(other!)]).toEqual(['of a', 'a', 'b']);
    });
    other!.refresh();
    expect([readBy(other!, 'a'), ...keysOf(other!)]).toEqual(['anew', 'a', 'c']);
  });

  it('are as before where the work throws, which is thrown on', () => {
    write('a');
    const fault = new Error('deliberate');
    const work = () =>
      one!.transact(() => {
        one!.put(bytes('a'), bytes('anew'));
        one!.put(bytes('b'), bytes('b'));
        throw fault;
      });
    expect(work).toThrow(fault);
    one!.refresh();
    expect([readBy(one!, 'a'), ...keysOf(one!)]).toEqual(['of a', 'a']);
    write('c');
    one!.refresh();
    expect(keysOf(one!)).toEqual(['a', 'c']);
  });

  it('are of the moment that was read, until the next, or until that is let go of', () => {
    write('a');
    other!.refresh();
    write('b');
    one!.transact(() => one!.remove(bytes('a')));
    expect([...keysOf(other!), readBy(other!, 'a')]).toEqual(['a', 'of a']);
    other!.refresh();
    expect(keysOf(other!)).toEqual(['b']);
    other!.release();
    write('c');
    other!.refresh();
    expect(keysOf(other!)).toEqual(['b', 'c']);
  });

  it('are of its own change for the caller that makes it, after any earlier read', () => {
    one!.refresh();
    write('a');
    expect(keysOf(one!)).toEqual(['a']);
  });

  it('tell each writer whether others have written since its last transaction', () => {
    const handles = [one!, other!];
    const turns = fc.record({ writer: fc.nat(1), puts: fc.nat(2), isUndone: fc.boolean() });
    const undone = new Error('undone');
    /** By writer: whether others have written since the last transaction of the writer that succeeded. */
    const isForeign = [true, true];
    fc.assert(
      fc.property(fc.array(turns, { maxLength: 20 }), happenings => {
        for (const { writer, puts, isUndone } of happenings) {
          const rows = handles[writer]!;
          const before = rows.foreignWrites;
          const transact = () =>
            rows.transact(() => {
              expect(rows.foreignWrites).toBe(before + (isForeign[writer] ? 1 : 0));
              for (let put = 0; put < puts; put++) rows.put(bytes(`key ${put}`), bytes('value'));
              if (isUndone) throw undone;
            });
          if (isUndone) {
            expect(transact).toThrow(undone);
            continue;
          }
          transact();
          isForeign[writer] = false;
          if (puts > 0) isForeign[1 - writer] = true;
        }
      }),
    );
  });

  it('stay as they were written when the buffers that were handed in change', () => {
    const [key, value] = [bytes('key'), bytes('value')];
    one!.transact(() => {
      one!.put(key, value);
      key.fill(0);
      value.fill(0);
    });
    expect([...keysOf(one!), readBy(one!, 'key')]).toEqual(['key', 'value']);
  });
});

const key = fc.constantFrom('a', 'a\x00', 'b', 'c', '\xf0').map(bytes);
const act = fc.oneof(
  fc.record({ type: fc.constant('put' as const), key, value: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({ type: fc.constant('remove' as const), key }),
);
const life = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('transact' as const),
      acts: fc.array(act, { maxLength: 5 }),
      isUndone: fc.boolean(),
    }),
    fc.record({ type: fc.constant('refresh' as const) }),
    fc.record({ type: fc.constant('release' as const) }),
  ),
  { maxLength: 12 },
);
const range = fc.record({ gte: key, lt: key, reverse: fc.boolean(), limit: fc.integer({ min: 1, max: 4 }) });

it('LMDB and the twin are alike in any life', async () => {
  await fc.assert(
    fc.asyncProperty(life, range, async (happenings, range) => {
      removeFolder(folder);
      const handles = [inFolder()(), inMemory()()] as const;
      const [real, twin] = handles.map(rows =>
        [...happenings, { type: 'refresh' } as const].map(it => live(rows, it, range)),
      );
      expect(twin).toEqual(real);
      await Promise.all(handles.map(rows => rows.close()));
    }),
    { numRuns: 40 },
  );
});

type Happening = typeof life extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

/** Returns the readings after a happening. */
function live(rows: RowEnvironment, it: Happening, range: KeyRange): unknown {
  if (it.type === 'release') {
    rows.release();
    return null;
  }
  if (it.type === 'refresh') {
    rows.refresh();
    return seen(rows, range);
  }
  const undone = Symbol('undone');
  let within: unknown;
  try {
    rows.transact(() => {
      for (const act of it.acts) {
        if (act.type === 'put') rows.put(act.key, act.value);
        else rows.remove(act.key);
      }
      within = seen(rows, range);
      if (it.isUndone) throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return within;
}

function seen(rows: RowEnvironment, range: KeyRange): unknown {
  return [keysOf(rows), rows.range(range).map(row => [textOf(row.key), textOf(row.value)])];
}

function readBy(rows: RowEnvironment, key: string): string | null {
  return textOf(rows.get(bytes(key)));
}

function keysOf(rows: RowEnvironment, part: Partial<KeyRange> = {}): (string | null)[] {
  return rows.range({ ...ALL, ...part }).map(row => textOf(row.key));
}
