// A check worker that dies at every page of the catalog. It checks signatures as the real one does.

import { verify as runRealTask } from '../../../src/gateway/checks/check-worker.ts';
import type { CheckAnswer, CheckTask } from '../../../src/gateway/checks/checker.ts';

function runTask(task: CheckTask): CheckAnswer {
  return task.kind === 'catalog' ? process.exit(3) : runRealTask(task);
}

export { runTask as catalog, runTask as verify };
