// Bars of long work: drawn on a terminal, silent elsewhere, and never in the way of the work.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Progress } from '../../../src/tools/cli/progress.ts';
import { eventually } from '../../support/eventually.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

it('a bar shows the size of a file that is not there yet, and then grows', async () => {
  const path = join(folder, 'file');
  const drawn: string[] = [];
  const shows = (part: string) => eventually(() => expect(drawn.join('')).toContain(part));
  await new Progress(text => drawn.push(text), 'copying', 1_000).during(path, async () => {
    await shows('copying [........................] 0 %');
    writeFileSync(path, Buffer.alloc(500));
    await shows('copying [############............] 50 %');
    writeFileSync(path, Buffer.alloc(2_000));
    await shows('copying [########################] 100 %');
  });
  expect(drawn.at(-1)).toBe('\r\x1b[K');
});

it('a bar is silent without a terminal, and hands on what the work returns or throws', async () => {
  const silent = new Progress(undefined, 'copying', 0);
  expect(await silent.during(join(folder, 'nothing'), async () => 5)).toBe(5);
  await expect(silent.during(folder, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
});
