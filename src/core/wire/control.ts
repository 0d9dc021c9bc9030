// The messages between commands and a running gateway on the control socket: a line of JSON each way. Any thread.

import { parseJson } from '../domain/json.ts';
import type { Result } from '../domain/result.ts';
import { readBoolean, readObject, readOneOf, readString, resultOf } from './fields.ts';
import { refuseDoubledKey } from './json-text.ts';

/** The name of the socket in the data directory. */
export const CONTROL_SOCKET = 'control.sock';
export const CONTROL_REQUEST_BYTES_MAX = 4_096;

export type ControlRequest =
  /** `name` is an actor, with its pod before a slash or without; a pod; or `*` for all pods. */
  | { readonly op: 'stop' | 'resume'; readonly name: string }
  | { readonly op: 'status' | 'latencies' }
  /** `name` is an actor or a pod, as for a stop, but not `*`. */
  | { readonly op: 'loss-set'; readonly name: string; readonly lossMax: string; readonly cancels: boolean }
  | { readonly op: 'loss-reset' | 'loss-end'; readonly name: string }
  | { readonly op: 'loss-list' }
  /** The commands for the recorder. */
  | { readonly op: 'record-start' | 'record-stop' };

/** The answer to a command. `usage` means that the request is wrong. `unavailable` means that the request could not be carried out. */
export type ControlAnswer =
  | { readonly type: 'done'; readonly isRecorded: boolean; readonly report: object }
  | { readonly type: 'usage' | 'unavailable'; readonly message: string };

const OF_NAMES = ['stop', 'resume', 'loss-reset', 'loss-end'] as const;
const OF_NONE = ['status', 'latencies', 'record-start', 'record-stop', 'loss-list'] as const;

function isIn<Text extends string>(texts: readonly Text[], text: string): text is Text {
  return (texts as readonly string[]).includes(text);
}

export function readControlRequest(line: string): Result<ControlRequest, string> {
  return resultOf(() => {
    const fields = readObject(parseJson(line), 'request');
    refuseDoubledKey(line);
    const op = readOneOf(fields.op, 'op', [...OF_NAMES, ...OF_NONE, 'loss-set']);
    if (isIn(OF_NONE, op)) return { op };
    const name = readString(fields.name, 'name');
    if (op !== 'loss-set') return { op, name };
    const cancels = readBoolean(fields.cancels, 'cancels');
    return { op, name, lossMax: readString(fields.lossMax, 'lossMax'), cancels };
  });
}
