// Waiting for what sockets bring, by turns of the loop: the test's own time-out is the only deadline.

export async function turnsUntil(condition: () => boolean): Promise<void> {
  do await new Promise(resolve => setImmediate(resolve));
  while (!condition());
}
