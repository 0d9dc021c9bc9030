// The entry of the engine's thread: the engine, and its own address if there is one. The address brings uWebSockets.js and the code of
// admission onto this thread, so that it is imported only then.

import { EventLinks } from '../../catalog/event-links.ts';
import type { OpenDoor } from '../../orders/engine/engine-door.ts';
import type { EngineTask } from '../../orders/engine/engine-messages.ts';
import { serveEngine } from '../../orders/engine/serve-engine.ts';

/** Resolves when the engine has closed, or could not open. */
export function engine(task: EngineTask): Promise<void> {
  const openDoor: OpenDoor = async (...parts) => (await import('./trade-door.ts')).openTradeDoor(...parts);
  return serveEngine(task, openDoor, new EventLinks());
}
