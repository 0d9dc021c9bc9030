// Found by review: `crossbook book` went on saying what had been refused, or that it had read too slowly, below a ladder that was right
// again, until the connection was lost.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { checksumLevels } from '../../src/book/checksum.ts';
import { bookCommand } from '../../src/cli/watch-book.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../src/domain/numbers.ts';
import { jsonCodec } from '../../src/wire/json.ts';
import type { ServerMessage } from '../../src/wire/messages.ts';
import { CallRig } from '../cli/call-rig.ts';

const bids = [{ price: 5_300 as Ticks, size: 7_000_000 as MicroShares }];
const LAGGED: ServerMessage = { type: 'error', id: null, code: 'LAGGED', message: 'too slowly', rejected: [] };
const SNAPSHOT: ServerMessage = {
  type: 'snapshot',
  market: { venue: 'venue_b', ticker: 'T-1' },
  epoch: 1,
  seq: 1,
  state: 'LIVE',
  bids,
  asks: [],
  checksum: checksumLevels(bids, []),
  venueTime: 1 as UnixMillis,
  receivedAt: 1 as UnixMillis,
};

let rig: CallRig;
beforeEach(async () => {
  rig = await CallRig.start();
});
afterEach(() => rig.end());

it('is shown without what was wrong before', async () => {
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
