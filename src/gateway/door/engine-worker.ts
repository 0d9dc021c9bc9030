// The entry of the engine's thread: the engine, and its own address if there is one. The address brings uWebSockets.js and the code of
// admission onto this thread, so that it is imported only then.

import type { EngineTask } from '../../orders/engine/engine-messages.ts';
import { serveEngine } from '../../orders/engine/serve-engine.ts';

/** Resolves when the engine has closed, or could not open. */
export function engine(task: EngineTask): Promise<void> {
  return serveEngine(task, async (...parts) => (await import('./trade-door.ts')).openTradeDoor(...parts));
}
