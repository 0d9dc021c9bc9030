// What the durable store promises to those who use it as intended, and what it tells those who do not.

import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
import { type Files, nodeFiles } from '../../../src/store/durable/files.ts';
import { takeOwnership } from '../../../src/store/owner-lock.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';
import { LosingDisk } from './losing-disk.ts';
import {
  bytesOf,
  contentOf,
  crashCopy,
  openStore,
  removeFolder,
  type Table,
  temporaryFolder,
  textOf,
} from './store-rig.ts';

let folder: string;
let store: DurableStore<Table>;
beforeEach(async () => {
  folder = temporaryFolder();
  store = await openStore(folder);
});
afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

const put = (key: string, value: string, it = store): void =>
  it.transact(transaction => transaction.put('left', bytesOf(key), bytesOf(value)));
const get = (key: string, it = store): string | undefined => {
  const value = it.get('left', bytesOf(key));
  return value === undefined ? undefined : textOf(value);
};

describe('its folder', () => {
  it('is its owner’s only, also where it was copied by hand', async () => {
    put('a', '1');
    await store.close();
    chmodSync(folder, 0o755);
    store = await openStore(folder);
    const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777;
    expect(modeOf('')).toBe(0o700);
    const modes = readdirSync(folder).map(name => modeOf(name));
    expect(new Set(modes)).toEqual(new Set([0o600, 0o700]));
    expect(get('a')).toBe('1');
  });
});

describe('a transaction', () => {
  it('gives back what its work returns', () => {
    expect(store.transact(() => 7)).toBe(7);
  });

  it('is undone by what its work throws, which its caller gets', () => {
    const thrown = new TypeError('mine');
    const work = () =>
      store.transact(transaction => {
        transaction.put('left', bytesOf('a'), bytesOf('1'));
        throw thrown;
      });
    expect(work).toThrow(thrown);
    expect(get('a')).toBeUndefined();
  });

  it('cannot be started within another, nor used after its end', () => {
    expect(() => store.transact(() => put('a', '1'))).toThrow('not nested');
    const kept = store.transact(transaction => transaction);
    expect(() => kept.put('left', bytesOf('a'), bytesOf('1'))).toThrow('part of a transaction');
    put('b', '2');
    expect(get('b')).toBe('2');
  });

  it.each([
    ['storeKeyBytesMax', 'k'.repeat(limits.storeKeyBytesMax + 1), 0],
    ['storeValueBytesMax', 'k', limits.storeValueBytesMax + 1],
  ])('refuses what exceeds %s, even if its work goes on', (limit, key, valueBytes) => {
    const work = () =>
      store.transact(transaction => {
        transaction.put('left', bytesOf('before'), bytesOf(''));
        transaction.put('left', bytesOf(key), new Uint8Array(valueBytes));
      });
    expect(work).toThrow(limit);
    expect(get('before')).toBeUndefined();
  });

  it('refuses to read more than storeRangeRowsMax rows at once', () => {
    const read = (limit: number) => store.range('left', { limit });
    expect(read(limits.storeRangeRowsMax)).toEqual([]);
    expect(() => read(limits.storeRangeRowsMax + 1)).toThrow('storeRangeRowsMax');
  });

  it('refuses more than storeTransactionBytesMax, and swallowing the error does not help', () => {
    const value = new Uint8Array(limits.storeValueBytesMax);
    const work = () =>
      store.transact(transaction => {
        for (let number = 0; number < 20; number++) {
          try {
            transaction.put('left', bytesOf(`${number}`), value);
          } catch {}
        }
      });
    expect(work).toThrow('storeTransactionBytesMax');
    expect(get('0')).toBeUndefined();
  });
});

describe('grouped commits', () => {
  it('share a transaction, and one that throws fails alone', async () => {
    const boom = new Error('boom');
    const results = await Promise.allSettled([
      store.commit(transaction => transaction.put('left', bytesOf('a'), bytesOf('1'))),
      store.commit(transaction => {
        transaction.put('left', bytesOf('a'), bytesOf('lost'));
        throw boom;
      }),
      store.commit(transaction => textOf(transaction.get('left', bytesOf('a'))!)),
    ]);
    expect(results).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: boom },
      { status: 'fulfilled', value: '1' },
    ]);
  });

  it('wait for no others where nobody else commits', async () => {
    await store.close();
    store = await openStore(folder, { gathersCommits: false });
    const first = store.commit(transaction => transaction.put('left', bytesOf('a'), bytesOf('1')));
    expect(get('a')).toBe('1');
    const boom = new Error('boom');
    let runs = 0;
    const failing = store.commit(transaction => {
      runs += 1;
      transaction.put('left', bytesOf('a'), bytesOf('lost'));
      throw boom;
    });
    await expect(failing).rejects.toBe(boom);
    await first;
    expect([get('a'), runs]).toEqual(['1', 1]);
  });

  it('are refused beyond storeCommitsWaitingMax', async () => {
    const waiting = Array.from({ length: limits.storeCommitsWaitingMax }, (_, number) => store.commit(() => number));
    await expect(store.commit(() => 0)).rejects.toThrow('storeCommitsWaitingMax');
    expect((await Promise.all(waiting)).at(-1)).toBe(limits.storeCommitsWaitingMax - 1);
  });

  it('that wait when the store is closed are made', async () => {
    const commit = store.commit(transaction => transaction.put('left', bytesOf('a'), bytesOf('1')));
    await store.close();
    await commit;
    store = await openStore(folder);
    expect(get('a')).toBe('1');
  });
});

it('syncs by itself a few milliseconds after a commit, once for all of them, and then rests', async () => {
  const timers = new VirtualTimers();
  const other = temporaryFolder();
  const disk = new LosingDisk(other);
  const timed = await openStore(other, { timers, files: disk });
  const syncsAfter = async (delayMs: number) => {
    const before = disk.syncsStarted;
    timers.advance(delayMs);
    await new Promise(resolve => setImmediate(resolve));
    return disk.syncsStarted - before;
  };
  expect(await syncsAfter(1_000)).toBe(1);
  timed.transact(it => it.get('left', bytesOf('a')));
  // What waits is that the moment which it has read is let go of.
  expect([timers.pending, await syncsAfter(limits.storeMomentMs), timers.pending]).toEqual([1, 0, 0]);
  put('a', '1', timed);
  put('a', '2', timed);
  expect([await syncsAfter(3), await syncsAfter(1), await syncsAfter(1_000)]).toEqual([0, 1, 0]);
  put('a', '3', timed);
  await timed.durable();
  expect(await syncsAfter(1_000)).toBe(0);
  put('a', '4', timed);
  await timed.close();
  expect(timers.pending).toBe(0);
  removeFolder(other);
});

describe('owner and members', () => {
  it('see each other at once, and both write', async () => {
    const member = await openStore(folder, { role: 'member' });
    expect(member.recovery).toBeNull();
    put('a', 'by member', member);
    expect(get('a')).toBe('by member');
    for (let number = 0; number < 40; number++) put('a', `${number}`.padEnd(200), number % 2 === 0 ? store : member);
    expect(get('a', member)?.trim()).toBe('39');
    await member.close();
    put('a', 'after it');
    expect(get('a')).toBe('after it');
    await expect(openStore(folder)).rejects.toThrow('is open in process');
  });

  it('one owner at a time', async () => {
    await expect(openStore(folder)).rejects.toThrow(`is open in process ${process.pid}`);
  });

  it('no member without an owner', async () => {
    await store.close();
    const refuses = (of: string) => expect(openStore(of, { role: 'member' })).rejects.toThrow('no owner has it open');
    await refuses(folder);
    // Nor while one is not done with its start.
    const giveUp = takeOwnership(folder);
    await refuses(folder);
    giveUp();
    store = await openStore(folder);
    // Nor where one has died.
    const copy = crashCopy(folder);
    await refuses(copy);
    removeFolder(copy);
  });

  it('a member commits no more once its owner puts on disk what it closes with', async () => {
    const late: string[] = [];
    let member: DurableStore<Table> | null = null;
    const files: Files = {
      ...nodeFiles,
      async syncSoon(file) {
        await nodeFiles.syncSoon(file);
        late.push(await member!.commit(it => it.put('left', bytesOf('late'), bytesOf(''))).then(() => 'made', String));
      },
    };
    await store.close();
    store = await openStore(folder, { files, timers: new VirtualTimers() });
    member = await openStore(folder, { role: 'member' });
    put('a', '1');
    await store.close();
    expect(late).toEqual([expect.stringContaining('its owner has closed it')]);
    await member.close();
    store = await openStore(folder);
  });

  it('a member that the owner left behind commits no more', async () => {
    const member = await openStore(folder, { role: 'member' });
    await store.close();
    expect(() => put('a', '1', member)).toThrow('its owner has closed it');
    await member.close();
    store = await openStore(folder);
    expect(get('a')).toBeUndefined();
  });
});

describe('opening', () => {
  it('after a clean close has nothing to do', async () => {
    put('a', '1');
    await store.close();
    store = await openStore(folder, { bootId: 'another' });
    expect(store.recovery).toEqual({ state: 'kept', replayed: 0, cutBytes: 0 });
  });

  it('of a closed store by the same program gives StoreErrors, not crashes', async () => {
    await store.close();
    const other = temporaryFolder();
    const uses: readonly (() => unknown)[] = [
      () => get('a'),
      () => store.range('left', { limit: 1 }),
      () => put('a', '1'),
      () => store.commit(() => 1),
      () => store.durable(),
      () => store.isCheckpointDue(),
      () => store.checkpoint(),
      () => store.abandonCheckpoint(),
      () => store.forgetDeadReaders(),
      () => store.lookThrough(),
      () => store.backup(other),
    ];
    for (const use of uses) {
      await expect((async () => use())()).rejects.toThrow(new StoreError(`store ${folder}: is closed`));
    }
    await store.close();
    removeFolder(other);
  });

  it('refuses tables with numbers that cannot be told apart', async () => {
    const tables = { left: 1, right: 1, last: 126 };
    await expect(openStore(temporaryFolder(), { tables })).rejects.toThrow('different numbers');
  });

  it('keeps everything private', () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });
});

describe('the schema', () => {
  const version = (number: number, steps: number[] = []) => ({
    schema: {
      version: number,
      migrate(from: number, it: Pick<DurableStore<Table>, 'transact'>) {
        steps.push(from);
        it.transact(transaction => transaction.put('left', bytesOf('from'), bytesOf(`${from}`)));
      },
    },
  });

  it('is brought up to date version by version, once, and survives a rebuild', async () => {
    await store.close();
    const steps: number[] = [];
    store = await openStore(folder, version(3, steps));
    expect([steps, get('from')]).toEqual([[1, 2], '2']);
    const copy = crashCopy(folder);
    const rebuilt = await openStore(copy, { ...version(3, steps), bootId: 'another' });
    expect(steps).toEqual([1, 2]);
    await rebuilt.close();
    removeFolder(copy);
  });

  it('that is newer than the program is refused, by members any other', async () => {
    await expect(openStore(folder, { role: 'member', ...version(2) })).rejects.toThrow('schema version 1');
    await store.close();
    await (await openStore(folder, version(2))).close();
    await expect(openStore(folder)).rejects.toThrow('has schema version 2, this program has version 1');
    store = await openStore(folder, version(2));
  });
});

describe('a checkpoint', () => {
  it('takes the place of earlier ones and of the journal before it', async () => {
    for (let round = 0; round < 3; round++) {
      for (let number = 0; number < 32; number++) put(`${round}-${number}`, 'v'.repeat(200));
      await store.checkpoint();
    }
    const names = readdirSync(folder);
    expect(names.filter(name => name.startsWith('checkpoint-'))).toEqual(['checkpoint-000000000000097']);
    expect(names.filter(name => name.startsWith('journal-')).length).toBe(1);
    put('after', '1');
    const copy = crashCopy(folder);
    const rebuilt = await openStore(copy, { bootId: 'another' });
    expect(rebuilt.recovery).toEqual({ state: 'rebuilt', replayed: 1, cutBytes: 0 });
    expect(contentOf(rebuilt)).toEqual(contentOf(store));
    await rebuilt.close();
    removeFolder(copy);
  });

  it('can be made while others write, and twice at a time is once', async () => {
    for (let number = 0; number < 200; number++) put(`k${number}`, 'v'.repeat(2_000));
    const making = store.checkpoint();
    await expect(store.checkpoint()).rejects.toThrow('another checkpoint');
    for (let number = 0; number < 20; number++) put(`k${number}`, 'new');
    await making;
    expect(existsSync(join(folder, 'checkpoint.draft'))).toBe(false);
    const copy = crashCopy(folder);
    const rebuilt = await openStore(copy, { bootId: 'another' });
    expect(contentOf(rebuilt)).toEqual(contentOf(store));
    await rebuilt.close();
    removeFolder(copy);
  });

  it('can be made after one that was never finished', async () => {
    mkdirSync(join(folder, 'checkpoint.draft'));
    put('k', '1');
    await expect(store.checkpoint()).rejects.toThrow('another checkpoint');
    store.abandonCheckpoint();
    await store.checkpoint();
    expect(readdirSync(folder).filter(name => name.startsWith('checkpoint'))).toEqual(['checkpoint-000000000000002']);
  });

  it('is due when the journal has grown', async () => {
    expect(store.isCheckpointDue()).toBe(false);
    const value = new Uint8Array(limits.storeValueBytesMax);
    for (let written = 0; written <= limits.storeCheckpointJournalBytes; written += value.length) {
      store.transact(transaction => transaction.put('left', bytesOf('k'), value));
    }
    expect(store.isCheckpointDue()).toBe(true);
  });
});
