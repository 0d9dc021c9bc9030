// A fault of the gateway's process that lasts a spell: what is loaded before the program reads how bad it is from a file.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scene } from './scene.ts';

/** A pause is the fault itself: it lasts so long, and nothing waits for it. */
export const SPELL_MS = 3_000;
/** Enough that some are under way. */
const ORDERS_BEFORE = 12;

/** `file`: in the stage's folder. */
export async function strikeForSpell(scene: Scene, file: string, howBad: number): Promise<void> {
  const path = join(scene.stage.folder, file);
  await scene.begun(ORDERS_BEFORE);
  writeFileSync(path, String(howBad));
  await pause(SPELL_MS);
  writeFileSync(path, '0');
}
