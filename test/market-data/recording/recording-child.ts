// A process that records until it is killed: `node recording-child.ts FOLDER`. A feed's thread changes books 20 000 times a second, and the
// recorder writes them into the folder.

import { Worker } from 'node:worker_threads';
import { PRIMARY } from '../../../src/core/domain/market.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { BookIndexWriter } from '../../../src/market-data/book/book-index-writer.ts';
import { createArena, indexOf } from '../../../src/market-data/book/memory.ts';
import { RecorderLink } from '../../../src/market-data/recording/recorder-link.ts';
import { MarketChoice } from '../../../src/market-data/recording/recorder-settings.ts';
import type { Opened, SharedFileWorkerData } from '../../stress/shared-file-terms.ts';

const [folder = ''] = process.argv.slice(2);
const arena = createArena();
const index = new BookIndexWriter(indexOf(arena));
const link = new RecorderLink({
  settings: { folder, markets: MarketChoice.ALL, bytesMax: 1e12 },
  bounds: { recordingBytesMax: 1e12, recordingFileBytesMax: 1e12, diskFreeBytesMin: 0 },
  arena,
  metrics: new Metrics({ operations: [] }),
  log: silentLog,
});
const workerData: SharedFileWorkerData = {
  arena,
  markets: 24,
  changesPerSecond: 20_000,
  changes: Number.MAX_SAFE_INTEGER,
};
const worker = new Worker(new URL('../../stress/shared-file-worker.ts', import.meta.url), { workerData });
worker.on('message', ({ market, book }: Opened) => {
  index.put('venue_b', `KX-${market}`, { book, view: PRIMARY });
  link.places.put('venue_b', `KX-${market}`, { book, view: PRIMARY });
});
