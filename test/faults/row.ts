// One row of the campaign: a fault, how it is committed while orders are sent, and what is known of it beforehand.

import type { Attempt, GatewayProcess } from '../soak/gateway-process.ts';
import type { PaperProcess, PodAccount } from '../soak/paper-process.ts';
import type { Scene } from './scene.ts';

export interface Row {
  /** The group in the table. */
  readonly group: string;
  /** The fault, in the words of the table. */
  readonly fault: string;
  /** Commits it while orders are under way; resolves when the worst is over. */
  readonly strike: (scene: Scene) => Promise<unknown>;
  /** 60 by default. */
  readonly orders?: number;
  /** A `FaultKind` that must have struck, or the row proves nothing. */
  readonly mustStrike?: string;
  /** Words of the log that are alarms elsewhere. */
  readonly expected?: readonly string[];
  /** The journal’s last record is lost on the disk after it was given out: cursors leap, and one answer may be another. */
  readonly losesRecord?: boolean;
  /** Clients do not ask until everything is decided: their answers stay as they are. */
  readonly isHasty?: boolean;
  /** Null: it is played on a stage with others, one after the other. */
  readonly setting?: Setting;
}

/** A stage of its own. */
export interface Setting {
  /** Starts the gateway, in place of a start in fair weather. */
  readonly begin?: (scene: Scene) => Promise<void>;
  /** Arguments of Node, before the program. */
  readonly nodeArgs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** With which the gateway trades, where they are not those of the audit. */
  readonly pods?: (paper: PaperProcess) => Promise<readonly PodAccount[]>;
  /** The data directory is on a file system of its own of so many bytes, which takes root; the row is left out without. */
  readonly diskBytes?: number;
}

/** For notes of what a start came to. */
export function wordsOf(attempt: Attempt, { dataDir }: Pick<GatewayProcess, 'dataDir'>): string {
  if (attempt.isUp) return 'it starts';
  const line = attempt.complaint.split('\n').find(it => it.startsWith('crossbook: ')) ?? attempt.complaint.slice(-200);
  const words = line
    .replace('crossbook: ', '')
    .replaceAll(dataDir, '<data dir>')
    .replace(/process \d+/, 'process …');
  return `exit code ${attempt.code}: ${words}`;
}
