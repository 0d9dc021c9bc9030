// Asks a running gateway by the control socket in its data directory.

import { createConnection } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isObject, parseJson } from '../../core/domain/json.ts';
import { CONTROL_SOCKET, type ControlAnswer, type ControlRequest } from '../../core/wire/control.ts';
import { UsageError } from './command-io.ts';

/** Longer than a stop waits for its cancels. */
const ANSWER_MS = 20_000;

type Done = Extract<ControlAnswer, { type: 'done' }>;

/** Rejects with a UsageError for a wrong request, and with words for the operator if no gateway answers. */
export async function askGateway(dataDir: string, request: ControlRequest): Promise<Done> {
  const path = join(dataDir, CONTROL_SOCKET);
  const socket = createConnection({ path });
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error(`no answer within ${ANSWER_MS} ms`)));
  socket.end(`${JSON.stringify(request)}\n`);
  const line = await text(socket).catch((error: NodeJS.ErrnoException) => {
    throw new Error(wordsFor(path, error));
  });
  const answer = parseJson(line) as ControlAnswer | undefined;
  if (!isObject(answer)) throw new Error(`${path}: the gateway has ended before its answer`);
  if (answer.type === 'done') return answer;
  throw answer.type === 'usage' ? new UsageError(answer.message) : new Error(answer.message);
}

function wordsFor(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ECONNREFUSED')
    return `no gateway runs with this data directory: nobody listens on ${path} (--data-dir, CROSSBOOK_DATA_DIR)`;
  if (code === 'EACCES') return `${path} belongs to another user: run this as the user of the gateway`;
  return `${path}: ${message}`;
}
