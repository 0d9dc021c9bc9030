// The file of a Unix domain socket. The path is reused if no process listens there. Only its owner may read the file, which is removed at
// the end. uWebSockets.js itself would delete any file at the path. Listening thread.

import { accessSync, chmodSync, constants, lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** The longest path: the smallest maximum of all systems (macOS; Linux has 107). A longer path ends the process in uWebSockets.js. */
const PATH_BYTES_MAX = 103;
/** The umask that restricts new files to `OWNER_ONLY`. */
const UMASK = 0o177;
const OWNER_ONLY = 0o600;

/**
 * Clears the path for a socket. Rejects if the path is unusable, leads to something else, or belongs to a live process. The message
 * continues after the path.
 */
export async function clearSocketPath(path: string): Promise<void> {
  const problem = await socketPathProblem(path);
  if (problem !== null) throw new Error(problem);
  if (isThere(path)) unlinkSync(path);
}

/**
 * Returns why no socket can be made at the path. Null means that a socket can be made, if need be in place of a socket on which no process
 * listens.
 */
export async function socketPathProblem(path: string): Promise<string | null> {
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) return `its name is longer than ${PATH_BYTES_MAX} bytes`;
  const problem = folderProblem(dirname(path));
  if (problem !== null || !isThere(path)) return problem;
  if (!lstatSync(path).isSocket()) return 'it exists and is not a socket';
  return (await isAnswered(path)) ? 'another process listens there' : null;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function folderProblem(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? `there is no folder ${folder}` : `${folder} cannot be written to (${code})`;
  }
}

/**
 * Runs `bind` synchronously, so that only its owner can use the file from the first instant. Only the main thread can set the umask of the
 * process. uWebSockets.js itself makes the file with mode 0700 on Linux, under any umask.
 */
export function asOwnerOnly(path: string, bind: () => void): void {
  if (!isMainThread) {
    bind();
    chmodSync(path, OWNER_ONLY);
    return;
  }
  const umask = process.umask(UMASK);
  try {
    bind();
  } finally {
    process.umask(umask);
  }
}

/** The file of a socket that was just bound. */
export class SocketFile {
  readonly #path: string;
  readonly #inode: bigint;

  constructor(path: string) {
    this.#path = path;
    this.#inode = lstatSync(path, { bigint: true }).ino;
  }

  /** Removes the file, unless another process has put its own file there. */
  remove(): void {
    const found = lstatSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (found?.ino === this.#inode) unlinkSync(this.#path);
  }
}

/**
 * Whether a process may listen on the path. Only a refused connection proves that no process listens: an unreachable or busy socket may be
 * in use.
 */
function isAnswered(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = connect({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}
