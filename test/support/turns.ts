// Waits for the messages of sockets, by turns of the event loop. The test's own time-out is the only deadline.

export async function turnsUntil(condition: () => boolean): Promise<void> {
  do await new Promise(resolve => setImmediate(resolve));
  while (!condition());
}
