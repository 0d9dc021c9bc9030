// Found by asking what the recorder's thread does with an order while it carries out another. A start while the files were still being closed
// met their lock. So the recording was taken for another recorder's, it did not begin, and the alarm of a failed recording stayed.

import { afterEach, expect, it } from 'vitest';
import { createArena } from '../../src/book/memory.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { MarketChoice } from '../../src/recording/market-choice.ts';
import { RecorderLink } from '../../src/recording/recorder-link.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

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
  await link.order('start');
  const [stopped, started] = await Promise.all([link.order('stop'), link.order('start')]);
  expect([stopped, started]).toEqual([
    { isRecording: false, isNew: false, fault: null },
    { isRecording: true, isNew: true, fault: null },
  ]);
  expect(metrics.rowsOf('recording_failed')[0]!.value).toBe(0);
});
