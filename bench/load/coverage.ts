// Reads the call counts of a gateway that runs with `coverage-hook.ts`, from outside.

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CalledFunction {
  /** Path below src. */
  readonly file: string;
  /** Its name and place in the file. */
  readonly name: string;
  readonly calls: number;
}

export interface ThreadCalls {
  /** `main`, or its name in `src/threads.ts`. */
  readonly thread: string;
  readonly functions: readonly CalledFunction[];
}

/** Calls of each thread since the last time. `path`: of the socket. */
export async function takeCalls(path: string): Promise<readonly ThreadCalls[]> {
  return JSON.parse(await text(connect(path))) as ThreadCalls[];
}
