// The first append to a new segment of the journal failed, as on a full disk. The last record of the segment before still waited for its
// sync, which counted the name of the new segment as on disk. A power cut then took that segment with all its records, also those that
// `power-safe` had waited for (simulation, seed 3 006 443).

import { expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { Random } from '../../src/runtime/random.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { type Files, nodeFiles } from '../../src/store/files.ts';
import { LosingDisk } from '../support/losing-disk.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const NEVER = 2 ** 30;

function open(files: Files, root: string): { readonly journal: Journal; readonly found: readonly string[] } {
  const found: string[] = [];
  const options = { folder: `${root}/journal`, files, timers: wallTimers, segmentBytes: 20, syncDelayMs: NEVER };
  const journal = Journal.open(options, 1, (_sequence, payload) => {
    found.push(Buffer.from(payload).toString());
  });
  return { journal, found };
}

it('is on disk before a record in it is', async () => {
  const root = temporaryFolder();
  const disk = new LosingDisk(root);
  const { journal } = open(disk, root);
  journal.append(Buffer.from('one'));
  disk.failsNextAppend = true;
  expect(() => journal.append(Buffer.from('failed'))).toThrow('append failed');
  await journal.mended();
  await journal.durable();
  journal.append(Buffer.from('two'));
  await journal.durable();
  for (let seed = 0; seed < 20; seed++) {
    const after = temporaryFolder();
    disk.rebuild(disk.steps, after, new Random(seed));
    const { journal: next, found } = open(nodeFiles, after);
    expect(found).toEqual(['one', 'two']);
    await next.close();
    removeFolder(after);
  }
  await journal.close();
  removeFolder(root);
});
