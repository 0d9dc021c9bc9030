// The clock of the gateway's machine jumps while orders are under way. The venues' and the clients' clocks do not jump.

import type { Row } from '../row.ts';
import { CLOCK_SHIFT_FILE } from '../shifted-clock.ts';
import { SPELL_MS, strikeForSpell } from '../spell.ts';

/** @param words the direction of the jump, for the table */
function jump(words: string, shiftMs: number): Row {
  return {
    group: 'the gateway’s clock',
    fault: `jumps ${words}, and back after ${SPELL_MS / 1_000} s`,
    setting: { nodeArgs: ['--import', './test/faults/shifted-clock.ts'] },
    // A venue's refusal because of the clock is final.
    isHasty: true,
    strike: scene => strikeForSpell(scene, CLOCK_SHIFT_FILE, shiftMs),
  };
}

export const CLOCK_ROWS: readonly Row[] = [
  jump('2 s ahead', 2_000),
  jump('2 s back', -2_000),
  jump('an hour ahead', 3_600_000),
  jump('an hour back', -3_600_000),
];
