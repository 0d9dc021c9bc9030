// One subscriber that stopped reading could end the gateway (SIGSEGV). uWebSockets.js reports a dropped frame while it iterates over the
// subscribers of its topics, and the session unsubscribed at that moment.

import { expect, it } from 'vitest';
import { OwnProcess } from '../../support/child-process.ts';

it('0070: the server takes a slow reader off its topics, and lives on', async () => {
  const server = new OwnProcess(['test/core/net/unsubscribes-slow-readers.ts']);
  expect([await server.ended, server.endedBy, server.stdout]).toEqual([0, null, '8 suspended\n']);
});
