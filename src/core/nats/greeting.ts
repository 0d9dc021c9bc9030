// Checks whether a server of NATS is at an address: a server greets each connection. The package never closes a connection that is accepted
// and not greeted, as by a server that hangs. So it connects only after this check. Any thread.

import { connect } from 'node:net';

/** Resolves once one of the servers has greeted. Rejects with the fault of the first one if none does within the time. */
export async function mustGreet(servers: readonly string[], withinMs: number): Promise<void> {
  try {
    await Promise.any(servers.map(server => greeting(new URL(server), withinMs)));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

function greeting({ hostname, port }: URL, withinMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname);
  const timer = setTimeout(() => socket.destroy(new Error(`no greeting within ${withinMs} ms`)), withinMs);
  socket.once('data', () => {
    resolve();
    socket.destroy();
  });
  socket.once('error', reject);
  socket.once('close', () => {
    clearTimeout(timer);
    reject(new Error('closed without a greeting'));
  });
  return promise;
}
