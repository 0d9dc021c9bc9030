// Found by asking what the names of files stand for. They are times, and the oldest file went by its name. A clock that was ahead had left
// files with later names than those of today. Then today's files went first, and beyond them none: the folder grew without a bound.

import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FILE_NAME } from '../../src/recording/format.ts';
import { RecorderRig, START } from '../recording/recorder-rig.ts';

const DAY_MS = 24 * 3_600_000;
let rig: RecorderRig;
beforeEach(() => {
  rig = new RecorderRig();
});
afterEach(() => rig.remove());

const names = (): string[] =>
  readdirSync(rig.folder)
    .filter(name => FILE_NAME.test(name))
    .sort();

async function recordFrom(now: number, recordingBytesMax: number): Promise<void> {
  await rig.recorder.close();
  rig.now = now;
  rig.recorder = rig.record({ recordingBytesMax });
}

it('go before those of today, beyond the bound of all files', async () => {
  await recordFrom(START + DAY_MS, 1e12);
  await recordFrom(START + 60_000, 1e12);
  await recordFrom(START + 120_000, 1);
  const [, , today] = names();
  expect(names()).toHaveLength(4);
  rig.now += 1_000;
  rig.follow();
  expect(names()).toEqual([today]);
  await rig.recorder.close();
});
