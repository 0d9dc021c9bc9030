// The private streams of both venues, frame after frame, down to the ledger. No frame stops the stream or the booking of later frames. Each reported
// fill is booked once, as reported.

import fc from 'fast-check';
import { expect } from 'vitest';
import type { VenueFill } from '../../src/venues/venue.ts';
import { Rig } from '../orders/life/orders-rig.ts';
import { corpus, jsonCorpus } from './corpus.ts';
import { damagedBytes } from './damaged-bytes.ts';
import { damagedJson } from './damaged-json.ts';
import { fuzz } from './fuzz.ts';
import { liveStream } from './private-streams.ts';

/** The valid messages that are sent last, on the current connection. */
const SOUND = {
  venue_a: corpus('venue-a-messages')[0]!,
  venue_b: corpus('venue-b-messages')[0]!,
} as const;

for (const venue of ['venue_a', 'venue_b'] as const) {
  const name = venue === 'venue_a' ? 'venue-a-messages' : 'venue-b-messages';
  const structure = damagedJson(jsonCorpus(name), 3).map(text => Buffer.from(text));
  fuzz({
    name: `private stream of ${venue.replace('_', ' ')}`,
    inputs: fc.array(fc.oneof({ weight: 3, arbitrary: structure }, damagedBytes(structure, ['"ts_ms":'], 2)), {
      minLength: 1,
      maxLength: 6,
    }),
    runs: 50,
    async check(frames) {
      const { socket, timers, events } = liveStream(venue);
      for (const frame of [...frames, SOUND[venue]]) {
        socket.say(frame);
        // The answer to a question comes in a later turn of the loop.
        await timers.settle(0);
      }
      const fills = events.flatMap(event => (event.type === 'fill' ? [event.fill] : []));
      expect(fills.length).toBeGreaterThan(0);
      const rig = new Rig(venue);
      rig.executions.start();
      await rig.pass(10, 5);
      for (const event of [...events, ...events]) rig.hear(event);
      // Fills that wait for an order become orphan fills once the order can no longer appear.
      for (let sweep = 0; sweep < 2; sweep += 1) await rig.sweep();
      for (const fill of new Map(fills.map(it => [it.fillId, it])).values()) {
        const first = fills.find(it => it.fillId === fill.fillId)!;
        expect(rig.store.fill(rig.account, fill.fillId)?.fill).toMatchObject(bookedOf(first));
      }
    },
  });
}

/** Returns the fields of a fill that never change. */
function bookedOf({ venueTradeId, size, executedAt }: VenueFill): object {
  return { venueTradeId, size, executedAt };
}
