// Found by asking which errors the recorder takes for those of its disk. The system’s answer on room that is left was none of them. After the
// folder had gone, as with a disk that is unmounted, the thread died instead of the recording. The next one died as well, again and again.

import { expect, it } from 'vitest';
import { createArena } from '../../src/book/memory.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import { Recorder } from '../../src/recording/recorder.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const HOUR_MS = 3_600_000;
const bounds = { recordingBytesMax: 1e12, recordingFileBytesMax: 1e12, diskFreeBytesMin: 0 };

it('ends with words about its folder, and so does the next', () => {
  let now = HOUR_MS;
  const folder = temporaryFolder();
  const options = { arena: createArena(), folder, bounds, now: () => now as UnixMillis };
  const recorder = new Recorder(options);
  removeFolder(folder);
  now += 1_000;
  expect(() => recorder.turn()).toThrow(StoreError);
  recorder.abandon();
  expect(() => new Recorder(options)).toThrow(StoreError);
  expect(() => new Recorder(options)).toThrow(folder);
});
