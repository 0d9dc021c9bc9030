// A thread whose heap runs full, in real memory.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

it('ends by itself, and says why', async () => {
  const resourceLimits = { maxOldGenerationSizeMb: 128 };
  const worker = new Worker(new URL('./hoarding-worker.ts', import.meta.url), { resourceLimits });
  const [error] = await once(worker, 'error');
  expect(error.message).toMatch(/^its heap has \d+ bytes of \d+$/);
});
