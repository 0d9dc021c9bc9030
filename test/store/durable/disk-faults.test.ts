// Disks that are full or broken: the caller is told, nothing is half done, and where nobody can say what is on disk no more
// is promised until the store has been opened anew.

import {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import { type Files, nodeFiles } from '../../../src/store/durable/files.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { type Failing, FailingFiles } from './failing-files.ts';
import { bytesOf, contentOf, crashCopy, openStore, removeFolder, type Table, temporaryFolder } from './store-rig.ts';

let folder: string;
let files: FailingFiles;
let store: DurableStore<Table>;
beforeEach(async () => {
  folder = temporaryFolder();
  files = new FailingFiles();
  store = await openStore(folder, { files });
  put('before');
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

const put = (key: string, it = store, valueBytes = 100): void =>
  it.transact(transaction => {
    transaction.put('left', bytesOf(key), new Uint8Array(valueBytes));
    transaction.put('right', bytesOf(key), bytesOf('too'));
  });
const keys = (it = store): string[] => contentOf(it).left!.map(([key]) => key);

/** The keys after a power cut that loses nothing: what the journal says. */
async function keysInJournal(): Promise<string[]> {
  const copy = crashCopy(folder);
  const rebuilt = await openStore(copy, { bootId: 'another' });
  const found = keys(rebuilt);
  await rebuilt.close();
  removeFolder(copy);
  return found;
}

/** The last file of that kind. */
function lastNamed(prefix: string): string {
  const names = readdirSync(folder).filter(name => name.startsWith(prefix));
  return join(folder, names.toSorted().at(-1)!);
}

async function failing(what: Failing[], work: () => unknown): Promise<void> {
  for (const it of what) files.failing.add(it);
  await expect((async () => work())()).rejects.toThrow(StoreError);
  files.failing.clear();
}

describe.each([0, 1, 19, 21, 120])('a disk that is full after %i bytes of a record', appendedBytes => {
  beforeEach(() => {
    files.appendedBytes = appendedBytes;
  });

  it('costs that transaction and no other', async () => {
    await failing(['append'], () => put('lost'));
    expect([keys(), await keysInJournal()]).toEqual([['before'], ['before']]);
    put('after');
    expect([keys(), await keysInJournal()]).toEqual([
      ['after', 'before'],
      ['after', 'before'],
    ]);
  });

  it('and cannot even be cut is cut by the next commit, of another thread, or by the next start', async () => {
    const member = await openStore(folder, { role: 'member' });
    await failing(['append', 'truncate'], () => put('lost'));
    const isDoubtful = appendedBytes > 0;
    expect(await keysInJournal()).toEqual(['before']);
    const commit = () => put('after', member);
    if (isDoubtful) expect(commit).toThrow('the disk has failed');
    else commit();
    await member.close();
    await store.close();
    store = await openStore(folder, { files });
    put('again');
    expect(keys()).toEqual(isDoubtful ? ['again', 'before'] : ['after', 'again', 'before']);
    expect(await keysInJournal()).toEqual(keys());
  });
});

it('what a thread that died in the middle of a commit has left is cut by the next commit', async () => {
  appendFileSync(lastNamed('journal-'), 'part of a record');
  put('after');
  expect([keys(), await keysInJournal()]).toEqual([
    ['after', 'before'],
    ['after', 'before'],
  ]);
});

it('a group that cannot be written fails as a whole, is not tried again, and those after it are made', async () => {
  const value = new Uint8Array(Math.ceil(limits.storeGroupBytes / 3));
  files.failing.add('append');
  files.failuresMax = 1;
  const commits = ['a', 'b', 'c', 'd'].map(key => store.commit(it => it.put('left', bytesOf(key), value)));
  const outcomes = await Promise.allSettled(commits);
  expect(outcomes.map(it => it.status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
  expect([keys(), await keysInJournal()]).toEqual([
    ['before', 'd'],
    ['before', 'd'],
  ]);
});

describe('a sync that fails', () => {
  it('stops all commits of all threads until the store is opened anew', async () => {
    const member = await openStore(folder, { role: 'member' });
    await failing(['syncSoon'], () => store.durable());
    expect(() => put('a')).toThrow('takes no changes until it is opened anew');
    expect(() => put('a', member)).toThrow('the disk has failed');
    await expect(store.durable()).rejects.toThrow(StoreError);
    expect(keys()).toEqual(['before']);
    await member.close();
    await store.close();

    const { ino } = statSync(lastNamed('journal-'));
    store = await openStore(folder, { files });
    // Pages that the disk did not take count as written: only a new file is sure to have them.
    expect(statSync(lastNamed('journal-')).ino).not.toBe(ino);
    expect(readdirSync(folder)).not.toContain('journal.draft');
    put('after');
    expect(keys()).toEqual(['after', 'before']);
    expect(await keysInJournal()).toEqual(['after', 'before']);
  });

  it('is not forgotten by a start that is stopped over writing the segment anew, which is on disk before it has its name', async () => {
    await failing(['syncSoon'], () => store.durable());
    await store.close();
    const steps: string[] = [];
    let isStopped = true;
    const noted = (step: string, path: string): void => {
      if (path.endsWith('/journal.draft')) steps.push(step);
    };
    const watched: Files = {
      ...nodeFiles,
      create(path) {
        noted('create', path);
        if (isStopped && path.endsWith('/journal.draft')) throw new StoreError('stopped');
        return nodeFiles.create(path);
      },
      sync(file) {
        noted('sync', file.path);
        nodeFiles.sync(file);
      },
      rename(from, to) {
        noted('rename', from);
        nodeFiles.rename(from, to);
      },
      syncFolder(path) {
        if (steps.at(-1) === 'rename') steps.push('syncFolder');
        nodeFiles.syncFolder(path);
      },
    };
    await expect(openStore(folder, { files: watched })).rejects.toThrow('stopped');
    isStopped = false;
    store = await openStore(folder, { files: watched });
    expect(steps).toEqual(['create', 'create', 'sync', 'rename', 'syncFolder']);
    expect(keys()).toEqual(['before']);
  });

  it('fails a commit in power-safe', async () => {
    await store.close();
    store = await openStore(folder, { files, mode: 'power-safe' });
    files.failing.add('syncSoon');
    const commit = () => store.commit(transaction => transaction.put('left', bytesOf('a'), bytesOf('')));
    const outcomes = await Promise.allSettled([commit(), commit()]);
    expect(outcomes.map(it => it.status)).toEqual(['rejected', 'rejected']);
    files.failing.clear();
  });

  it('fails one in power-safe, too, that is made alone because another of its group has thrown', async () => {
    await store.close();
    store = await openStore(folder, { files, mode: 'power-safe' });
    files.failing.add('syncSoon');
    const commit = store.commit(transaction => transaction.put('left', bytesOf('a'), bytesOf('')));
    const thrown = store.commit(() => {
      throw new TypeError('mine');
    });
    await expect(thrown).rejects.toThrow('mine');
    await expect(commit).rejects.toThrow('syncSoon failed');
    files.failing.clear();
  });

  it('does not fail one that need not be on disk, in the same transaction as one that must', async () => {
    await store.close();
    store = await openStore(folder, { files, mode: 'power-safe' });
    let made: unknown = null;
    await failing(['syncSoon'], async () => {
      const one = store.commit(transaction => transaction.put('left', bytesOf('made'), bytesOf('')), 'made');
      const another = store.commit(transaction => transaction.put('left', bytesOf('safe'), bytesOf('')));
      [made] = await Promise.allSettled([one, another]);
      await another;
    });
    expect(made).toEqual({ status: 'fulfilled', value: undefined });
  });

  it('stops them, too, when a segment is ended', async () => {
    put('long', store, 3_000);
    await failing(['sync'], () => put('lost'));
    expect(() => put('a')).toThrow('takes no changes until it is opened anew');
    expect(keys()).toEqual(['before', 'long']);
  });

  it('of the mark keeps the store from opening, and from closing clean', async () => {
    await failing(['sync'], () => store.close());
    await failing(['sync'], () => openStore(folder, { files }));
    store = await openStore(folder, { files });
    expect([store.recovery?.state, keys()]).toEqual(['kept', ['before']]);
  });
});

it.each<[Failing]>([['create'], ['syncFolder'], ['append']])(
  'a segment that cannot be begun (%s) costs that transaction only',
  async what => {
    put('long', store, 3_000);
    await failing([what], () => put('lost'));
    put('after');
    expect([keys(), await keysInJournal()]).toEqual([
      ['after', 'before', 'long'],
      ['after', 'before', 'long'],
    ]);
  },
);

it.each<[Failing]>([['create'], ['append'], ['sync'], ['rename'], ['syncFolder']])(
  'a checkpoint that cannot be made (%s) leaves nothing behind but what was there',
  async what => {
    await store.checkpoint();
    put('more');
    await failing([what], () => store.checkpoint());
    expect(readdirSync(folder)).not.toContain('checkpoint.draft');
    expect(await keysInJournal()).toEqual(['before', 'more']);
    put('even more');
    await store.checkpoint();
    expect(await keysInJournal()).toEqual(['before', 'even more', 'more']);
  },
);

describe('a journal that somebody harms while it is open', () => {
  const harms = [
    ['whose end is missing', (content: Buffer) => content.subarray(0, -1), /has \d+ of its \d+ bytes/],
    ['whose head is another’s', (content: Buffer) => Buffer.from(content).fill(0, 0, 8), /is not a journal/],
  ] as const;

  it.each(harms)(
    'and %s takes nothing more, of any thread, until it is right and opened anew',
    async (_how, harmed, words) => {
      // What is in the state already no thread reads in the journal.
      store.flush();
      const member = await openStore(folder, { role: 'member' });
      const path = lastNamed('journal-');
      const content = readFileSync(path);
      writeFileSync(path, harmed(content));
      expect(() => put('a', member)).toThrow(words);
      expect(() => put('a', member)).toThrow('takes no changes until it is opened anew');
      writeFileSync(path, content);
      expect(() => put('a')).toThrow('the disk has failed');
      await member.close();
      await store.close();
      store = await openStore(folder, { files });
      put('b');
      expect([keys(), await keysInJournal()]).toEqual([
        ['b', 'before'],
        ['b', 'before'],
      ]);
    },
  );
});

describe('files that somebody has harmed', () => {
  const state = () => join(folder, 'state', 'data.mdb');
  beforeEach(async () => {
    for (let number = 0; number < 40; number++) put(`k${number}`);
    await store.close();
  });
  const reopened = async () => {
    store = await openStore(folder, { files });
    return [store.recovery?.state, keys().length];
  };

  it.each([
    ['cut', () => truncateSync(state(), 8_192)],
    ['emptied', () => truncateSync(state(), 0)],
    ['replaced', () => writeFileSync(state(), 'not LMDB at all'.repeat(10_000))],
    ['removed', () => rmSync(join(folder, 'state'), { recursive: true })],
  ])('a state that was %s is built anew', async (_how, harm) => {
    harm();
    expect(await reopened()).toEqual(['rebuilt', 41]);
  });

  it.each([
    ['cut', () => truncateSync(lastNamed('journal-'), 30), /journal-\d+, offset \d+: ends before/],
    ['removed', () => rmSync(lastNamed('journal-')), /the part of the journal with transaction \d+ is missing/],
    [
      'replaced',
      () => writeFileSync(lastNamed('journal-'), 'x'.repeat(9_000)),
      /journal-\d+, offset 0: is not a journal/,
    ],
  ])('a journal that was %s is a StoreError, and after the harm is undone all is well', async (_how, harm, message) => {
    const path = lastNamed('journal-');
    const content = readFileSync(path);
    harm();
    await expect(reopened()).rejects.toThrow(message);
    writeFileSync(path, content);
    expect(await reopened()).toEqual(['kept', 41]);
  });

  it('a journal of which nothing is there is a StoreError, not an empty store', async () => {
    const names = readdirSync(folder).filter(name => name.startsWith('journal-'));
    for (const name of names) renameSync(join(folder, name), join(folder, `away-${name}`));
    await expect(reopened()).rejects.toThrow('its journal is missing');
    for (const name of names) renameSync(join(folder, `away-${name}`), join(folder, name));
    expect(await reopened()).toEqual(['kept', 41]);
  });

  /** While `names` are away, and, too, while the state has to be built anew. */
  async function expectMissing(names: readonly string[], transaction: RegExp): Promise<void> {
    for (const name of names) renameSync(join(folder, name), join(folder, `away-${name}`));
    const rebooted = crashCopy(folder);
    rmSync(join(rebooted, 'state'), { recursive: true });
    await expect(openStore(rebooted, { bootId: 'another' })).rejects.toThrow(transaction);
    removeFolder(rebooted);
  }

  it('a journal that lacks a segment in its middle is a StoreError, and nothing after it is done', async () => {
    const names = readdirSync(folder).filter(name => name.startsWith('journal-'));
    const [, second] = names.toSorted();
    await expectMissing([second!], new RegExp(`transaction ${Number(second!.slice('journal-'.length))} is missing`));
    // Who believes the state does not need it.
    expect(await reopened()).toEqual(['kept', 41]);
  });

  it('a checkpoint without the journal that follows it is a StoreError, and not all that there was', async () => {
    await reopened();
    await store.checkpoint();
    put('after the checkpoint');
    await store.close();
    const names = readdirSync(folder).filter(name => name.startsWith('journal-'));
    await expectMissing(names, /transaction 43 is missing/);
    await expect(reopened()).rejects.toThrow('transaction 44 is missing');
    for (const name of names) renameSync(join(folder, `away-${name}`), join(folder, name));
    expect(await reopened()).toEqual(['kept', 42]);
  });

  it('a journal that ends before the checkpoint does is a StoreError: what comes next would not follow what it has', async () => {
    await reopened();
    await store.checkpoint();
    await store.close();
    truncateSync(lastNamed('journal-'), 20);
    rmSync(join(folder, 'state'), { recursive: true });
    await expect(reopened()).rejects.toThrow(/the part of the journal with transaction \d+ is missing/);
  });

  it('a journal that has grown is cut, which is told', async () => {
    const { size } = statSync(lastNamed('journal-'));
    appendFileSync(lastNamed('journal-'), 'anything');
    await reopened();
    expect(statSync(lastNamed('journal-')).size).toBe(size);
    expect(store.recovery).toEqual({ state: 'kept', replayed: 0, cutBytes: 8 });
  });

  it('a checkpoint that was changed is a StoreError once it is needed', async () => {
    await reopened();
    await store.checkpoint();
    await store.close();
    const data = join(lastNamed('checkpoint-'), 'data.mdb');
    const content = readFileSync(data);
    content[content.length - 50]! ^= 1;
    writeFileSync(data, content);
    expect(await reopened()).toEqual(['kept', 41]);
    await store.close();
    rmSync(join(folder, 'state'), { recursive: true });
    await expect(reopened()).rejects.toThrow(`${data}: is not what was sealed`);
    content[content.length - 50]! ^= 1;
    writeFileSync(data, content);
    await reopened();
  });
});
