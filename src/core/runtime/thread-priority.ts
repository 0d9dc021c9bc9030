// Decides which threads go first where cores are scarce: those that take requests, trade and keep books. On Linux only; elsewhere all are
// equal.

import { constants, getPriority, setPriority } from 'node:os';

const OWN = 0;

/** The calling thread gives way to the others, unless the whole process has been started with a lower priority. */
export function giveWay(): void {
  // Other systems would lower the whole process.
  if (process.platform !== 'linux') return;
  const { PRIORITY_BELOW_NORMAL } = constants.priority;
  try {
    if (getPriority(OWN) < PRIORITY_BELOW_NORMAL) setPriority(OWN, PRIORITY_BELOW_NORMAL);
  } catch {
    // The system forbids it: the thread stays as it is.
  }
}
