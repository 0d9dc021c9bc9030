// An order worker that dies of every operation on orders before it has checked anything; checks alone it makes as the real one does.

import type { OrderAnswer, OrderTask } from '../../src/threads/order-tasks.ts';
import { runTask as runRealTask } from '../../src/threads/order-worker.ts';

export function runTask(task: OrderTask): OrderAnswer | Promise<OrderAnswer> {
  return task.kind === 'operate' ? process.exit(3) : runRealTask(task);
}

export { runTask as close, runTask as operate, runTask as verify };
