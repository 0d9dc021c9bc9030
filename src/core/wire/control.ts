// Messages between commands and a running gateway on the control socket: a line of JSON each way. Any thread.

import { parseJson } from '../domain/json.ts';
import type { Result } from '../domain/result.ts';
import { inWords, readObject, readOneOf, readString } from './fields.ts';
import { refuseDoubledKey } from './json-text.ts';

/** Name of the socket in the data directory. */
export const CONTROL_SOCKET = 'control.sock';
export const CONTROL_REQUEST_BYTES_MAX = 4_096;

export type ControlRequest =
  /** `name`: an actor, with its pod before a slash or without; a pod; or `*` for all pods. */
  | { readonly op: 'stop' | 'resume'; readonly name: string }
  | { readonly op: 'status' }
  /** Commands for the recorder. */
  | { readonly op: 'record-start' | 'record-stop' };

/** `usage`: the request is wrong. `unavailable`: it could not be done. */
export type ControlAnswer =
  | { readonly type: 'done'; readonly isRecorded: boolean; readonly report: object }
  | { readonly type: 'usage' | 'unavailable'; readonly message: string };

export function readControlRequest(line: string): Result<ControlRequest, string> {
  return inWords(() => {
    const fields = readObject(parseJson(line), 'request');
    refuseDoubledKey(line);
    const op = readOneOf(fields.op, 'op', ['stop', 'resume', 'status', 'record-start', 'record-stop']);
    return op === 'stop' || op === 'resume' ? { op, name: readString(fields.name, 'name') } : { op };
  });
}
