// Plays rows one after the other on one stage, then checks its end: the events of followers, the exit, the store, the log. A row that fails is the
// last row of its stage, since its damage remains.

import { wordsOf } from '../../src/core/domain/error-words.ts';
import { Random } from '../../src/core/runtime/random.ts';
import { Audit } from '../soak/audit.ts';
import { NOTHING_SEEN, type Outcome } from './outcome.ts';
import { playRow } from './play-row.ts';
import type { Row } from './row.ts';
import { canMount } from './small-disk.ts';
import { Stage } from './stage.ts';

/** Returns the outcomes of all rows, or of the rows up to the first row that went wrong. */
export async function playStage(
  rows: readonly Row[],
  seed: number,
  onPlayed: (outcome: Outcome) => void,
): Promise<readonly Outcome[]> {
  const [{ group, fault, setting }] = rows as readonly [Row, ...Row[]];
  if (setting?.diskBytes !== undefined && !canMount())
    return [{ ...NOTHING_SEEN, group, fault, skipped: 'takes root, to mount a small disk' }];
  const stage = await Stage.build(setting ?? {}, seed);
  const outcomes: Outcome[] = [];
  const isWell = (): boolean => outcomes.every(({ wrong }) => wrong.length === 0);
  try {
    if (setting === undefined) await stage.open();
    const random = new Random(seed);
    for (const row of rows) {
      if (!isWell()) break;
      outcomes.push(await playRow(row, stage, random));
      onPlayed(outcomes.at(-1)!);
    }
    const wrong = isWell() ? await endOf(stage, rows) : [];
    if (wrong.length > 0) {
      outcomes.push({ ...outcomes.pop()!, wrong });
      onPlayed(outcomes.at(-1)!);
    }
  } finally {
    await stage.close(!isWell());
  }
  return outcomes;
}

async function endOf({ paper, gateway, followers }: Stage, rows: readonly Row[]): Promise<readonly string[]> {
  const expected = rows.flatMap(row => row.expected ?? []);
  const nobody = { traders: [], strangers: new Set<string>(), settleMs: 0, isPatient: false };
  const losesRecord = rows.some(row => row.losesRecord === true);
  const audit = new Audit({ paper, gateway, followers, expected, losesRecord, ...nobody });
  const ending = audit.atTheEnd();
  try {
    await Promise.race([gateway.failed, ending]);
  } catch (error) {
    await gateway.end();
    await Promise.allSettled([ending]);
    return [...audit.faults, `at the end: ${wordsOf(error)}`];
  }
  return audit.faults;
}
