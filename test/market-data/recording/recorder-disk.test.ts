// A recorder with a disk or a clock that fails.

import { afterEach, describe, expect, it } from 'vitest';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { createArena } from '../../../src/market-data/book/memory.ts';
import { Recorder } from '../../../src/market-data/recording/recorder.ts';
import { RecorderLink } from '../../../src/market-data/recording/recorder-link.ts';
import { MarketChoice } from '../../../src/market-data/recording/recorder-settings.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

// No code handled the system's error when the free room of the disk was read. When the folder was gone, as with a disk that is unmounted, the thread
// died instead of ending the recording. The next thread died as well, again and again.
describe('3311: a recording whose disk is gone', () => {
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
});

// A start while the files were still being closed found their lock. So the gateway took the recording for another recorder's and did not begin to
// record, and the alarm of a failed recording stayed.
describe('3314: a start while files are closed', () => {
  const folder = temporaryFolder();
  const metrics = new Metrics({ operations: [] });
  const link = new RecorderLink({
    settings: { folder, markets: MarketChoice.ALL, bytesMax: 1e12 },
    bounds: { recordingBytesMax: 1e12, recordingFileBytesMax: 1e12, diskFreeBytesMin: 0 },
    ...{ arena: createArena(), metrics, log: silentLog },
  });
  afterEach(async () => {
    await link.close();
    removeFolder(folder);
  });

  it('a recording that is started while it is being stopped goes on', async () => {
    await link.command('start');
    const [stopped, started] = await Promise.all([link.command('stop'), link.command('start')]);
    expect([stopped, started]).toEqual([
      { isRecording: false, isNew: false, fault: null },
      { isRecording: true, isNew: true, fault: null },
    ]);
    expect(metrics.rowsOf('recording_failed')[0]!.value).toBe(0);
  });
});
