// The disk of the gateway's data directory is full, or slow.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Row, wordsOf } from '../row.ts';
import { DISK_DELAY_FILE, LATE_SYNCS_FILE } from '../slow-disk.ts';
import { fillDisk, freeDisk } from '../small-disk.ts';
import { SPELL_MS, strikeForSpell } from '../spell.ts';

const group = 'the gateway’s disk';
/** The size of a disk with room for the stores of a campaign, and some spare room. */
const DISK_BYTES = 64 * 1024 * 1024;
/** The longest sync of a worn disk. */
const SYNC_MS = 400;

/** The words of an order's answer and of the log. */
const expected = ['check task failed', 'request failed', 'the order store failed'];

function slow(durability: string): Row {
  return {
    group,
    fault: `every sync takes ${SYNC_MS} ms for ${SPELL_MS / 1_000} s (\`${durability}\`)`,
    setting: {
      nodeArgs: ['--import', './test/faults/slow-disk.ts'],
      environment: { CROSSBOOK_DURABILITY: durability },
    },
    async strike(scene) {
      await strikeForSpell(scene, DISK_DELAY_FILE, SYNC_MS);
      // This throws if no sync was late.
      scene.notes.push(`${statSync(join(scene.stage.folder, LATE_SYNCS_FILE)).size} syncs`);
    },
  };
}

export const DISK_ROWS: readonly Row[] = [
  {
    group,
    fault: `full to the last byte for ${SPELL_MS / 1_000} s`,
    setting: { diskBytes: DISK_BYTES },
    expected,
    async strike(scene) {
      const { dataDir } = scene.stage.gateway;
      await scene.begun(12);
      fillDisk(dataDir);
      await pause(SPELL_MS);
      freeDisk(dataDir);
    },
  },
  {
    group,
    fault: 'full when the gateway starts; then freed, and started again',
    setting: {
      diskBytes: DISK_BYTES,
      async begin({ stage, notes }) {
        const { gateway } = stage;
        fillDisk(gateway.dataDir);
        const attempt = await gateway.attempt();
        notes.push(wordsOf(attempt, gateway));
        freeDisk(gateway.dataDir);
        if (!attempt.isUp) await stage.open();
      },
    },
    strike: () => Promise.resolve(),
  },
  {
    group,
    fault: `full for ${SPELL_MS / 1_000} s, and kill -9 meanwhile`,
    setting: { diskBytes: DISK_BYTES },
    expected,
    async strike(scene) {
      const { gateway } = scene.stage;
      await scene.begun(12);
      fillDisk(gateway.dataDir);
      await pause(SPELL_MS / 2);
      await gateway.kill();
      const attempt = await gateway.attempt();
      scene.notes.push(wordsOf(attempt, gateway));
      freeDisk(gateway.dataDir);
      if (!attempt.isUp) await gateway.start();
    },
  },
  slow('process-safe'),
  slow('power-safe'),
];
