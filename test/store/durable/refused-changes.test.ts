// Changes that a disk does not take: they can be rehearsed, and every thread knows of the refusal.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DurableStore } from '../../../src/store/durable/durable-store.ts';
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

async function failing(what: Failing[], work: () => unknown): Promise<void> {
  for (const it of what) files.failing.add(it);
  await expect((async () => work())()).rejects.toThrow(StoreError);
  files.failing.clear();
}

describe('a change that is not taken', () => {
  const rehearsed = (it = store): unknown =>
    it.rehearse(transaction => {
      transaction.put('left', bytesOf('after'), bytesOf('value'));
      transaction.delete('left', bytesOf('before'));
      return transaction.range('left', { gte: bytesOf('a'), lt: bytesOf('z'), reverse: false, limit: 9 }).length;
    });

  it('can be rehearsed, which leaves nothing, on any thread', async () => {
    const member = await openStore(folder, { role: 'member' });
    files.failing.add('append');
    expect([rehearsed(), rehearsed(member)]).toEqual([1, 1]);
    expect([keys(), keys(member)]).toEqual([['before'], ['before']]);
    expect(() => store.rehearse(() => put('nested'))).toThrow('not nested');
    files.failing.clear();
    put('after');
    expect([keys(member), await keysInJournal()]).toEqual([
      ['after', 'before'],
      ['after', 'before'],
    ]);
    await member.close();
  });

  it('can be rehearsed on a disk that has failed for good', async () => {
    await failing(['syncSoon'], () => store.durable());
    expect([rehearsed(), keys()]).toEqual([1, ['before']]);
  });

  it('is told to all threads, until one is taken again', async () => {
    const member = await openStore(folder, { role: 'member' });
    const taking = () => [store.taking, member.taking];
    expect(taking()).toEqual(['taken', 'taken']);
    await failing(['append'], () => put('lost'));
    expect(taking()).toEqual(['refused', 'refused']);
    put('after', member);
    expect(taking()).toEqual(['taken', 'taken']);
    await failing(['syncSoon'], () => store.durable());
    expect(taking()).toEqual(['failed', 'failed']);
    await member.close();
  });
});
