// The entry of the engine's thread: the engine, and the door at its own address if that is configured. The door brings uWebSockets.js and
// the code of admission onto this thread, so it is imported only if it is needed.

import { EventLinks } from '../../catalog/event-links.ts';
import type { OpenDoor } from '../../orders/engine/engine-door.ts';
import type { EngineTask } from '../../orders/engine/engine-messages.ts';
import { serveEngine } from '../../orders/engine/serve-engine.ts';

/** Runs the engine. Resolves when the engine has closed, or could not open. */
export function engine(task: EngineTask): Promise<void> {
  const openDoor: OpenDoor = async (...parts) => (await import('./trade-door.ts')).openTradeDoor(...parts);
  return serveEngine(task, openDoor, new EventLinks());
}
