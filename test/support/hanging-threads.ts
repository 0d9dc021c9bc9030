// libuv's threads for files and look-ups of names, all of which hang, as they do behind the syncs of a frozen disk. Each thread waits to
// open a pipe to which nobody writes.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, open, openSync } from 'node:fs';
import { join } from 'node:path';

const THREADS = Number(process.env.UV_THREADPOOL_SIZE ?? 4);

/** Hangs the threads. The pipe is made in `folder`. Returns a function that lets the threads go on and resolves when they have. */
export function hangThreads(folder: string): () => Promise<void> {
  const pipe = join(folder, 'nobody-writes');
  execFileSync('mkfifo', [pipe]);
  const opened = Array.from({ length: THREADS }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    open(pipe, constants.O_RDONLY, (error, fd) => (error === null ? resolve(fd) : reject(error)));
    return promise;
  });
  return async () => {
    const writer = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    for (const fd of await Promise.all(opened)) closeSync(fd);
    closeSync(writer);
  };
}
