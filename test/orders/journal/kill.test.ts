// A process that is killed while it appends. Each record that the process has reported as appended is there, and at most one more record.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../../src/core/store/files.ts';
import { readJournal } from '../../../src/orders/journal/segments.ts';
import { START_FLAGS } from '../../support/child-process.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, 'kill-child.ts');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

/** Returns the sequence of the last record that the process has reported. */
async function killedAfter(records: number): Promise<number> {
  const child = spawn(process.execPath, [...START_FLAGS, CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let [said, heard] = [0, 0];
  for await (const line of createInterface(child.stdout)) {
    said = Number(line);
    heard += 1;
    if (heard === records) child.kill('SIGKILL');
  }
  expect((await ended)[1]).toBe('SIGKILL');
  return said;
}

it('a killed process leaves what it has appended, each time', async () => {
  for (const records of [1, 30, 700, 2_000]) {
    const said = await killedAfter(records);
    let found = 0;
    readJournal(nodeFiles, folder, 1, (sequence, payload) => {
      expect(Buffer.from(payload).toString()).toBe(String(sequence).padEnd(sequence % 700));
      found = sequence;
    });
    expect(found - said).toBeOneOf([0, 1]);
  }
});
