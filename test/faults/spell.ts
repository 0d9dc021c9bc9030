// A fault of the gateway's process that lasts for a while. The code that is loaded before the program reads the severity from a file.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scene } from './scene.ts';

/** The length of a fault. The pause is the fault itself, so it does not wait for a condition. */
export const SPELL_MS = 3_000;
/** The number of orders before the fault, enough that some are under way. */
const ORDERS_BEFORE = 12;

/** @param file a file in the stage's folder */
export async function strikeForSpell(scene: Scene, file: string, howBad: number): Promise<void> {
  const path = join(scene.stage.folder, file);
  await scene.begun(ORDERS_BEFORE);
  writeFileSync(path, String(howBad));
  await pause(SPELL_MS);
  writeFileSync(path, '0');
}
