// Found by asking what is undone of a failed step whose record had begun a new segment of the journal, as on a full disk. Nothing was, so a
// start after kill -9 made the order that its caller had been refused.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { listSegments } from '../../src/journal/segments.ts';
import { wallTimers } from '../../src/runtime/timers.ts';
import { nodeFiles } from '../../src/store/files.ts';
import { FailingFiles } from '../support/failing-files.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const SEGMENT_BYTES = 200;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

function open(name: string, files = nodeFiles) {
  const found: string[] = [];
  const options = {
    folder: join(folder, name),
    files,
    timers: wallTimers,
    segmentBytes: SEGMENT_BYTES,
    syncDelayMs: 5,
  };
  const journal = Journal.open(options, 1, (_sequence, payload) => found.push(Buffer.from(payload).toString()));
  return { journal, found };
}

it('the next start does not make the order of the failed step', async () => {
  const files = new FailingFiles();
  const { journal } = open('journal', files);
  const before = 'before'.padEnd(SEGMENT_BYTES);
  journal.append(Buffer.from(before));
  // All of it is written before the disk says no.
  files.failing.add('append');
  files.appendedBytes = 1_000;
  expect(() => journal.append(Buffer.from('failed'))).toThrow('append failed');
  expect(listSegments(nodeFiles, join(folder, 'journal'))).toHaveLength(2);
  cpSync(join(folder, 'journal'), join(folder, 'killed'), { recursive: true });
  const killed = open('killed');
  expect(killed.found).toEqual([before]);
  await killed.journal.close();
  files.failing.clear();
  await journal.mended();
  journal.append(Buffer.from('later'));
  await journal.close();
  const again = open('journal');
  expect(again.found).toEqual([before, 'later']);
  await again.journal.close();
});
