// A check worker that dies of every page of the catalog; signatures it checks as the real one does.

import type { CheckAnswer, CheckTask } from '../../src/checks/check-tasks.ts';
import { verify as runRealTask } from '../../src/checks/check-worker.ts';

function runTask(task: CheckTask): CheckAnswer {
  return task.kind === 'catalog' ? process.exit(3) : runRealTask(task);
}

export { runTask as catalog, runTask as verify };
