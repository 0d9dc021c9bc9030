// Found by review: `crossbook book` went on showing a refusal, or that it had read too slowly, below a ladder that was right again. This
// lasted until the connection was lost.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { bookCommand } from '../../src/cli/watch-book.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import type { ServerMessage } from '../../src/wire/messages.ts';
import { CallRig } from '../cli/call-rig.ts';
import { SNAPSHOT } from '../cli/ladder-message.ts';

const LAGGED: ServerMessage = { type: 'error', id: null, code: 'LAGGED', message: 'too slowly', rejected: [] };

let rig: CallRig;
beforeEach(async () => {
  rig = await CallRig.start();
});
afterEach(() => rig.end());

it('a ladder that is right again is shown without what was wrong before', async () => {
  rig.server.onStream = socket =>
    socket.once('message', () => {
      for (const message of [LAGGED, SNAPSHOT]) socket.send(jsonCodec.encode(message), { binary: false });
    });
  const { code, out } = await rig.run(
    (args, io) => bookCommand(args, io, false),
    ...['venue_b', 'T-1', '--url', rig.server.streamUrl, '--once'],
  );
  expect([code, out.includes('0.53'), out.includes('too slowly')]).toEqual([0, true, false]);
});
