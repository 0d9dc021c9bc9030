// Processes that end with the process that started them. A test that forgets them, fails, or is ended by a signal leaves no process behind.

import type { ChildProcess } from 'node:child_process';

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const alive = new Set<ChildProcess>();

export function endWithUs(child: ChildProcess): void {
  if (alive.size === 0) listen('on');
  alive.add(child);
  child.once('close', () => {
    alive.delete(child);
    if (alive.size === 0) listen('off');
  });
}

function listen(how: 'on' | 'off'): void {
  process[how]('exit', reap);
  for (const signal of SIGNALS) process[how](signal, reapAndEnd);
}

function reap(): void {
  for (const child of alive) child.kill('SIGKILL');
}

/** Ends the started processes, then this process: without our listener, the signal ends this process. */
function reapAndEnd(signal: NodeJS.Signals): void {
  reap();
  listen('off');
  process.kill(process.pid, signal);
}
