// Losing power at any step: the store's writes are recorded, the folder is rebuilt from what was synced and a random part
// of what was not, LMDB's files are mixed from pages of any time and noise, and the store is opened as after a reboot.
// process-safe may lack what came after the last sync; power-safe nothing that was said to be on disk.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Durability } from '../../../src/config.ts';
import { wordsOf } from '../../../src/domain/error-words.ts';
import { Random } from '../../../src/runtime/random.ts';
import type { Reader, Transaction } from '../../../src/store/durable/tables.ts';
import { usedBytes } from '../../../src/store/lmdb-files.ts';
import { LosingDisk, mixture } from './losing-disk.ts';
import {
  bytesOf,
  contentOf,
  openStore,
  removeFolder,
  TABLE_NAMES,
  type Table,
  temporaryFolder,
  textOf,
} from './store-rig.ts';

const RUNS = 10;
const LOSSES_PER_RUN = 10;
const STEPS_MAX = 24;
const COUNT_KEY = bytesOf('count');

type Content = ReturnType<typeof contentOf>;

/** One life of a store on one disk. */
interface Life {
  /** Records of one length, which fit into the places of others, and few syncs, so that many are lost. */
  readonly isUniform: boolean;
  readonly folder: string;
  readonly disk: LosingDisk;
  /** What it was after so many transactions. */
  readonly contents: ReadonlyMap<number, Content>;
  /** What LMDB's file was at times. */
  readonly versions: readonly { readonly step: number; readonly bytes: Uint8Array }[];
}

it.each<[Durability]>([['process-safe'], ['power-safe']])(
  '%s opens after every loss of power and lacks nothing that was safe',
  async mode => {
    const counts = { losses: 0, lost: 0 };
    for (let seed = 1; seed <= RUNS; seed++) {
      try {
        await liveAndLose(mode, seed, counts);
      } catch (error) {
        throw new Error(`${mode}, seed ${seed}: ${wordsOf(error)}`, { cause: error });
      }
    }
    // Or the disk was too kind to show anything.
    expect(counts.lost).toBeGreaterThan(counts.losses / 10);
  },
);

it('what failed and was cut off is not brought back by a loss of power, in whatever took its place', async () => {
  const folder = temporaryFolder();
  const disk = new LosingDisk(folder);
  const put = (name: string) => store.transact(it => it.put('left', bytesOf(name), bytesOf(name)));
  const store = await openStore(folder, { bootId: 'boot-0', files: disk });
  put('a');
  await store.durable();
  disk.failsNextAppend = true;
  expect(() => put('b')).toThrow('append failed');
  put('c');
  const { steps } = disk;
  await store.close();
  const found = new Set<string>();
  for (let seed = 1; seed <= 40; seed++) {
    const after = temporaryFolder();
    disk.rebuild(steps, after, new Random(seed));
    const next = await openStore(after, { bootId: 'boot-1', files: new LosingDisk(after) });
    found.add(
      next
        .range('left', { limit: 10 })
        .map(({ key }) => textOf(key))
        .join(''),
    );
    await next.close();
    removeFolder(after);
  }
  removeFolder(folder);
  expect([...found].sort()).toEqual(['a', 'ac']);
});

async function liveAndLose(mode: Durability, seed: number, counts: { losses: number; lost: number }): Promise<void> {
  const random = new Random(seed);
  const none = Object.fromEntries(TABLE_NAMES.map(table => [table, []]));
  const nothing = { isUniform: seed % 2 === 0, contents: new Map([[0, none]]) };
  const life = await live(temporaryFolder(), mode, random, 'boot-0', nothing, 0);
  for (let loss = 0; loss < LOSSES_PER_RUN; loss++) {
    const next = await lose(life, mode, random, 'boot-1', counts);
    // Again, while it recovers or goes on.
    for (let again = life.isUniform ? 3 : loss % 2; again > 0; again--) {
      removeFolder((await lose(next, mode, random, 'boot-2', counts)).folder);
    }
    removeFolder(next.folder);
  }
  removeFolder(life.folder);
}

/** The next life, on what a loss of power at a random step of this one has left. */
async function lose(
  life: Life,
  mode: Durability,
  random: Random,
  bootId: string,
  counts: { losses: number; lost: number },
): Promise<Life> {
  const step = random.below(life.disk.steps + 1);
  const folder = temporaryFolder();
  rebuild(life, step, folder, random);
  const next = await live(folder, mode, random, bootId, life, life.disk.safeAt(step));
  counts.losses += 1;
  if (Math.max(...next.contents.keys()) < Math.max(...life.contents.keys())) counts.lost += 1;
  return next;
}

/** Of the state; what is kept free behind them says nothing. */
function pagesIn(folder: string): Uint8Array {
  const state = join(folder, 'state');
  return readFileSync(join(state, 'data.mdb')).subarray(0, usedBytes(state));
}

function rebuild({ disk, versions }: Life, step: number, folder: string, random: Random): void {
  const synced = disk.rebuild(step, folder, random);
  const path = join(folder, 'state', 'data.mdb');
  const isClean = textOrNone(join(folder, 'mark')) === 'clean\n';
  const possible = versions
    .filter(version => version.step <= step && (!isClean || version.step > (synced?.step ?? -1)))
    .map(version => version.bytes);
  if (isClean) {
    expect(synced).not.toBeNull();
    mkdirSync(join(folder, 'state'), { recursive: true });
    writeFileSync(path, mixture([synced!.content, ...possible], random, false));
  } else if (random.chance(0.8) && possible.length > 0) {
    mkdirSync(join(folder, 'state'), { recursive: true });
    writeFileSync(path, mixture(possible, random, true));
    if (random.chance(0.5)) writeFileSync(join(folder, 'state', 'lock.mdb'), mixture(possible, random, true));
  }
}

/** Opens what is there, which must have at least `safe` transactions of `contents`, and goes on with it for a while. */
async function live(
  folder: string,
  mode: Durability,
  random: Random,
  bootId: string,
  { isUniform, contents }: Pick<Life, 'isUniform' | 'contents'>,
  safe: number,
): Promise<Life> {
  const disk = new LosingDisk(folder);
  disk.noteSafe(safe);
  const open = () => openStore(folder, { mode, bootId, files: disk });
  let store = await open();
  const found = countOf(store);
  expect(found).toBeGreaterThanOrEqual(safe);
  expect(contentOf(store)).toEqual(contents.get(found));
  disk.written = found;
  disk.noteSafe(found);
  const known = new Map([...contents].filter(([count]) => count <= found));
  const versions: { step: number; bytes: Uint8Array }[] = [];

  function change(transaction: Transaction<Table>): number {
    for (let changes = isUniform ? 0 : random.below(4); changes >= 0; changes--) {
      const [table, key] = [random.pick(TABLE_NAMES), bytesOf(`k${random.below(10)}`)];
      if (random.chance(0.2) && !isUniform) transaction.delete(table, key);
      else transaction.put(table, key, bytesOf(random.hex(isUniform ? 100 : randomLength(random))));
    }
    const count = countOf(transaction) + 1;
    transaction.put('left', COUNT_KEY, bytesOf(String(count).padStart(4, '0')));
    known.set(count, contentOf(transaction));
    return count;
  }

  async function step(): Promise<void> {
    const kind = isUniform ? 0 : random.below(20);
    if (kind < 8) disk.written = store.transact(change);
    else if (kind < 14) {
      const commits = Array.from({ length: 1 + random.below(3) }, () => store.commit(change));
      const counts = Promise.all(commits).then(done => Math.max(...done));
      if (mode === 'power-safe' || random.chance(0.5)) disk.written = await counts;
      if (mode === 'power-safe') disk.noteSafe(disk.written);
    } else if (kind < 15) await store.checkpoint();
    else if (kind < 17) {
      const { written } = disk;
      await store.durable();
      disk.noteSafe(written);
    } else if (kind < 18) {
      await store.close();
      versions.push({ step: disk.steps, bytes: pagesIn(folder) });
      store = await open();
    } else await new Promise(resolve => setImmediate(resolve));
    disk.written = countOf(store);
    if (random.chance(0.5)) store.flush();
    versions.push({ step: disk.steps, bytes: pagesIn(folder) });
  }

  for (let steps = random.below(STEPS_MAX); steps >= 0; steps--) await step();
  await store.close();
  return { isUniform, folder, disk, contents: known, versions };
}

const randomLength = (random: Random) => (random.chance(0.1) ? 9_000 : random.below(300));

function countOf(reader: Reader<Table>): number {
  const bytes = reader.get('left', COUNT_KEY);
  return bytes === undefined ? 0 : Number(textOf(bytes));
}

function textOrNone(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
