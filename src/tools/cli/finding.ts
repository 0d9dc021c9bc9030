// A finding of `crossbook doctor`.

export interface Finding {
  readonly about: string;
  /** `fail` means that the gateway cannot start, or cannot trade. */
  readonly level: 'ok' | 'warn' | 'fail';
  readonly says: string;
  /** The action that the operator should take. */
  readonly advice?: string;
}

const ABOUT_WIDTH = 9;

/** Rounds a number to a tenth, for people. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

export function findingsText(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ about, level, says, advice }) => [
    `${level.padEnd(4)}  ${about.padEnd(ABOUT_WIDTH)} ${says}`,
    ...(advice === undefined ? [] : [`      ${' '.repeat(ABOUT_WIDTH)} → ${advice}`]),
  ]);
  return lines.map(line => `${line}\n`).join('');
}
