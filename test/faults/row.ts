// One row of the campaign: a fault, the way in which it is caused while orders are sent, and its expected effects.

import type { Attempt, GatewayProcess } from '../soak/gateway-process.ts';
import type { PaperProcess, PodAccount } from '../soak/paper-process.ts';
import type { Scene } from './scene.ts';

export interface Row {
  /** The group in the table. */
  readonly group: string;
  /** The fault, as the table names it. */
  readonly fault: string;
  /** Causes the fault while orders are under way. Resolves when the worst is over. */
  readonly strike: (scene: Scene) => Promise<unknown>;
  /** The number of orders; 60 by default. */
  readonly orders?: number;
  /** The `FaultKind` that must have struck; otherwise the row proves nothing. */
  readonly mustStrike?: string;
  /** Words of the log that are alarms in other rows. */
  readonly expected?: readonly string[];
  /** Whether the disk loses the journal's last record after followers or callers received it. Then cursors leap, and one answer may change. */
  readonly losesRecord?: boolean;
  /** Whether clients give up before everything is decided, so that their answers stay undecided. */
  readonly isHasty?: boolean;
  /** The setting of a stage of its own. Null means that the row shares a stage with other rows. */
  readonly setting?: Setting;
}

/** The setting of a stage for one row. */
export interface Setting {
  /** Starts the gateway, in place of a start without faults. */
  readonly begin?: (scene: Scene) => Promise<void>;
  /** The arguments of Node before the program. */
  readonly nodeArgs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Returns the pods with which the gateway trades, if they differ from those of the audit. */
  readonly pods?: (paper: PaperProcess) => Promise<readonly PodAccount[]>;
  /** The size of a file system for the data directory alone. Mounting it requires root, and the row is skipped without root. */
  readonly diskBytes?: number;
}

/** Describes the result of a start, for notes. */
export function wordsOf(attempt: Attempt, { dataDir }: Pick<GatewayProcess, 'dataDir'>): string {
  if (attempt.isUp) return 'it starts';
  const line = attempt.complaint.split('\n').find(it => it.startsWith('crossbook: ')) ?? attempt.complaint.slice(-200);
  const words = line
    .replace('crossbook: ', '')
    .replaceAll(dataDir, '<data dir>')
    .replace(/process \d+/, 'process …');
  return `exit code ${attempt.code}: ${words}`;
}
