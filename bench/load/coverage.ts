// What a gateway that was started with `coverage-hook.ts` has called, asked for from outside.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CalledFunction {
  /** Below src. */
  readonly file: string;
  /** Its name and place in the file. */
  readonly name: string;
  readonly calls: number;
}

export interface ThreadCalls {
  /** `main`, or the beginning of the file that it runs: `engine`, `history`, `check`. */
  readonly thread: string;
  readonly functions: readonly CalledFunction[];
}

/** Of each thread, what it has called since the last time. `path`: of the socket. */
export async function takeCalls(path: string): Promise<readonly ThreadCalls[]> {
  return JSON.parse(await text(connect(path))) as ThreadCalls[];
}
