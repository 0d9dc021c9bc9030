// Random lives of a durable store beside a naive twin: transactions, throws, groups, ranges, two threads' worth of openers,
// reopening, crashes of process and machine, checkpoints and backups. At every step both say the same.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import type { Reader, Transaction } from '../../../src/store/durable/tables.ts';
import { NaiveDurableStore, type NaiveRange } from '../../support/naive-durable-store.ts';
import {
  bytesOf,
  contentOf,
  crashCopy,
  openStore,
  removeFolder,
  TABLE_NAMES,
  type Table,
  temporaryFolder,
  textOf,
} from './store-rig.ts';

type Change = { readonly table: Table; readonly key: string; readonly value: string | null };
type Step =
  | { readonly type: 'transact' | 'commit'; readonly works: readonly { changes: readonly Change[]; fails: boolean }[] }
  | { readonly type: 'range'; readonly table: Table; readonly range: NaiveRange }
  | { readonly type: 'reopen' | 'kill' | 'power-cut' | 'checkpoint' | 'backup' | 'durable' | 'flush' };

const table = fc.constantFrom(...TABLE_NAMES);
const byteText = fc
  .array(fc.constantFrom('\x00', '\x01', 'a', '\xfe', '\xff'), { maxLength: 4 })
  .map(it => it.join(''));
const key = fc.oneof(
  { weight: 20, arbitrary: byteText },
  { weight: 1, arbitrary: byteText.map(end => 'a'.repeat(507) + end) },
);
const value = fc.oneof(
  { weight: 8, arbitrary: byteText },
  { weight: 1, arbitrary: fc.nat(20_000).map(length => 'v'.repeat(length)) },
);
const change = fc.record({ table, key, value: fc.option(value, { nil: null }) });
const work = fc.record({ changes: fc.array(change, { maxLength: 6 }), fails: fc.boolean() });
const optional = { requiredKeys: ['limit'] as ['limit'] };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('transact' as const), works: fc.array(work, { maxLength: 4 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('commit' as const), works: fc.array(work, { maxLength: 6 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('range' as const),
      table,
      range: fc.record({ gte: key, lt: key, reverse: fc.boolean(), limit: fc.nat(5) }, optional),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom('reopen', 'kill', 'power-cut', 'checkpoint', 'backup', 'durable', 'flush'),
    }),
  },
);

class Deliberate extends Error {}

it('does what its twin does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(1), step), { maxLength: 25 }),
      fc.constantFrom('process-safe', 'power-safe'),
      live,
    ),
    { numRuns: 60 },
  );
});

/** Each step is done by one of two threads' worth of openers, by the number before it. */
async function live(steps: readonly (readonly [number, Step])[], mode: 'process-safe' | 'power-safe'): Promise<void> {
  const folders = [temporaryFolder()];
  const twin = new NaiveDurableStore(TABLE_NAMES);
  let boot = 0;
  const open = async (folder: string) => {
    const options = { mode, bootId: `b${boot}` } as const;
    return [await openStore(folder, options), await openStore(folder, { ...options, role: 'member' })] as const;
  };
  let [owner, member] = await open(folders[0]!);

  async function close(): Promise<void> {
    await member.close();
    await owner.close();
  }

  async function moveTo(folder: string): Promise<void> {
    folders.push(folder);
    await close();
    [owner, member] = await open(folder);
  }

  async function act(store: DurableStore<Table>, it: Step): Promise<void> {
    switch (it.type) {
      case 'transact':
        for (const each of it.works) transactBoth(store, twin, each);
        return;
      case 'commit':
        return commitBoth(store, twin, it.works);
      case 'range':
        expect(rangeOf(store, it.table, it.range)).toEqual(twin.range(it.table, it.range));
        return;
      case 'reopen':
        return moveTo(folders.at(-1)!);
      case 'kill':
        return moveTo(crashCopy(folders.at(-1)!));
      case 'power-cut':
        boot += 1;
        return moveTo(crashCopy(folders.at(-1)!));
      case 'checkpoint':
        return store.checkpoint();
      case 'backup': {
        const folder = temporaryFolder();
        await store.backup(folder);
        return moveTo(folder);
      }
      case 'durable':
        return store.durable();
      case 'flush':
        return store.flush();
    }
  }

  try {
    for (const [by, it] of steps) {
      await act([owner, member][by]!, it);
      expect(contentOf([member, owner][by]!)).toEqual(contentOfTwin(twin));
    }
  } finally {
    await close();
    folders.forEach(removeFolder);
  }
}

function transactBoth(
  store: DurableStore<Table>,
  twin: NaiveDurableStore,
  it: { changes: readonly Change[]; fails: boolean },
): void {
  expect(outcomeOf(() => store.transact(transaction => apply(transaction, it)))).toEqual(
    outcomeOf(() => twin.transact(() => apply(throughText(twin), it))),
  );
}

async function commitBoth(
  store: DurableStore<Table>,
  twin: NaiveDurableStore,
  works: readonly { changes: readonly Change[]; fails: boolean }[],
): Promise<void> {
  const results = await Promise.allSettled(works.map(it => store.commit(transaction => apply(transaction, it))));
  works.forEach((it, index) => {
    const result = results[index]!;
    expect(result.status === 'fulfilled' ? result.value : result.reason).toEqual(
      outcomeOf(() => twin.transact(() => apply(throughText(twin), it))),
    );
  });
}

/** What it saw, which depends on what it wrote. */
function apply(
  transaction: Transaction<Table>,
  { changes, fails }: { changes: readonly Change[]; fails: boolean },
): string[] {
  const seen: string[] = [];
  for (const { table, key, value } of changes) {
    seen.push(String(textOrNone(transaction.get(table, bytesOf(key)))));
    if (value === null) transaction.delete(table, bytesOf(key));
    else transaction.put(table, bytesOf(key), bytesOf(value));
    seen.push(...rangeOf(transaction, table, { gte: key, limit: 2 }).map(row => `${row.key}=${row.value}`));
    seen.push(
      ...rangeOf(transaction, table, { lt: key, limit: 2, reverse: true }).map(row => `${row.key}=${row.value}`),
    );
  }
  if (fails) throw new Deliberate(seen.join());
  return seen;
}

function outcomeOf<T>(work: () => T): T | unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const textOrNone = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : textOf(bytes));

function rangeOf(reader: Reader<Table>, table: Table, range: NaiveRange) {
  const rows = reader.range(table, {
    limit: range.limit,
    reverse: range.reverse ?? false,
    ...boundsOf(range, bytesOf),
  });
  return rows.map(row => ({ key: textOf(row.key), value: textOf(row.value) }));
}

function boundsOf<From, To>({ gte, lt }: { gte?: From; lt?: From }, convert: (key: From) => To): { gte?: To; lt?: To } {
  return { ...(gte === undefined ? {} : { gte: convert(gte) }), ...(lt === undefined ? {} : { lt: convert(lt) }) };
}

/** The twin behind the store's own interface. */
function throughText(twin: NaiveDurableStore): Transaction<Table> {
  return {
    get(table, key) {
      const found = twin.get(table, textOf(key));
      return found === undefined ? undefined : bytesOf(found);
    },
    range(table, range) {
      const rows = twin.range(table, {
        limit: range.limit,
        reverse: range.reverse ?? false,
        ...boundsOf(range, textOf),
      });
      return rows.map(row => ({ key: bytesOf(row.key), value: bytesOf(row.value) }));
    },
    put: (table, key, value) => twin.put(table, textOf(key), textOf(value)),
    delete: (table, key) => twin.delete(table, textOf(key)),
  };
}

function contentOfTwin(twin: NaiveDurableStore) {
  return Object.fromEntries(
    TABLE_NAMES.map(table => [table, twin.range(table, { limit: 10_000 }).map(row => [row.key, row.value])]),
  );
}
